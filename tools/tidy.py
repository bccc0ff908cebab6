"""Runs clang-tidy over the folders below, on all cores, on units that changed since they passed.

A unit is what the compiler takes at once: a source, or a batch of sources. The user's cache folder
remembers what passed, for all clones, by a hash of everything on which the verdict depends: the
unit's files, the project's headers that they include, the checks, the compile command, the tool's
version.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
DATABASE = ROOT / "build" / "tidy"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
PASSED = CACHE / "onecast" / "tidy"
FLAGS_OF_GCC = re.compile(r" (-Winvalid-pch|-fpch-preprocess|-include \S+|--param=\S+)")
FOLDERS = ("src", "cgns", "events", "lab", "plugins")
HEADERS = (
    *(
        ROOT / name
        for name in (
            "src",
            "include",
            "plugins/hdf5",
            "plugins/hdf5/src",
            *(f"{d}/{part}" for d in ("cgns", "events") for part in ("src", "include")),
        )
    ),
    BUILD / "cgns/src",
)
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
# clang does not know these flags of GCC.
UNKNOWN_FLAGS = ["-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument"]


@cache
def included_headers(file: Path) -> frozenset[Path]:
    """Returns the project's headers that `file` includes directly."""
    found = set()
    for name in INCLUDE.findall(file.read_text(errors="replace")):
        for folder in (*HEADERS, file.parent):
            if (folder / name).is_file():
                found.add((folder / name).resolve())
                break
    return frozenset(found)


def all_headers(file: Path) -> set[Path]:
    seen: set[Path] = set()
    todo = [file]
    while todo:
        for header in included_headers(todo.pop()) - seen:
            seen.add(header)
            todo.append(header)
    return seen


def sources(unit: Path) -> tuple[Path, ...]:
    """Returns the sources of `unit` that are checked, by themselves or in one of CMake's
    batches."""
    files = [unit] if unit.suffix == ".cpp" else sorted(included_headers(unit))
    wanted = [ROOT / name for name in FOLDERS]
    return tuple(
        file
        for file in files
        if file.suffix == ".cpp" and any(file.is_relative_to(folder) for folder in wanted)
    )


def checks_of(files: tuple[Path, ...]) -> Path:
    """Returns the file that lists the checks for these sources, which lie in one part of the
    tree."""
    return next(found for folder in files[0].parents if (found := folder / ".clang-tidy").exists())


def fingerprint(files: tuple[Path, ...], command: str, version: str) -> str:
    digest = hashlib.sha256((version + command.replace(str(ROOT), "")).encode())
    headers = set().union(*(all_headers(file) for file in files))
    for part in [ROOT / ".clang-tidy", checks_of(files), *files, *sorted(headers)]:
        digest.update(part.read_bytes())
    return digest.hexdigest()


def tidy(unit: Path) -> str | None:
    """Returns the complaints about `unit`, None if there are none."""
    flags = [f"--extra-arg={flag}" for flag in UNKNOWN_FLAGS]
    run = subprocess.run(
        ["clang-tidy", "--quiet", "-p", str(DATABASE), *flags, str(unit)],
        capture_output=True,
        text=True,
    )
    return None if run.returncode == 0 else run.stdout + run.stderr


def main() -> int:
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True).stdout
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    for entry in commands:
        entry["command"] = FLAGS_OF_GCC.sub("", entry["command"])
    for folder in (DATABASE, PASSED):
        folder.mkdir(parents=True, exist_ok=True)
    (DATABASE / "compile_commands.json").write_text(json.dumps(commands))
    waiting = {}
    looked_at = set()
    for entry in commands:
        unit = Path(entry["file"])
        if unit.suffix not in (".cpp", ".cxx") or not (files := sources(unit)):
            continue
        # Some sources are compiled for several libraries.
        if looked_at.issuperset(files):
            continue
        looked_at.update(files)
        if unit not in files:  # clang-tidy looks for the list of checks beside the batch
            (unit.parent / ".clang-tidy").write_bytes(checks_of(files).read_bytes())
        mark = PASSED / fingerprint(files, entry["command"], version)
        if not mark.exists():
            waiting[unit] = mark

    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (unit, mark), complaints in zip(waiting.items(), pool.map(tidy, waiting), strict=True):
            if complaints is None:
                mark.touch()
            else:
                failed += 1
                print(f"{unit.relative_to(ROOT)}:\n{complaints}", flush=True)
    print(f"clang-tidy: {len(waiting)} units looked at, {failed} with complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
