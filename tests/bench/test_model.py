"""The scale model: its formulas, the fit, and its error at the known points."""

from dataclasses import replace
from itertools import pairwise
from math import exp, inf
from random import Random

import pytest

from onecast_model import costs
from onecast_model.checks import factor, predict, ratio_to
from onecast_model.fit import check, extrapolate, fit, fit_all, middle, points_of
from onecast_model.machine import FITTED, PARAMETERS, Machine
from onecast_model.methods import METHODS, Work
from onecast_model.points import MachineNote, Point, load, points_of_row
from onecast_model.predict import MOST_RANKS, OPERATIONS, faster_from, methods_of, predict_all
from onecast_model.stored import stored_model

RANKS = (1, 2, 3, 4, 7, 64, 1000, 4096, 100_000)
MACHINE = Machine("some", middle())


@pytest.fixture(scope="module")
def model():
    pytest.importorskip("scipy")
    from onecast_model.fit import fitted_model

    return fitted_model()


def test_the_stored_numbers_are_those_of_the_fit(model):
    """With another scipy a fit ends at slightly other values. `onecast model fit` stores new
    ones."""
    stored = stored_model()
    for name, machine in model.machines.items():
        assert stored.machines[name].values == pytest.approx(machine.values, rel=0.03), name
        assert stored.machines[name].origins == machine.origins
    for ours, theirs in [(stored.checks, model.checks), (stored.extrapolated, model.extrapolated)]:
        assert [c.point for c in ours] == [c.point for c in theirs]
        for mine, other in zip(ours, theirs, strict=True):
            assert mine.predicted == pytest.approx(other.predicted, rel=0.03)
            assert mine.left_out == (other.left_out and pytest.approx(other.left_out, rel=0.03))


# --- formulas ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "levels"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1024, 10), (100_000, 17)]
)
def test_levels_of_a_tree(ranks, levels):
    assert costs.levels(ranks) == levels


def test_one_rank_sends_nothing():
    for call in (costs.broadcast_in_a_row, costs.collective):
        assert call(MACHINE, 1) == 0
    assert costs.hand_overs(1000, clients=1) == 0


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("cores", [inf, 2])
def test_more_ranks_never_take_less(name, cores):
    """The numbers of servers and nodes are fixed; otherwise they would grow with the ranks."""
    machine = replace(MACHINE, cores=cores)
    work = Work(servers=1)
    seconds = [METHODS[name].seconds(machine, ranks, work) for ranks in RANKS]
    assert all(0 < value < inf for value in seconds)
    assert all(b >= a * (1 - 1e-12) for a, b in pairwise(seconds))


@pytest.mark.parametrize("name", METHODS)
def test_seconds_are_seconds(name):
    """Doubling all times and halving all bandwidths doubles the seconds, so nothing else is
    added."""
    slower = {
        key: value * (2 if PARAMETERS[key].unit == "s" else 0.5)
        for key, value in MACHINE.values.items()
    }
    for ranks in RANKS:
        seconds = METHODS[name].seconds(MACHINE, ranks, Work())
        twice = METHODS[name].seconds(replace(MACHINE, values=slower), ranks, Work())
        assert twice == pytest.approx(2 * seconds)


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_every_parameter_counts_the_right_way(parameter):
    """A slower machine is slower in some method, and faster in none."""
    slow = 2 if PARAMETERS[parameter].unit == "s" else 0.5
    slower = replace(MACHINE, values={**MACHINE.values, parameter: MACHINE[parameter] * slow})
    ratios = [
        method.seconds(slower, 4096, Work()) / method.seconds(MACHINE, 4096, Work())
        for method in METHODS.values()
    ]
    assert min(ratios) >= 1
    assert max(ratios) > 1


def test_requests_of_stripes_and_pieces():
    mib = 1 << 20
    assert costs.by_stripes(64 * mib, mib) == costs.Requests(64 * mib, 64, 0)
    # These are 8 pieces of 8 MiB at an odd offset, so that each end of a piece cuts a stripe.
    cut = costs.by_pieces(64 * mib, 8 * mib, mib, clients=8)
    assert (cut.rpcs, cut.hand_overs) == (71, pytest.approx(71 * 7 / 8))
    assert costs.by_pieces(64 * mib, 8 * mib, mib, clients=1).hand_overs == 0


def test_one_rank_reads_and_opens_however_many_there_are():
    free = {name: 0.0 if p.unit == "s" else inf for name, p in PARAMETERS.items()}
    for parameter in ("read", "open", "close"):
        machine = replace(MACHINE, values=free | {parameter: 1.0})
        for name in ("open.onecast", "close.onecast"):
            seconds = METHODS[name].seconds
            assert seconds(machine, 4096, Work()) == seconds(machine, 2, Work())


# --- the fit ----------------------------------------------------------------------------------

NAMES = ("read", "service", "open", "step", "skew", "small_file", "hand_over")
TRUE = {
    "read": 3e-4,
    "service": 2e-5,
    "open": 1e-4,
    "step": 8e-6,
    "skew": 5e-8,
    "small_file": 0.02,
    "hand_over": 2e-3,
}


def synthetic_points(noise: float) -> list[Point]:
    machine = Machine("made up", middle() | TRUE)
    random = Random(1)
    return [
        replace(point, seconds=predict(machine, point) * exp(random.gauss(0, noise)))
        for name in METHODS
        if name.startswith(("open.a", "open.o", "open.c", "same_write"))
        for ranks in (1, 64, 512, 2048, 8192, 32768)
        for point in [Point("made up", name, ranks, 0.0)]
        if "onecast" not in name
    ]


@pytest.mark.parametrize(("noise", "tolerance"), [(0.0, 1.05), (0.2, 1.6)])
def test_fit_recovers_known_parameters(noise, tolerance):
    pytest.importorskip("scipy")
    machine = fit(Machine("made up", middle()), synthetic_points(noise), NAMES)
    for name, value in TRUE.items():
        assert factor(machine[name] / value) < tolerance, name
        assert machine.origins[name] == FITTED


def test_a_lower_bound_is_no_error_above_it():
    point = Point("some", "close.onecast", 2, seconds=10, is_lower_bound=True)
    assert [ratio_to(point, seconds) for seconds in (5, 10, 1000)] == [0.5, 1, 1]


def test_a_point_that_alone_tells_a_parameter_is_not_predicted_without_it():
    pytest.importorskip("scipy")
    names = ("close", "set_size")
    points = [
        Point("some", "close.no_truncation", 3000, 0.1),
        Point("some", "close.mpi_truncation", 3000, 50.0),
        Point("some", "close.posix_truncation", 3000, 60.0),
    ]
    found = check(fit(MACHINE, points, names), points, names)
    assert [one.left_out is None for one in found] == [True, False, False]
    assert found[1].left_out == pytest.approx(60, rel=0.1)


def test_extrapolation_knows_nothing_of_the_most_ranks():
    pytest.importorskip("scipy")
    points = [Point("some", "close.no_truncation", n, n * 1e-5) for n in (10, 100, 1000)]
    points.append(Point("some", "close.no_truncation", 5000, 1000 * 5000 * 1e-5))
    names = ("close",)
    found = extrapolate(fit(MACHINE, points, names), points, names)
    assert [(one.point.ranks, factor(one.ratio)) for one in found] == [
        (5000, pytest.approx(1000, rel=0.1))
    ]
    assert extrapolate(MACHINE, points[:1] * 3, names) == []


def test_what_no_point_tells_comes_from_other_machines():
    pytest.importorskip("scipy")
    notes = {
        "a": MachineNote(inf, "", ("close",)),
        "b": MachineNote(inf, "", ("close",)),
        "c": MachineNote(inf, "", ("set_size",)),
    }
    points = [
        Point("a", "close.no_truncation", 1000, 0.01),
        Point("b", "close.no_truncation", 1000, 0.04),
        Point("c", "close.mpi_truncation", 1000, 20),
    ]
    machines = fit_all(notes, points)
    assert machines["c"]["close"] == pytest.approx(2e-5, rel=0.02)
    assert machines["c"].origins["close"] == "of other machines"
    assert machines["a"].origins["read"] == "assumed"


# --- the known points -------------------------------------------------------------------------


def test_known_points_are_well_formed():
    machines, points = load()
    assert len(points) > 80
    assert all(point.seconds > 0 and point.ranks >= 1 for point in points)
    assert {point.source for point in points} == {"published", "measured"}
    for name, note in machines.items():
        assert set(note.fitted) <= set(PARAMETERS)
        assert len(note.fitted) < len(points_of(name, points)), name
    row = {"source": "measured", "machine": "x", "method": "close.onecast", "seconds": [[1, 1]]}
    with pytest.raises(ValueError, match="no method"):
        points_of_row(row | {"method": "none"})
    with pytest.raises(ValueError, match="sizes"):
        points_of_row(row | {"sizes": 3})
    with pytest.raises(ValueError, match="size"):
        points_of_row(row | {"work": {"size": 3}})


def test_errors_are_as_promised(model):
    assert model.errors.points == len(load()[1])
    assert model.errors.median < 1.25
    assert model.errors.worst < 2.6
    assert model.left_out_errors.points > 0.9 * model.errors.points
    assert model.left_out_errors.median < 1.5
    assert model.left_out_errors.worst < 3.5
    assert model.extrapolated_errors.points > 20
    assert model.extrapolated_errors.median < 1.5
    assert model.extrapolated_errors.worst < 5


def test_no_parameter_lies_at_the_limit_of_what_is_plausible(model):
    for name, note in model.notes.items():
        assert {model.machines[name].origins[p] for p in note.fitted} == {FITTED}, name


# --- predictions ------------------------------------------------------------------------------


def test_predictions_cover_every_method():
    found = predict_all(MACHINE, RANKS, Work())
    assert {name for p in found for name in p.seconds} == set(METHODS)
    assert [p.operation for p in found] == list(OPERATIONS)
    assert all(len(seconds) == len(RANKS) for p in found for seconds in p.seconds.values())


def test_from_how_many_ranks_on():
    for operation in OPERATIONS:
        first = faster_from(MACHINE, operation, Work())
        if first is None:
            continue

        def faster(ranks: int, operation: str = operation) -> bool:
            seconds = {m: m.seconds(MACHINE, ranks, Work()) for m in methods_of(operation)}
            ours = min(s for m, s in seconds.items() if m.is_onecast)
            return ours < min(s for m, s in seconds.items() if m.is_stock)

        assert faster(first) and faster(MOST_RANKS)
        assert first == 1 or not faster(first - 1)


def test_onecast_opens_at_scale_as_the_laws_say(model):
    """From 1,000 to 100,000 ranks, stock HDF5 grows with the ranks, Onecast with the tree."""
    for name in ("Sky Bridge", "Edison"):
        machine = model.machines[name]
        ours = [METHODS["open.onecast"].seconds(machine, n, Work()) for n in (1000, 100_000)]
        stock = [METHODS["open.all_read"].seconds(machine, n, Work()) for n in (1000, 100_000)]
        assert ours[1] / ours[0] < 2.5
        assert stock[1] / stock[0] > 20
