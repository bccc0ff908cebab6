"""Finds the built programs and starts them on a number of ranks."""

import json
import os
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from onecast.selftest import settings_of_open_mpi

HOW_TO_GET_STOCK = (
    "tools/build_hdf5.sh parallel builds HDF5 2.2.0 (or apt-get install libhdf5-openmpi-dev); then "
    "build again"
)

OPEN_MPI = settings_of_open_mpi()


class BenchError(Exception):
    """The benchmark cannot continue. The text says why and what to do."""


def roots() -> tuple[Path, ...]:
    """Returns the folders that may be the checkout."""
    return (Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents)


def build_directories() -> list[Path]:
    """Returns ONECAST_BUILD_DIR, else the release builds of the checkout, newest first."""
    if chosen := os.environ.get("ONECAST_BUILD_DIR"):
        return [Path(chosen)]
    for root in roots():
        found = [path for path in root.glob("build/release-*") if path.is_dir()]
        if found:
            return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
    return []


def find_program(name: str) -> Path | None:
    for build in build_directories():
        for folder in ("bench/metadata", "bench"):
            if (path := build / folder / name).is_file():
                return path
    return None


def need_program(name: str) -> Path:
    path = find_program(name)
    if path is None:
        where = ", ".join(map(str, build_directories())) or "no build directory"
        raise BenchError(f"{name} is not built (looked in {where}); run `make build`")
    return path


@dataclass(frozen=True)
class Launcher:
    """Starts programs under one MPI, with the counting library preloaded."""

    mpiexec: list[str]
    preload: Path | None
    timeout: float = 3600
    environment: tuple[str, ...] = ()  # for the programs: NAME=VALUE

    @classmethod
    def from_environment(cls, timeout: float = 3600) -> "Launcher":
        """Takes MPIEXEC and MPIEXEC_FLAGS, as tools/env.sh sets them, else the mpiexec beside this
        Python, else the one in PATH."""
        beside = Path(sys.executable).with_name("mpiexec")
        usual = str(beside) if beside.exists() else "mpiexec"
        mpiexec = shlex.split(os.environ.get("MPIEXEC", shlex.quote(usual)))
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        return cls(mpiexec + flags, find_program("libiocount.so"), timeout)

    def start(self, ranks: int) -> list[str]:
        return [*self.mpiexec, "-n", str(ranks)]

    def command(self, program: Path, ranks: int, file: Path, arguments: list[str]) -> list[str]:
        environment = list(self.environment)
        if self.preload is not None:
            preloads = [str(self.preload), *filter(None, [os.environ.get("LD_PRELOAD")])]
            environment += [f"LD_PRELOAD={':'.join(preloads)}", f"IOCOUNT_PREFIX={file}"]
        start = [*self.start(ranks), "env", *environment]
        return [*start, str(program), "--file", str(file), *arguments]

    def run(self, program: Path, ranks: int, file: Path, json_path: Path, **options) -> dict:
        """Runs the program once and returns its report."""
        arguments = ["--json", str(json_path)]
        for name, value in options.items():
            arguments += [f"--{name}", str(value)]
        json_path.unlink(missing_ok=True)
        command = self.command(program, ranks, file, arguments)
        output = run_to_end(command, self.timeout)
        if not json_path.is_file():
            raise BenchError(f"no report came from: {shlex.join(command)}\n{output}")
        return json.loads(json_path.read_text())


def run_to_end(command: list[str], timeout: float) -> str:
    """Runs a command and returns the end of its output. Ends it with its children at the
    timeout."""
    try:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            env=OPEN_MPI | os.environ,
        )
    except FileNotFoundError as error:
        raise BenchError(f"{command[0]} not found; `. tools/env.sh` sets MPIEXEC") from error
    try:
        output = process.communicate(timeout=timeout)[0]
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            text = f"not done after {timeout:g} seconds: {shlex.join(command)}"
            raise BenchError(text) from None
        raise
    tail = "\n".join(output.splitlines()[-20:])
    if process.returncode != 0:
        raise BenchError(f"status {process.returncode} from: {shlex.join(command)}\n{tail}")
    return tail
