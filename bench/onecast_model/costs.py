"""The building blocks: what trees, queues and locks cost. Arithmetic only."""

from dataclasses import dataclass
from math import ceil

from .machine import Machine


def levels(ranks: int) -> int:
    """Of a binary tree over all ranks."""
    return (ranks - 1).bit_length()


def broadcast_in_a_row(machine: Machine, ranks: int, size: float = 0) -> float:
    """One of many, with nothing between them: no rank waits for the slowest."""
    each = machine["message"] + size / machine["bandwidth"]
    return levels(ranks) * machine.sharing(ranks) * each


def collective(machine: Machine, ranks: int, size: float = 0) -> float:
    """A collective call between other work: a tree, and waiting for the slowest rank."""
    each = machine["step"] + size / machine["bandwidth"]
    tree = levels(ranks) * machine.sharing(ranks) * each
    return tree + (ranks - 1) * machine["skew"]


def queue(machine: Machine, ranks: int, service: str) -> float:
    """The requests of all ranks, one after the other."""
    return ranks * machine[service]


@dataclass(frozen=True)
class Requests:
    """What reaches the storage servers."""

    bytes: float
    rpcs: float
    hand_overs: float


def hand_overs(rpcs: float, clients: int) -> float:
    """A server's object is locked by who wrote there last; that the next request comes from
    another client is (clients - 1) / clients likely."""
    return rpcs * (clients - 1) / clients


def by_stripes(total: float, stripe: float) -> Requests:
    """Each stripe is written whole, always by the same client."""
    return Requests(total, ceil(total / stripe), 0)


def by_pieces(total: float, piece: float, stripe: float, clients: int) -> Requests:
    """Pieces at any offset: one is cut where a stripe ends, a stripe where a piece ends."""
    rpcs = ceil(total / piece) + ceil(total / stripe) - 1
    return Requests(total, rpcs, hand_overs(rpcs, clients))


def by_file_domains(total: float, clients: int, stripe: float) -> Requests:
    """Two-phase writing as it is without knowledge of stripes: one contiguous part for each
    aggregator, which begins and ends within a stripe."""
    return by_pieces(total, total / clients, stripe, clients)


def storage(machine: Machine, requests: Requests, servers: int, stripe: float) -> float:
    """Servers work side by side, as many as there are stripes to write."""
    busy = requests.rpcs * machine["rpc"] + requests.hand_overs * machine["hand_over"]
    work = requests.bytes / machine["server_bandwidth"] + busy
    return work / min(servers, max(1, requests.bytes / stripe))
