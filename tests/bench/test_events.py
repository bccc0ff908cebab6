"""`onecast bench events`, scaled down."""

import json
import os
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner
from event_files import convert, read_pds

from onecast_bench import event_workload
from onecast_bench.commands import bench
from onecast_bench.event_formats import FORMATS
from onecast_bench.event_results import Result, complete

# This stands for a Python without PYTHIA.
LACKING = "#!/bin/sh\necho PYTHIA is not installed >&2\nexit 1\n"


def test_none_is_said_to_what_compresses():
    outputers = {known.name: known.outputer("f", "none") for known in FORMATS}
    assert outputers["Dummy"] == "Dummy"
    assert outputers["TextDump"] == "TextDump=f"
    assert outputers["ROOT"] == "ROOT=f:compression=none"
    assert FORMATS[-1].outputer("f", "zstd:3") == "RNTuple=f:compression=zstd:level=3"
    assert not any(known.has("lzma") for known in FORMATS if known.name in ("PDS", "Serialize"))


def test_reads_are_relative_to_pds_in_the_same_case():
    def read(name, seconds, threads=1, ranks=1, jobs=1):
        return Result("read", name, "none", threads, ranks, seconds, bytes=1, jobs=jobs)

    cases = {"threads": 2}, {"ranks": 2}, {"jobs": 2}
    pds = [read("PDS", 8)] + [read("PDS", n, **case) for n, case in enumerate(cases, 2)]
    mine = [read("HDF5Event", 2)] + [read("HDF5Event", 2, **case) for case in cases]
    write = [Result("write", "plain write", "none", 1, 1, 5, bytes=1)]
    plain = read("plain read", 1)
    complete([*write, *pds, *mine, plain], events=10, event_bytes=100)
    assert [r.ratio for r in mine] == [4, 1, 1.5, 2]
    assert [r.events_per_second for r in mine] == [5, 5, 5, 10]
    assert plain.ratio == 2  # relative to the fastest run of one process


def require_reads_of_ranks_and_jobs(results):
    """Expects results for each format with a source, in the same cases as for PDS."""
    reads = [r for r in results if r["kind"] == "read" and not r["name"].endswith("one product")]
    cases = {"ranks": 2} | ({"jobs": os.cpu_count()} if os.cpu_count() > 1 else {})
    for key, count in cases.items():
        found = {r["name"]: r for r in reads if r[key] == count}
        assert {known.name for known in FORMATS if known.source and not known.of_root} <= set(found)
        for result in found.values():
            assert result["ratio"] == pytest.approx(found["PDS"]["seconds"] / result["seconds"])
            alone = next(
                r for r in reads if (r["name"], r["ranks"], r["jobs"]) == (result["name"], 1, 1)
            )
            files = count if key == "jobs" else 1
            assert result["bytes"] > 0.9 * files * alone["bytes"]  # ROOT files contain their names


@pytest.fixture
def pythia(tmp_path, monkeypatch):
    """Makes PYTHIA look not installed, without a file of it. Returns the path of that file."""
    python, path = tmp_path / "python", tmp_path / "build" / "ttbar.pds"
    python.write_text(LACKING)
    python.chmod(0o755)
    monkeypatch.setenv("ONECAST_PYTHIA_PYTHON", str(python))
    monkeypatch.setattr(event_workload, "TTBAR", path)
    return path


def test_top_quark_pairs_are_made_once(pythia, tmp_path):
    assert event_workload.top_quark_pairs() is None
    (tmp_path / "python").write_text('#!/bin/sh\necho made > "$2"\n')
    assert event_workload.top_quark_pairs() == pythia
    (tmp_path / "python").unlink()
    assert event_workload.top_quark_pairs() == pythia


@pytest.mark.long
def test_few_events(tmp_path, pythia):
    given = ["--count", "60", "--compression", "none,zstd", "--threads", "1", "--ranks", "1"]
    done = CliRunner().invoke(bench, ["events", *given, "--repeats", "1", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "python bench/events/ttbar.py build/ttbar.pds" in done.output
    found = json.loads((tmp_path / "events.json").read_text())
    results = found["results"]
    assert found["done"] and f"{len(results)} cases" in done.output
    assert f"{len(results)} of {len(results)}: " in done.output
    written = {r["name"]: r for r in results if r["kind"] == "write" and r["compression"] == "none"}
    assert written["plain write"]["bytes"] == 60 * (written["plain write"]["bytes"] // 60)
    for name in ("PDS", "HDF5Event", "HDF5Batch", "HDF5Product", "h5py, product"):
        assert written[name]["bytes"] > 60 * 90_000
    assert {"Dummy", "Serialize", "TextDump"} <= written.keys()
    for name in {"ROOT", "ROOTEvent", "RNTuple"} & written.keys():
        assert written[name]["bytes"] > 60 * 90_000  # not compressed
    reads = {r["name"] for r in results if r["kind"] == "read"}
    assert {"PDS", "HDF5Event", "HDF5Event, one product"} <= reads
    assert {"plain read", "plain read, of 17 places"} <= reads
    one = {r["name"]: r for r in results if r["kind"] == "random" and r["compression"] == "none"}
    for name in ("PDS", "HDF5Event", "HDF5Batch", "HDF5Product"):
        assert 90_000 <= one[name]["read_bytes"] < 250_000
    # The search reads the identity by a binary search, the offsets, and the event: a few chunks.
    for name in ("HDF5Event", "HDF5Batch"):
        assert one[name]["read_calls"] < 20
    assert {r["jobs"] for r in results if r["name"] == "PDS" and r["kind"] == "write"} >= {1}
    assert (tmp_path / "events-write.png").exists()


@pytest.mark.long
def test_events_of_a_file(tmp_path):
    path = tmp_path / "some.pds"
    convert("TestProducts:events=5:products=3:size=2k", f"PDS={path}")
    given = ["--events", str(path), "--count", "40", "--compression", "none", "--threads", "1"]
    given += ["--ranks", "1,2", "--repeats", "2", "--out", str(tmp_path)]
    done = CliRunner(env={"COLUMNS": "200"}).invoke(bench, ["events", *given])
    assert done.exit_code == 0, done.output
    assert "until it is on the disk" in done.output
    found = json.loads((tmp_path / "events.json").read_text())
    names = ["product00", "product01", "product02"]
    assert (found["sizes"]["kept"], found["sizes"]["products"]) == (5, names)
    size = sum(map(len, (d for event in read_pds(path)[0] for d in event[3].values()))) // 5
    assert found["sizes"]["event_bytes"] == size
    of_ranks = [r for r in found["results"] if r["ranks"] == 2]
    assert {"HDF5Event", "HDF5Event, a file each"} <= {r["name"] for r in of_ranks}
    assert all(r["synced_seconds"] > r["seconds"] for r in of_ranks if r["kind"] == "write")
    require_reads_of_ranks_and_jobs(found["results"])
    results = {(r["kind"], r["name"], r["jobs"]): r for r in found["results"] if r["ranks"] == 1}
    one, whole = results["read", "HDF5Product, one product", 1], results["read", "HDF5Product", 1]
    assert one["to_all"] == pytest.approx(whole["seconds"] / one["seconds"])
    event, pds = results["write", "HDF5Event", 1], results["write", "PDS", 1]
    if pds["processor_seconds"]:
        expected = event["processor_seconds"] / pds["processor_seconds"]
        assert event["processor_ratio"] == pytest.approx(expected)


@pytest.mark.long
def test_what_an_interrupt_leaves(tmp_path):
    path, out = tmp_path / "some.pds", tmp_path / "out"
    convert("TestProducts:events=5:products=3:size=2k", f"PDS={path}")
    command = [sys.executable, "-c", "from onecast_bench.commands import bench; bench()", "events"]
    command += ["--events", path, "--count", "40", "--out", out]
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=own
    ) as bench_:
        for line in bench_.stderr:
            if line.startswith("5 of "):
                break
        bench_.send_signal(signal.SIGINT)
        printed, errors = bench_.communicate()
    assert bench_.returncode != 0 and "Stopped: 4 of " in errors
    assert "Events, write" in printed
    found = json.loads((out / "events.json").read_text())
    assert not found["done"] and len(found["results"]) == 4
    assert not (out / "events-work").exists()
