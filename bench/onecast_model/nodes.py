"""What opening and reading a file needs on nodes of several ranks: memory, and messages between
nodes."""

from dataclasses import dataclass
from math import ceil

from .costs import levels

KIB = 1 << 10
MIB = 1 << 20
# What each rank holds beside the pages once it has read everything: `onecast bench scale` measures
# it.
READER = 2 * MIB
# The collective calls of an open whose pages the ranks of a node share, after the bytes that the
# call itself brings: reductions go up and down a tree, broadcasts down.
REDUCTIONS, BROADCASTS = 2, 1


@dataclass(frozen=True)
class OnNodes:
    """An open of a file with `pages` bytes of metadata. The node of rank 0 is the busiest."""

    ranks: int
    ranks_per_node: int
    pages: float

    @property
    def nodes(self) -> int:
        return ceil(self.ranks / self.ranks_per_node)

    @property
    def ranks_here(self) -> int:
        return min(self.ranks, self.ranks_per_node)

    @property
    def crossings(self) -> int:
        """The messages between node 0 and others in one broadcast along a binomial tree of all
        ranks, in their order."""
        here = self.ranks_here
        steps = [1 << level for level in range(levels(self.ranks))]
        return sum(
            here <= rank + step < self.ranks and rank % (2 * step) == 0
            for rank in range(here)
            for step in steps
        )

    @property
    def messages(self) -> int:
        """The messages between node 0 and other nodes: those of all ranks, and the pages, which go
        from the first rank of a node to those of others."""
        small = (2 * REDUCTIONS + BROADCASTS) * self.crossings
        return small + levels(self.nodes)

    @property
    def bytes_sent(self) -> float:
        """The bytes that node 0 sends to other nodes, without small messages."""
        return self.pages * levels(self.nodes)

    @property
    def memory(self) -> float:
        """The bytes that the ranks of a node hold together: the pages once."""
        return self.pages + self.ranks_here * READER

    @property
    def memory_of_copies(self) -> float:
        """The bytes if each rank had a copy of the pages, as where memory cannot be shared."""
        return self.memory + (self.ranks_here - 1) * self.pages
