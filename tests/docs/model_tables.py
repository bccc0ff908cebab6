"""Computes the tables of docs/reference/model.md. As a program, it writes them into the page."""

import re
from pathlib import Path

from onecast_model.cgns import on_many_ranks
from onecast_model.checks import EXTRAPOLATION
from onecast_model.looks import seconds_text
from onecast_model.methods import METHODS, Work
from onecast_model.nodes import OnNodes
from onecast_model.predict import OPERATIONS, predict_all
from onecast_model.report import Errors, Model
from onecast_model.show import (
    CGNS_COLUMNS,
    NODE_COLUMNS,
    cgns_cells,
    node_cells,
    value_text,
)

PAGE = Path("docs/reference/model.md")
MACHINES = ("Sky Bridge", "Edison", "two cores")
LARGE = MACHINES[:2]
RANKS = (1, 1024, 16384, 100_000)
NODE_RANKS = (2048, 4096, 8192, 24_576)  # of the published measurements
WORK = Work(servers=64, ranks_per_node=16)  # the defaults of the command

Rows = list[list[str]]


def tidy(text: str) -> str:
    """Changes 551. µs to 551 µs."""
    return re.sub(r"\.(?= )", "", text)


def parameter_rows(model: Model) -> Rows:
    from onecast_model.machine import FITTED, PARAMETERS

    rows = [["parameter", *MACHINES, "meaning"]]
    for name, parameter in PARAMETERS.items():
        cells = []
        for machine in (model.machines[name] for name in MACHINES):
            text = tidy(value_text(machine[name], parameter.unit))
            origin = machine.origins[name]
            cells.append(text if origin == FITTED else f"{text}, {origin}")
        rows.append([f"`{name}`", *cells, parameter.meaning])
    return rows


def errors_cells(errors: Errors | None) -> list[str]:
    return [f"{errors.median:.2f}", f"{errors.worst:.2f}"] if errors else ["–", "–"]


def error_rows(model: Model) -> Rows:
    """Returns one row for the points of each machine and method."""
    head = ["machine", "method", "ranks", "points", "median error", "worst", "left out: median"]
    rows = [[*head, "worst"]]
    groups: dict[tuple[str, str], list] = {}
    for check in model.checks:
        groups.setdefault((check.point.machine, check.point.method), []).append(check)
    for (machine, method), checks in groups.items():
        numbers = sorted({check.point.ranks for check in checks})
        left_out = [c.left_out_ratio for c in checks if c.left_out_ratio is not None]
        spread = f"{numbers[0]:,} … {numbers[-1]:,}" if len(numbers) > 1 else f"{numbers[0]:,}"
        own = errors_cells(Errors.of([check.ratio for check in checks]))
        others = errors_cells(Errors.of(left_out) if left_out else None)
        rows.append([machine, METHODS[method].full_title, spread, str(len(checks)), *own, *others])
    return rows


def summary_rows(model: Model) -> Rows:
    rows = [["of all", "points", "median error", "worst"]]
    parameters = f"with {model.fitted_parameters} fitted parameters"
    named = {parameters: model.errors, "left out": model.left_out_errors}
    named[f"extrapolated to {EXTRAPOLATION} times as many ranks"] = model.extrapolated_errors
    for name, errors in named.items():
        rows.append([name, str(errors.points), *errors_cells(errors)])
    return rows


def prediction_rows(model: Model) -> Rows:
    rows = [["machine", "operation", *(f"P = {n:,}" for n in RANKS), "faster from"]]
    for name in LARGE:
        for found in predict_all(model.machines[name], RANKS, WORK):
            cells = []
            for i in range(len(RANKS)):
                stock = [s[i] for m, s in found.seconds.items() if METHODS[m].is_stock]
                ours = min(s[i] for m, s in found.seconds.items() if METHODS[m].is_onecast)
                first = tidy(seconds_text(min(stock))) if stock else "–"
                cells.append(f"{first} / {tidy(seconds_text(ours))}")
            operation = OPERATIONS[found.operation].format(**vars(WORK))
            start = "–" if found.faster_from is None else f"{found.faster_from:,}"
            rows.append([name, operation, *cells, start])
    return rows


def cgns_rows(model: Model) -> Rows:
    found = on_many_ranks(model.machines, model.checks)
    return [list(CGNS_COLUMNS), *([tidy(cell) for cell in cgns_cells(each)] for each in found)]


def node_rows(model: Model) -> Rows:
    pages = Work().objects * Work().metadata_bytes_per_object
    numbers = [(ranks, of_node) for ranks in NODE_RANKS for of_node in (24, 32, 128)]
    return [list(NODE_COLUMNS), *(node_cells(OnNodes(*each, pages)) for each in numbers)]


TABLES = {
    "nodes": node_rows,
    "parameters": parameter_rows,
    "errors": error_rows,
    "summary": summary_rows,
    "predictions": prediction_rows,
    "cgns": cgns_rows,
}


def marker(name: str) -> str:
    return f"<!-- table: {name} -->\n"


def table_in(text: str, name: str) -> Rows:
    """Returns the rows below a table's marker, with the head and without the line below it."""
    found = re.match(r"(?:\|.*\n)*", text.split(marker(name), 1)[1])
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in found[0].splitlines()]
    return rows[:1] + rows[2:]


def with_table(text: str, name: str, rows: Rows) -> str:
    lines = [f"| {' | '.join(row)} |\n" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]) + "\n")
    before, after = text.split(marker(name), 1)
    return before + marker(name) + "".join(lines) + re.sub(r"\A(?:\|.*\n)*", "", after)


if __name__ == "__main__":
    from onecast_model.fit import fitted_model

    fitted = fitted_model()
    page = Path(__file__).resolve().parents[2] / PAGE
    content = page.read_text()
    for title, compute in TABLES.items():
        content = with_table(content, title, compute(fitted))
    page.write_text(content)
