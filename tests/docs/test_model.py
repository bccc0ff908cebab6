"""The numbers of docs/reference/model.md are those that the model computes."""

import re
import sys
from math import inf
from pathlib import Path

import pytest
from doc_pages import ROOT, table_below, text_of

sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "docs")]

NUMBER = re.compile(r"(?<![\w`])\d[\d,]*(?:\.\d+)?(?: (?:s|ms|µs|ns|MB/s)\b)?")
UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "MB/s": 1.0}


def numbers_of(cell: str) -> list[float]:
    found = []
    for text in NUMBER.findall(cell):
        value, _, unit = text.partition(" ")
        found.append(float(value.replace(",", "")) * UNITS.get(unit, 1.0))
    return found


@pytest.fixture(scope="module")
def model():
    pytest.importorskip("scipy")
    from onecast_model.fit import fitted_model

    return fitted_model()


@pytest.mark.parametrize(
    "name", ["parameters", "errors", "summary", "predictions", "nodes", "cgns"]
)
def test_table(model, name):
    """The words are equal, the numbers within 3 %, since a fit ends at slightly other values with
    another scipy. After a change, run python tests/docs/model_tables.py."""
    import model_tables

    shown = model_tables.table_in(text_of(model_tables.PAGE), name)
    computed = model_tables.TABLES[name](model)
    assert len(shown) == len(computed)
    for row, right in zip(shown, computed, strict=True):
        assert [NUMBER.sub("", cell) for cell in row] == [NUMBER.sub("", cell) for cell in right]
        for cell, right_cell in zip(row, right, strict=True):
            assert numbers_of(cell) == pytest.approx(numbers_of(right_cell), rel=0.03), right


def test_counts_of_stock_are_those_of_the_formulas():
    from onecast_model.methods import CLOSE_CALLS, COMPACT, CONTIGUOUS, CREATE_CALLS, WRITE_CALLS

    page = text_of(Path("docs/reference/model.md"))
    for counts in (CONTIGUOUS, COMPACT):
        assert f"{counts.reads:,} × read + {counts.collectives:,} × collective" in page
    assert f"{CONTIGUOUS.data_reads} × (P − 1) × service" in page
    assert f"{CREATE_CALLS + WRITE_CALLS + CLOSE_CALLS} × collective" in page


@pytest.fixture
def counts() -> dict[str, dict[str, int]]:
    """Returns rank 0's counts in ARCHITECTURE.md."""
    names = ("opens", "reads", "writes", "collectives")
    return {
        row[0]: {n: int(cell.split(" / ")[0]) for n, cell in zip(names, row[1:], strict=True)}
        for row in table_below(Path("ARCHITECTURE.md"), "Counts")
    }


def times_in(method: str, parameter: str) -> float:
    """Returns how often a method on two ranks does something that takes a second, if all else is
    free."""
    from onecast_model.machine import PARAMETERS, Machine
    from onecast_model.methods import METHODS, Work

    free = {name: 0.0 if p.unit == "s" else inf for name, p in PARAMETERS.items()}
    return METHODS[method].seconds(Machine("", free | {parameter: 1.0}), 2, Work(reads=1))


def test_counts_of_onecast_are_those_of_the_architecture(counts):
    opened = counts["open: pages in 2 runs"]
    assert times_in("open.onecast", "step") == opened["collectives"]
    assert times_in("open.onecast", "read") == opened["reads"]
    assert times_in("open.onecast", "open") == opened["opens"]
    flushed = counts["flush: page 0 and a run of new pages"]
    assert times_in("flush.onecast", "step") == flushed["collectives"]
    assert times_in("flush.onecast", "read") == flushed["writes"]
    small_flush, closed = counts["flush: page 0 changed"], counts["close, nothing changed"]
    together = small_flush["collectives"] + closed["collectives"]
    assert times_in("close.onecast", "step") == together
    assert times_in("close.onecast", "read") == small_flush["writes"]
    steps = ("create", "create a contiguous dataset with data")
    steps += ("flush: page 0 changed, raw data last", "close, nothing changed")
    together = sum(counts[step]["collectives"] for step in steps)
    assert times_in("same_write.onecast", "step") == together
    read = counts["`read_all`, the same 16 bytes"]
    assert times_in("small_reads.onecast", "step") == read["collectives"]
    assert times_in("small_reads.onecast", "repeated_read") == read["reads"]
