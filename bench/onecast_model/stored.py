"""The last fitted numbers, in fitted.json. They are read without scipy."""

import json
from importlib.resources import files
from pathlib import Path

from .checks import Check, predict
from .machine import Machine
from .points import load
from .report import Model

FILE = "fitted.json"


def digits(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def save(model: Model, path: Path | None = None) -> None:
    """Writes the results of a fit with its checks."""
    _, points = load()
    document = {
        "machines": {
            name: {
                "values": {key: digits(value) for key, value in machine.values.items()},
                "origins": dict(machine.origins),
            }
            for name, machine in model.machines.items()
        },
        # The indexes of known points, and what fits without them predict.
        "left_out": [[points.index(c.point), digits(c.left_out)] for c in model.checks],
        "extrapolated": [[points.index(c.point), digits(c.predicted)] for c in model.extrapolated],
    }
    path = path or Path(str(files(__package__).joinpath(FILE)))
    path.write_text(json.dumps(document, indent=1) + "\n")


def stored_model(with_checks: bool = True) -> Model:
    notes, points = load()
    found = json.loads(files(__package__).joinpath(FILE).read_text())
    machines = {
        name: Machine(name, one["values"], notes[name].cores, one["origins"])
        for name, one in found["machines"].items()
    }
    if not with_checks:
        return Model(notes, machines, [], [])
    checks = [
        Check(points[i], predict(machines[points[i].machine], points[i]), left_out)
        for i, left_out in found["left_out"]
    ]
    extrapolated = [Check(points[i], predicted) for i, predicted in found["extrapolated"]]
    return Model(notes, machines, checks, extrapolated)
