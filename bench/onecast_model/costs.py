"""The building blocks of the model: the costs of trees, queues and locks."""

from dataclasses import dataclass
from math import ceil

from .machine import Machine


def levels(ranks: int) -> int:
    """Returns the levels of a binary tree over all ranks."""
    return (ranks - 1).bit_length()


def broadcast_in_a_row(machine: Machine, ranks: int, size: float = 0) -> float:
    """Returns the cost of one of many broadcasts in a row, in which no rank waits for the
    slowest."""
    each = machine["message"] + size / machine["bandwidth"]
    return levels(ranks) * machine.sharing(ranks) * each


def collective(machine: Machine, ranks: int, size: float = 0) -> float:
    """Returns the cost of a collective call between other work: a tree, and waiting for the slowest
    rank."""
    each = machine["step"] + size / machine["bandwidth"]
    tree = levels(ranks) * machine.sharing(ranks) * each
    return tree + (ranks - 1) * machine["skew"]


def queue(machine: Machine, ranks: int, service: str) -> float:
    """Returns the cost of requests of all ranks, one after the other."""
    return ranks * machine[service]


@dataclass(frozen=True)
class Requests:
    """The requests that reach the storage servers."""

    bytes: float
    rpcs: float
    hand_overs: float


def hand_overs(rpcs: float, clients: int) -> float:
    """Returns the number of locks handed over. A server's object is locked by its last writer; the
    next request comes from another client with the probability (clients - 1) / clients."""
    return rpcs * (clients - 1) / clients


def by_stripes(total: float, stripe: float) -> Requests:
    """Returns the requests if each stripe is written whole, always by the same client."""
    return Requests(total, ceil(total / stripe), 0)


def by_pieces(total: float, piece: float, stripe: float, clients: int) -> Requests:
    """Returns the requests for pieces at any offset. Stripe boundaries cut pieces, and piece
    boundaries cut stripes."""
    rpcs = ceil(total / piece) + ceil(total / stripe) - 1
    return Requests(total, rpcs, hand_overs(rpcs, clients))


def by_file_domains(total: float, clients: int, stripe: float) -> Requests:
    """Returns the requests of two-phase writing without knowledge of stripes: each aggregator has
    one contiguous part, which begins and ends within a stripe."""
    return by_pieces(total, total / clients, stripe, clients)


def storage(machine: Machine, requests: Requests, servers: int, stripe: float) -> float:
    """Returns the time of the servers. At most as many servers work in parallel as there are
    stripes to write."""
    busy = requests.rpcs * machine["rpc"] + requests.hand_overs * machine["hand_over"]
    work = requests.bytes / machine["server_bandwidth"] + busy
    return work / min(servers, max(1, requests.bytes / stripe))
