"""Tries the remedies on copies of the file, in this process."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import onecast

from .findings import Finding
from .here import PLAIN, read_part

REPEATS = 3


@dataclass(frozen=True)
class Measured:
    seconds: float
    reads: int
    file_bytes: int


def measure(
    path: str, findings: Sequence[Finding], folder: Path
) -> list[tuple[Measured, Measured]]:
    """Times the task of each finding on the file and on a copy with the remedies."""
    adopted, repacked = folder / "adopted.h5", folder / "repacked.h5"
    if any(found.remedy == "adopt" for found in findings):
        shutil.copyfile(path, adopted)
        with onecast.File(adopted, "r+") as file:
            file.adopt()
    if any(found.remedy == "repack" for found in findings):
        repack(path, repacked, findings)
    return [
        (timed(path, found), timed(adopted if found.remedy == "adopt" else repacked, found))
        for found in findings
    ]


def repack(path: str, out: Path, findings: Sequence[Finding]) -> None:
    """Repacks the file with all changes at once."""
    changes: dict[str, dict] = {}
    for found in findings:
        for name, change in found.storage.items():
            changes.setdefault(name, {}).update(change)
    storage = {name: onecast.StorageChange(**change) for name, change in changes.items()}
    stripe_size = max(found.stripe_size for found in findings)
    onecast.repack(path, out, storage, follow_external="folder", stripe_size=stripe_size)


def timed(path: str | Path, finding: Finding) -> Measured:
    """Times opening the file and visiting all objects, or reading the datasets of the finding: the
    quickest of some repetitions."""
    taken, reads = [], 0
    for _ in range(REPEATS):
        start = time.perf_counter()
        with onecast.File(path, **PLAIN) as file:
            opened = file.io_stats().reads if finding.datasets else 0
            if finding.datasets:
                start = time.perf_counter()
                for name in finding.datasets:
                    read_part(file[name], finding.parts.get(name, ()))
            else:
                file.visititems(lambda name, found: None)
            taken.append(time.perf_counter() - start)
            reads = file.io_stats().reads - opened
    return Measured(min(taken), reads, Path(path).stat().st_size)
