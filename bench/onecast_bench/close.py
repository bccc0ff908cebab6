"""`onecast bench close`: closing a file that all ranks have open; see bench/arrays/README.md."""

from rich.console import Console

from onecast_bench import arrays
from onecast_bench.arrays import Array, Study
from onecast_bench.cases import Case, Settings
from onecast_bench.programs import need_program

STUDY = Study(
    name="close",
    phases="close,read",
    measures=("close after writing", "open again", "close, unmodified", "close, modified"),
    contests=(),
    counted=("close, modified",),
    lab_writing=("close modified",),
    lab_around=("close", "close unmodified"),
    drawn="close, modified",
    all_counts=True,
)


def find_cases(settings: Settings, console: Console) -> list[Case]:
    ours = need_program("onecast_arrays")
    return [
        Case(arrays.WRITE_CALLS, need_program("plain_arrays"), "one", "arrays.bytes"),
        *arrays.stock_cases(settings, ("independent", "collective"), console),
        Case("Onecast", ours, "equal_compact", "onecast.h5"),
        Case("Onecast, nothing compact", ours, "equal", "onecast.h5"),
    ]


def run_close_bench(datasets: int, settings: Settings) -> None:
    def small(_: int) -> list[Array]:
        return [Array(f"x{n}", "f8", (1, 64), (1, 1)) for n in range(datasets)]

    workloads = {f"{datasets:,} small datasets": small}
    arrays.run_arrays_bench(STUDY, workloads, find_cases, settings)
