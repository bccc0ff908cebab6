"""`onecast bench equal-reads`: ranks read the same bytes. See bench/arrays/README.md."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console

from onecast_bench import arrays, cases, plot, table
from onecast_bench.arrays import Array, Measured, Study
from onecast_bench.cases import Case, Settings
from onecast_bench.comparison import wide_console
from onecast_bench.programs import need_program

READ = "read back"
EQUAL = Study(
    name="equal-reads",
    phases="read,share",
    measures=(READ,),
    contests=(),
    counted=(READ,),
    lab_writing=("read",),
    lab_around=("open",),
    drawn=READ,
    memory_of=READ,
)
GROUPS = replace(EQUAL, name="equal-reads-groups")

BROADCAST, PLAIN = "Onecast, read_all, broadcast", "Onecast, read_all, plain"
CHOSEN = "Onecast, read_all"
MOST_OF_STOCK = 1 << 30
"""Bytes of one read of stock HDF5: it cannot tell MPI of more than 2 GiB."""


def mpi_io_cases(settings: Settings, ways: dict[str, str]) -> list[Case]:
    program = need_program("mpi_arrays")
    return [
        Case(f"MPI-IO, {name}{by}", program, way, "arrays.mpi", environment)
        for by, environment in cases.by_mpi_io(settings.mpi_io)
        for name, way in ways.items()
    ]


def equal_cases(settings: Settings, console: Console) -> list[Case]:
    ways = {way: way for way in ("independent", "collective")}
    ways["one reads + a broadcast"] = "broadcast"
    ours = need_program("onecast_arrays")
    return [
        *mpi_io_cases(settings, ways),
        *arrays.stock_cases(settings, ("independent", "collective"), console),
        Case(CHOSEN, ours, "auto", "onecast.h5"),
        Case(PLAIN, ours, "method_plain", "onecast.h5"),
        Case(BROADCAST, ours, "method_broadcast", "onecast.h5"),
    ]


def group_cases(settings: Settings, console: Console) -> list[Case]:
    ways = {"independent": "independent", "one of a group reads + sends": "send"}
    ours = need_program("onecast_arrays")
    return [
        *mpi_io_cases(settings, ways),
        *arrays.stock_cases(settings, ("collective",), console),
        Case("Onecast, read_all, serve", ours, "serve", "onecast.h5"),
        Case(CHOSEN, ours, "auto", "onecast.h5"),
        Case("Onecast, read", ours, "alone", "onecast.h5"),
    ]


def equal(size: int, groups: int) -> list[Array]:
    """Returns an array of large elements if they fit, since these are compared faster."""
    element = "u1" if size % 8 else "f8"
    return [Array("equal", element, (groups, size // int(element[1])), (groups, 1))]


def against_plain(measured: Sequence[Measured]) -> list[str]:
    """Tells, for each number of ranks, how many times as long `read_all` takes as reading on each
    rank, which is one copy from the page cache if the file is there."""
    lines = []
    for ranks in sorted({each.result.ranks for each in measured}):
        of_case = {
            name: {m.nbytes: min(m.result.runs[READ]) for m in measured if m.result.case == name}
            for name in (CHOSEN, PLAIN)
        }
        ratios = {size: of_case[CHOSEN][size] / seconds for size, seconds in of_case[PLAIN].items()}
        text = ", ".join(
            f"{size:,} bytes {table.ratio_text(ratio)}" for size, ratio in sorted(ratios.items())
        )
        lines.append(f"{ranks} ranks: read_all ÷ each rank reads: {text}")
    return lines


def draw_sizes(measured: Sequence[Measured], settings: Settings, console: Console) -> None:
    """Seconds against size, a plot for each number of ranks."""
    plots: dict[str, dict[str, plot.Points]] = {}
    for each in sorted(measured, key=lambda m: m.nbytes):
        lines = plots.setdefault(f"equal reads, {each.result.ranks} ranks: seconds", {})
        lines.setdefault(each.result.case, []).append((each.nbytes, each.result.seconds[READ]))
    plot.save_lines(plots, "bytes", settings.out / "equal-reads-sizes.png", console)


def run_equal_reads_bench(
    sizes: Sequence[int], groups: Sequence[int], group_bytes: int, settings: Settings
) -> None:
    """`sizes` are read by all ranks. `groups` of ranks each read `group_bytes` of their own."""
    console = wide_console()
    same = {f"{size:,} equal bytes": lambda _, size=size: equal(size, 1) for size in sizes}
    stock_less = replace(settings, stock=settings.stock and max(sizes, default=0) <= MOST_OF_STOCK)
    if same:
        measured = arrays.run_arrays_bench(EQUAL, same, equal_cases, stock_less)
        if settings.lab is None:
            for line in against_plain(measured):
                console.print(line)
            draw_sizes(measured, settings, console)
    shared = {
        f"{number} groups": lambda ranks, number=number: equal(group_bytes, min(number, ranks))
        for number in groups
    }
    if shared:
        arrays.run_arrays_bench(GROUPS, shared, group_cases, settings)
