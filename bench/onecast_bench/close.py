"""`onecast bench close`: closing a file that all ranks have open. See bench/arrays/README.md."""

from collections.abc import Callable, Sequence

from rich.console import Console

from onecast_bench import arrays, cases
from onecast_bench.arrays import Array, Study
from onecast_bench.cases import AUTO, Case, Settings
from onecast_bench.comparison import MIB
from onecast_bench.programs import need_program

CHANGED = Study(
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
TRUNCATION = Study(
    name="close-truncation",
    phases="read",
    measures=("first write", "flush", "close after writing"),
    contests=(),
    counted=("close after writing",),
    lab_writing=("flush", "close"),
    lab_around=("first",),
    drawn="close after writing",
)
METADATA = Study(
    name="close-metadata",
    phases="read",
    measures=("first write", "flush", "close after writing", "flush + close"),
    contests=(),
    counted=("flush + close",),
    lab_writing=("flush", "close"),
    lab_around=("first",),
    drawn="flush + close",
)

LARGE = 8
"""Arrays of data, of 1 MiB a rank each, between which the metadata lie."""
METADATA_BYTES = 5 * MIB // 4
PIECES = (4800, 4000, 3000, 1200)
"""Bytes of a piece of metadata, in turns: from a B-tree's node to an object header."""
ENDS = {"as it is": "", "set_size": "+set_size", "truncated by rank 0": "+truncate"}
LAYOUTS = {
    "scattered metadata, collective": "scattered",
    "blocks of 1 MiB, one process": "block",
    "blocks of 1 MiB, two processes": "blocks",
}


def large(number: int, ranks: int) -> Array:
    return Array(f"x{number}", "u1", (ranks, MIB), (ranks, 1))


def only_data(ranks: int) -> list[Array]:
    return [large(number, ranks) for number in range(LARGE)]


def with_metadata(ranks: int) -> list[Array]:
    """Adds pieces that stand for a file's metadata; in an HDF5 file they are small datasets."""
    pieces: list[Array] = []
    while sum(piece.nbytes for piece in pieces) < METADATA_BYTES:
        size = PIECES[len(pieces) % len(PIECES)]
        pieces.append(Array(f"m{len(pieces)}", "u1", (1, size), (1, 1)))
    each = -(-len(pieces) // LARGE)
    found: list[Array] = []
    for number in range(LARGE):
        found += [*pieces[number * each : (number + 1) * each], large(number, ranks)]
    return found


def changed_cases(settings: Settings, console: Console) -> list[Case]:
    ours = need_program("onecast_arrays")
    return [
        Case(arrays.WRITE_CALLS, need_program("plain_arrays"), "one", "arrays.bytes"),
        *arrays.stock_cases(settings, ("independent", "collective"), console),
        Case("Onecast", ours, "equal_compact", "onecast.h5"),
        Case("Onecast, nothing compact", ours, "equal", "onecast.h5"),
    ]


def mpi_io_cases(settings: Settings, layouts: dict[str, str], ends: list[str]) -> list[Case]:
    program = need_program("mpi_arrays")
    return [
        Case(f"MPI-IO{by}: {layout}{end}", program, setting + ENDS[end], "arrays.mpi", environment)
        for by, environment in cases.by_mpi_io(settings.mpi_io)
        for layout, setting in layouts.items()
        for end in ends
    ]


def with_hdf5(found: list[Case], settings: Settings, console: Console) -> list[Case]:
    """Adds HDF5 to the cases with MPI-IO. Small arrays are metadata there, written collectively."""
    ours = need_program("onecast_arrays")
    stock = arrays.stock_cases(settings, ("collective_compact",), console)
    return [
        *found,
        *stock,
        Case(AUTO, ours, "auto_compact", "onecast.h5"),
        Case(f"{AUTO}, 2 MiB reserved", ours, "auto_reserved_compact", "onecast.h5"),
    ]


def truncation_cases(settings: Settings, console: Console) -> list[Case]:
    return with_hdf5(mpi_io_cases(settings, {"": "scattered"}, list(ENDS)), settings, console)


def metadata_cases(settings: Settings, console: Console) -> list[Case]:
    layouts = {f"{name}, ": setting for name, setting in LAYOUTS.items()}
    ends = ["as it is", "set_size"]
    return with_hdf5(mpi_io_cases(settings, layouts, ends), settings, console)


def run_close_bench(datasets: int, settings: Settings, parts: Sequence[str]) -> None:
    def small(_: int) -> list[Array]:
        return [Array(f"x{n}", "f8", (1, 64), (1, 1)) for n in range(datasets)]

    def run(study: Study, name: str, make: Callable[[int], list[Array]], find) -> None:
        arrays.run_arrays_bench(study, {name: make}, find, settings)

    if "changed" in parts:
        run(CHANGED, f"{datasets:,} small datasets", small, changed_cases)
    if "truncation" in parts:
        run(TRUNCATION, "aligned blocks", only_data, truncation_cases)
    if "metadata" in parts:
        run(METADATA, "metadata between large data", with_metadata, metadata_cases)
