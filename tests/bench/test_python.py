"""`onecast bench python`, scaled down: both libraries compute the same values."""

import json

import pytest
from click.testing import CliRunner

from onecast_bench.commands import bench
from onecast_bench.python_cases import CASES

pytest.importorskip("h5py")


@pytest.mark.long
def test_all_cases(tmp_path):
    given = ["python", "--scale", "0.002", "--repeats", "1", "--out", str(tmp_path)]
    done = CliRunner().invoke(bench, given)
    assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "python.json").read_text())["results"]
    assert [r["name"] for r in results] == [case.name for case in CASES]
    for result in results:
        assert result["equal"] and result["stock"] > 0 and result["onecast"] > 0, result


def test_an_unknown_case_is_refused(tmp_path):
    done = CliRunner().invoke(bench, ["python", "--case", "no", "--out", str(tmp_path)])
    assert done.exit_code == 2 and "single elements" in done.output
