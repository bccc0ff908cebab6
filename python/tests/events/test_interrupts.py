"""After Ctrl-C at any moment, earlier events are in the file, and those being appended are not."""

import itertools
import signal

import numpy as np
import pytest

import onecast
from onecast import events
from onecast.events import _storage

CALLS = (
    (_storage.GrowingArray, "take"),
    (_storage.GrowingArray, "make_room"),
    (onecast.File, "write_multi"),
    (onecast.Group, "create_dataset"),
)


class Interrupts:
    """Raises Ctrl-C after the n-th of CALLS."""

    def __init__(self, patch, number):
        self.left = number
        for where, name in CALLS:
            patch.setattr(where, name, self.counted(getattr(where, name)))

    def counted(self, call):
        def counted(*arguments, **options):
            found = call(*arguments, **options)
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)
            return found

        return counted


def batch(start, count):
    number = np.arange(start + 1, start + 1 + count)
    lists = [[int(n)] * (n % 3) for n in number]
    return {"run": np.ones(count, "u4"), "lumi": np.ones(count, "u4"), "event": number, "l": lists}


def interrupted(monkeypatch, work):
    """Yields each number of a call after which `work` is interrupted, with its result before that,
    until `work` finishes."""
    for number in itertools.count(1):
        with monkeypatch.context() as patch:
            state = work.begin()
            Interrupts(patch, number)
            try:
                work.go_on(state)
                return
            except KeyboardInterrupt:
                pass
        yield state


class Work:
    """Appends 1000 events, with an interrupt in `what`."""

    def __init__(self, path, what, flushes):
        self.path, self.what, self.flushes = path, what, flushes

    def begin(self):
        writer = events.create(self.path, compression="none", chunk_bytes=800)
        writer.append(batch(0, 700))
        if self.flushes:
            writer.flush()
        writer.append(batch(700, 300))
        return writer

    def go_on(self, writer):
        if self.what == "append":
            writer.append(batch(5000, 700))
        else:
            getattr(writer, self.what)()


@pytest.mark.parametrize("flushes", [False, True])
@pytest.mark.parametrize("what", ["append", "flush"])
def test_the_writer_goes_on(path, monkeypatch, what, flushes):
    times = 0
    for writer in interrupted(monkeypatch, Work(path, what, flushes)):
        writer.append(batch(1000, 30))
        writer.close()
        assert events.check(path, data=True) == []
        with events.open(path) as opened:
            assert opened.to_awkward(["event"])["event"].to_list() == list(range(1, 1031))
            assert opened.to_awkward(["l"])["l"].to_list() == batch(0, 1030)["l"]
            assert opened.find(1, 1, 1017) == 1016
        times += 1
    assert times > 5


@pytest.mark.parametrize("flushes", [False, True])
def test_an_interrupted_close(path, monkeypatch, flushes):
    """What was flushed stays. A file that was never flushed is removed."""
    times = 0
    for writer in interrupted(monkeypatch, Work(path, "close", flushes)):
        assert not writer.is_open
        assert path.exists() == flushes
        if flushes:
            with events.open(path) as opened:
                assert opened["event"].to_list() == list(range(1, 701))
        times += 1
    assert times > 5
