"""`onecast bench scale`: Onecast on thousands of ranks, which are threads of a few processes.

See bench/scale/README.md.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import ceil, log2
from pathlib import Path

from rich.console import Console

from onecast_bench import scale_tables
from onecast_bench.comparison import MIB, progress_bar, save, wide_console, work_folder
from onecast_bench.programs import Launcher, find_program, need_program, run_to_end
from onecast_bench.results import gather

CREATING = ("create", "flush", "close")
READING = ("open", "read")
# What a rank may take beside the pages, which the ranks of a node share, and while it creates them.
MOST_OF_READER = 2 * MIB
MOST_OF_CREATOR = 6 * MIB


@dataclass(frozen=True)
class Sizes:
    bases: int
    zones: int
    create_bases: int  # of the file that more than `many` ranks create
    many: int
    block: int
    equal: int
    budget: int = 0  # metadata_budget of the file that is read; 0: its default

    def created_by(self, ranks: int) -> int:
        return self.bases if ranks <= self.many else min(self.bases, self.create_bases)


@dataclass(frozen=True)
class Step:
    """What one step took. The busiest rank is the one with the most messages."""

    ranks: int
    ranks_per_node: int
    about: str
    step: str
    seconds: float  # of the slowest rank
    cpu: float  # seconds per rank
    collectives: int
    opens: tuple[int, int]  # by rank 0, by any other rank
    reads: tuple[int, int]
    writes: tuple[int, int]
    messages: int  # sent and received by the busiest rank
    bytes_sent: int  # by any rank, at most
    bytes_received: int
    node_messages: int  # between the busiest node and others
    node_bytes: int
    memory: int  # bytes of the node that takes most, above what it had before the first step

    @property
    def memory_of_rank(self) -> float:
        return self.memory / self.ranks_per_node


@dataclass(frozen=True)
class StockCounts:
    """The calls of stock parallel HDF5 on few ranks for a file that many ranks open and read."""

    setting: str
    phase: str
    reads: tuple[int, int]  # by rank 0, by any other rank
    broadcasts: int


def of_nodes(values: Sequence[int], ranks_per_node: int) -> list[int]:
    """Returns the sum of each node."""
    ends = [*range(0, len(values), ranks_per_node), len(values)]
    return [sum(values[first:end]) for first, end in pairwise(ends)]


def sums(*counts: Iterable[int]) -> list[int]:
    return [sum(each) for each in zip(*counts, strict=True)]


def first_and_others(counts: Sequence[int]) -> tuple[int, int]:
    return counts[0], max(counts[1:], default=0)


def step_of(report: dict, about: str, step: dict) -> Step:
    of_node = report["ranks_per_node"]
    per_node = [
        memory / nodes for memory, nodes in zip(step["memory"], report["nodes"], strict=True)
    ]
    away = sums(step["away_sent"], step["away_received"])
    away_bytes = sums(step["away_bytes_sent"], step["away_bytes_received"])
    return Step(
        ranks=report["ranks"],
        ranks_per_node=min(of_node, report["ranks"]),
        about=about,
        step=step["name"],
        seconds=max(step["seconds"]),
        cpu=sum(step["cpu"]) / report["ranks"],
        collectives=max(step["collectives"]),
        opens=first_and_others(step["opens"]),
        reads=first_and_others(step["reads"]),
        writes=first_and_others(step["writes"]),
        messages=max(sums(step["sent"], step["received"])),
        bytes_sent=max(step["bytes_sent"]),
        bytes_received=max(step["bytes_received"]),
        node_messages=max(of_nodes(away, of_node)),
        node_bytes=max(of_nodes(away_bytes, of_node)),
        memory=round(max(per_node)),
    )


@dataclass(frozen=True)
class Runner:
    """Runs the program; the files lie in `work`."""

    sizes: Sizes
    processes: int
    work: Path
    timeout: float

    def run(self, ranks: int, of_node: int, phase: str, file: str, bases: int) -> list[Step]:
        path = self.work / "report.json"
        path.unlink(missing_ok=True)
        options = {
            "file": self.work / file,
            "json": path,
            "phases": phase,
            "ranks": ranks,
            "ranks-per-node": of_node,
            "processes": self.processes,
            "bases": bases,
            "zones": self.sizes.zones,
            "block": self.sizes.block,
            "equal": self.sizes.equal,
            "budget": self.sizes.budget,
        }
        named = [text for name, value in options.items() for text in (f"--{name}", str(value))]
        run_to_end([str(need_program("onecast_scale")), *named], self.timeout)
        return self.steps(path, f"{bases} × {self.sizes.zones}" if phase != "data" else "arrays")

    @staticmethod
    def steps(path: Path, about: str) -> list[Step]:
        report = json.loads(path.read_text())
        return [step_of(report, about, step) for step in report["steps"]]

    def run_all(self, ranks: int, of_node: int) -> list[Step]:
        created = self.run(ranks, of_node, "create", "created.h5", self.sizes.created_by(ranks))
        if not (self.work / "read.h5").exists():
            self.run(1, 1, "create", "read.h5", self.sizes.bases)
        read = self.run(ranks, of_node, "open_read", "read.h5", self.sizes.bases)
        return [*created, *read, *self.run(ranks, of_node, "data", "data.h5", self.sizes.bases)]


def count_stock(sizes: Sizes, work: Path, timeout: float) -> list[StockCounts]:
    """Runs the stock program of `bench metadata` on 2 ranks, if it is built."""
    program = find_program("stock_metadata")
    if program is None:
        return []
    launcher = Launcher.from_environment(timeout)
    found = []
    for setting in ("default", "best"):
        report = launcher.run(
            program,
            2,
            work / "stock.h5",
            work / "stock.json",
            phases="create,open_read",
            bases=sizes.bases,
            zones=sizes.zones,
            setting=setting,
        )
        result = gather(setting, "", [report])
        if result.counts is None or result.by_collective is None:
            return []
        for phase, measure in (("create", "create"), ("open and read", "open + read all")):
            calls = result.by_collective[measure]
            broadcasts = sum(max(calls.get(call, [0])) for call in ("Bcast", "Ibcast"))
            reads = first_and_others(result.counts[measure]["reads"])
            found.append(StockCounts(setting, phase, reads, broadcasts))
    return found


@dataclass(frozen=True)
class Bar:
    """A limit that the counts of a run must keep."""

    what: str
    found: float
    most: float

    @property
    def is_kept(self) -> bool:
        return self.found <= self.most


def bars_of(steps: Sequence[Step], pages: int) -> list[Bar]:
    """The limits for the steps of one number of ranks. `pages`: the bytes of the file's pages."""
    of = {step.step: step for step in steps}
    ranks, of_node = steps[0].ranks, steps[0].ranks_per_node
    bars = []
    for name, phase, calls in (("create", CREATING, 7), ("open and read", READING, 4)):
        here = [of[step] for step in phase]
        collectives = sum(step.collectives for step in here)
        where = f"{name} on {ranks:,} ranks of {here[0].about} zones"
        bars += [
            Bar(f"{where}: reads by other ranks than 0", max(s.reads[1] for s in here), 0),
            Bar(f"{where}: collective calls", collectives, calls),
            # A reduction and a broadcast take a message in each step of a tree.
            Bar(
                f"{where}: messages of the busiest rank",
                sum(step.messages for step in here),
                2 * (collectives + 2) * ceil(log2(max(2, ranks))),
            ),
        ]
    read = of["read"]
    most = pages + of_node * MOST_OF_READER
    bars.append(Bar(f"memory of a node of {of_node} ranks, after reading", read.memory, most))
    creating = max(of[step].memory_of_rank for step in ("create", "flush"))
    bars.append(Bar(f"memory of a rank, creating {of['create'].about}", creating, MOST_OF_CREATOR))
    return bars


def run_scale_bench(
    ranks: Sequence[int],
    ranks_per_node: Sequence[int],
    processes: int,
    bases: int,
    zones: int,
    create_bases: int,
    many: int,
    block: int,
    equal: int,
    budget: int,
    stock: bool,
    out: Path,
    directory: Path | None,
    timeout: float,
    console: Console | None = None,
) -> bool:
    """Returns True if all limits are kept."""
    console = console or wide_console()
    sizes = Sizes(bases, zones, create_bases, many, block, equal, budget)
    steps: list[Step] = []
    bars: list[Bar] = []
    counts: list[StockCounts] = []
    with work_folder("scale-work", out, directory) as work:
        runner = Runner(sizes, processes, work, timeout)
        with progress_bar(console) as progress:
            runs = [(number, of_node) for number in ranks for of_node in ranks_per_node]
            task = progress.add_task("", total=len(runs) + stock)
            for number, of_node in runs:
                progress.update(task, description=f"{number:,} ranks, nodes of {of_node}")
                found = runner.run_all(number, of_node)
                steps += found
                bars += bars_of(found, (work / "read.h5").stat().st_size)
                progress.advance(task)
            if stock:
                progress.update(task, description="the calls of stock HDF5 on 2 ranks")
                counts = count_stock(sizes, work, timeout)
    shown, stock_shown = ([asdict(each) for each in all_of] for all_of in (steps, counts))
    scale_tables.show(shown, stock_shown, bars, console)
    save("scale", sizes, 1, steps, out, console, stock=stock_shown)
    scale_tables.save_picture(shown, stock_shown, out / "scale.png", console)
    return all(bar.is_kept for bar in bars)
