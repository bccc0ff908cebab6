"""The CGNS library's own test programs in C, compiled for any CGNS library.

    python tests/support/libcgns_programs.py [--sources CGNS-4.5.0] [--library FILE] [NAME ...]

builds and runs them, by default with the library of this build, and prints which fail. Their
sources are not part of the repository: `sources` gets them.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cgns_libraries import BUILD, ROOT

# A folder with the sources of any version; without it, apt's version is taken.
VARIABLE = "ONECAST_LIBCGNS_SOURCES"
PACKAGE = "libcgns"
SKIPPED = 125  # the status of a program that has nothing to test
RANKS = 2
# The arguments of programs that need some. The benchmarks are as large as a test can be.
ARGUMENTS = {
    "dbtest": ["h", "4", "100"],
    "benchmark_hdf5": ["-nelem", "4096"],
    "Metadata_Stressing": ["-nblocks", "64", "-all", "-sec2", "-skipread"],
    "thesis_benchmark": ["-ds", "1"],
}
# These programs are not tests: they need 16 GiB, or compile with no library.
NO_TESTS = {"utils", "test64c", "benchmark_hdf5_w", "benchmark_hdf5_wf"}
# This benchmark has a namesake for one process.
ONLY_ON_RANKS = {"benchmark_hdf5"}


class NoSourcesError(Exception):
    """The text says what is missing."""


def sources(folder: Path = BUILD / "libcgns_sources") -> Path:
    """Returns the unpacked sources. A copy of those of Debian's package is kept in `folder`."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    found = sorted(folder.glob("CGNS-*/src/tests"))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["apt-get", "source", "--download-only", PACKAGE],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        archives = sorted(folder.glob(f"{PACKAGE}_*.orig.tar.*"))
        if not archives:
            last = (done.stderr.strip().splitlines() or ["no output"])[-1]
            raise NoSourcesError(
                f"no sources of {PACKAGE}: apt-get source says {last!r}; enable deb-src, or let "
                f"{VARIABLE} name a folder with them"
            )
        shutil.unpack_archive(archives[-1], folder, filter="data")
        found = sorted(folder.glob("CGNS-*/src/tests"))
    return found[-1].parents[1]


@dataclass
class Program:
    name: str
    source: Path
    on_ranks: bool

    def command(self, compiler: list[str], include: list[Path], library: Path, to: Path):
        """Returns the command that compiles it."""
        tests = self.source.parents[1] / "tests"
        sources = [self.source]
        if not self.on_ranks and 'include "utils.h"' in self.source.read_text(errors="replace"):
            sources.append(tests / "utils.c")
        folders = [*include, tests]
        return [
            *compiler,
            "-w",
            *(f"-I{folder}" for folder in folders),
            *map(str, sources),
            str(library),
            f"-Wl,-rpath,{library.parent}",
            "-lm",
            "-o",
            str(to),
        ]


def programs(folder: Path) -> list[Program]:
    found = []
    for part, on_ranks in (("tests", False), ("ptests", True)):
        for source in sorted((folder / "src" / part).glob("*.c")):
            name = source.stem
            if name not in NO_TESTS and (on_ranks or name not in ONLY_ON_RANKS):
                found.append(Program(name, source, on_ranks))
    return found


def run(program: Program, binary: Path, folder: Path) -> subprocess.CompletedProcess:
    """Runs it in a folder of its own, with the files that it reads."""
    folder.mkdir(parents=True)
    data = program.source.parent / "data"
    if data.exists():
        (folder / "data").symlink_to(data)
    start = []
    if program.on_ranks:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        start = [os.environ.get("MPIEXEC", "mpiexec"), *flags, "-n", str(RANKS)]
    return subprocess.run(
        [*start, str(binary), *ARGUMENTS.get(program.name, [])],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )


def compiler() -> list[str]:
    return [os.environ.get("MPICC") or os.environ.get("CC") or "cc"]


def build(program: Program, include: list[Path], library: Path, to: Path) -> str:
    """Compiles it. Returns the compiler's message if that fails."""
    done = subprocess.run(
        program.command(compiler(), include, library, to),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr if done.returncode else ""


def what_fails(program: Program, include: list[Path], library: Path, work: Path) -> str:
    """Builds and runs it in a folder. Returns an empty text if it passes."""
    work.mkdir(parents=True)
    binary = work / program.name
    said = build(program, include, library, binary)
    if said:
        return said
    try:
        done = run(program, binary, work / "run")
    except subprocess.TimeoutExpired:
        return "runs for too long"
    if done.returncode in (0, SKIPPED):
        return ""
    return f"returns {done.returncode}: {(done.stdout + done.stderr)[-2000:]}"


OURS = BUILD / "libonecast_cgns.so"
OUR_HEADERS = [ROOT / "cgns" / "include", BUILD / "cgns" / "include"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="programs; default: all")
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--include", type=Path, action="append", help="folders of headers")
    parser.add_argument("--library", type=Path, default=OURS)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        for program in programs(given.sources or sources()):
            if given.names and program.name not in given.names:
                continue
            folder = Path(work) / f"{program.source.parent.name}_{program.name}"
            said = what_fails(program, given.include or OUR_HEADERS, given.library, folder)
            failed += bool(said)
            print("failed" if said else "passed", folder.name, said, flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
