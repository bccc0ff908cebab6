"""Medians, sums and checks over the programs' reports."""

import pytest

from onecast_bench.results import MAIN_MEASURES, check_contents, file_calls, gather, speedup
from onecast_bench.table import summary_lines


def test_a_phase_is_the_sum_of_the_slowest_ranks_of_its_steps(make_report):
    result = gather("Onecast", "its own file", [make_report(scale=1.0)])
    assert result.seconds["create"] == pytest.approx(3.0)
    assert result.seconds["create: fill"] == pytest.approx(2.0)
    assert result.seconds["open + read all"] == pytest.approx(1.2)


def test_absent_phases_are_absent(make_report):
    result = gather("Onecast", "its own file", [make_report()])
    assert "close unmodified" not in result.seconds
    assert "close unmodified" not in result.counts


def test_times_are_medians_over_the_runs(make_report):
    reports = [make_report(scale=scale) for scale in (5.0, 1.0, 2.0)]
    result = gather("Onecast", "its own file", reports)
    assert result.seconds["create: fill"] == pytest.approx(4.0)
    assert result.counts_vary == []


def test_counts_are_summed_over_steps_rank_by_rank(make_report):
    result = gather("Onecast", "its own file", [make_report()])
    assert result.counts["create"]["writes"] == [4, 1]
    assert result.by_collective["create"] == {"Bcast": [2, 2]}
    assert file_calls(result.counts["open + read all"]) == 6


def test_counts_that_differ_between_runs_are_told(make_report):
    result = gather("Onecast", "its own file", [make_report(reads=5), make_report(reads=6)])
    assert result.counts_vary == ["open + read all", "open + read all: read"]


def test_uncounted_reports_have_no_counts(make_report):
    report = make_report()
    for step in report["steps"]:
        step["counts"] = None
    result = gather("Onecast", "its own file", [report])
    assert result.counts is None
    assert result.by_collective is None


def test_speedup_is_over_the_fastest_stock_setting(make_report):
    results = [
        gather("Onecast", "its own file", [make_report(scale=1.0)]),
        gather("stock default", "its own file", [make_report(scale=8.0)]),
        gather("stock best", "its own file", [make_report(scale=4.0)]),
    ]
    assert speedup(results, "create") == pytest.approx(4.0)
    assert speedup(results[:1], "create") is None


def test_the_summary_names_both_and_the_ratio(make_report):
    results = [gather("Onecast", "f", [make_report()]), gather("stock best", "f", [make_report()])]
    lines = summary_lines(results)
    measured = [name for name in MAIN_MEASURES if name in results[0].seconds]
    assert [line.partition(",")[0] for line in lines] == measured != []
    assert all("Onecast" in line and line.endswith(": 1.0×") for line in lines), lines
    assert not any("stock" in line for line in summary_lines(results[:1]))


def test_contents_that_differ_fail_the_check(make_report):
    results = [
        gather("a", "file", [make_report()]),
        gather("b", "file", [make_report(digest="cd")]),
    ]
    assert [check.passed for check in check_contents(results, None, "the same")] == [True, False]


def test_contents_are_held_against_what_is_expected(make_report):
    result = gather("a", "file", [make_report()])
    expected = {**result.contents, "digest": "ff"}
    (check,) = check_contents([result], expected, "as written")
    assert not check.passed
    assert "digest ab, not ff" in check.detail


def test_ranks_that_disagree_and_unreadable_values_fail(make_report):
    report = make_report()
    report["contents"].update(ranks_agree=False, unreadable=2)
    (check,) = check_contents([gather("a", "file", [report])], None, "the same")
    assert check.detail == "the ranks disagree; 2 values could not be read"
