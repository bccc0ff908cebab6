"""The whole output of the model as one structure, which is printed, drawn and saved."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isinf
from statistics import median

from .cgns import on_many_ranks
from .checks import Check, factor
from .machine import PARAMETERS, Machine
from .methods import KNOWN_WORK, METHODS, Work
from .points import MachineNote
from .predict import Prediction, predict_all


@dataclass(frozen=True)
class Errors:
    """Errors as factors: 1 means no error, 2 half or twice."""

    points: int
    median: float
    worst: float

    @classmethod
    def of(cls, ratios: Sequence[float]) -> "Errors":
        factors = [factor(ratio) for ratio in ratios]
        return cls(len(factors), median(factors), max(factors))


@dataclass(frozen=True)
class Model:
    notes: dict[str, MachineNote]
    machines: dict[str, Machine]
    checks: list[Check]
    extrapolated: list[Check]

    @property
    def errors(self) -> Errors:
        return Errors.of([check.ratio for check in self.checks])

    @property
    def left_out_errors(self) -> Errors:
        ratios = [check.left_out_ratio for check in self.checks]
        return Errors.of([ratio for ratio in ratios if ratio is not None])

    @property
    def extrapolated_errors(self) -> Errors:
        return Errors.of([check.ratio for check in self.extrapolated])

    @property
    def fitted_parameters(self) -> int:
        return sum(len(note.fitted) for note in self.notes.values())


def machine_document(machine: Machine, note: MachineNote) -> dict:
    parameters = {
        name: {
            "value": machine[name],
            "unit": parameter.unit,
            "origin": machine.origins[name],
            "meaning": parameter.meaning,
        }
        for name, parameter in PARAMETERS.items()
    }
    cores = None if isinf(machine.cores) else machine.cores
    return {"note": note.note, "cores": cores, "parameters": parameters}


def check_document(found: Check) -> dict:
    point = found.point
    changed = {k: v for k, v in asdict(point.work).items() if v != getattr(KNOWN_WORK, k)}
    return {
        "machine": point.machine,
        "method": point.method,
        "ranks": point.ranks,
        "work": changed,
        "source": point.source,
        "measured_seconds": point.seconds,
        "is_lower_bound": point.is_lower_bound,
        "predicted_seconds": found.predicted,
        "ratio": found.ratio,
        "left_out_seconds": found.left_out,
        "left_out_ratio": found.left_out_ratio,
    }


def predictions_of(
    model: Model, machines: Sequence[str], ranks: Sequence[int], work: Work
) -> dict[str, list[Prediction]]:
    return {name: predict_all(model.machines[name], ranks, work) for name in machines}


def document(
    model: Model, predictions: dict[str, list[Prediction]], ranks: Sequence[int], work: Work
) -> dict:
    errors = {}
    if model.checks:
        errors = {
            "errors": asdict(model.errors),
            "left_out_errors": asdict(model.left_out_errors),
            "extrapolated_errors": asdict(model.extrapolated_errors),
        }
    return {
        "format": "onecast-model 1",
        "fitted_parameters": model.fitted_parameters,
        **errors,
        "machines": {n: machine_document(m, model.notes[n]) for n, m in model.machines.items()},
        "methods": {name: method.title for name, method in METHODS.items()},
        "points": [check_document(found) for found in model.checks],
        "cgns": [asdict(found) for found in on_many_ranks(model.machines, model.checks)],
        "work": asdict(work),
        "ranks": list(ranks),
        "predictions": {n: [asdict(p) for p in found] for n, found in predictions.items()},
    }
