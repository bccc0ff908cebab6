"""`onecast bench events`, scaled down."""

import json

import pytest
from click.testing import CliRunner

from onecast_bench.commands import bench


@pytest.mark.long
def test_few_events(tmp_path):
    given = ["--events", "60", "--compression", "none,zstd", "--threads", "1", "--ranks", "1"]
    done = CliRunner().invoke(bench, ["events", *given, "--repeats", "1", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "events.json").read_text())["results"]
    written = {r["name"]: r for r in results if r["kind"] == "write" and r["compression"] == "none"}
    assert written["plain write"]["bytes"] == 60 * (written["plain write"]["bytes"] // 60)
    for name in ("PDS", "HDF5Event", "HDF5Batch", "HDF5Product", "h5py, product"):
        assert written[name]["bytes"] > 60 * 90_000
    reads = {r["name"] for r in results if r["kind"] == "read"}
    assert {"PDS", "HDF5Event", "HDF5Event, one product"} <= reads
    one = {r["name"]: r for r in results if r["kind"] == "random" and r["compression"] == "none"}
    for name in ("PDS", "HDF5Event", "HDF5Product"):
        assert one[name]["read_bytes"] >= 90_000
    # The identity by a binary search, the offsets, and the event: of a few chunks.
    assert one["HDF5Event"]["read_calls"] < 20
    assert {r["jobs"] for r in results if r["name"] == "PDS" and r["kind"] == "write"} >= {1}
    assert (tmp_path / "events-write.png").exists()
