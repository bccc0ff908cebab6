"""The cost of each method: counts of calls, times what a machine takes for each call.

The counts of stock HDF5 were taken from HDF5 1.10 and 1.14 by the preloaded library of
bench/metadata. Those of Onecast are the table "Counts" of ARCHITECTURE.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from . import costs
from .machine import Machine

MIB = 1 << 20


@dataclass(frozen=True)
class Work:
    """The amount of work. The defaults are those of the known points."""

    # Opening: 128 bases × 32 zones of CGNS are 8320 groups and 8320 datasets.
    objects: int = 16640
    metadata_bytes_per_object: float = 252  # 4 MiB of pages, as Onecast writes that file
    reads: int = 8192
    read_bytes: float = 64
    # Large writes: each rank writes `variables` times `bytes_per_rank`.
    bytes_per_rank: float = 320 * 1024
    variables: int = 1
    piece: float = 4096
    servers: int = 4
    stripe: float = MIB
    ranks_per_node: int = 1


KNOWN_WORK = Work()
Formula = Callable[[Machine, int, Work], float]


@dataclass(frozen=True)
class Method:
    name: str
    operation: str
    title: str
    is_onecast: bool
    is_stock: bool
    seconds: Formula

    @property
    def full_title(self) -> str:
        return f"{self.operation.replace('_', ' ')}: {self.title}"


METHODS: dict[str, Method] = {}


def method(name: str, title: str) -> Callable[[Formula], Formula]:
    def register(formula: Formula) -> Formula:
        operation, _, how = name.partition(".")
        is_stock = title.startswith("stock") and how != "no_truncation"  # it does truncate
        METHODS[name] = Method(name, operation, title, "Onecast" in title, is_stock, formula)
        return formula

    return register


# --- opening and reading all ------------------------------------------------------------------


@dataclass(frozen=True)
class OpenCounts:
    """The counts of cgp_open (libcgns 4.6, HDF5 1.14.5) for 16,640 groups and datasets."""

    reads: int
    data_reads: int
    collectives: int
    objects: int = 16640


CONTIGUOUS = OpenCounts(reads=43033, data_reads=8322, collectives=51384 + 8322 + 16644)
COMPACT = OpenCounts(reads=35128, data_reads=0, collectives=35139 + 8322)


def stock_open(machine: Machine, ranks: int, work: Work, counts: OpenCounts, by_all: bool) -> float:
    scale = work.objects / counts.objects
    reads = counts.reads * machine["read"] * machine.sharing(ranks)
    calls = counts.collectives * costs.collective(machine, ranks)
    turns = counts.data_reads * (ranks - 1) if by_all else 0
    waiting = turns * machine["service"] * machine.sharing(ranks)
    return scale * (reads + calls + waiting) + costs.queue(machine, ranks, "open")


@method("open.all_read", "stock, all ranks read the data")
def open_all_read(machine: Machine, ranks: int, work: Work) -> float:
    return stock_open(machine, ranks, work, CONTIGUOUS, by_all=True)


@method("open.one_reads", "stock, one reads + a broadcast, each")
def open_one_reads(machine: Machine, ranks: int, work: Work) -> float:
    return stock_open(machine, ranks, work, CONTIGUOUS, by_all=False)


@method("open.compact", "stock, the same in compact storage")
def open_compact(machine: Machine, ranks: int, work: Work) -> float:
    return stock_open(machine, ranks, work, COMPACT, by_all=False)


SEGMENT = 64 * MIB


@method("open.onecast", "Onecast")
def open_onecast(machine: Machine, ranks: int, work: Work) -> float:
    """Rank 0 reads the first MiB, then the rest. Two reductions and two broadcasts follow; the
    ranks of a node share what the last one brings, so it reaches one rank of each node."""
    size = work.objects * work.metadata_bytes_per_object
    calls = 1 if size <= MIB else 2
    reading = machine["open"] + calls * machine["read"] + size / machine["client_bandwidth"]
    broadcasts = 1 + ceil(size / SEGMENT)
    sending = (1 + broadcasts) * costs.collective(machine, ranks)
    sending += costs.collective(machine, nodes(ranks, work), size)
    return reading + sending + work.objects * machine["decode"] * machine.sharing(ranks)


# --- small reads ------------------------------------------------------------------------------


@method("small_reads.all_read", "stock, all ranks read each piece")
def small_reads_all(machine: Machine, ranks: int, work: Work) -> float:
    """The process that holds the bytes serves one rank after the other."""
    turn = machine["repeated_read"] + (ranks - 1) * machine["service"]
    return work.reads * turn * machine.sharing(ranks)


@method("small_reads.one_broadcast", "plain MPI, one reads all + one broadcast")
def small_reads_one_broadcast(machine: Machine, ranks: int, work: Work) -> float:
    size = work.reads * work.read_bytes
    return work.reads * machine["repeated_read"] + costs.broadcast_in_a_row(machine, ranks, size)


@method("small_reads.broadcast_each", "plain MPI, one reads + a broadcast, each piece")
def small_reads_broadcast_each(machine: Machine, ranks: int, work: Work) -> float:
    broadcast = costs.broadcast_in_a_row(machine, ranks, work.read_bytes)
    return work.reads * (machine["repeated_read"] + broadcast)


@method("small_reads.onecast", "Onecast, read_all of each piece")
def small_reads_onecast(machine: Machine, ranks: int, work: Work) -> float:
    """Rank 0 reads. A reduction compares what all ranks want, and a broadcast follows. All ranks
    wait for each other."""
    calls = 2 * costs.collective(machine, ranks, work.read_bytes)
    return work.reads * (machine["repeated_read"] + calls)


@method("small_reads.onecast_preloaded", "Onecast, preloaded, opening too")
def small_reads_preloaded(machine: Machine, ranks: int, work: Work) -> float:
    """open and prefetch_all take 8 collectives and a read each. The reads that follow make no
    calls, and their copies are too short for another rank to get the core in between."""
    size = work.reads * work.read_bytes
    preload = machine["open"] + 2 * machine["read"] + 7 * costs.collective(machine, ranks)
    preload += costs.collective(machine, ranks, size)
    return preload + work.reads * machine["copy"]


# --- the same small data, written by all ------------------------------------------------------

# MPI calls, as counted. An MPI-IO implementation makes further calls of its own.
CREATE_CALLS, WRITE_CALLS, CLOSE_CALLS = 4, 4, 9


@method("same_write.one", "one process alone")
def same_write_one(machine: Machine, ranks: int, work: Work) -> float:
    return machine["small_file"]


@method("same_write.all_independent", "stock, every rank writes")
def same_write_independent(machine: Machine, ranks: int, work: Work) -> float:
    """All ranks write into one stripe. Each takes the lock from the previous one."""
    waiting = (ranks - 1) * (machine["open"] + machine["hand_over"])
    return machine["small_file"] + waiting


@method("same_write.collective", "stock, collective")
def same_write_collective(machine: Machine, ranks: int, work: Work) -> float:
    calls = CREATE_CALLS + WRITE_CALLS + CLOSE_CALLS
    waiting = (ranks - 1) * machine["open"]
    return machine["small_file"] + waiting + calls * costs.collective(machine, ranks)


@method("same_write.onecast", "Onecast, write_equal")
def same_write_onecast(machine: Machine, ranks: int, work: Work) -> float:
    """Only rank 0 opens the file. Create takes 2 collectives, flush 4, close 1."""
    return machine["small_file"] + 7 * costs.collective(machine, ranks)


# --- closing ----------------------------------------------------------------------------------


@method("close.no_truncation", "stock, if it did not truncate")
def close_plain(machine: Machine, ranks: int, work: Work) -> float:
    return costs.queue(machine, ranks, "close")


@method("close.mpi_truncation", "stock, truncation by MPI")
def close_mpi(machine: Machine, ranks: int, work: Work) -> float:
    """Every rank asks for the size before rank 0 truncates."""
    return costs.queue(machine, ranks, "close") + costs.queue(machine, ranks, "set_size")


@method("close.posix_truncation", "stock, truncation by every rank")
def close_posix(machine: Machine, ranks: int, work: Work) -> float:
    return close_mpi(machine, ranks, work)


@method("close.onecast", "Onecast, with the flush of a page")
def close_onecast(machine: Machine, ranks: int, work: Work) -> float:
    """Flush takes 4 collectives and 2 writes, close 1 collective. Only rank 0 has the file open,
    and nothing is truncated."""
    return machine["close"] + 2 * machine["read"] + 5 * costs.collective(machine, ranks)


# --- the storage servers of a file ------------------------------------------------------------


def total_bytes(ranks: int, work: Work) -> float:
    return ranks * work.bytes_per_rank


def nodes(ranks: int, work: Work) -> int:
    return ceil(ranks / work.ranks_per_node)


def storage(machine: Machine, requests: costs.Requests, work: Work) -> float:
    return costs.storage(machine, requests, work.servers, work.stripe)


# --- flushing ---------------------------------------------------------------------------------


@method("flush.onecast", "Onecast, all objects new")
def flush_onecast(machine: Machine, ranks: int, work: Work) -> float:
    """4 collectives and 3 writes: the pages in one run, the last byte, the superblock. With more
    than 64 stripes, each stripe is written by a rank of its own."""
    size = work.objects * work.metadata_bytes_per_object
    stripes = ceil(size / work.stripe)
    encoding = work.objects * machine["encode"] * machine.sharing(ranks)
    calls = 4 * costs.collective(machine, ranks) + 3 * machine["read"]
    if stripes <= 64 or ranks == 1:
        return encoding + calls + size / machine["client_bandwidth"]
    writers = min(stripes, ranks)
    openers = (writers - 1) * machine["open"]
    requests = costs.by_stripes(size, work.stripe)
    return encoding + calls + openers + storage(machine, requests, work)


# --- large writes -----------------------------------------------------------------------------


def exchange(machine: Machine, ranks: int, work: Work) -> float:
    """The ranks of a node share its link. Nearly all bytes go to another node."""
    clients = nodes(ranks, work)
    if clients == 1:
        return 0.0
    return total_bytes(ranks, work) / clients / machine["bandwidth"]


@method("large_write.file_per_process", "a file for each process")
def large_write_files(machine: Machine, ranks: int, work: Work) -> float:
    requests = costs.by_stripes(total_bytes(ranks, work), work.stripe)
    return work.variables * storage(machine, requests, work)


@method("large_write.independent", "stock, independent")
def large_write_independent(machine: Machine, ranks: int, work: Work) -> float:
    total = total_bytes(ranks, work)
    requests = costs.by_pieces(total, work.bytes_per_rank, work.stripe, nodes(ranks, work))
    return work.variables * storage(machine, requests, work)


@method("large_write.collective", "stock, collective")
def large_write_collective(machine: Machine, ranks: int, work: Work) -> float:
    requests = costs.by_file_domains(total_bytes(ranks, work), nodes(ranks, work), work.stripe)
    each = storage(machine, requests, work) + exchange(machine, ranks, work)
    return work.variables * (each + WRITE_CALLS * costs.collective(machine, ranks))


@method("large_write.onecast", "Onecast")
def large_write_onecast(machine: Machine, ranks: int, work: Work) -> float:
    """A reduction chooses the cheaper of two ways: by stripes, each of which has one owner, so that
    bytes are exchanged and no lock is handed over, or independently."""
    requests = costs.by_stripes(total_bytes(ranks, work), work.stripe)
    by_stripes = storage(machine, requests, work)
    by_stripes += exchange(machine, ranks, work) + costs.collective(machine, ranks)
    independent = large_write_independent(machine, ranks, replace(work, variables=1))
    return work.variables * (costs.collective(machine, ranks) + min(by_stripes, independent))


# --- interleaved small pieces -----------------------------------------------------------------


@method("interleaved.generic", "stock, each rank its pieces")
def interleaved_generic(machine: Machine, ranks: int, work: Work) -> float:
    """Neighbouring pieces belong to different ranks, so each piece hands a lock over. On a single
    node the cache gathers the pieces."""
    total = total_bytes(ranks, work)
    clients = nodes(ranks, work)
    if clients == 1:
        requests = costs.by_stripes(total, work.stripe)
    else:
        pieces = total / work.piece
        requests = costs.Requests(total, pieces, costs.hand_overs(pieces, clients))
    return machine["small_file"] + storage(machine, requests, work)


@method("interleaved.by_stripes", "each stripe by one client, as Onecast")
def interleaved_by_stripes(machine: Machine, ranks: int, work: Work) -> float:
    requests = costs.by_stripes(total_bytes(ranks, work), work.stripe)
    calls = 2 * costs.collective(machine, ranks) + exchange(machine, ranks, work)
    return machine["small_file"] + calls + storage(machine, requests, work)
