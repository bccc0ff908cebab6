"""Runs benchmarks with this checkout and with another commit, in turns, and prints what each takes
as a ratio of the other's: for finding what became slower. By hand, on a quiet machine.

    python tools/bench_guard.py [COMMIT] [--turns N] [--only NAME]    default: the last tag
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SLOWER = 1.1
TARGETS = ("onecast_metadata", "onecast_write", "onecast_interleave", "iocount", "_core")

Timings = Iterator[tuple[str, float]]


@dataclass(frozen=True)
class Guarded:
    """A benchmark with small sizes: `timings` finds Onecast's seconds in its report."""

    options: str
    timings: Callable[[dict], Timings]


def of_key(key: str) -> Callable[[dict], Timings]:
    return lambda report: ((r["name"], r[key]) for r in report["results"])


def of_metadata(report: dict) -> Timings:
    for result in report["results"]:
        if result["subject"] == "its own file":
            yield from result["seconds"].items()


def of_interleave(report: dict) -> Timings:
    for measured in report["results"]:
        result = measured["result"]
        if result["case"].startswith("Onecast"):
            for step, seconds in result["seconds"].items():
                yield f"{result['case']}, {measured['piece_bytes']} bytes: {step}", seconds


def of_sessions(report: dict) -> Timings:
    return ((r["name"], r["onecast"]["processor"]) for r in report["results"])


BENCHMARKS = {
    "metadata": Guarded("--ranks 1 --no-stock --no-cgns", of_metadata),
    "read": Guarded(
        "--contiguous-mib 128 --chunked-mib 64 --hyperslabs 5000 --datasets 20000",
        of_key("onecast_seconds"),
    ),
    "write": Guarded(
        "--datasets 20000 --attributes 5000 --appends 5000 --contiguous-mib 128 --chunked-mib 64",
        of_key("onecast_seconds"),
    ),
    "interleave": Guarded("--ranks 2 --no-stock", of_interleave),
    "python": Guarded("--scale 0.2", of_key("onecast")),
    "sessions": Guarded("--scale 0.05", of_sessions),
}


def run(command: list[str], **options) -> str:
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"bench-guard: status {done.returncode} from: {' '.join(command)}\n{done.stdout}")
    return done.stdout.strip()


def last_tag() -> str:
    tags = run(["git", "tag", "--merged", "HEAD", "--sort=-creatordate"], cwd=ROOT).splitlines()
    if not tags:
        sys.exit("bench-guard: no tag to compare with: name a commit, as in COMMIT=HEAD~20")
    return tags[0]


def in_tree(tree: Path, script: str) -> str:
    """Runs a shell command with the tools of that tree."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("ONECAST_", "MPI"))}
    paths = (tree / part for part in ("python", "cli", "bench", "tools/dev"))
    environment = inherited | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    return run(["bash", "-c", f". tools/env.sh && {script}"], cwd=tree, env=environment)


def tree_of(commit: str) -> Path:
    """Checks out and builds that commit in build/guard, with this checkout's .venv, and returns the
    path."""
    name = run(["git", "rev-parse", "--short=12", f"{commit}^{{commit}}"], cwd=ROOT)
    tree = ROOT / "build/guard" / name
    if not tree.exists():
        run(["git", "worktree", "add", "--quiet", "--detach", str(tree), name], cwd=ROOT)
        (tree / ".venv").symlink_to(ROOT / ".venv")
    return tree


def measure(tree: Path, name: str, out: Path) -> dict[str, float]:
    command = "from onecast_cli.main import main; main()"
    options = f"{BENCHMARKS[name].options} --repeats 1 --out {out}"
    in_tree(tree, f"python -c '{command}' bench {name} {options} >&2")
    return dict(BENCHMARKS[name].timings(json.loads((out / f"{name}.json").read_text())))


def compare(name: str, before: Path, turns: int) -> None:
    """Compares the fastest turns."""
    fastest: dict[Path, dict[str, float]] = {before: {}, ROOT: {}}
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as out:
        for _ in range(turns):
            for tree, known in fastest.items():
                for case, seconds in measure(tree, name, Path(out)).items():
                    known[case] = min(seconds, known.get(case, seconds))
    print(f"\n{name:44} {'before':>10} {'now':>10} {'ratio':>7}")
    for case, now in fastest[ROOT].items():
        if (then := fastest[before].get(case)) and now:
            ratio = now / then
            mark = "  SLOWER" if ratio > SLOWER else ""
            print(f"  {case:42.42} {then:10.6f} {now:10.6f} {ratio:7.2f}{mark}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", nargs="?", help="default: the last tag")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", choices=BENCHMARKS, action="append")
    options = parser.parse_args()
    commit = options.commit or last_tag()
    before = tree_of(commit)
    for tree in (before, ROOT):
        in_tree(tree, f"tools/build.sh {' '.join(TARGETS)} >&2")
    print(f"seconds with {commit} and with this checkout, the fastest of {options.turns}")
    for name in options.only or BENCHMARKS:
        compare(name, before, options.turns)


if __name__ == "__main__":
    main()
