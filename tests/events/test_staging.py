"""`staging=FOLDER` writes the file near the process and then moves it to its place."""

import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from event_files import PROGRAM, convert, events_of, events_program
from small_disks import small_file_system

SOURCE = "TestProducts:events=60:products=4:size=500:lumi=7"
LARGE = "TestProducts:events=600:size=8k"  # 84 MB: some of it is copied while the job runs
OUTPUTERS = ("PDS", "HDF5Product", "HDF5Event", "HDF5Batch", "HDF5Columnar")


def source_of(outputer, path):
    return f"PDS={path}" if outputer == "PDS" else f"HDF5={path}"


@pytest.fixture
def elsewhere(tmp_path):
    """Yields a folder in another file system."""
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK) or shared.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("no other file system")
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        yield Path(folder)


def is_empty(folder):
    return not list(folder.iterdir())


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_the_file_is_as_without(tmp_path, elsewhere, outputer):
    convert(SOURCE, f"{outputer}={tmp_path}/a")
    convert(SOURCE, f"{outputer}={tmp_path}/b:staging={elsewhere}", "-t", 2)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert is_empty(elsewhere)
    (tmp_path / "near").mkdir()  # in this file system, so the file is renamed
    convert(SOURCE, f"{outputer}={tmp_path}/c:staging={tmp_path}/near")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "c").read_bytes()
    assert is_empty(tmp_path / "near")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b", "c", "near"]


@pytest.mark.parametrize("outputer", ["PDS", "HDF5Product"])
def test_what_was_copied_early_and_has_changed(tmp_path, elsewhere, outputer):
    """HDF5 writes its first pages last."""
    convert(LARGE, f"{outputer}={tmp_path}/a")
    wait = ("-w", "Uneven:time=100", "-l", 4)
    convert(LARGE, f"{outputer}={tmp_path}/b:staging={elsewhere}", *wait)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("outputer", ["PDS", "HDF5Event"])
def test_no_space_at_the_place(tmp_path, outputer):
    staging = tmp_path / "near"
    staging.mkdir()
    with small_file_system(tmp_path / "far", "1m") as far:
        path = far / "a"
        path.write_bytes(b"what was there")
        error = convert(
            "TestProducts:events=60:size=8k",
            f"{outputer}={path}:staging={staging}",
            fails=True,
        )
        assert f"{path}: write: No space left on device; the file is whole at" in error
        assert [p.name for p in far.iterdir()] == ["a"]
        assert path.read_bytes() == b"what was there"
        whole = re.search(r"whole at (\S+)", error)[1]
        assert "60 events, no problem" in events_program("check", whole)


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_no_space_where_it_is_staged(tmp_path, outputer):
    """Complete events are moved to their place."""
    with small_file_system(tmp_path / "near", "48m") as near:
        path = tmp_path / "a"
        error = convert(
            "TestProducts:events=1200:size=4k", f"{outputer}={path}:staging={near}", fails=True
        )
        assert "No space left on device" in error and str(near) in error
        assert is_empty(near)
        found = events_of(source_of(outputer, path))
        assert found == events_of("TestProducts:events=1200:size=4k", "-n", len(found))
        assert len(found) >= 5


@pytest.mark.parametrize("same", [True, False])
def test_a_signal_ends_the_run_and_a_kill_leaves_the_place(tmp_path, elsewhere, same):
    staging = tmp_path / "near" if same else elsewhere
    staging.mkdir(exist_ok=True)
    path = tmp_path / "a"
    for number in (signal.SIGTERM, signal.SIGKILL):
        path.write_bytes(b"what was there")
        command = [PROGRAM, "run", "-q", "-s", "TestProducts:events=100000:size=100"]
        command += ["-o", f"HDF5Event={path}:staging={staging}", "-w", "Uneven:time=2000"]
        with subprocess.Popen(command) as process:
            time.sleep(0.7)
            process.send_signal(number)
            process.wait(60)
        if number == signal.SIGTERM:
            assert is_empty(staging)
            assert "was interrupted" in events_program("check", path, fails=True)
        else:
            assert path.read_bytes() == b"what was there"


@pytest.mark.parametrize("ranks", [3])
def test_ranks_with_a_file_each(tmp_path, elsewhere, ranks):
    convert(SOURCE, f"PDS={tmp_path}/{{rank}}:staging={elsewhere}", ranks=ranks)
    found = [event for rank in range(ranks) for event in events_of(f"PDS={tmp_path}/{rank}")]
    assert len(found) == 60 and is_empty(elsewhere)
    error = convert(SOURCE, f"HDF5Event={tmp_path}/a:staging={elsewhere}", ranks=ranks, fails=True)
    assert "staging: ranks that write one file write it where it belongs" in error
    assert is_empty(elsewhere)


def test_what_cannot_be_is_said_before(tmp_path):
    def error(outputer):
        return convert(SOURCE, outputer, fails=True)

    assert "staging: /no/such is not a folder" in error(f"PDS={tmp_path}/a:staging=/no/such")
    assert "TextDump: staging: there is no file" in error(f"TextDump:staging={tmp_path}")
    assert "Dummy: staging: there are no options" in error(f"Dummy:staging={tmp_path}")
    assert f"{tmp_path}/no/a: No such file" in error(f"PDS={tmp_path}/no/a:staging={tmp_path}")
    assert is_empty(tmp_path)


@pytest.mark.parametrize("outputer", ["PDS", "HDF5Event"])
def test_two_jobs_with_one_place(tmp_path, elsewhere, outputer):
    """Each job writes a file of its own, and that of the last one stays."""
    path = tmp_path / "a"
    slow = ["run", "-q", "-s", SOURCE, "-o", f"{outputer}={path}:staging={elsewhere}"]
    with subprocess.Popen([PROGRAM, *slow, "-w", "Uneven:time=20000"]) as first:
        while not list(tmp_path.glob("a.*.part")):
            time.sleep(0.02)
        convert(SOURCE, f"{outputer}={path}:staging={elsewhere}", "-n", 20)
        assert len(events_of(source_of(outputer, path))) == 20
        assert first.wait(timeout=60) == 0
    assert "60 events, no problem" in events_program("check", path)
    assert [p.name for p in tmp_path.iterdir() if "part" in p.name] == []


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_nothing_that_is_complete_replaces_nothing(tmp_path, outputer):
    with small_file_system(tmp_path / "near", "16k") as near:
        path = tmp_path / "a"
        path.write_bytes(b"what was there")
        error = convert(
            "TestProducts:events=9:size=64k", f"{outputer}={path}:staging={near}", fails=True
        )
        assert "No space left on device" in error
        assert is_empty(near) and path.read_bytes() == b"what was there"


def test_a_link_at_the_place_stays(tmp_path, elsewhere):
    place, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to("real")
    for _ in range(2):
        convert(SOURCE, f"HDF5Event={link}:staging={elsewhere}")
        assert link.is_symlink() and not place.is_symlink()
        assert events_of(f"HDF5={place}") == events_of(SOURCE)


def test_a_folder_at_the_place(tmp_path, elsewhere):
    said = convert(SOURCE, f"HDF5Event={tmp_path}:staging={elsewhere}", fails=True)
    assert f"{tmp_path}: Is a directory" in said and is_empty(elsewhere)
