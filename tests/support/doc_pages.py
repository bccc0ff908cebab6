"""What the tests of the documentation read from its pages"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {".venv", "build", "dist", "bench-results", ".git", ".pytest_cache"}
PAGES = sorted(
    path.relative_to(ROOT)
    for path in ROOT.rglob("*.md")
    if not LEFT_OUT & set(path.relative_to(ROOT).parts)
)
FENCE = re.compile(r"^(?:<!-- ([^\n]+) -->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of code. `note` is the comment above it, such as a file's name."""

    page: Path
    line: int
    note: str | None
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def text_of(page: Path) -> str:
    return (ROOT / page).read_text()


def blocks_of(page: Path) -> list[Block]:
    text = text_of(page)
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, *found.groups())
        for found in FENCE.finditer(text)
    ]


def links_of(page: Path) -> list[str]:
    return LINK.findall(FENCE.sub("", text_of(page)))


def anchors_of(page: Path) -> set[str]:
    """Returns the anchors of headings as the usual hosts make them."""
    headings = HEADING.findall(FENCE.sub("", text_of(page)))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def table_below(page: Path, heading: str) -> list[list[str]]:
    """Returns the cells of the first table below a heading, without its head."""
    text = text_of(page).split(f"# {heading}\n", 1)[1]
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table[0].splitlines()]
    return rows[2:]
