"""docs/reference/founding-tables.md is what `onecast bench founding` makes from its kept
results."""

import json
import sys

from doc_pages import ROOT

sys.path.insert(0, str(ROOT / "bench"))


def kept() -> dict:
    from onecast_bench.founding_page import KEPT

    return json.loads((ROOT / KEPT).read_text())


def test_the_page_is_that_of_the_results():
    """`onecast bench founding --no-measure` writes it anew."""
    from onecast_bench.founding_page import PAGE, page_of

    assert (ROOT / PAGE).read_text() == page_of(kept())


def test_every_published_number_is_there():
    from onecast_bench.founding_page import page_of, time_text
    from onecast_model.points import load, load_apart

    page = page_of(kept())
    lines = page.splitlines()
    published = [(f"{p.ranks:,}", p.seconds) for p in load()[1] if p.source == "published"]
    published += [(f"{ranks:,}", s) for apart in load_apart() for ranks, s in apart.seconds]
    assert len(published) >= 80
    for ranks, seconds in published:
        cells = f"| {ranks} | ", f"{time_text(seconds)} |"
        assert any(all(cell in line for cell in cells) for line in lines), (ranks, seconds)


def test_a_result_that_is_there_is_shown():
    from onecast_bench.founding_page import page_of

    def result(case: str, seconds: float) -> dict:
        measured = {"flush + close": seconds}
        return {"about": "all", "case": case, "ranks": 4, "seconds": measured, "lab": {}}

    lab = {"flush": [2, 0, 1], "close": [1, 5, 0], "first": [9, 9, 9]}
    page = page_of(
        {
            "close-metadata": [result("stock", 0.25), result("Onecast", 0.5)],
            "close-metadata-lab": [result("stock", 1) | {"lab": lab}],
        }
    )
    assert (
        "| case | all, 4 ranks |\n|---|---|\n| stock | 250 ms |\n| **Onecast** | 500 ms |" in page
    )
    assert "| stock | 3; 5; 1 |" in page
    assert "**4 MiB, on a disk**: not measured yet" in page


def test_runs_and_tables_name_each_other():
    from onecast_bench.founding import RUNS
    from onecast_bench.founding_page import SECTIONS

    made = {result for run in RUNS.values() for result in run.results}
    assert made == {ours.result for section in SECTIONS for ours in section.ours}
