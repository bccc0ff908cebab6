"""Jobs of ranks that stay for the whole run of the tests, one for each number of ranks.

Starting a job of mpiexec, with its interpreters and imports, takes longer than most programs of
tests. A program that fails ends the job, and the next program starts another one.
"""

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from itertools import count
from multiprocessing.connection import Connection, wait
from pathlib import Path

SERVER = Path(__file__).with_name("serve_ranks.py")
START = 120  # seconds for starting a job
# These variables differ between tests, and no program depends on them.
UNNOTICED = {"TMPDIR", "PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER"}
_jobs = {}
_numbers = count()


def run(command, ranks, program, arguments, *, cwd, timeout):
    """Runs the Python file `program` on a kept job, which `command` starts. Returns what
    subprocess.run would return for a job of its own."""
    job = _jobs.get(ranks)
    if job is None or not job.is_usable(command):
        if job is not None:
            job.end()
        job = _jobs[ranks] = _Job(command, ranks)
    return job.run(program, arguments, cwd, timeout)


@atexit.register
def end_all():
    while _jobs:
        _jobs.popitem()[1].end()


class _Job:
    def __init__(self, command, ranks):
        self.command = command
        self.environment = _noticed()
        self.folder = tempfile.mkdtemp(prefix="ranks")
        self.connections = []
        self.is_fresh = True  # no program has changed its processes permanently
        with socket.socket(socket.AF_UNIX) as listener:
            # The path of a socket file might be too long.
            name = f"onecast-tests-{os.getpid()}-{next(_numbers)}"
            listener.bind(f"\0{name}")
            listener.listen(ranks)
            listener.settimeout(START)
            self.process = subprocess.Popen(
                [*command, sys.executable, str(SERVER), name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "TMPDIR": self.folder},
                start_new_session=True,
            )
            for _ in range(ranks):
                self.connections.append(Connection(listener.accept()[0].detach()))
        # The connections are in the order of ranks.
        self.connections = [c for _, c in sorted((c.recv(), c) for c in self.connections)]

    def is_usable(self, command) -> bool:
        return (
            bool(self.connections)
            and command == self.command
            and _noticed() == self.environment
            and self.process.poll() is None
        )

    def run(self, program, arguments, cwd, timeout):
        files = {}
        for name in ("stdout", "stderr"):
            handle, files[name] = tempfile.mkstemp(dir=self.folder)
            os.close(handle)
        task = {
            **files,
            "program": os.path.abspath(program),
            "arguments": [str(argument) for argument in arguments],
            "cwd": str(cwd or os.getcwd()),
            "tmpdir": os.environ.get("TMPDIR", self.folder),
        }
        try:
            for connection in self.connections:
                connection.send(task)
            status = self._status(timeout)
        except (EOFError, OSError):  # MPI_Abort, or a killed rank
            status = 1
        output = {name: Path(file).read_text(errors="replace") for name, file in files.items()}
        for file in files.values():
            os.unlink(file)
        if status != 0 or not self.is_fresh:
            self.end()
        if status is None:
            raise subprocess.TimeoutExpired(task["program"], timeout, *output.values())
        return subprocess.CompletedProcess(task["program"], status, *output.values())

    def _status(self, timeout):
        """Returns 0 when all ranks have succeeded, the first other status; None after `timeout`
        seconds."""
        end = time.monotonic() + timeout
        waiting = list(self.connections)
        while waiting:
            ready = wait(waiting, end - time.monotonic())
            if not ready:
                return None
            for connection in ready:
                status, is_fresh = connection.recv()
                if status != 0:
                    return status
                self.is_fresh = self.is_fresh and is_fresh
                waiting.remove(connection)
        return 0

    def end(self):
        for connection in self.connections:
            connection.close()
        self.connections = []
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.terminate()  # mpiexec ends its ranks
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _noticed():
    return {name: value for name, value in os.environ.items() if name not in UNNOTICED}
