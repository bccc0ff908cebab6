"""Lists what Onecast reads in files of other programs, and what it refuses:
docs/reference/coverage.md.

python tests/interop/coverage_of_files.py        # writes the table anew
"""

from __future__ import annotations

import os
from pathlib import Path

from compare import examine

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("ONECAST_CORPUS", ROOT / ".." / "shared" / "corpus"))
FOLDERS = ("jhdf", "h5dump", "cgns")
PAGE = ROOT / "docs" / "reference" / "coverage.md"
BEGIN, END = "<!-- refused: begin -->\n", "<!-- refused: end -->\n"


def files() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((CORPUS / folder).glob("*"))]


def table() -> str:
    """Returns the refusals of all files in the form of the page."""
    rows = []
    for path in files():
        found = examine(path)
        rows += [(feature, path) for feature in found.refused]
        rows += [(f"damaged: {what}", path) for what in found.damaged]
    features: dict[str, list[str]] = {}
    for feature, path in sorted(rows):
        features.setdefault(feature, []).append(f"{path.parent.name}/{path.name}")
    lines = ["| refused | in |\n", "|---|---|\n"]
    lines += [f"| {feature} | {', '.join(names)} |\n" for feature, names in features.items()]
    return "".join(lines)


def written_table() -> str:
    text = PAGE.read_text()
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)]


def main() -> None:
    text = PAGE.read_text()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(text[:start] + table() + text[end:])


if __name__ == "__main__":
    main()
