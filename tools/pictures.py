"""Draws pictures of the documentation, as small SVG files that are kept in the repository:

    python tools/pictures.py

The bars show the table of README.md, the curves what the stored model computes, and the walks the
tables of docs/concepts/walks.md. A test compares the files with what this program draws.
"""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "performance"
WALKS = ROOT / "docs" / "concepts" / "walks.md"
INK, GRID, PANEL = "#1f2d3d", "#c9d3de", "#f5f7fa"
ONECAST, STOCK = "#0072b2", "#d55e00"
# The colours of the layers, by the beginning of a file's path.
LAYERS = {
    "python": "#f6d7a7",
    "cgns": "#f6d7a7",
    "include": "#cfe3f7",
    "src/objects": "#cfe3f7",
    "src/pages": "#d3ecd3",
    "src/collective": "#d3ecd3",
    "src/comm": "#e6d5ee",
    "src/transport": "#e6d5ee",
}

Bars = list[tuple[str, float, float, str, str]]  # label, stock, Onecast, and both as text
Step = tuple[str, str, str, str]  # number, function, file, what it does
Curves = dict[str, tuple[str, list[tuple[int, float]]]]  # title -> colour, points


class Picture:
    def __init__(self, width: int, height: int, title: str) -> None:
        self.size = (width, height)
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="12" fill="{INK}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PANEL}"/>',
        ]

    def text(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        self.parts.append(
            f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(text)}</text>'
        )

    def bar(self, x: float, y: float, width: float, color: str, height: float = 11) -> None:
        self.parts.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" '
            f'fill="{color}"/>'
        )

    def path(self, points: Sequence[tuple[float, float]], color: str, width: float) -> None:
        route = " ".join(f"{x:.0f} {y:.0f}" for x, y in points)
        self.parts.append(
            f'<path d="M{route}" stroke="{color}" stroke-width="{width}" fill="none"/>'
        )

    def legend(self, y: float, names: dict[str, str]) -> None:
        x = 20
        for name, color in names.items():
            self.bar(x, y - 10, 22, color)
            self.text(x + 28, y, name)
            x += 60 + 7 * len(name)

    def done(self) -> str:
        return "\n".join([*self.parts, "</svg>", ""])


def bars(title: str, rows: Bars) -> str:
    """Draws logarithmic bars, stock above Onecast; a bar of zero is left out."""
    picture = Picture(720, 50 + 36 * len(rows), title)
    picture.legend(26, {"stock parallel HDF5": STOCK, "Onecast": ONECAST})
    left, length = 345, 280
    for number, (what, stock, ours, stock_text, our_text) in enumerate(rows):
        y = 42 + 36 * number
        picture.text(left - 10, y + 16, what, "end")
        least = min(value for value in (stock, ours) if value) / 3
        scale = log10(max(stock, ours) / least)
        for row, (value, text, color) in enumerate(
            ((stock, stock_text, STOCK), (ours, our_text, ONECAST))
        ):
            width = length * log10(value / least) / scale if value else 0
            picture.bar(left, y + 13 * row, width, color)
            picture.text(left + width + 6, y + 10 + 13 * row, text)
    return picture.done()


def curves(title: str, lines: Curves) -> str:
    """Draws seconds over ranks, both logarithmic."""
    picture = Picture(720, 380, title)
    picture.legend(26, {name: color for name, (color, _) in lines.items()})
    points = [point for _, line in lines.values() for point in line]
    most = log10(max(x for x, _ in points))
    low = floor(log10(min(y for _, y in points)))
    high = ceil(log10(max(y for _, y in points)))

    def place(x: float, y: float) -> tuple[float, float]:
        return 80 + 600 * log10(x) / most, 330 - 280 * (log10(y) - low) / (high - low)

    for power in range(low, high + 1):
        _, y = place(1, 10.0**power)
        picture.path([(80, y), (680, y)], GRID, 1)
        picture.text(72, y + 4, f"{10.0**power:g} s", "end")
    for power in range(floor(most) + 1):
        x, _ = place(10.0**power, 10.0**low)
        picture.path([(x, 50), (x, 330)], GRID, 1)
        picture.text(x, 348, f"{10**power:,}", "middle")
    picture.text(380, 368, "ranks", "middle")
    for color, line in lines.values():
        picture.path([place(*point) for point in line], color, 2.5)
    return picture.done()


def walk(title: str, steps: Sequence[Step]) -> str:
    """Draws steps below each other, each in the colour of its layer."""
    height = 48
    picture = Picture(720, 24 + height * len(steps), title)
    for number, (step, function, file, words) in enumerate(steps):
        y = 16 + height * number
        color = next(color for layer, color in LAYERS.items() if file.startswith(layer))
        picture.bar(46, y, 310, color, height - 10)
        picture.text(36, y + 23, step, "end")
        picture.text(56, y + 16, function)
        picture.text(56, y + 31, file)
        lines = wrap(words, 54)
        for line, text in enumerate(lines):
            picture.text(372, y + 23 + 15 * line - 7 * (len(lines) - 1), text)
        if number:
            picture.path([(200, y - 10), (200, y)], INK, 1.5)
    return picture.done()


def walks() -> dict[str, list[Step]]:
    """Returns the tables of docs/concepts/walks.md, by their headings."""
    found: dict[str, list[Step]] = {}
    for section in WALKS.read_text().split("\n## ")[1:]:
        rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:1] == "|"]
        found[section.split("\n", 1)[0]] = [
            (step, function.strip("`"), file.split("`")[1], words.replace("`", ""))
            for step, function, file, words in rows[2:]
        ]
    return found


UNITS = {"s": 1.0, "ms": 1e-3, "MB": 1e6}


def number(cell: str) -> float:
    value, _, unit = cell.replace(",", "").partition(" ")
    return float(value) * UNITS.get(unit, 1.0)


def saved() -> Bars:
    """Returns the table "What it saves" of README.md."""
    section = (ROOT / "README.md").read_text().split("\n## What it saves\n", 1)[1]
    found: Bars = []
    work = ""
    for line in [line for line in section.splitlines() if line.startswith("|")][2:]:
        name, what, stock, ours = (cell.strip() for cell in line.strip("|").split("|"))
        work = name or work
        title = f"{work}: {what}" if what else work
        found.append((title, number(stock), number(ours), stock, ours))
    return found


def opening(machine_name: str) -> Curves:
    from onecast_model.methods import KNOWN_WORK, METHODS
    from onecast_model.stored import stored_model

    machine = stored_model(with_checks=False).machines[machine_name]
    ranks = sorted({round(10 ** (i / 4)) for i in range(21)})
    shown = {
        "stock, all ranks read the data": ("open.all_read", STOCK),
        "stock, one reads + broadcasts": ("open.one_reads", "#e69f00"),
        "Onecast": ("open.onecast", ONECAST),
    }
    return {
        title: (color, [(n, METHODS[name].seconds(machine, n, KNOWN_WORK)) for n in ranks])
        for title, (name, color) in shown.items()
    }


def pictures() -> dict[Path, str]:
    drawn = {
        WALKS.with_name(f"walk_{name}.svg"): walk(f"The steps of {name}", steps)
        for name, steps in walks().items()
    }
    return drawn | {
        FOLDER / "metadata.svg": bars("Metadata on 8 ranks, stock and Onecast", saved()),
        FOLDER / "many_ranks.svg": curves(
            "Opening 16,640 objects on Edison, predicted", opening("Edison")
        ),
    }


if __name__ == "__main__":
    for path, drawn in pictures().items():
        path.write_text(drawn)
        print(path.relative_to(ROOT))
