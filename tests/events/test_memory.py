"""Memory depends on lanes, threads and batches, not on the number of events."""

import json

import pytest
from event_files import convert, events_program

pytestmark = pytest.mark.long
MIB = 1 << 20
BATCH = 4 * MIB


def peak_of(tmp_path, source, outputer, *arguments):
    report = tmp_path / "report.json"
    convert(source, outputer, *arguments, "--json", report)
    return json.loads(report.read_text())["peak_memory"]


@pytest.mark.parametrize("outputer", ["HDF5Event", "HDF5Product", "HDF5Columnar", "PDS"])
def test_a_million_small_events(tmp_path, outputer):
    def peak(events):
        path = tmp_path / f"{events}"
        source = f"TestProducts:events={events}:products=2:size=24"
        found = peak_of(tmp_path, source, f"{outputer}={path}", "-t", 2, "-l", 8)
        path.unlink()
        return found

    few, many = peak(200_000), peak(1_000_000)
    assert many < few + 8 * MIB


@pytest.mark.parametrize("index", ["made", "found"])
def test_reading_small_events_of_pds(tmp_path, index):
    def peak(events):
        path = tmp_path / "a.pds"
        convert(f"Empty:events={events}", f"PDS={path}", "-t", 2)
        if index == "found":
            events_program("index", path)
        return peak_of(tmp_path, f"PDS={path}", "Dummy", "-t", 2, "-l", 8)

    few, many = peak(300_000), peak(1_000_000)
    assert many < few + 3 * MIB


def test_the_places_of_events_in_memory(tmp_path):
    """If no index can be written, they take 4.5 bytes for each event."""

    def peak(events):
        path = tmp_path / f"{events}.pds"
        convert(f"Empty:events={events}", f"PDS={path}", "-t", 2)
        (tmp_path / f"{events}.pds.index").write_text("notes")
        return peak_of(tmp_path, f"PDS={path}", "Dummy", "-t", 2, "-l", 8)

    few, many = peak(300_000), peak(1_000_000)
    assert many < few + 4.5 * 700_000 + 3 * MIB


@pytest.mark.parametrize("outputer", ["HDF5Event", "HDF5Product", "HDF5Batch"])
def test_reading_what_is_compressed(tmp_path, outputer):
    def peak(events):
        path = tmp_path / "a.h5"
        source = f"TestProducts:events={events}:products=10:size=10k"
        convert(source, f"{outputer}={path}:compression=lz4", "-t", 2)
        return peak_of(tmp_path, f"HDF5={path}", "Serialize", "-t", 2, "-l", 8)

    start = peak_of(tmp_path, "TestProducts:events=1:products=3:size=9", "Serialize")
    few, many = peak(1000), peak(4000)
    assert many < few + 16 * MIB
    assert many - start < (8 + 4) * 2 * BATCH  # runs, and batches of the outputer


@pytest.mark.parametrize("outputer", ["HDF5Event", "HDF5Product", "HDF5Event=:compression=zstd"])
def test_large_events(tmp_path, outputer):
    """With events of 6 MiB, a lane has its event at most three times, and a batch exists at most
    twice."""
    name, _, options = outputer.partition("=")
    threads, lanes, event = 2, 8, 6 * MIB
    source = f"TestProducts:events=60:products=3:size={event // 3}"
    start = peak_of(tmp_path, "TestProducts:events=1:products=3:size=9", "Serialize")
    path = f"{name}={tmp_path}/out{options}"
    peak = peak_of(tmp_path, source, path, "-t", threads, "-l", lanes)
    in_batches = (threads + 2) * max(event, BATCH)
    assert peak - start < 1.25 * (lanes * 3 * event + 2 * in_batches)
