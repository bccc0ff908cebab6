"""`onecast bench sessions`, scaled down: both libraries leave the same contents."""

import json

import pytest
from click.testing import CliRunner

from onecast_bench.commands import bench
from onecast_bench.sessions import MORE_BYTES, MOST_BYTES, SIZES
from onecast_bench.sessions_program import CASES

pytest.importorskip("h5py")


@pytest.mark.long
def test_all_cases(tmp_path):
    done = CliRunner().invoke(
        bench, ["sessions", "--scale", "0.004", "--repeats", "1", "--out", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "sessions.json").read_text())["results"]
    assert [r["name"] for r in results] == list(SIZES) == list(CASES)
    for result in results:
        assert result["equal"], result
        assert result["steps"] == max(1, round(SIZES[result["name"]][0] * 0.004))
        for library in ("stock", "onecast"):
            assert result[library]["bytes"] > 0 and result[library]["processor"] > 0
        most = MOST_BYTES * result["stock"]["bytes"] + MORE_BYTES
        assert result["onecast"]["bytes"] <= most, result


def test_an_unknown_case_is_refused(tmp_path):
    done = CliRunner().invoke(bench, ["sessions", "--case", "no", "--out", str(tmp_path)])
    assert done.exit_code == 2 and "append a row" in done.output
