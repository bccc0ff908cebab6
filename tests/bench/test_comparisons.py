"""The benchmarks that compare with another library, at a size where only the results count."""

import json

import pytest
from click.testing import CliRunner

from onecast_bench.commands import bench
from onecast_bench.programs import find_program

SMALL = {
    "read": ["--contiguous-mib=1", "--chunked-mib=1", "--hyperslabs=20", "--datasets=50"],
    "write": [
        "--datasets=50",
        "--attributes=50",
        "--appends=50",
        "--contiguous-mib=1",
        "--chunked-mib=2",
    ],
}


@pytest.mark.parametrize("name", SMALL)
def test_both_sides_have_the_same_values(tmp_path, name):
    if name == "write" and find_program("onecast_write") is None:
        pytest.skip("the programs of the benchmark are not built")
    command = [name, *SMALL[name], "--repeats=1", "--out", str(tmp_path)]
    done = CliRunner().invoke(bench, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / f"{name}.json").read_text())
    assert report["benchmark"] == name
    assert len(report["results"]) >= 3
    assert all(result["equal"] and result["ratio"] > 0 for result in report["results"])
    assert [file.name for file in tmp_path.iterdir()] == [f"{name}.json"]
