"""`onecast bench checkpoint`: checkpoints as simulations write them. See bench/arrays/README.md."""

from collections.abc import Sequence

from onecast_bench import arrays
from onecast_bench.arrays import Array, Study
from onecast_bench.cases import Settings

STUDY = Study(
    name="checkpoint",
    phases="read",
    measures=("first write", "further writes", "close after writing", "read back"),
    contests=("first write", "further writes", "read back"),
    counted=("first write", "further writes"),
    lab_writing=("first", "further"),
    lab_around=("create", "flush", "close"),
    drawn="first write",
)
KINDS = ("flash", "pop", "wrf")


def flash(ranks: int) -> list[Array]:
    """Returns 24 variables, one after the other, each with 320 KiB from every rank."""
    values = 320 * 1024 // 8
    return [Array(f"variable {n}", "f8", (ranks, values), (ranks, 1)) for n in range(24)]


def pop(ranks: int, mb: int) -> list[Array]:
    """Returns one array of a few large parts."""
    return [Array("state", "f8", (ranks, mb * 1_000_000 // 8), (ranks, 1))]


def grid_of(ranks: int) -> tuple[int, int]:
    """Returns the rows and columns of parts, as square as possible."""
    rows = next(n for n in range(int(ranks**0.5), 0, -1) if ranks % n == 0)
    return rows, ranks // rows


def wrf(ranks: int) -> list[Array]:
    """Returns 10 fields over a map, of which each rank has a patch of 32 by 32 values: 4 KiB in
    pieces of 128 bytes."""
    parts = rows, columns = grid_of(ranks)
    return [Array(f"field {n}", "i4", (32 * rows, 32 * columns), parts) for n in range(10)]


def run_checkpoint_bench(kinds: Sequence[str], mb_per_rank: int, settings: Settings) -> None:
    every = {
        "FLASH-like": flash,
        "POP-like": lambda ranks: pop(ranks, mb_per_rank),
        "WRF-like": wrf,
    }
    chosen = {name: every[name] for name, kind in zip(every, KINDS, strict=True) if kind in kinds}
    arrays.run_arrays_bench(STUDY, chosen, arrays.common_cases, settings)
