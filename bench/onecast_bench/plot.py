"""The picture: seconds, file operations and collectives against the number of ranks."""

from collections.abc import Callable
from math import ceil, floor, log10
from pathlib import Path

from rich.console import Console

from onecast_bench.results import MAIN_MEASURES, Result, file_calls
from onecast_model.looks import MARKERS, ONECAST_COLOR, STOCK_COLORS, seconds_label, seconds_text

Points = list[tuple[int, float]]
Intervals = list[tuple[float, float]]
"""(from, to) in seconds."""
ROW_TITLES = ("seconds, slowest rank", "file operations, all ranks", "collectives of one rank")


def rows_of(result: Result, measure: str) -> list[float | None]:
    counts = result.counts[measure] if result.counts else None
    return [
        result.seconds.get(measure),
        file_calls(counts) if counts else None,
        counts["collectives"][0] if counts else None,
    ]


def set_scale(axis, is_count: bool) -> None:
    """Sets a logarithmic scale. Counts may be zero, which only a symmetric one can show."""
    top = max((max(line.get_ydata()) for line in axis.lines), default=1)
    if is_count:
        axis.set_yscale("symlog", linthresh=1, linscale=0.4)
        axis.set_ylim(-0.3, max(10, 3 * top))
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    else:
        bottom = min((min(line.get_ydata()) for line in axis.lines), default=1)
        axis.set_yscale("log")
        axis.set_ylim(10 ** floor(log10(bottom)), 10 ** ceil(log10(top)))
        axis.yaxis.set_major_formatter(lambda value, _: seconds_label(value))


def draw_case(axes, results: list[Result], measures: list[str], **style) -> None:
    for column, measure in enumerate(measures):
        values = [rows_of(result, measure) for result in results]
        for row in range(len(ROW_TITLES)):
            points = [
                (result.ranks, value[row])
                for result, value in zip(results, values, strict=True)
                if value[row] is not None
            ]
            if points:
                axes[row][column].plot(*zip(*points, strict=True), **style)


def label_axis(axis, ranks: list[int], row: int) -> None:
    axis.set_xscale("log", base=2)
    axis.set_xticks(ranks, [str(n) for n in ranks])
    axis.set_xlim(ranks[0] / 1.3, ranks[-1] * 1.3)
    set_scale(axis, is_count=row > 0)
    axis.minorticks_off()
    axis.grid(True, which="major", color="#dddddd", linewidth=0.7)
    axis.spines[["top", "right"]].set_visible(False)


def draw(results: list[Result], path: Path, title: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    measures = [m for m in MAIN_MEASURES if all(m in r.seconds for r in results)]
    ranks = sorted({result.ranks for result in results})
    rows = len(ROW_TITLES)
    figure, axes = pyplot.subplots(
        rows, len(measures), figsize=(max(7, 1.2 + 3.8 * len(measures)), 9.5), squeeze=False
    )
    cases = list(dict.fromkeys(result.case for result in results))
    for number, case in enumerate(cases):
        ours = case == "Onecast"
        draw_case(
            axes,
            sorted((r for r in results if r.case == case), key=lambda r: r.ranks),
            measures,
            label=case,
            color=ONECAST_COLOR if ours else STOCK_COLORS[number % len(STOCK_COLORS)],
            marker=MARKERS[number % len(MARKERS)],
            linewidth=2.4 if ours else 1.5,
            zorder=3 if ours else 2,
        )
    for row, row_title in enumerate(ROW_TITLES):
        for axis in axes[row]:
            label_axis(axis, ranks, row)
        axes[row][0].set_ylabel(row_title)
    for axis, measure in zip(axes[0], measures, strict=True):
        axis.set_title(measure)
    for axis in axes[-1]:
        axis.set_xlabel("ranks")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.suptitle(title)
    figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 0.98))
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def draw_lines(plots: dict[str, dict[str, Points]], across: str, counts: bool, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(plots), figsize=(8 * len(plots), 6), squeeze=False)
    for axis, (title, lines) in zip(axes[0], plots.items(), strict=True):
        for number, (name, points) in enumerate(lines.items()):
            axis.plot(
                *zip(*points, strict=True),
                label=name,
                marker=MARKERS[number % len(MARKERS)],
                linestyle="-" if name.startswith("Onecast") else "--",
                color=f"C{number}",
            )
        label_axis(axis, sorted({x for points in lines.values() for x, _ in points}), int(counts))
        axis.set_xlabel(across)
        axis.set_title(title, fontsize=10)
    axes[0][0].legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def draw_bars(
    plots: dict[str, dict[str, float]], counts: bool, path: Path, across: str = ""
) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    cases = list(dict.fromkeys(case for bars in plots.values() for case in bars))
    size = (4 + 4 * len(plots), 1.2 + 0.32 * len(cases))
    figure, axes = pyplot.subplots(1, len(plots), figsize=size, squeeze=False, sharey=True)
    for axis, (title, bars) in zip(axes[0], plots.items(), strict=True):
        colors = [ONECAST_COLOR if name.startswith("Onecast") else "#999999" for name in cases]
        values = [bars.get(name, 0) for name in cases]
        shown = axis.barh(cases, values, color=colors)
        text = [f"{value:,.0f}" if counts else seconds_text(value) for value in values]
        axis.bar_label(shown, text, padding=3, fontsize=8)
        axis.set_xscale("symlog", linthresh=1) if counts else axis.set_xscale("log")
        low, high = (0, max(values)) if counts else (min(values) / 3, max(values))
        axis.set_xlim(low, max(1, high) * 8 if counts else high * 8)
        axis.set_title(title, fontsize=10)
        axis.spines[["top", "right", "bottom"]].set_visible(False)
        label_bars(axis, across, counts)
    axes[0][0].invert_yaxis()
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def label_bars(axis, across: str, counts: bool) -> None:
    axis.xaxis.set_visible(bool(across))
    if across:
        axis.set_xlabel(f"{across}, logarithmic" + (" above 1" if counts else ""))
        axis.xaxis.set_major_formatter(lambda x, _: f"{x:,g}")
        axis.minorticks_off()


def draw_intervals(plots: dict[str, list[Intervals]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = max(len(lines) for lines in plots.values())
    size = (9, (0.7 + 0.25 * rows) * len(plots) + 0.5)
    figure, axes = pyplot.subplots(len(plots), 1, figsize=size, squeeze=False, sharex=True)
    for axis, (title, lines) in zip(axes[:, 0], plots.items(), strict=True):
        color = ONECAST_COLOR if title.startswith("Onecast") else "#999999"
        for number, intervals in enumerate(lines):
            bars = [(1e3 * start, 1e3 * (end - start)) for start, end in intervals]
            axis.broken_barh(bars, (number - 0.4, 0.8), color=color, edgecolor="white")
        axis.set_yticks(range(len(lines)), [f"OST {number}" for number in range(len(lines))])
        axis.invert_yaxis()
        axis.set_title(title, fontsize=10, loc="left")
        axis.spines[["top", "right"]].set_visible(False)
    axes[-1][0].set_xlabel("milliseconds")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def save(draw: Callable[[], None], path: Path, console: Console) -> None:
    """Draws a picture, and prints where it is or why there is none."""
    try:
        draw()
        console.print(f"Saved {path}")
    except ImportError:
        console.print("No picture: matplotlib is not installed.", style="yellow")


def save_bars(
    plots: dict[str, dict[str, float]],
    counts: bool,
    path: Path,
    console: Console,
    across: str = "",
) -> None:
    """`plots` maps title -> case -> seconds or a count; bars stand side by side. `across` names the
    axis; if it is empty, there is no axis."""
    save(lambda: draw_bars(plots, counts, path, across), path, console)


def save_lines(
    plots: dict[str, dict[str, Points]],
    across: str,
    path: Path,
    console: Console,
    counts: bool = False,
) -> None:
    """`plots` maps title -> case -> (x, seconds or a count), in order of x."""
    save(lambda: draw_lines(plots, across, counts, path), path, console)


def save_intervals(plots: dict[str, list[Intervals]], path: Path, console: Console) -> None:
    """`plots` maps title -> for each storage target, when it was busy. Targets lie one below the
    other."""
    save(lambda: draw_intervals(plots, path), path, console)
