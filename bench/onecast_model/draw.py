"""Draws the curves of the model and the known points."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .looks import MARKERS, ONECAST_COLOR, STOCK_COLORS, seconds_label
from .methods import Method, Work
from .points import Point
from .predict import MOST_RANKS, OPERATIONS, methods_of
from .report import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADES = (ONECAST_COLOR, "#56b4e9")


def ranks_up_to(most: int) -> list[int]:
    steps = 8 * log10(most)
    return sorted({round(10 ** (i * log10(most) / steps)) for i in range(ceil(steps) + 1)})


def is_of_this_work(point: Point, work: Work) -> bool:
    """Returns True if the known point has the sizes that are drawn."""
    same = ("objects", "reads", "read_bytes")
    small = point.method.split(".")[0] not in ("large_write", "interleaved")
    return small and all(getattr(point.work, n) == getattr(work, n) for n in same)


def draw_method(
    axis: Axes, model: Model, machine: str, method: Method, number: int, work: Work
) -> None:
    color = (SHADES if method.is_onecast else STOCK_COLORS)[number]
    points = [
        found.point
        for found in model.checks
        if (found.point.machine, found.point.method) == (machine, method.name)
        and is_of_this_work(found.point, work)
    ]
    chosen = model.machines[machine]
    ranks = ranks_up_to(MOST_RANKS if chosen.cores > 1000 else 64)
    seconds = [method.seconds(chosen, n, work) for n in ranks]
    axis.plot(ranks, seconds, color=color, linewidth=2.4 if method.is_onecast else 1.4)
    marker = MARKERS[number]
    axis.plot([], [], color=color, marker=marker if points else None, label=method.title)
    for point in points:
        fill = "none" if point.is_lower_bound else color
        axis.plot(point.ranks, point.seconds, marker, color=color, markerfacecolor=fill)


def draw_panel(axis: Axes, model: Model, machine: str, operation: str, work: Work) -> None:
    numbers = {True: 0, False: 0}
    for method in methods_of(operation):
        draw_method(axis, model, machine, method, numbers[method.is_onecast], work)
        numbers[method.is_onecast] += 1
    shown = [float(y) for line in axis.lines for y in np.asarray(line.get_ydata())]
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_ylim(10 ** floor(log10(min(shown))), 10 ** ceil(log10(max(shown))))
    axis.yaxis.set_major_formatter(lambda value, _: seconds_label(value))
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axis.minorticks_off()
    axis.grid(True, which="major", color="#dddddd", linewidth=0.7)
    axis.spines[["top", "right"]].set_visible(False)
    title = OPERATIONS[operation].format(**vars(work))
    axis.set_title(f"{machine}: {title}", fontsize=9, loc="left")
    axis.set_xlabel("ranks", fontsize=8)
    axis.tick_params(labelsize=8)
    axis.legend(fontsize=6.5, frameon=False)


def draw(model: Model, machines: Sequence[str], work: Work, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    operations = [name for name in OPERATIONS if name != "flush"]
    columns = len(machines)
    size = (max(7, 5.6 * columns), 3.3 * len(operations))
    figure, axes = pyplot.subplots(len(operations), columns, figsize=size, squeeze=False)
    for row, operation in zip(axes, operations, strict=True):
        for axis, machine in zip(row, machines, strict=True):
            draw_panel(axis, model, machine, operation, work)
    figure.suptitle("Model (lines) and measured (marks; hollow: at least)", fontsize=11)
    figure.tight_layout(rect=(0, 0, 1, 0.985))
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
