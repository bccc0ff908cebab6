"""Runs the programs that `onecast bench events` times."""

import json
import os
import shlex
import subprocess
from pathlib import Path

from onecast_bench.programs import BenchError, build_directories

ROOT_LIBRARY = "libonecast_events_root.so"


def find_events_program() -> Path:
    for build in build_directories():
        if (path := build / "onecast-events").is_file():
            return path
    raise BenchError("onecast-events is not built; run `make build`")


def root_library() -> Path | None:
    path = find_events_program().parent / ROOT_LIBRARY
    return path if path.is_file() else None


def output_of(command: list[str]) -> str:
    """Returns what a program prints. On an interrupt, waits for the program to end."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        try:
            printed, errors = child.communicate()
        except KeyboardInterrupt:
            child.terminate()
            child.communicate()
            raise
    if child.returncode != 0:
        raise BenchError(f"{shlex.join(command)}: {errors.strip()}")
    return printed


def run_program(work: Path, ranks: int, *arguments: str, job: int = 0) -> dict:
    report = work / f"report{job}.json"
    command = [str(find_events_program()), "run", "-q", "--json", str(report), *arguments]
    if ranks > 1:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        command = [os.environ.get("MPIEXEC", "mpiexec"), *flags, "-n", str(ranks), *command]
    output_of(command)
    return json.loads(report.read_text())
