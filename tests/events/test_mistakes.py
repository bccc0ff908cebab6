"""What people do by mistake: no file that was there is lost, and nothing hangs."""

import os
import shutil
import signal
import subprocess
import time

import h5py
import pytest
from event_files import PROGRAM, convert, events_of, events_program

LAYOUTS = ("PDS", "HDF5Event", "HDF5Batch", "HDF5Product")
SOURCE = "TestProducts:events=60:size=500:products=3"


# --- a job that would write over its own source --------------------------------------------------
@pytest.mark.parametrize("outputer", LAYOUTS)
@pytest.mark.parametrize("link", [None, os.link, os.symlink], ids=["same", "hard", "symbolic"])
def test_a_source_is_not_overwritten(tmp_path, outputer, link):
    path = tmp_path / "in"
    convert(SOURCE, f"{outputer}={path}")
    before = path.read_bytes()
    target = path
    if link is not None:
        target = tmp_path / "out"
        link(path, target)
    kind = "PDS" if outputer == "PDS" else "HDF5"
    for to in ("PDS", "TextDump", "HDF5Event"):
        convert(f"{kind}={path}", f"{to}={target}", fails=True)
        assert path.read_bytes() == before, to
    events_program("convert", path, target, fails=True)
    assert path.read_bytes() == before
    convert(f"Replay={kind}={path}:count=3:events=9", f"{outputer}={target}", fails=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("more", [(), ("more",)])
def test_cat_does_not_write_to_what_it_joins(tmp_path, more):
    path, hard = tmp_path / "a.pds", tmp_path / "hard.pds"
    convert(SOURCE, f"PDS={path}")
    before = path.read_bytes()
    os.link(path, hard)
    for name in more:
        shutil.copy(path, tmp_path / name)
    for out in (path, hard):
        inputs = [path, *(tmp_path / name for name in more)]
        said = events_program("cat", out, *inputs, fails=True)
        assert "locked: it is open" in said
        assert path.read_bytes() == before


# --- an index that is not of this file -----------------------------------------------------------
def test_a_file_that_is_written_anew_has_no_old_index(tmp_path):
    path = tmp_path / "a.pds"
    for first in (1, 5001):
        convert(f"Empty:events=200:first={first}", f"PDS={path}")
        assert f"1:1:{first} to 1:1:{first + 199}" in events_program("ls", path)
        events_program("dump", path, "-e", f"1:1:{first + 17}")


def test_the_index_of_another_file_is_not_believed(tmp_path):
    path, other = tmp_path / "a.pds", tmp_path / "b.pds"
    convert("Empty:events=200", f"PDS={path}")
    convert("Empty:events=200:first=5001", f"PDS={other}")
    events_program("ls", path)
    shutil.copy2(other, path)  # the index of the file before stays
    assert "1:1:5001 to 1:1:5200" in events_program("ls", path)
    assert [event[2] for event in events_of(f"PDS={path}")][:2] == [5001, 5002]


def test_ls_tells_of_an_interrupted_writer(tmp_path):
    path = tmp_path / "a.pds"
    convert(SOURCE, f"PDS={path}")
    assert "interrupted" not in events_program("ls", path)
    path.write_bytes(path.read_bytes()[:-5])
    assert "59 events" in events_program("ls", path)
    assert "its writer was interrupted" in events_program("ls", path)


@pytest.mark.parametrize("outputer", [name for name in LAYOUTS if name != "PDS"])
def test_an_index_does_not_hide_that_the_writer_was_interrupted(tmp_path, outputer):
    path = tmp_path / "a.h5"
    convert(SOURCE, f"{outputer}={path}")
    with h5py.File(path, "r+") as file:
        del file["Events"].attrs["index"]  # the writer sets it at the end
    for _ in range(2):
        events_program("index", path)
        for command in ("ls", "check"):
            assert "its writer was interrupted" in events_program(command, path)
    events_program("dump", path, "-e", "1:1:17")


# --- wrong arguments -----------------------------------------------------------------------------
@pytest.mark.parametrize("outputer", LAYOUTS)
def test_a_product_that_is_named_twice(tmp_path, outputer):
    path = tmp_path / "a"
    path.write_text("what was there")
    twice = ["-p", "product00", "-p", "product00"]
    said = events_program("run", "-q", "-s", SOURCE, "-o", f"{outputer}={path}", *twice, fails=True)
    assert "product product00 is named twice" in said
    assert path.read_text() == "what was there"


def test_chunks_that_hdf5_cannot_have(tmp_path):
    path = tmp_path / "a"
    path.write_text("what was there")
    said = convert(SOURCE, f"HDF5Product={path}:chunk=5G", fails=True)
    assert "chunk: at most 1G was expected" in said
    assert path.read_text() == "what was there"


def test_no_identity(tmp_path):
    convert(SOURCE, f"PDS={tmp_path}/a")
    assert "run:lumi:event was expected" in events_program(
        "dump", tmp_path / "a", "-e", "", fails=True
    )


def test_a_text_is_no_root_file(tmp_path):
    path = tmp_path / "passwd"
    path.write_text("root:x:0:0:root:/root:/bin/bash\n")
    assert "ROOT" not in events_program("check", path, fails=True)


# --- ends that never come ------------------------------------------------------------------------
@pytest.mark.parametrize("outputer", ["TextDump", "TextDump=/dev/stdout", "PDS=/dev/stdout"])
def test_nobody_reads_the_pipe_any_more(outputer):
    source = "TestProducts:events=20000:size=2k"
    command = [PROGRAM, "run", "-q", "-s", source, "-o", outputer]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert job.stdout.read(10)
    job.stdout.close()
    assert job.wait(timeout=60) != 0


def test_a_second_signal_does_not_wait(tmp_path):
    source = "TestProducts:events=50:size=1M"
    waiting = ["-w", "Uneven:time=1e9"]
    command = [PROGRAM, "run", "-q", "-s", source, "-o", f"HDF5Event={tmp_path}/a", *waiting]
    job = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(1)
    job.send_signal(signal.SIGTERM)
    time.sleep(3.5)
    assert job.poll() is None
    job.send_signal(signal.SIGTERM)
    assert job.wait(timeout=60) == -signal.SIGTERM
