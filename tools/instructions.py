"""Counts the instructions of small workloads under callgrind, and compares them with the table of
the repository. See bench/instructions/README.md.

    python tools/instructions.py            more than 2 % more, or less, fails (Python: 5 %)
    python tools/instructions.py --update   enters what was counted into the table
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "bench/instructions/counts.json"
TOLERANCE = 0.02
TOLERANCE_OF_PYTHON = 0.05  # the interpreter, too, is counted there


@dataclass(frozen=True)
class Counts:
    """Counts of one workload: instructions in the project's own objects, and calls from them to
    others (the C library, Python, compression), whose instructions depend on the machine."""

    instructions: int
    calls: int


@dataclass(frozen=True)
class Program:
    """`command` gets a folder as its argument; `owns(object)` is true if its instructions are
    counted."""

    name: str
    command: list[str]
    owns: Callable[[str], bool]


def counts_in(dump: Path, owns: Callable[[str], bool]) -> Counts:
    """Reads one profile of callgrind ("Callgrind Format Specification")."""
    names: dict[str, str] = {}
    here = there = None  # are the objects of this cost line, and of the call, counted?
    instructions = calls = 0

    def is_own(text: str) -> bool:
        number, _, name = text.partition(" ")
        if name:
            names[number] = name
        return owns(names[number])

    lines = iter(dump.read_text().splitlines())
    for line in lines:
        if line.startswith("ob="):
            here = is_own(line[3:])
        elif line.startswith("cob="):
            there = is_own(line[4:])
        elif line.startswith("calls="):
            if here and there is False:
                calls += int(line[6:].split()[0])
            there = None
            next(lines)  # the cost of the call
        elif here and line[:1] in "0123456789+-*":
            instructions += int(line.split()[1]) if " " in line else 0
    return Counts(instructions, calls)


def measure(program: Program, folder: Path) -> Iterator[tuple[str, Counts]]:
    """Yields each workload of the program: the counts between its marks."""
    work = folder / program.name
    work.mkdir()
    profile = folder / f"{program.name}.out"
    kept = ("PATH", "LD_LIBRARY_PATH", "ONECAST_BUILD_DIR")
    environment = {k: os.environ[k] for k in kept if k in os.environ} | {
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "LC_ALL": "C",
    }
    if program.name == "python":
        # Python counts otherwise in modules that it compiles in a run: a first one compiles them.
        subprocess.run(
            program.command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True
        )
    run = subprocess.run(
        [
            "valgrind",
            "--quiet",
            "--tool=callgrind",
            f"--callgrind-out-file={profile}",
            *(f"--zero-before={mark}" for mark in ("onecast_mark_begin", "getppid")),
            *(f"--dump-before={mark}" for mark in ("onecast_mark_end", "getpgrp")),
            *program.command,
        ],
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        raise SystemExit(f"instructions: {program.name}: {run.stderr or run.stdout}")
    for number, name in enumerate(run.stdout.splitlines(), start=1):
        yield name, counts_in(profile.with_name(f"{profile.name}.{number}"), program.owns)


def programs(build: Path) -> list[Program]:
    """Returns the programs that are built."""
    bench = build / "bench"

    def is_ours(name: str) -> bool:
        return name.startswith(f"{build}/")

    def is_ours_or_python(name: str) -> bool:
        return is_ours(name) or re.match(r"(lib)?python3", Path(name).name) is not None

    found = [
        Program(name, [str(bench / name), "."], is_ours)
        for name in ("core_instructions", "cgns_instructions", "events_instructions")
        if (bench / name).exists()
    ]
    script = ROOT / "bench/instructions/python_instructions.py"
    if any(build.glob("python/**/_core*")):
        found.append(Program("python", [sys.executable, str(script), "."], is_ours_or_python))
    return found


def counted_with(build: Path) -> dict[str, str]:
    """Returns what the counts depend on besides the sources."""
    cache = (build / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return {
        "machine": platform.machine(),
        "build": build.name,
        "compiler": version.stdout.splitlines()[0],
        "python": sys.version,
    }


def count_all(build: Path) -> dict[str, Counts]:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda p: list(measure(p, Path(folder))), programs(build))
        return {name: counts for each in found for name, counts in each}


def verdict(name: str, before: Counts | None, now: Counts) -> str:
    """Returns a text for a difference; empty if the counts agree with the table."""
    if before is None:
        return "is not in the table"
    changes = [
        new / max(old, 1) - 1
        for old, new in ((before.instructions, now.instructions), (before.calls, now.calls))
    ]
    tolerance = TOLERANCE_OF_PYTHON if "Python" in name else TOLERANCE
    if max(changes) > tolerance:
        return f"MORE: {max(changes):+.1%}"
    if min(changes) < -tolerance:
        return f"less: {min(changes):+.1%}, to be entered"
    return ""


def compare(table: dict[str, Counts], now: dict[str, Counts]) -> bool:
    """Prints all counts; returns True if all agree with the table."""
    width = max(map(len, now))
    print(f"{'':{width}} {'instructions':>13} {'calls':>9}")
    verdicts = {name: verdict(name, table.get(name), counts) for name, counts in now.items()}
    for name, counts in now.items():
        print(f"{name:{width}} {counts.instructions:13,} {counts.calls:9,}  {verdicts[name]}")
    return not any(verdicts.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="enter what was counted")
    options = parser.parse_args()
    build = Path(os.environ["ONECAST_BUILD_DIR"])
    if shutil.which("valgrind") is None:
        return print("instructions: not counted, valgrind is not installed")
    here = counted_with(build)
    stored = json.loads(TABLE.read_text()) if TABLE.exists() else {"with": here, "counts": {}}
    differs = [k for k in here if k != "python" and here[k] != stored["with"].get(k)]
    if differs and not options.update:
        key = differs[0]
        return print(
            f"instructions: not counted, the {key} is {here[key]}, "
            f"of the table {stored['with'].get(key)}"
        )
    now = count_all(build)
    if here["python"] != stored["with"]["python"] and not options.update:
        print(f"instructions: not those of Python, which is another: {here['python']}")
        now = {name: counts for name, counts in now.items() if "Python" not in name}
    same = compare({name: Counts(**c) for name, c in stored["counts"].items()}, now)
    if options.update:
        counts = {name: vars(c) for name, c in now.items()}
        TABLE.write_text(json.dumps({"with": here, "counts": counts}, indent=2) + "\n")
    elif not same:
        sys.exit(
            "instructions: mend what became more; enter what is meant to be so with "
            "`tools/instructions.py --update`"
        )


if __name__ == "__main__":
    main()
