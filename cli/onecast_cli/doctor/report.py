"""The report of a doctor on a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .costs import Costs
from .facts import FileFacts
from .findings import Finding
from .measure import Measured

Ways = Mapping[str, float]  # to open the file and visit all objects -> seconds


@dataclass
class Report:
    """`here`: seconds before and after the remedy of each finding, for one process of this machine;
    None where they are not known."""

    facts: FileFacts
    costs: Costs
    findings: Sequence[Finding]
    ways: Ways
    here: Sequence[tuple[float, float] | None] = field(default_factory=list)
    ways_here: Ways = field(default_factory=dict)
    measured: Sequence[tuple[Measured, Measured]] = ()

    def __post_init__(self) -> None:
        self.here = self.here or [None] * len(self.findings)
