"""Compares the model with known points."""

from dataclasses import dataclass

from .machine import Machine
from .methods import METHODS
from .points import Point

# A fit to points of this many times fewer ranks predicts those of the most ranks.
EXTRAPOLATION = 4


@dataclass(frozen=True)
class Check:
    """One known point and the model's prediction."""

    point: Point
    predicted: float
    # The prediction of a fit without this point; None if no other point determines the parameters
    # on which it depends.
    left_out: float | None = None

    @property
    def ratio(self) -> float:
        return ratio_to(self.point, self.predicted)

    @property
    def left_out_ratio(self) -> float | None:
        return None if self.left_out is None else ratio_to(self.point, self.left_out)


def ratio_to(point: Point, predicted: float) -> float:
    if point.is_lower_bound and predicted >= point.seconds:
        return 1.0
    return predicted / point.seconds


def factor(ratio: float) -> float:
    """Returns the error as a factor of at least 1: 2 for half and for twice."""
    return max(ratio, 1 / ratio)


def predict(machine: Machine, point: Point) -> float:
    return METHODS[point.method].seconds(machine, point.ranks, point.work)
