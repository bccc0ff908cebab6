"""Fits the machines' parameters to known points, by least squares of the logarithms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp, inf, log

from .checks import EXTRAPOLATION, Check, predict, ratio_to
from .machine import ASSUMED, AT_LIMIT, FITTED, OF_OTHERS, PARAMETERS, Machine
from .points import MachineNote, Point, load
from .report import Model

# Pulls a parameter to the middle of its plausible range, too weakly to matter where points
# determine it.
PULL = 0.03
# A point determines a parameter if the prediction changes by more than this part of the parameter's
# relative change.
TELLING = 0.1


def middle() -> dict[str, float]:
    return {name: parameter.middle for name, parameter in PARAMETERS.items()}


def sensitivity(machine: Machine, point: Point, name: str) -> float:
    """Returns the prediction's relative change, divided by the parameter's."""
    more = replace(machine, values={**machine.values, name: machine[name] * 1.1})
    return abs(log(predict(more, point) / predict(machine, point))) / log(1.1)


def told(machine: Machine, points: Sequence[Point], names: Iterable[str]) -> set[str]:
    """Returns the parameters that at least one of these points determines."""
    return {
        name
        for name in names
        if any(sensitivity(machine, point, name) > TELLING for point in points)
    }


def origin(name: str, value: float) -> str:
    parameter = PARAMETERS[name]
    return AT_LIMIT if min(value / parameter.low, parameter.high / value) < 1.01 else FITTED


def fit(machine: Machine, points: Sequence[Point], names: Sequence[str]) -> Machine:
    """Fits the named parameters. The machine's other parameters stay as they are."""
    from scipy.optimize import least_squares

    low = [log(PARAMETERS[name].low) for name in names]
    high = [log(PARAMETERS[name].high) for name in names]
    start = [log(PARAMETERS[name].middle) for name in names]

    def with_values(logarithms: Iterable[float]) -> Machine:
        fitted = {name: exp(x) for name, x in zip(names, logarithms, strict=True)}
        return replace(machine, values={**machine.values, **fitted})

    def residuals(logarithms: Sequence[float]) -> list[float]:
        tried = with_values(logarithms)
        wrong = [log(ratio_to(point, predict(tried, point))) for point in points]
        return wrong + [PULL * (x - x0) for x, x0 in zip(logarithms, start, strict=True)]

    found = with_values(least_squares(residuals, start, bounds=(low, high), x_scale="jac").x)
    origins = {n: origin(n, found[n]) for n in names}
    return replace(found, origins={**machine.origins, **origins})


def check(machine: Machine, points: Sequence[Point], names: Sequence[str]) -> list[Check]:
    """Compares each point with the fit to all points, and with the fit to all other points.
    Measurements of the same condition are left out together."""
    predicted: dict[tuple, float | None] = {}
    checks = []
    for point in points:
        if point.condition not in predicted:
            others = [other for other in points if other.condition != point.condition]
            enough = told(machine, [point], names) <= told(machine, others, names)
            again = fit(machine, others, names) if enough else None
            predicted[point.condition] = predict(again, point) if again else None
        checks.append(Check(point, predict(machine, point), predicted[point.condition]))
    return checks


def extrapolate(machine: Machine, points: Sequence[Point], names: Sequence[str]) -> list[Check]:
    """Predicts the points of the most ranks from a fit to points of at least EXTRAPOLATION times
    fewer."""
    most = max(point.ranks for point in points)
    few = [point for point in points if point.ranks * EXTRAPOLATION <= most]
    if not few:
        return []
    known, again = told(machine, few, names), fit(machine, few, names)
    return [
        Check(point, predict(again, point))
        for point in points
        if point not in few and told(machine, [point], names) <= known
    ]


def borrowed(machine: Machine, others: Iterable[Machine]) -> Machine:
    """Fills in the parameters that are not fitted. A value is the mean of other machines,
    preferably of those whose ranks do not share cores; without any it is assumed."""
    values, origins = dict(machine.values), dict(machine.origins)
    for name in PARAMETERS:
        if origins.get(name) in (FITTED, AT_LIMIT):
            continue
        found = [other for other in others if other.origins.get(name) == FITTED]
        found = [other for other in found if other.cores == inf] or found
        mean = sum(log(other[name]) for other in found) / len(found) if found else None
        values[name] = PARAMETERS[name].middle if mean is None else exp(mean)
        origins[name] = ASSUMED if mean is None else OF_OTHERS
    return replace(machine, values=values, origins=origins)


def points_of(machine: str, points: Iterable[Point]) -> list[Point]:
    return [point for point in points if point.machine == machine]


def fit_all(notes: Mapping[str, MachineNote], points: Sequence[Point]) -> dict[str, Machine]:
    """Fits each machine to its own points and to what the other machines determine."""
    machines = {name: Machine(name, middle(), note.cores) for name, note in notes.items()}
    for _ in range(3):  # until the borrowed values are stable
        machines = {
            name: fit(machine, points_of(name, points), notes[name].fitted)
            for name, machine in machines.items()
        }
        machines = {
            name: borrowed(machine, [m for m in machines.values() if m.name != name])
            for name, machine in machines.items()
        }
    return machines


def fitted_model(with_checks: bool = True) -> Model:
    notes, points = load()
    machines = fit_all(notes, points)
    checks, extrapolated = [], []
    for name, machine in machines.items() if with_checks else ():
        own, fitted = points_of(name, points), notes[name].fitted
        checks += check(machine, own, fitted)
        extrapolated += extrapolate(machine, own, fitted)
    return Model(notes, machines, checks, extrapolated)
