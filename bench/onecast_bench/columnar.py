"""`onecast bench columnar`: events in columns, compared with uproot on the same events in ROOT.

See bench/columnar/README.md.
"""

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import awkward as ak
import h5py
import hdf5plugin  # noqa: F401  h5py needs its filters
import uproot
from rich.console import Console
from rich.table import Table

from onecast import events
from onecast_bench.columnar_events import write_root
from onecast_bench.comparison import name_of, save, style_of, wide_console, work_folder
from onecast_bench.plot import save_bars
from onecast_model.looks import seconds_text

TREE = "Events"
COLUMNS = ("Muon_pt", "Muon_eta", "Muon_phi", "Jet_pt", "MET_pt")


@dataclass(frozen=True)
class Sizes:
    mb: float
    source: str
    compression: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """Median seconds of the runs. `stock` is uproot's time, with or without threads."""

    name: str
    aim: float
    stock: float
    plain: float
    onecast: float
    equal: bool

    @property
    def ratio(self) -> float:
        """The speed as a multiple of uproot's."""
        return self.stock / self.onecast


@dataclass(frozen=True)
class Facts:
    """Facts that are equal in every run."""

    events: int
    branches: int
    branches_equal: int
    offset_arrays: int
    root_bytes: int
    columnar_bytes: int
    reads_of_the_columns: int
    convert_seconds: float

    @property
    def size_ratio(self) -> float:
        return self.columnar_bytes / self.root_bytes


def plain_read(path: Path, columns: list[str]) -> ak.Array:
    """Reads with h5py and awkward alone, as docs/reference/events_columnar.md describes."""
    with h5py.File(path) as file:
        group = file[TREE]
        form = ak.forms.from_json(group.attrs["form"]).select_columns(columns)
        arrays = {name: group[name][...] for name in form.expected_from_buffers()}
        return ak.from_buffers(form, int(group.attrs["length"]), arrays)


class Files:
    """The events in both files, and how each library reads them."""

    def __init__(self, root: Path, columnar: Path) -> None:
        self.root, self.columnar = root, columnar

    def by_uproot(self, columns: list[str], threads: int | None = None) -> ak.Array:
        options = {} if threads is None else {"num_workers": threads}
        with uproot.open(self.root, array_cache=None, **options) as file:
            pool = None if threads is None else uproot.ThreadPoolExecutor(threads)
            return file[TREE].arrays(
                columns, decompression_executor=pool, interpretation_executor=pool
            )

    def by_onecast(self, columns: list[str]) -> ak.Array:
        with events.open(self.columnar) as opened:
            return opened.to_awkward(columns, lazy=False)


def timed(work: Callable[[], object]) -> tuple[float, object]:
    begin = time.perf_counter()
    found = work()
    return time.perf_counter() - begin, found


def in_turns(
    ways: dict[str, Callable[[], object]], repeats: int
) -> tuple[dict[str, float], dict[str, object]]:
    """Returns the median seconds of each way, and what its last run found."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    found: dict[str, object] = {}
    for _ in range(repeats):
        for name, work in ways.items():
            took, found[name] = timed(work)
            seconds[name].append(took)
    return {name: median(took) for name, took in seconds.items()}, found


def measure_reading(
    files: Files, name: str, columns: list[str], aim: float, repeats: int
) -> Result:
    """Measures reading, with opening the files in each run."""
    cores = os.cpu_count() or 1
    took, found = in_turns(
        {
            "uproot": lambda: files.by_uproot(columns),
            "uproot, threads": lambda: files.by_uproot(columns, cores),
            "h5py": lambda: plain_read(files.columnar, columns),
            "onecast": lambda: files.by_onecast(columns),
        },
        repeats,
    )
    equal = all(same(found["uproot"], found[way]) for way in ("h5py", "onecast"))
    stock = min(took["uproot"], took["uproot, threads"])
    return Result(name, aim, stock, took["h5py"], took["onecast"], equal)


def measure_open(files: Files, columns: list[str], aim: float, repeats: int) -> Result:
    """Measures reading while both files are open, with their metadata in memory."""
    with (
        uproot.open(files.root, array_cache=None) as root,
        events.open(files.columnar, chunk_cache_bytes=0) as opened,
        h5py.File(files.columnar, rdcc_nbytes=0) as plain,
    ):
        tree, group = root[TREE], plain[TREE]
        form = ak.forms.from_json(group.attrs["form"]).select_columns(columns)

        def by_h5py() -> ak.Array:
            arrays = {name: group[name][...] for name in form.expected_from_buffers()}
            return ak.from_buffers(form, int(group.attrs["length"]), arrays)

        took, found = in_turns(
            {
                "uproot": lambda: tree.arrays(columns),
                "h5py": by_h5py,
                "onecast": lambda: opened.to_awkward(columns, lazy=False),
            },
            repeats,
        )
    equal = all(same(found["uproot"], found[way]) for way in ("h5py", "onecast"))
    name = f"{len(columns)} columns, the file is open"
    return Result(name, aim, took["uproot"], took["h5py"], took["onecast"], equal)


def same(a: ak.Array, b: ak.Array) -> bool:
    return set(a.fields) == set(b.fields) and all(
        ak.array_equal(a[name], b[name], equal_nan=True, check_parameters=True) for name in a.fields
    )


def compare_branches(files: Files, console: Console) -> tuple[int, int]:
    """Returns (branches, branches that are equal through uproot, h5py and Onecast)."""
    equal = 0
    with (
        uproot.open(files.root, array_cache=None) as root,
        events.open(files.columnar) as opened,
        console.status("comparing every branch"),
    ):
        names = root[TREE].keys()
        for name in names:
            wanted = root[TREE].arrays([name])
            equal += same(wanted, plain_read(files.columnar, [name])) and same(
                wanted, opened.to_awkward([name])
            )
    return len(names), equal


def facts_of(files: Files, columns: list[str], convert_seconds: float, console: Console) -> Facts:
    branches, equal = compare_branches(files, console)
    with events.open(files.columnar) as opened:
        before = opened.file.io_stats().reads
        opened.to_awkward(columns, lazy=False)
        reads = opened.file.io_stats().reads - before
        offsets = sum(name.endswith("-offsets") for name in opened.group)
        count = len(opened)
    return Facts(
        count,
        branches,
        equal,
        offsets,
        files.root.stat().st_size,
        files.columnar.stat().st_size,
        reads,
        convert_seconds,
    )


def table_of(results: list[Result]) -> Table:
    table = Table(title="Reading events", title_justify="left", title_style="bold")
    table.add_column("what")
    for column in ("uproot", "h5py and awkward", "Onecast", "times faster than uproot", "aim"):
        table.add_column(column, justify="right")
    for r in results:
        numbers = [seconds_text(s) for s in (r.stock, r.plain, r.onecast)]
        table.add_row(name_of(r), *numbers, f"{r.ratio:.1f}", f"{r.aim:g}", style=style_of(r))
    return table


def facts_table(facts: Facts) -> Table:
    table = Table(title="The files", title_justify="left", title_style="bold")
    table.add_column("what")
    table.add_column("", justify="right")
    too_large = facts.size_ratio > 1.1
    for name, text, style in (
        ("events", f"{facts.events:,}", ""),
        ("branches", f"{facts.branches:,}", ""),
        (
            "branches equal through uproot, h5py and Onecast",
            f"{facts.branches_equal:,}",
            "" if facts.branches == facts.branches_equal else "bold red",
        ),
        ("arrays of offsets", f"{facts.offset_arrays:,}", ""),
        ("reads for the columns below", f"{facts.reads_of_the_columns:,}", ""),
        ("MB in ROOT", f"{facts.root_bytes / 1e6:,.1f}", ""),
        ("MB in columns", f"{facts.columnar_bytes / 1e6:,.1f}", ""),
        (
            "columns ÷ ROOT (aim: at most 1.1)",
            f"{facts.size_ratio:.2f}",
            "yellow" if too_large else "",
        ),
        ("converted in", seconds_text(facts.convert_seconds), ""),
    ):
        table.add_row(name, text, style=style)
    return table


def run_columnar_bench(
    mb: float,
    file: Path | None,
    compression: str,
    columns: list[str],
    repeats: int,
    out: Path,
    directory: Path | None,
) -> bool:
    """Returns True if all values are equal."""
    console = wide_console()
    with work_folder("columnar", out, directory) as work:
        files = Files(work / "events.root", work / "events.h5")
        with console.status(f"writing {mb:g} MB of ROOT"):
            write_root(file, TREE, files.root, mb, compression)
        with console.status("converting"):
            seconds, _ = timed(
                lambda: events.convert(
                    f"{files.root}:{TREE}", files.columnar, compression=compression
                )
            )
        with events.open(files.columnar) as opened:
            known = opened.columns
        columns = [name for name in columns or COLUMNS if name in known]
        results = [
            measure_reading(files, f"open, {len(columns)} columns", columns, 3, repeats),
            measure_open(files, columns, 3, repeats),
            measure_reading(files, "open, one column", columns[:1], 3, repeats),
            measure_reading(files, "open, all columns", known, 1, 1),
        ]
        facts = facts_of(files, columns, seconds, console)
    console.print(facts_table(facts))
    console.print(table_of(results))
    sizes = Sizes(mb, "made" if file is None else file.name, compression, tuple(columns))
    save("columnar", sizes, repeats, results, out, console, facts=asdict(facts))
    bars = {
        r.name: {"uproot": r.stock, "h5py and awkward": r.plain, "Onecast": r.onecast}
        for r in results
    }
    save_bars(bars, False, out / "columnar.png", console)
    return facts.branches == facts.branches_equal and all(r.equal for r in results)
