"""Tables for people."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from .cgns import OPENED_BY, OnRanks, on_many_ranks
from .checks import EXTRAPOLATION
from .looks import ratio_text, seconds_text
from .machine import FITTED, PARAMETERS, Machine
from .methods import KNOWN_WORK, METHODS, Work
from .nodes import MIB, OnNodes
from .predict import MOST_RANKS, Prediction, methods_of
from .report import Errors, Model


def value_text(value: float, unit: str) -> str:
    if unit == "s":
        return seconds_text(value) if value >= 1e-6 else f"{value * 1e9:#.3g} ns"
    return f"{value / 1e6:,.0f} MB/s"


def table_of(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold")


def parameter_table(machines: Sequence[Machine]) -> Table:
    table = table_of("Parameters")
    table.add_column("parameter")
    for machine in machines:
        table.add_column(machine.name, justify="right")
    table.add_column("meaning")
    for name, parameter in PARAMETERS.items():
        cells = []
        for machine in machines:
            text = value_text(machine[name], parameter.unit)
            fitted = machine.origins[name] == FITTED
            cells.append(text if fitted else f"[dim]{text}, {machine.origins[name]}[/dim]")
        table.add_row(name, *cells, parameter.meaning)
    return table


def size_text(work: Work) -> str:
    """Returns what in a known point's work differs from the default and changes its time."""
    if work.piece != KNOWN_WORK.piece:
        return f", {work.piece:.0f} bytes"
    return ""


def point_table(model: Model) -> Table:
    table = table_of("Known points")
    for name in ("machine", "method"):
        table.add_column(name)
    for name in ("ranks", "measured", "predicted", "ratio", "ratio, left out"):
        table.add_column(name, justify="right")
    last = None
    for found in model.checks:
        point = found.point
        head = (point.machine, METHODS[point.method].full_title + size_text(point.work))
        left_out = found.left_out_ratio
        table.add_row(
            head[0] if last is None or head[0] != last[0] else "",
            head[1] if head != last else "",
            f"{point.ranks:,}",
            ("over " if point.is_lower_bound else "") + seconds_text(point.seconds),
            seconds_text(found.predicted),
            f"{found.ratio:.2f}",
            "–" if left_out is None else f"{left_out:.2f}",
        )
        last = head
    return table


def errors_text(errors: Errors) -> str:
    return f"median {errors.median:.2f}×, worst {errors.worst:.2f}× ({errors.points} points)"


def faster_text(prediction: Prediction) -> str:
    if not any(m.is_stock for m in methods_of(prediction.operation)):
        return "no stock method here has a known point"
    if prediction.faster_from is None:
        return f"Onecast is not faster at {MOST_RANKS:,} ranks"
    if prediction.faster_from == 1:
        return "Onecast is faster on any number of ranks"
    return f"Onecast is faster from {prediction.faster_from:,} ranks on"


def prediction_table(prediction: Prediction, ranks: Sequence[int], machine: str) -> Table:
    table = table_of(f"{machine}: {prediction.title}")
    table.add_column("ranks")
    for number in ranks:
        table.add_column(f"{number:,}", justify="right")
    for name, seconds in prediction.seconds.items():
        style = "bold" if METHODS[name].is_onecast else ""
        table.add_row(METHODS[name].title, *map(seconds_text, seconds), style=style)
    stock = [s for name, s in prediction.seconds.items() if METHODS[name].is_stock]
    ours = [s for name, s in prediction.seconds.items() if METHODS[name].is_onecast]
    if stock:
        fastest = [map(min, zip(*group, strict=True)) for group in (stock, ours)]
        ratios = [a / b for a, b in zip(*fastest, strict=True)]
        table.add_row("fastest stock ÷ fastest Onecast", *map(ratio_text, ratios))
    table.caption = faster_text(prediction)
    table.caption_justify = "left"
    return table


def print_model(console: Console, model: Model, machines: Sequence[str]) -> None:
    console.print(parameter_table([model.machines[name] for name in machines]))
    if not model.checks:
        return
    console.print()
    console.print(point_table(model))
    console.print(
        f"Error of {model.fitted_parameters} fitted parameters: {errors_text(model.errors)}"
    )
    console.print(
        f"Each point from a fit without it: {errors_text(model.left_out_errors)}; "
        "–: no other point tells what it depends on"
    )
    console.print(
        f"The most ranks of each machine from a fit to {EXTRAPOLATION} times fewer: "
        f"{errors_text(model.extrapolated_errors)}"
    )


CGNS_COLUMNS = (
    *("machine", "ranks", "published: all read", "one reads", "compact"),
    *("Onecast: flush", "cgp_open", "look at all", "fastest published ÷ open and look"),
)


def cgns_cells(found: OnRanks) -> list[str]:
    def measured(method: str) -> str:
        return ", ".join(seconds_text(s) for s in sorted(found.published.get(method, []))) or "–"

    return [
        found.machine,
        f"{found.ranks:,}",
        *map(measured, OPENED_BY),
        *map(seconds_text, (found.flush, found.open, found.look)),
        f"{found.ratio:,.0f}",
    ]


NODE_COLUMNS = (
    *("ranks", "ranks of a node", "nodes", "messages", "MiB sent"),
    *("MiB in memory", "MiB without sharing"),
)


def node_cells(found: OnNodes) -> list[str]:
    return [
        f"{found.ranks:,}",
        str(found.ranks_per_node),
        f"{found.nodes:,}",
        str(found.messages),
        f"{found.bytes_sent / MIB:.1f}",
        f"{found.memory / MIB:,.0f}",
        f"{found.memory_of_copies / MIB:,.0f}",
    ]


def print_nodes(console: Console, ranks: Sequence[int], work: Work) -> None:
    pages = work.objects * work.metadata_bytes_per_object
    title = f"Onecast opens and reads {work.objects:,} objects: what the busiest node needs"
    table = table_of(title)
    for name in NODE_COLUMNS:
        table.add_column(name, justify="right")
    for number in ranks:
        table.add_row(*node_cells(OnNodes(number, work.ranks_per_node, pages)))
    console.print()
    console.print(table)


def print_cgns(console: Console, model: Model) -> None:
    table = table_of("A CGNS file of 128 × 32 zones: published for libcgns, predicted for Onecast")
    for name in CGNS_COLUMNS:
        table.add_column(name, justify="left" if name == "machine" else "right")
    for found in on_many_ranks(model.machines, model.checks):
        table.add_row(*cgns_cells(found))
    console.print()
    console.print(table)


def print_predictions(
    console: Console, predictions: dict[str, list[Prediction]], ranks: Sequence[int]
) -> None:
    for machine, found in predictions.items():
        for prediction in found:
            console.print()
            console.print(prediction_table(prediction, ranks, machine))
