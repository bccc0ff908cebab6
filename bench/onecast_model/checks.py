"""The model beside known points."""

from dataclasses import dataclass

from .machine import Machine
from .methods import METHODS
from .points import Point

# A fit to points of this many times fewer ranks is to predict those of the most.
EXTRAPOLATION = 4


@dataclass(frozen=True)
class Check:
    """One known point beside the model."""

    point: Point
    predicted: float
    # Predicted by a fit without this point; None if no other point determines the values it depends
    # on.
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
    """How far off, whichever way: 2 for half and for twice."""
    return max(ratio, 1 / ratio)


def predict(machine: Machine, point: Point) -> float:
    return METHODS[point.method].seconds(machine, point.ranks, point.work)
