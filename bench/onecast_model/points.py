"""The measured times to which the model is fitted, from known_points.toml."""

import tomllib
from dataclasses import dataclass, fields
from importlib.resources import files
from math import inf

from .methods import KNOWN_WORK, METHODS, Work


@dataclass(frozen=True)
class Point:
    machine: str
    method: str
    ranks: int
    seconds: float
    is_lower_bound: bool = False
    work: Work = KNOWN_WORK
    source: str = ""

    @property
    def condition(self) -> tuple:
        """Points with equal conditions are measurements of the same thing."""
        return self.machine, self.method, self.ranks, self.work


@dataclass(frozen=True)
class MachineNote:
    cores: float
    note: str
    fitted: tuple[str, ...]  # the parameters that its points are meant to determine


@dataclass(frozen=True)
class Apart:
    """A published measurement that is kept out of the fit."""

    what: str
    seconds: list[list[float]]  # [ranks, seconds]
    why: str
    method: str = ""  # the formula that comes closest, if any
    like: str = ""  # the machine whose parameters it takes


def points_of_row(row: dict) -> list[Point]:
    if row["method"] not in METHODS:
        raise ValueError(f"known_points.toml: no method {row['method']!r}")
    unknown = set(row) - {"source", "machine", "method", "work", "seconds", "at_least"}
    unknown |= set(row.get("work", {})) - {field.name for field in fields(Work)}
    if unknown:
        raise ValueError(f"known_points.toml: {sorted(unknown)} in {row['method']}")
    work = Work(**row.get("work", {}))
    measured = [(*pair, False) for pair in row.get("seconds", [])]
    measured += [(*pair, True) for pair in row.get("at_least", [])]
    return [
        Point(row["machine"], row["method"], ranks, seconds, bound, work, row["source"])
        for ranks, seconds, bound in measured
    ]


def read() -> dict:
    return tomllib.loads(files(__package__).joinpath("known_points.toml").read_text())


def load_apart() -> list[Apart]:
    return [Apart(**row) for row in read()["apart"]]


def load() -> tuple[dict[str, MachineNote], list[Point]]:
    document = read()
    machines = {
        name: MachineNote(found.get("cores", inf), found["note"], tuple(found["fitted"]))
        for name, found in document["machines"].items()
    }
    points = [point for row in document["rows"] for point in points_of_row(row)]
    for point in points:
        if point.machine not in machines:
            raise ValueError(f"known_points.toml: no machine {point.machine!r}")
    return machines, points
