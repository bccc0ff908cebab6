"""`onecast bench follow`, scaled down: all readers see all frames."""

import json

import pytest
from click.testing import CliRunner

from onecast_bench.commands import bench
from onecast_bench.follow import CASES, Result, Sizes, verdict

pytest.importorskip("h5py")


def test_all_cases(tmp_path):
    sizes = ["--frames", "12", "--rate", "40", "--frame-size", "4096"]
    done = CliRunner().invoke(bench, ["follow", *sizes, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "follow.json").read_text())["results"]
    assert [r["name"] for r in results] == list(CASES)
    assert all(r["append_seconds"] > 0 and r["most_frames"] >= 0 for r in results)
    for name in CASES:
        assert f"met: {name}" in done.output or f"missed: {name}" in done.output


def test_the_aim():
    sizes = Sizes(frames=100, rate=100, frame_bytes=4_000_000, readers=2)
    results = [
        Result("quick", 99.9, 0.002, 0.0, 2, 0.001),
        Result("behind", 99.9, 0.002, 0.0, 3, 0.001),
        Result("slow", 60.0, 0.02, 0.0, 1, 0.001),
    ]
    assert verdict(results, sizes).splitlines()[1:] == [
        "met: quick",
        "missed: behind",
        "missed: slow",
    ]


def test_an_unknown_case_is_refused(tmp_path):
    done = CliRunner().invoke(bench, ["follow", "--case", "no", "--out", str(tmp_path)])
    assert done.exit_code == 2 and "followed by" in done.output
