"""The table and the picture of `onecast bench scale`, from its steps as dictionaries."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from onecast_bench import plot
from onecast_bench.comparison import MIB
from onecast_model.looks import MARKERS, ONECAST_COLOR, STOCK_COLORS, seconds_text

COLUMNS = (
    "ranks",
    "nodes of",
    "file",
    "step",
    "reads",
    "opens",
    "writes",
    "collectives",
    "messages",
    "bytes sent",
    "received",
    "messages of a node",
    "bytes of a node",
    "MiB of a node",
    "processor time of a rank",
)
WHAT = (
    "Reads, opens and writes: of rank 0 / of any other rank. Messages and bytes: of the busiest "
    "rank, and between the busiest node and all others. MiB: of the node that takes most."
)


READ_ALL = "open, read all"
# The rows of the page: the steps that each adds up.
WORK = {
    "create, flush, close": ("create", "flush", "close"),
    READ_ALL: ("open", "read"),
    "write_all, a block each": ("write_all",),
    "read_all, a block each": ("read_all",),
    "write_all, all the same": ("write_all, equal",),
    "read_all, all the same": ("read_all, equal",),
}
PAGE_COLUMNS = (
    "ranks",
    "work",
    "reads",
    "opens",
    "writes",
    "collective calls",
    "messages of the busiest rank",
    "bytes it received",
    "bytes of the busiest node",
    "MiB of a node",
    "processor time of a rank",
    "reads of stock",
)


def pair_text(pair: Sequence[int]) -> str:
    return f"{pair[0]:,} / {pair[1]:,}"


def row_of(step: dict) -> list[str]:
    """Returns the cells of a step, as it is in scale.json."""
    return [
        f"{step['ranks']:,}",
        str(step["ranks_per_node"]),
        step["about"],
        step["step"],
        *(pair_text(step[name]) for name in ("reads", "opens", "writes")),
        str(step["collectives"]),
        *(
            f"{step[name]:,}"
            for name in (
                "messages",
                "bytes_sent",
                "bytes_received",
                "node_messages",
                "node_bytes",
            )
        ),
        f"{step['memory'] / MIB:.1f}",
        seconds_text(max(step["cpu"], 1e-9)),
    ]


def stock_reads(counts: dict, ranks: int) -> int:
    """Returns the reads of stock on so many ranks if each makes those that it makes on 2 ranks."""
    first, others = counts["reads"]
    return first + (ranks - 1) * others


def stock_sentences(counts: Sequence[dict], ranks: int) -> list[str]:
    return [
        f"stock {each['setting']}, {each['phase']}: {pair_text(each['reads'])} reads, "
        f"{each['broadcasts']:,} broadcasts to all ranks; on {ranks:,} ranks "
        f"{stock_reads(each, ranks):,} reads"
        for each in counts
    ]


def page_row(work: str, steps: Sequence[dict], stock: dict | None) -> list[str]:
    """Returns the cells of some steps on one number of ranks. `stock`: the counts of opening the
    file and reading it."""
    first = steps[0]

    def of_both(name: str) -> str:
        return pair_text([sum(step[name][i] for step in steps) for i in (0, 1)])

    def total(name: str) -> str:
        return f"{sum(step[name] for step in steps):,}"

    is_file = "×" in first["about"]
    return [
        f"{first['ranks']:,}",
        f"{work}, {first['about']} zones" if is_file else work,
        *map(of_both, ("reads", "opens", "writes")),
        *map(total, ("collectives", "messages", "bytes_received", "node_bytes")),
        f"{max(step['memory'] for step in steps) / MIB:.0f}",
        seconds_text(max(sum(step["cpu"] for step in steps), 1e-9)).replace(". ", " "),
        f"{stock_reads(stock, first['ranks']):,}" if stock and work == READ_ALL else "–",
    ]


def page_rows(kept: Sequence[dict]) -> list[list[str]]:
    """Returns the table of docs/reference/founding-tables.md, from the steps and, among them, the
    counts of stock."""
    stock = next(
        (
            each
            for each in kept
            if each.get("phase") == "open and read" and each["setting"] == "default"
        ),
        None,
    )
    steps = [each for each in kept if "step" in each]
    rows = [list(PAGE_COLUMNS)]
    for ranks, of_node in dict.fromkeys((s["ranks"], s["ranks_per_node"]) for s in steps):
        here = [s for s in steps if (s["ranks"], s["ranks_per_node"]) == (ranks, of_node)]
        for work, names in WORK.items():
            if found := [step for step in here if step["step"] in names]:
                rows.append(page_row(work, found, stock))
    return rows


def show(steps: Sequence[dict], counts: Sequence[dict], bars: Sequence, console: Console) -> None:
    table = Table(title=WHAT, title_justify="left", title_style="")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name in ("file", "step") else "right")
    for step in steps:
        table.add_row(*row_of(step))
    console.print(table)
    for sentence in stock_sentences(counts, max(step["ranks"] for step in steps)):
        console.print(sentence)
    for bar in bars:
        unit = MIB if bar.most >= MIB else 1
        text = f"{bar.what}: {bar.found / unit:,.4g}, at most {bar.most / unit:,.4g}"
        console.print(text + (" MiB" if unit == MIB else ""), style="" if bar.is_kept else "red")


def points(steps: Sequence[dict], names: Sequence[str], value) -> dict[str, list]:
    """Returns a line for each size of a node: (ranks, sum or most of `value` over the steps)."""
    lines: dict[str, list] = {}
    for of_node in sorted({step["ranks_per_node"] for step in steps}):
        here = [s for s in steps if s["ranks_per_node"] == of_node and s["step"] in names]
        ranks = sorted({step["ranks"] for step in here})
        lines[f"Onecast, nodes of {of_node}"] = [
            (number, value([s for s in here if s["ranks"] == number])) for number in ranks
        ]
    return lines


def draw(steps: Sequence[dict], counts: Sequence[dict], path: Path) -> None:
    """Draws reads, messages and memory of opening and reading the file, against the ranks."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "onecast"  # equal numbers give an equal file
    reading = ("open", "read")
    panels = {
        "reads of all ranks": points(steps, reading, lambda s: sum(x["reads"][0] for x in s)),
        "messages of the busiest rank": points(
            steps, reading, lambda s: sum(x["messages"] for x in s)
        ),
        "MiB a rank, of the node that takes most": points(
            steps,
            reading,
            lambda s: max(x["memory"] / x["ranks_per_node"] for x in s) / MIB,
        ),
    }
    ranks = sorted({step["ranks"] for step in steps})
    for each in counts:
        if each["phase"] == "open and read":
            line = [(number, stock_reads(each, number)) for number in ranks]
            panels["reads of all ranks"][f"stock {each['setting']}, by its counts"] = line
    figure, axes = pyplot.subplots(1, len(panels), figsize=(13, 4))
    for axis, (title, lines) in zip(axes, panels.items(), strict=True):
        for number, (name, line) in enumerate(lines.items()):
            stock = name.startswith("stock")
            color = STOCK_COLORS[number % len(STOCK_COLORS)] if stock else ONECAST_COLOR
            marker = MARKERS[number % len(MARKERS)]
            axis.plot(*zip(*line, strict=True), label=name, color=color, marker=marker)
        plot.label_axis(axis, ranks, row=1)
        axis.set_title(title)
        axis.set_xlabel("ranks")
        axis.legend(frameon=False)
    figure.suptitle("Opening 128 × 32 zones and reading everything on every rank")
    figure.tight_layout()
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, dpi=150, metadata=metadata)
    pyplot.close(figure)


def save_picture(
    steps: Sequence[dict], counts: Sequence[dict], path: Path, console: Console
) -> None:
    plot.save(lambda: draw(steps, counts, path), path, console)
