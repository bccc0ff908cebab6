"""Files that another process writes, and files that `cat` replaces"""

import os
import shutil
import signal
import subprocess
import time

import h5py
import pytest
from event_files import PROGRAM, convert, events_program

LAYOUTS = ("PDS", "HDF5Event", "HDF5Batch", "HDF5Product", "HDF5Columnar")
SOURCE = "TestProducts:events=60:size=500:products=3"


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
        assert "is joined to itself" in said
        assert path.read_bytes() == before


@pytest.mark.parametrize("outputer", LAYOUTS)
def test_a_file_that_is_being_written_is_not_read(tmp_path, outputer):
    path = tmp_path / "a"
    job = ["run", "-q", "-s", "TestProducts:events=100000:size=500", "-o", f"{outputer}={path}"]
    with subprocess.Popen([PROGRAM, *job, "-w", "Uneven:time=5000"]) as writer:
        while writer.poll() is None and not path.exists():
            time.sleep(0.02)
        kind = "PDS" if outputer == "PDS" else "HDF5"
        for command in (("check", path), ("ls", path), ("run", "-s", f"{kind}={path}")):
            said = events_program(*command, fails=True)
            assert f"{path}: " in said and "locked: " in said, said
        writer.send_signal(signal.SIGKILL)


@pytest.mark.parametrize("kind", ["PDS", "HDF5Event"])
def test_cat_that_fails_leaves_what_was_there(tmp_path, kind):
    good, bad, out = (tmp_path / name for name in ("good", "bad", "out"))
    convert(SOURCE, f"{kind}={good}")
    convert(SOURCE, f"{kind}={bad}")
    if kind == "PDS":
        damaged = bytearray(bad.read_bytes())
        damaged[len(damaged) // 2 :] = bytes(len(damaged) - len(damaged) // 2)
        bad.write_bytes(damaged)
    else:
        with h5py.File(bad, "r+") as file:
            del file["Events/Blobs"]
    events_program("cat", out, good)
    before = out.read_bytes()
    assert f"{bad}: " in events_program("cat", out, good, bad, fails=True)
    assert out.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad", "good", "out"]
    assert f"{good}: is joined to itself" in events_program("cat", good, good, fails=True)


def test_where_cat_writes(tmp_path):
    one, two, out = (tmp_path / name for name in ("1", "2", "out"))
    convert(SOURCE, f"PDS={one}", "-n", 30)
    convert(SOURCE, f"PDS={two}", "--first", 30)
    events_program("cat", out, one, two)
    joined = out.read_bytes()
    out.chmod(0o600)
    events_program("cat", out, one, two)
    assert out.stat().st_mode & 0o777 == 0o600 and out.read_bytes() == joined
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        events_program("cat", tmp_path / "pipe", one, two)
        assert reader.communicate(timeout=20)[0] == joined
    (tmp_path / "loop").symlink_to("loop")
    assert "circle" in events_program("cat", tmp_path / "loop", one, fails=True)
    (tmp_path / "folder").mkdir()
    assert "folder: " in events_program("cat", tmp_path / "folder", one, fails=True)
    assert sorted(os.listdir(tmp_path)) == ["1", "2", "folder", "loop", "out", "pipe"]


def test_an_index_that_is_being_written_is_another_file(tmp_path):
    job = [
        "run",
        "-q",
        "-s",
        "TestProducts:events=100000:size=500",
        "-o",
        f"PDS={tmp_path}/a.index",
    ]
    with subprocess.Popen([PROGRAM, *job, "-w", "Uneven:time=5000"]) as writer:
        while writer.poll() is None and not (tmp_path / "a.index").exists():
            time.sleep(0.02)
        convert(SOURCE, f"PDS={tmp_path}/a")
        assert (tmp_path / "a.index").exists()
        writer.send_signal(signal.SIGKILL)
