"""docs/reference/h5py.md lists what the low level lacks: `python tests/docs/test_h5py_page.py`
writes the list."""

import re
from pathlib import Path

import h5py_names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "h5py.md"
BLOCK = re.compile(r"(<!-- missing names -->\n).*?(<!-- end of missing names -->)", re.DOTALL)
# Of the library's own cache and log, of which there is nothing to say.
LEFT_OUT = re.compile(r"CacheConfig\.|LOG_|TIME_")


def block():
    lines = []
    for module, names in h5py_names.absent().items():
        kept = [f"`{name}`" for name in names if not LEFT_OUT.search(name)]
        if kept:
            lines.append(f"- `{module}`: {', '.join(kept)}\n")
    return "".join(lines)


def test_the_page_lists_what_is_missing():
    assert BLOCK.search(PAGE.read_text()).group(0) == (
        f"<!-- missing names -->\n{block()}<!-- end of missing names -->"
    )


if __name__ == "__main__":
    PAGE.write_text(BLOCK.sub(lambda found: found[1] + block() + found[2], PAGE.read_text()))
