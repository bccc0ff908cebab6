"""docs/reference/h5py.md lists what the low level lacks, and the tests of h5py that fail. `python
tests/docs/test_h5py_page.py` writes both lists."""

import re
import tomllib
from pathlib import Path

import h5py_names
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "h5py.md"
# These names belong to the library's own cache and log, and need no entry.
LEFT_OUT = re.compile(r"CacheConfig\.|LOG_|TIME_")


def missing_names():
    lines = []
    for module, names in h5py_names.absent().items():
        kept = [f"`{name}`" for name in names if not LEFT_OUT.search(name)]
        if kept:
            lines.append(f"- `{module}`: {', '.join(kept)}\n")
    return "".join(lines)


def failing_tests():
    table = tomllib.loads((ROOT / "tests" / "suites" / "h5py.toml").read_text())
    lines = ["| reason | tests |\n|---|---|\n"]
    for kind in table["kind"]:
        tests = ", ".join(f"`{test.rpartition('::')[2]}`" for test in kind["tests"])
        lines.append(f"| {kind['reason']} | {tests} |\n")
    return "".join(lines)


LISTS = {"missing names": missing_names, "failing tests": failing_tests}


def block(name):
    return re.compile(f"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)


@pytest.mark.parametrize("name", LISTS)
def test_the_page_has_the_list(name):
    expected = f"<!-- {name} -->\n{LISTS[name]()}<!-- end of {name} -->"
    assert block(name).search(PAGE.read_text()).group(0) == expected


if __name__ == "__main__":
    text = PAGE.read_text()
    for name, make in LISTS.items():
        made = make()
        text = block(name).sub(lambda found, made=made: found[1] + made + found[2], text)
    PAGE.write_text(text)
