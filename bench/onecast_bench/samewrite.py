"""`onecast bench samewrite`: all ranks write the same bytes. See bench/arrays/README.md."""

from rich.console import Console

from onecast_bench import arrays, cases
from onecast_bench.arrays import Array, Study
from onecast_bench.cases import Case, Settings
from onecast_bench.programs import need_program

STUDY = Study(
    name="samewrite",
    phases="read",
    measures=("first write", "further writes", "flush", "close after writing", "read back"),
    contests=("first write", "further writes"),
    counted=("first write", "further writes", "flush"),
    lab_writing=("first", "further", "flush"),
    lab_around=("create", "close"),
    drawn="first write",
)


def find_cases(settings: Settings, console: Console) -> list[Case]:
    plain, ours = need_program("plain_arrays"), need_program("onecast_arrays")
    return [
        Case("write calls of one", plain, "one", "arrays.bytes"),
        Case("write calls of all", plain, "each", "arrays.bytes"),
        *arrays.stock_cases(settings, ("one", "independent", "collective"), console),
        *cases.chosen_and_forced(ours, (*cases.METHODS, cases.BROADCAST)),
        Case("Onecast, write_equal", ours, "equal", "onecast.h5"),
        Case("Onecast, write_equal, compact", ours, "equal_compact", "onecast.h5"),
    ]


def run_samewrite_bench(sizes: list[int], settings: Settings) -> None:
    def same(size: int):
        return lambda ranks: [Array("same", "u1", (1, size), (1, 1))]

    workloads = {f"{size:,} equal bytes": same(size) for size in sizes}
    arrays.run_arrays_bench(STUDY, workloads, find_cases, settings)
