"""A disk becomes full: what is left, and the error"""

import os

import numpy as np
import pytest

import onecast
from onecast import events


def full(folder, kilobytes=0):
    """Leaves this much room on the disk."""
    has = os.statvfs(folder)
    (folder / "fill").write_bytes(bytes(has.f_bavail * has.f_frsize - kilobytes * 1024))


@pytest.mark.parametrize("kilobytes", [4, 8, 20, 28])
@pytest.mark.parametrize("flushes", [False, True])
def test_nothing_unreadable_is_left(small_disk, kilobytes, flushes):
    """Some cases fail in the flush, others when the file is closed."""
    folder = small_disk("4m")
    full(folder, kilobytes)
    path = folder / "a.h5"
    with (
        pytest.raises(OSError, match="No space left"),
        events.create(path, compression="none") as writer,
    ):
        writer.append({"x": np.arange(1000)})
        if flushes:
            writer.flush()
        writer.append({"x": np.arange(1000, 4000)})
    assert not writer.is_open
    assert path.exists() == writer.was_flushed
    if writer.was_flushed:
        with events.open(path) as opened:
            assert opened["x"].to_list() == list(range(1000))


@pytest.mark.parametrize("flushes", [False, True])
def test_a_file_that_cannot_be_closed(path, monkeypatch, flushes):
    writer = events.create(path)
    writer.append({"x": [1]})
    if flushes:
        writer.flush()
    close = onecast.File.close

    def no_space(file):
        close(file)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(onecast.File, "close", no_space)
    with pytest.raises(OSError, match="No space left"):
        writer.close()
    assert path.exists() == flushes


@pytest.mark.parametrize("make", [events.write, events.convert])
def test_the_file_that_does_not_fit_is_named(small_disk, tmp_path, make):
    """The error names neither the file beside it that was to replace it, nor the source."""
    columns = {"x": np.random.default_rng(1).random(1_000_000)}
    source = tmp_path / "source.h5"
    events.write(source, columns)
    folder, target = small_disk("4m"), tmp_path / "target.h5"
    target.symlink_to(folder / "target.h5")
    with pytest.raises(OSError, match=r"write of .*No space left on device") as caught:
        if make is events.write:
            events.write(target, columns)
        else:
            events.convert(source, target)
    assert caught.value.filename == str(target)
    assert "part" not in str(caught.value) and str(source) not in str(caught.value)
    assert os.listdir(folder) == []
