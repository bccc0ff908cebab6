"""`onecast bench columnar`, scaled down: all values are equal, and the counts are exact."""

import json

import pytest
from click.testing import CliRunner

from onecast_bench.commands import bench

pytest.importorskip("awkward")
pytest.importorskip("uproot")


@pytest.fixture
def corpus_file():
    import os
    from pathlib import Path

    folder = Path(os.environ.get("ONECAST_CORPUS", Path(__file__).parents[3] / "shared/corpus"))
    file = folder / "hep" / "nanoAOD_2015_CMS_Open_Data_ttbar.root"
    if not file.exists():
        pytest.skip(f"no {file}")
    return file


def run(tmp_path, *given):
    given = ["columnar", "--repeats", "1", "--out", str(tmp_path), *given]
    done = CliRunner().invoke(bench, given)
    assert done.exit_code == 0, done.output
    return json.loads((tmp_path / "columnar.json").read_text())


def test_made_events(tmp_path):
    found = run(tmp_path, "--mb", "0.1", "--compression", "lz4")
    assert all(result["equal"] and result["stock"] > 0 for result in found["results"])
    facts = found["facts"]
    assert facts["events"] == 10_000
    assert facts["branches"] == facts["branches_equal"] == 74
    assert facts["offset_arrays"] == 5
    assert (tmp_path / "columnar.png").exists()


@pytest.mark.long
def test_a_file(tmp_path, corpus_file):
    found = run(tmp_path, "--mb", "1", "--file", str(corpus_file))
    assert all(result["equal"] for result in found["results"])
    facts = found["facts"]
    assert facts["branches"] == facts["branches_equal"] == 947
    assert facts["offset_arrays"] == 21
    assert facts["columnar_bytes"] <= 1.1 * facts["root_bytes"]
    assert facts["reads_of_the_columns"] <= 30
