"""A file is replaced when all of the new one is written; nothing else is touched."""

import contextlib
import os
import stat

import numpy as np
import pytest

from onecast import events

pytest.importorskip("awkward")


def test_a_second_writer_leaves_the_first_alone(path, tmp_path):
    """Both replace one file at the same time: the last has its file there, and nobody fails."""
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
