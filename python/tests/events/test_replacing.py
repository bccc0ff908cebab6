"""A file is replaced once the new one is complete, and nothing else is touched."""

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

import onecast
from onecast import events
from onecast.events import _storage

pytest.importorskip("awkward")


def test_a_second_writer_leaves_the_first_alone(path, tmp_path):
    """Both replace one file at the same time: the last one's file stays, and neither fails."""
    events.write(path, {"old": np.arange(9)})
    source = tmp_path / "source.h5"
    events.write(source, {"a": np.arange(300)})

    def meanwhile(done, total):
        events.write(path, {"b": np.arange(done)})
        with events.open(path) as opened:
            assert opened.columns == ["b"] and len(opened) == done

    events.convert(source, path, batch=100, progress=meanwhile)
    with events.open(path) as opened:
        assert opened.columns == ["a"] and len(opened) == 300
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, "source.h5"]


@pytest.mark.parametrize("data", [{"a": [1]}, {"a": [object()]}])
def test_a_file_that_is_called_part_stays(path, data):
    other = path.with_name(f"{path.name}.part")
    other.write_text("precious")
    with contextlib.suppress(TypeError, ValueError):
        events.write(path, data)
    assert other.read_text() == "precious"


def test_what_is_no_file_is_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="no regular file"):
        events.write(pipe, {"a": [1]})
    with pytest.raises(OSError, match="no regular file"):
        events.open(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(IsADirectoryError):
        events.write(tmp_path, {"a": [1]})
    with pytest.raises(FileNotFoundError, match=r"missing/file\.h5'"):
        events.write(tmp_path / "missing" / "file.h5", {"a": [1]})
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize(
    "wrong",
    [
        {"compression": "zstd:99"},
        {"compression": 3},
        {"expected": "x"},
        {"expected": -1},
        {"chunk_bytes": 0},
        {"chunk_bytes": 1.5},
        {"name": "a/b"},
        {"identity": []},
        {"classes": {"a": 5}},
        {"titles": {"a": b"x"}},
    ],
)
def test_wrong_options_cost_no_file(path, wrong):
    events.write(path, {"old": np.arange(9)})
    for call in (events.create, lambda *a, **k: events.write(*a, {"a": [1]}, **k)):
        with pytest.raises((TypeError, ValueError), match=min(wrong)):
            call(path, **wrong)
    with events.open(path) as opened:
        assert opened.columns == ["old"]


def test_a_target_with_the_name_of_the_group(path, tmp_path):
    named = f"{path}:Runs"
    with events.create(named) as writer:
        writer.append({"a": [1]})
    for write in (
        lambda: events.write(named, {"a": [1]}),
        lambda: events.convert(path, f"{tmp_path}/other.h5:Runs"),
        lambda: events.convert(f"{tmp_path}/other.h5", named, columns=["a"]),
    ):
        write()
        with events.open(path) as opened:
            assert opened.group.name == "/Runs" and opened["a"].to_list() == [1]
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, "other.h5"]
    with pytest.raises(ValueError, match="name: 'Others', and path says 'Runs'"):
        events.write(named, {"a": [1]}, name="Others")
    events.write(tmp_path / "a:2.h5", {"a": [1]})  # with a dot it is the name of a file
    assert (tmp_path / "a:2.h5").exists()


def test_other_groups_are_not_lost(path, tmp_path, calls_that_make):
    events.write(path, {"a": [1, 2]})
    before = path.read_bytes()
    source = tmp_path / "runs.h5"
    events.write(source, {"r": [1]})
    for call in calls_that_make(f"{path}:Runs", source):
        with pytest.raises(FileExistsError, match="Events would be lost"):
            call()
    assert path.read_bytes() == before
    with onecast.File(source) as runs, onecast.File(path, "r+") as file:
        runs.copy("Events", file, "Runs")
    for name, count in (("Events", 2), ("Runs", 1)):
        assert events.check(f"{path}:{name}", data=True) == []
        with events.open(f"{path}:{name}") as opened:
            assert len(opened) == count


@pytest.mark.parametrize("compression", ["zstd:3", "none"])
def test_a_large_write_is_cut(path, monkeypatch, compression):
    """Between the parts Python handles Ctrl-C, and the existing file stays."""
    events.write(path, {"old": np.arange(9)})
    before = path.read_bytes()
    monkeypatch.setattr(_storage, "_WRITTEN_AT_ONCE", 4096)
    write_multi, calls = onecast.File.write_multi, 0

    def interrupted(*arguments):
        nonlocal calls
        calls += 1
        if calls == 5:
            signal.raise_signal(signal.SIGINT)
        return write_multi(*arguments)

    data = {"x": np.arange(3000), "l": [[k, 2] for k in range(3000)]}
    with monkeypatch.context() as patch:
        patch.setattr(onecast.File, "write_multi", interrupted)
        with pytest.raises(KeyboardInterrupt):
            events.write(path, data, chunk_bytes=1000, compression=compression)
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]
    with events.create(path, chunk_bytes=1000, compression=compression) as writer:
        for part in (slice(0, 7), slice(7, 2900), slice(2900, 3000)):
            writer.append({name: array[part] for name, array in data.items()})
            writer.flush()
    with events.open(path) as opened:
        assert opened["x"].to_list() == list(range(3000)) and opened["l"].to_list() == data["l"]
    assert events.check(path, data=True) == []


@pytest.mark.parametrize("name", ["a.pds", "a.ROOT"])
def test_columns_have_no_names_of_other_kinds(tmp_path, path, name):
    events.write(path, {"x": [1]})
    for call in (
        lambda: events.write(tmp_path / name, {"x": [1]}),
        lambda: events.create(tmp_path / name),
        lambda: events.convert(path, tmp_path / name),
    ):
        with pytest.raises(ValueError, match=f"{name}: columns are HDF5"):
            call()
    assert not (tmp_path / name).exists()


def test_a_target_without_a_name(path, calls_that_make):
    events.write(path, {"x": [1]})
    for call in calls_that_make("", path):
        with pytest.raises(ValueError, match=r"(path|target): a file was expected, not ''"):
            call()
    with pytest.raises(ValueError, match="types: the name of a column is empty"):
        events.create(path, types={"": "int64"})


@pytest.fixture
def protected():
    """Yields a read-only file, in a folder where others may replace it."""
    folder = Path(tempfile.mkdtemp())  # other users cannot enter pytest's own folders
    path = folder / "a.h5"
    events.write(path, {"old": [1]})
    path.chmod(0o444)
    folder.chmod(0o777)
    yield path
    shutil.rmtree(folder)


def test_a_file_that_is_read_only_stays(protected, calls_that_make):
    before = protected.read_bytes()
    is_root = os.geteuid() == 0  # permissions do not bind root
    if is_root:
        os.seteuid(65534)
    try:
        source = protected.with_name("source.h5")
        events.write(source, {"x": [1]})
        link = protected.with_name("link.h5")
        link.symlink_to(protected)
        for target in (protected, link):
            for call in calls_that_make(target, source):
                with pytest.raises(PermissionError, match=r"(a|link)\.h5"):
                    call()
    finally:
        if is_root:
            os.seteuid(0)
    assert protected.read_bytes() == before
    assert sorted(p.name for p in protected.parent.iterdir()) == ["a.h5", "link.h5", "source.h5"]


def test_all_ranks_leave_a_file_that_is_read_only(protected, mpirun):
    program = """
import os
import awkward
from onecast import events
if os.geteuid() == 0:
    os.seteuid(65534)
path = sys.argv[1]
source = path[:-4] + "b.h5"
events.write(source, {"x": [1]}, comm=comm)
for call in (
    lambda: events.write(path, {"x": [1]}, comm=comm),
    lambda: events.convert(source, path, comm=comm),
):
    texts = same_everywhere(call, PermissionError)
    assert path in texts[0] and len(set(texts)) == 1, texts
"""
    mpirun(3, program, protected)
    with events.open(protected) as opened:
        assert opened.columns == ["old"]


def test_a_file_without_columns_is_converted(tmp_path, path):
    events.write(tmp_path / "in.h5", {})
    assert events.convert([tmp_path / "in.h5"] * 2, path) == 0
    with events.open(path) as opened:
        assert len(opened) == 0 and opened.columns == []


def test_sigterm_ends_the_command(tmp_path, path):
    path.write_bytes(b"what was there")
    source = tmp_path / "in.h5"
    events.write(source, {"x": np.arange(2_000_000)})
    code = "import sys; from onecast_cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "events", "convert", "--batch", "100", source, path]
    with subprocess.Popen(command) as process:
        while process.poll() is None and not list(tmp_path.glob("*.part")):
            time.sleep(0.01)
        process.terminate()
    assert process.returncode == 128 + 15
    assert path.read_bytes() == b"what was there" and not list(tmp_path.glob("*.part"))
