"""Tables and pictures"""

import pytest
from rich.console import Console

from onecast_bench import plot, table
from onecast_bench.results import gather


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0000764, "76.4 µs"), (0.0012, "1.20 ms"), (0.1234, "123. ms"), (12.345, "12.3 s")],
)
def test_seconds_have_three_digits(seconds, text):
    assert table.seconds_text(seconds).replace("123 ms", "123. ms") == text


def test_counts_show_rank_0_and_the_most_of_the_others():
    assert table.count_text([1200]) == "1,200"
    assert table.count_text([7, 0, 3]) == "7 / 3"


def test_tables_show_times_counts_and_the_ratio(make_report):
    results = [
        gather("Onecast", "its own file", [make_report(scale=1.0)]),
        gather("stock best", "its own file", [make_report(scale=20.0)]),
    ]
    console = Console(record=True, width=140)
    table.print_results(console, results, "2 ranks")
    text = console.export_text()
    assert "20×" in text
    assert "bytes" not in text  # counters that are zero everywhere are left out
    assert "4 / 1" in text


@pytest.mark.parametrize(
    ("seconds", "label"), [(10.0, "10 s"), (0.01, "10 ms"), (1e-3, "1 ms"), (1e-7, "0.1 µs")]
)
def test_axis_labels(seconds, label):
    assert plot.seconds_label(seconds) == label


def test_picture(make_report, tmp_path):
    pytest.importorskip("matplotlib")
    results = [gather(case, "its own file", [make_report()]) for case in ("Onecast", "stock best")]
    plot.draw(results, tmp_path / "picture.png", "title")
    assert (tmp_path / "picture.png").stat().st_size > 1000
