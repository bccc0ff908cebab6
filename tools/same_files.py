"""Runs programs with this checkout and with another commit, on 1, 2 and 3 ranks, and compares all
files that they write, byte for byte: for changes that must not change any file. By hand.

    python tools/same_files.py [COMMIT] [--only NAME]...    default: the last tag
"""

import argparse
import filecmp
import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench_guard import ROOT, in_tree, last_tag, tree_of

RANKS = (1, 2, 3)
PROGRAM = ROOT / "tools/same_files_program.py"


def build(tree: Path) -> Path:
    """Builds the examples and the Python module, and returns the folder of the build."""
    folder = Path(in_tree(tree, 'echo "$ONECAST_BUILD_DIR"'))
    in_tree(tree, "tools/build.sh --configure-only >&2")
    targets = in_tree(tree, 'ninja -C "$ONECAST_BUILD_DIR" -t targets all').splitlines()
    examples = sorted(t.split(":")[0] for t in targets if t.startswith("example_"))
    in_tree(tree, f"tools/build.sh _core {' '.join(examples)} >&2")
    return folder


def programs(folder: Path) -> dict[str, str]:
    """Returns the commands that write files, by their names."""
    found = {p.name: str(p) for p in sorted(folder.glob("example_*")) if os.access(p, os.X_OK)}
    return found | {PROGRAM.stem: f"python {PROGRAM}"}


def uses_mpi(name: str) -> bool:
    return "_mpi" in name or name == PROGRAM.stem


def write(tree: Path, command: str, ranks: int | None, folder: Path) -> None:
    """Lets a program write files in a new folder; without `ranks`, it runs without MPI."""
    folder.mkdir(parents=True)
    launcher = f"$MPIEXEC $MPIEXEC_FLAGS -n {ranks}" if ranks else ""
    in_tree(tree, f"cd {folder} && {launcher} {command} >&2")


def files_of(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def differences(before: Path, now: Path) -> list[str]:
    """Describes how the files of two folders differ."""
    names, others = files_of(before), files_of(now)
    found = [f"{name}: only before" for name in sorted(names - others)]
    found += [f"{name}: only now" for name in sorted(others - names)]
    for name in sorted(names & others):
        if not filecmp.cmp(before / name, now / name, shallow=False):
            found.append(f"{name}: the bytes differ")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", nargs="?", help="default: the last tag")
    parser.add_argument("--only", action="append", help="a program: example_NAME, or the module's")
    options = parser.parse_args()
    before = tree_of(options.commit or last_tag())
    commands = {tree: programs(build(tree)) for tree in (before, ROOT)}
    compared = files = 0
    differ = False
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as out:
        for name in options.only or sorted(commands[before].keys() & commands[ROOT].keys()):
            for ranks in RANKS if uses_mpi(name) else (None,):
                folders = {tree: Path(out) / f"{name}.{i}" for i, tree in enumerate(commands)}
                for tree, folder in folders.items():
                    write(tree, commands[tree][name], ranks, folder)
                compared += 1
                files += len(files_of(folders[ROOT]))
                for found in differences(*folders.values()):
                    print(f"{name}, ranks: {ranks or 1}: {found}", flush=True)
                    differ = True
                for folder in folders.values():
                    shutil.rmtree(folder)
    print(f"{compared} runs, {files} files: {'some differ' if differ else 'all bytes are equal'}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
