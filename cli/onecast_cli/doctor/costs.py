"""What the scale model predicts for a file: counts of the file times what a machine takes for each
(docs/reference/model.md)."""

from __future__ import annotations

from dataclasses import dataclass

from onecast_model import costs
from onecast_model.machine import Machine
from onecast_model.methods import METHODS, Work
from onecast_model.nodes import OnNodes

from .facts import FileFacts


@dataclass(frozen=True)
class Costs:
    machine: Machine
    ranks: int
    servers: int
    ranks_per_node: int

    def on_nodes(self, facts: FileFacts) -> OnNodes:
        return OnNodes(self.ranks, self.ranks_per_node, facts.report["metadata_bytes"])

    def method(self, name: str, work: Work) -> float:
        return METHODS[name].seconds(self.machine, self.ranks, work)

    def opening(self, name: str, facts: FileFacts) -> float:
        each = facts.report["metadata_bytes"] / facts.objects
        work = Work(
            objects=facts.objects,
            metadata_bytes_per_object=each,
            ranks_per_node=self.ranks_per_node,
        )
        return self.method(f"open.{name}", work)

    def storage(self, size: float, requests: float, stripe: int) -> float:
        """Returns the seconds in which the storage servers answer so many requests."""
        asked = costs.Requests(size, requests, 0)
        return costs.storage(self.machine, asked, self.servers, stripe)

    def open_with_pages(self, facts: FileFacts) -> float:
        return self.opening("onecast", facts)

    def open_with_list(self, facts: FileFacts) -> float:
        """Counts at most as many reads as the walk made; nothing is decoded before the
        broadcast."""
        more = max(0, facts.report["reads_to_open"] - 2)
        return self.open_with_pages(facts) + more * self.machine["read"]

    def walk(self, facts: FileFacts) -> float:
        """The walk decodes all objects on rank 0 before the other ranks can begin."""
        return self.open_with_list(facts) + facts.objects * self.machine["decode"]

    def small_reads(self, count: int, size: float) -> float:
        """Each read is a read_all of its own."""
        return self.method("small_reads.onecast", Work(reads=count, read_bytes=size))

    def copies(self, count: int) -> float:
        return count * self.machine["copy"]


def open_and_read(facts: FileFacts, costs: Costs) -> dict[str, float]:
    """Returns the ways to open the file and to visit all objects and small data."""
    small = facts.small_contiguous
    count = len(small)
    size = sum(d.bytes for d in small) / max(1, count)
    repacked = costs.open_with_pages(facts) + costs.copies(count)
    with_list = costs.open_with_list(facts) + costs.small_reads(count, size)
    walk = costs.walk(facts) + costs.copies(count)
    listed = facts.report["page_size"] != 0 and not facts.report["page_list_stale"]
    stock = min(costs.opening(name, facts) for name in ("all_read", "one_reads"))
    found = {"stock HDF5": stock, "as it is": walk}
    if not listed:
        return found | {"adopted": with_list, "repacked": repacked}
    found["as it is"] = with_list
    return found | ({"repacked": repacked} if count or facts.report["extents"] else {})
