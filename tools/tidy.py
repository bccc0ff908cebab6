"""Runs clang-tidy over src/, cgns/ and lab/, on all cores, on files that changed since they passed.

What passed is remembered in build/tidy by a hash of all that the verdict depends on: the file, the
project's headers it includes, the checks, the compile command, the tool's version.
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
PASSED = ROOT / "build" / "tidy"
# Precompiled headers are GCC's; and without them, a unit that lacks an #include is told.
PRECOMPILED = re.compile(r" -Winvalid-pch -include \S+")
FOLDERS = ("src", "cgns", "lab")
HEADERS = (ROOT / "src", ROOT / "include", ROOT / "cgns/src", ROOT / "cgns/include")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
# Flags of GCC that clang does not know.
UNKNOWN_FLAGS = ["-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument"]


@cache
def included_headers(file: Path) -> frozenset[Path]:
    """The project's headers that `file` includes itself."""
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


def fingerprint(file: Path, command: str, version: str) -> str:
    digest = hashlib.sha256((version + command).encode())
    checks = [
        folder / ".clang-tidy" for folder in file.parents if (folder / ".clang-tidy").exists()
    ]
    for part in [*checks, file, *sorted(all_headers(file))]:
        digest.update(part.read_bytes())
    return digest.hexdigest()


def tidy(file: Path) -> str | None:
    """The complaints about `file`, None where there are none."""
    flags = [f"--extra-arg={flag}" for flag in UNKNOWN_FLAGS]
    run = subprocess.run(
        ["clang-tidy", "--quiet", "-p", str(PASSED), *flags, str(file)],
        capture_output=True,
        text=True,
    )
    return None if run.returncode == 0 else run.stdout + run.stderr


def main() -> int:
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True).stdout
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    for entry in commands:
        entry["command"] = PRECOMPILED.sub("", entry["command"])
    PASSED.mkdir(parents=True, exist_ok=True)
    (PASSED / "compile_commands.json").write_text(json.dumps(commands))
    waiting = {}
    for entry in commands:
        file = Path(entry["file"])
        if file.suffix == ".cpp" and any(file.is_relative_to(ROOT / name) for name in FOLDERS):
            mark = PASSED / fingerprint(file, entry["command"], version)
            if not mark.exists():
                waiting[file] = mark

    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (file, mark), complaints in zip(waiting.items(), pool.map(tidy, waiting), strict=True):
            if complaints is None:
                mark.touch()
            else:
                failed += 1
                print(f"{file.relative_to(ROOT)}:\n{complaints}", flush=True)
    print(f"clang-tidy: {len(waiting)} files looked at, {failed} with complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
