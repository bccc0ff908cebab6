"""`onecast bench founding`: runs the benchmarks that repeat published measurements, keeps the
results that docs/reference/founding-tables.md shows, and writes that page."""

import contextlib
import io
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from onecast_bench.comparison import progress_bar
from onecast_bench.founding_page import KEPT, PAGE, write_page
from onecast_bench.lab import sum_steps
from onecast_bench.programs import BenchError, roots


@dataclass(frozen=True)
class Run:
    """A benchmark. `results` are the names of the JSON files that it writes."""

    arguments: str
    results: tuple[str, ...]


LAB = "--lab --nodes 4 --ranks 4 --repeats 1"
RUNS = {
    "scale": Run("scale --ranks 2048,4096,8192", ("scale",)),
    "small-reads": Run("mpiio --ranks 1,4 --repeats 3", ("mpiio",)),
    "small-reads-lab": Run(f"mpiio {LAB} --reads 50", ("mpiio-lab",)),
    "open": Run("metadata --ranks 1,4 --repeats 1", ("metadata",)),
    "same-write": Run("samewrite --ranks 1,4 --steps 20 --repeats 3", ("samewrite",)),
    "same-write-lab": Run(f"samewrite {LAB} --steps 3", ("samewrite-lab",)),
    "close": Run(
        "close --part truncation --part metadata --ranks 4 --repeats 3 --mpi-io own,romio341",
        ("close-truncation", "close-metadata"),
    ),
    "close-lab": Run(
        f"close --part truncation --part metadata {LAB} --mpi-io own,romio341",
        ("close-truncation-lab", "close-metadata-lab"),
    ),
    "equal-reads": Run(
        "equal-reads --ranks 2,4 --repeats 3 --bytes 64,65536,1048576,16777216 --groups 1,2,4",
        ("equal-reads", "equal-reads-groups"),
    ),
    "equal-reads-lab": Run(
        f"equal-reads {LAB} --bytes 65536,4194304 --groups 1,2,4",
        ("equal-reads-lab", "equal-reads-groups-lab"),
    ),
    "checkpoint": Run("checkpoint --kind flash --ranks 4 --steps 1 --repeats 3", ("checkpoint",)),
    "checkpoint-lab": Run(f"checkpoint --kind flash {LAB} --steps 1", ("checkpoint-lab",)),
    "interleave": Run(
        "interleave --ranks 4 --mib 4 --pieces 512,4096 --steps 1 --repeats 3", ("interleave",)
    ),
    "stripes": Run(
        "stripes --part sizes --ranks 2,8 --repeats 3 --bytes 4096,1048576,16777216", ("stripes",)
    ),
    "stripes-lab": Run(
        "stripes --part sizes --lab --ranks 2,8 --repeats 1 --mib 8 --bytes 4096,1048576,4194304",
        ("stripes-lab",),
    ),
    "stripes-queue": Run(
        "stripes --part queue --lab --mpi-io own,romio341", ("stripes-queue-lab",)
    ),
    "interleave-lab": Run(f"interleave {LAB} --mib 1 --pieces 4096 --steps 1", ("interleave-lab",)),
}


def case_per_line(kept: dict[str, list[dict]]) -> str:
    """Returns JSON in which a new measurement changes only the lines of its cases."""
    results = []
    for name, cases in sorted(kept.items()):
        lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
        results.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(results) + "\n}\n"


def kept_of(document: dict) -> list[dict]:
    """Returns for each case the seconds and what the emulated file system counted in each step; if
    targets take time, also their balance over time."""
    if document["benchmark"] == "scale":
        return document["results"] + document["stock"]
    kept = []
    for each in document["results"]:
        result = each.get("result", each)
        about = each.get("workload") or each.get("piece_bytes") or ""
        counted = {}
        balances = {}
        for step, counters in (result["lab"] or {}).items():
            counts = sum_steps([counters])
            counted[step] = [counts.write_rpcs, counts.read_rpcs, counts.revocations]
            if counts.balance is not None:
                balances[step] = round(counts.balance, 2)
        kept.append(
            {
                "about": f"pieces of {about:,} bytes" if isinstance(about, int) else about,
                "case": result["case"],
                "ranks": result["ranks"],
                "seconds": {name: float(f"{s:.3g}") for name, s in result["seconds"].items()},
                "lab": counted,
                **({"balance": balances} if balances else {}),
            }
        )
    return kept


def sources() -> Path:
    for root in roots():
        if (root / KEPT).is_file():
            return root
    raise BenchError(f"{KEPT} is not here; it is in the sources only")


def run_one(run: Run, out: Path) -> None:
    """Runs one benchmark. Its output goes to a file beside its results."""
    from onecast_bench.commands import bench

    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text):
            bench.main([*shlex.split(run.arguments), "--out", str(out)], standalone_mode=False)
    except click.ClickException as error:
        raise BenchError(f"onecast bench {run.arguments}: {error.message}") from error
    finally:
        (out / f"{run.results[0]}.txt").write_text(text.getvalue())


def run_founding_bench(names: Sequence[str], measure: bool, out: Path) -> None:
    """Without `measure`, takes the JSON files that are in `out`."""
    console = Console(stderr=True)
    root = sources()
    kept = json.loads((root / KEPT).read_text())
    out.mkdir(parents=True, exist_ok=True)
    with progress_bar(console) as progress:
        task = progress.add_task("", total=len(names))
        for name in names:
            run = RUNS[name]
            progress.update(task, description=name)
            if measure:
                run_one(run, out)
            for result in run.results:
                path = out / f"{result}.json"
                if path.is_file():
                    kept[result] = kept_of(json.loads(path.read_text()))
            progress.advance(task)
            # Completed results are kept if a later benchmark fails.
            (root / KEPT).write_text(case_per_line(kept))
    write_page(root)
    console.print(f"Wrote {root / PAGE}")
