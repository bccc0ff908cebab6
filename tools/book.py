"""Lays the pages of the repository out for mkdocs, in build/book/pages, as they lie in the
repository, with their pictures and scripts. mkdocs.yml describes the site that tools/docs.sh makes
of them."""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "book" / "pages"
# These folders and hidden folders hold no pages.
LEFT_OUT = {"build", "dist", "bench-results"}
# The pages also need pictures, scripts, and the reference of C and C++.
FILES = {".svg", ".png", ".js"}
KEPT = {".md", ".html"} | FILES

FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^<!-- .*? -->\n", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
# Python's Markdown begins lists and tables only after an empty line, and wants four spaces where
# other dialects want two.
LIST = re.compile(r"^((?!\s*[-*] |\s*\d+\. |\|).+\n)(?=(?:- |\d+\. |\|))", re.MULTILINE)
INNER = re.compile(r"^  (?=- |\d+\. )", re.MULTILINE)


def pages() -> list[Path]:
    """Returns all pages of the repository, as relative paths."""
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*.md"))
    return sorted(page for page in found if not is_left_out(page))


def files() -> list[Path]:
    found = (path for folder in ("docs", "bench") for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in FILES)


def is_left_out(page: Path) -> bool:
    return any(part in LEFT_OUT or part.startswith(".") for part in page.parts)


def for_the_site(text: str, folder: Path) -> str:
    """Returns a page in the dialect of Python's Markdown; links to other files become code."""
    parts = FENCED.split(text)
    parts[::2] = [prose_for_the_site(prose, folder) for prose in parts[::2]]
    return "\n".join(parts)


def prose_for_the_site(text: str, folder: Path) -> str:
    text = INNER.sub("    ", LIST.sub(r"\1\n", COMMENT.sub("", text)))

    def link(found: re.Match) -> str:
        words, target, _ = found.groups()
        if ":" in target or Path(target).suffix in KEPT:
            return found[0]
        if not (folder / target).exists():
            raise SystemExit(f"book: {folder}: {target}: there is no such file")
        return words if words.startswith("`") else f"`{words}`"

    return LINK.sub(link, text)


def lay_out() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    for page in pages():
        made = OUT / page
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(for_the_site((ROOT / page).read_text(), (ROOT / page).parent))
    for file in files():
        made = OUT / file.relative_to(ROOT)
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, made)


if __name__ == "__main__":
    lay_out()
