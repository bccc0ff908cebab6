"""The model's view of a machine: a handful of times and bandwidths."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, inf, log


@dataclass(frozen=True)
class Parameter:
    """`low` to `high` is the physically plausible range. A fit stays within it."""

    unit: str
    low: float
    high: float
    meaning: str

    @property
    def middle(self) -> float:
        return exp((log(self.low) + log(self.high)) / 2)


PARAMETERS = {
    "read": Parameter("s", 5e-6, 5e-3, "a small read of a library, with its work on what came"),
    "repeated_read": Parameter("s", 1e-7, 1e-4, "a small read of what was read just before"),
    "copy": Parameter("s", 1e-8, 1e-5, "a small read of what is in memory"),
    "service": Parameter("s", 5e-7, 1e-4, "one rank's part of a read by all, one after the other"),
    "open": Parameter("s", 1e-6, 2e-3, "one process's open at the metadata server"),
    "close": Parameter("s", 1e-6, 1e-3, "one process's close at the metadata server"),
    "set_size": Parameter("s", 1e-4, 1e-1, "one process's truncation at the metadata server"),
    "message": Parameter("s", 2e-8, 2e-5, "a level of a broadcast that follows on another"),
    "step": Parameter("s", 2e-7, 1e-4, "a level of a collective call between other work"),
    "skew": Parameter("s", 1e-10, 1e-5, "each rank's share in waiting for the slowest"),
    "bandwidth": Parameter("B/s", 5e7, 2e10, "of one link of a broadcast's tree"),
    "small_file": Parameter("s", 2e-5, 2e-1, "one process creates, writes and closes a small file"),
    "hand_over": Parameter("s", 5e-5, 1e-1, "what it takes more if a lock changes hands"),
    "server_bandwidth": Parameter("B/s", 5e7, 5e9, "of one storage server (OST)"),
    "client_bandwidth": Parameter("B/s", 1e8, 5e9, "large reads of one process"),
    "rpc": Parameter("s", 1e-5, 1e-3, "a storage server's work on one request"),
    "decode": Parameter("s", 1e-7, 1e-4, "looking at one object in memory and reading its values"),
    "encode": Parameter("s", 1e-7, 1e-4, "laying out one new object at flush"),
}


# The origin of a value. An assumed value is the middle of the plausible range.
FITTED, AT_LIMIT, OF_OTHERS, ASSUMED = "fitted", "at its limit", "of other machines", "assumed"


@dataclass(frozen=True)
class Machine:
    name: str
    values: Mapping[str, float]
    # Ranks take turns if they outnumber the cores.
    cores: float = inf
    origins: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, parameter: str) -> float:
        return self.values[parameter]

    def sharing(self, ranks: int) -> float:
        """Returns the factor by which the ranks' own work is slower because they share cores."""
        return max(1.0, ranks / self.cores)
