"""A file tells that its writer was killed after a flush."""

import subprocess
import sys

import numpy as np
import pytest

from onecast import events

PROGRAM = """
import os, signal, sys
import numpy as np
from onecast import events

writer = events.create(sys.argv[1])
for n in range(2):
    number = np.arange(100) + 100 * n
    writer.append({"run": number, "lumi": number, "event": number})
    writer.flush() if n == 0 else os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def killed(path):
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], timeout=100)
    assert done.returncode == -9
    return path


def test_a_killed_writer(killed):
    assert events.check(killed) == [
        "its writer was interrupted: 100 events were flushed, later ones are lost"
    ]
    with events.open(killed) as opened:
        assert opened.is_unfinished and len(opened) == 100
        with pytest.raises(ValueError, match="interrupted; `onecast events index "):
            opened.find(1, 1, 1)
    assert events.index(killed) == 100
    assert events.check(killed, data=True) == []
    with events.open(killed) as opened:
        assert not opened.is_unfinished and opened.find(17, 17, 17) == 17


def test_a_writer_that_ends(path):
    with events.create(path) as writer:
        writer.append({"x": np.ones(3)})
        writer.flush()
    with events.open(path) as opened:
        assert not opened.is_unfinished
    assert events.check(path) == []


def test_several_groups(path):
    import onecast

    for name in ("A", "B"):
        events.write(path.with_name(f"{name}.h5"), {"x": np.ones(3)}, name=name)
    with (
        onecast.File(path.with_name("A.h5"), "r+") as a,
        onecast.File(path.with_name("B.h5")) as b,
    ):
        b.copy("B", a, "B")
    with pytest.raises(onecast.FormatError, match=r"not 2; FILE:NAME names one \(A, B\)"):
        events.open(path.with_name("A.h5"))


def test_a_file_without_identities_is_finished(path):
    writer = events.create(path)
    writer.append({"x": np.arange(3)})
    writer.flush()
    writer.abandon("as if it was killed")
    assert events.check(path) != []
    with pytest.warns(UserWarning, match="finished, without an index"):
        assert events.index(path) is None
    assert events.check(path) == []
    with pytest.raises(ValueError, match="no columns are run, lumi, event"):
        events.index(path)


def test_a_file_that_is_being_written(path):
    """It is locked, before the first flush and after it."""
    program = f"from onecast import events; events.open({str(path)!r})"
    with events.create(path) as writer:
        writer.append({"x": np.arange(3)})
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
            assert "BlockingIOError" in done.stderr
            writer.flush()
