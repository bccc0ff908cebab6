"""What opens, what does not and why, and when a file is closed"""

import copy
import errno
import gc
import os
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest
from event_files import sample_events, write_pds

import onecast
from onecast import events

ak = pytest.importorskip("awkward")

KILLED = """
import os, signal, sys
import numpy as np
from onecast import events
writer = events.create(sys.argv[1], chunk_bytes=64)
for number in range(int(sys.argv[2])):
    writer.append({"x": np.arange(100)})
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.leaves_damage
@pytest.mark.parametrize("appends", [0, 1, 100])
def test_a_writer_that_was_killed(path, appends):
    """The writer was killed before its first flush, and the file says only this."""
    done = subprocess.run([sys.executable, "-c", KILLED, path, str(appends)])
    assert done.returncode == -9
    with pytest.raises(onecast.FormatError, match="holds nothing yet: its writer") as caught:
        events.open(path)
    assert str(path) in str(caught.value) and "first flush" in str(caught.value)
    with pytest.raises(onecast.FormatError, match="first flush"):
        events.check(path)


def test_a_file_without_bytes(path):
    path.touch()
    with pytest.raises(onecast.FormatError, match="holds nothing yet"):
        events.open(path)


def test_other_files_of_zeros(path):
    """Only the first bytes tell that nothing was written."""
    path.write_bytes(b"text" + bytes(100))
    with pytest.raises(onecast.FormatError, match="holds no events of a known kind"):
        events.open(path)
    with onecast.File(path, "w"):
        pass
    with pytest.raises(onecast.FormatError, match="holds no events of a known kind"):
        events.open(path)


def whole():
    return ak.Array(
        {
            "n": np.arange(5),
            "l": [[1], [], [2, 3], [], [4]],
            "u": [1, "a", [2.5], "b", 3],
            "r": [{"x": [1, None], "y": "z"}] * 5,
        }
    )


USES = {
    "nothing": lambda opened: opened.to_awkward(),
    "a column": lambda opened: opened["l"].to_list(),
    "all": lambda opened: opened.to_awkward().to_list(),
    "a part": lambda opened: opened[1:3].to_list(),
    "an event": lambda opened: opened[2].to_list(),
    "numbers": lambda opened: opened.to_numpy(),
    "together": lambda opened: opened.read_all(),
    "padded": lambda opened: opened.to_padded(None, 2),
    "batches": lambda opened: [batch.to_list() for batch in opened.batches(2)],
    "checked": lambda opened: events.kind_of(opened.path).check(opened, True),
}


@pytest.mark.parametrize("use", USES)
def test_a_file_is_closed_when_nothing_needs_it(path, use):
    """It is closed at once, not by the next garbage collection."""
    events.write(path, whole())
    opened = events.open(path)
    file = weakref.ref(opened.file)
    gc.collect()
    gc.disable()
    try:
        found = USES[use](opened)
        del opened, found
        assert file() is None
    finally:
        gc.enable()


def test_arrays_keep_the_file_that_they_need(path):
    events.write(path, whole())
    opened = events.open(path)
    array = opened.to_awkward(["l"])
    del opened
    assert array["l"].to_list() == whole()["l"].to_list()


WRITING = """
import sys
from onecast import events
writer = events.create(sys.argv[1])
writer.append({"x": [1]})
writer.flush()
print("here", flush=True)
sys.stdin.read()
"""


def test_a_file_that_is_written_is_waited_for(path):
    """The error does not advise to turn locks off, since only half of the data might be read
    then."""
    command = [sys.executable, "-c", WRITING, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        for call in (events.open, events.check, events.index):
            with pytest.raises(BlockingIOError, match="wait until its writer closes it") as caught:
                call(path)
            assert caught.value.errno == errno.EAGAIN and str(path) in str(caught.value)
            assert "LOCKING" not in str(caught.value)
        process.stdin.close()
    with events.open(path) as opened:
        assert len(opened) == 1


def test_paths_of_bytes(path):
    name = os.fsencode(path)
    events.write(name, {"a": [1, 2]})
    with events.open(name) as opened:
        assert opened["a"].to_list() == [1, 2] and opened.path == str(path)
    with events.open(name + b":Events") as opened:
        assert len(opened) == 2
    other = name + b"2"
    assert events.convert(name, other) == 2
    with pytest.raises(ValueError, match="its own source"):
        events.convert(name, name)
    with events.create(other) as writer:
        writer.append({"run": [1], "lumi": [2], "event": [3]})
    assert events.index(other) == 1 and events.check(other) == []
    assert events.kind_of(other).name == "columnar"
    with pytest.raises(ZeroDivisionError), events.create(other):
        raise ZeroDivisionError
    assert not os.path.exists(other)


NO_PATHS = {
    "open": lambda wrong, path: events.open(wrong),
    "create": lambda wrong, path: events.create(wrong),
    "write": lambda wrong, path: events.write(wrong, {"a": [1]}),
    "source": lambda wrong, path: events.convert(wrong, path),
    "target": lambda wrong, path: events.convert(path, wrong),
    "check": lambda wrong, path: events.check(wrong),
    "index": lambda wrong, path: events.index(wrong),
    "kind_of": lambda wrong, path: events.kind_of(wrong),
}


@pytest.mark.parametrize("call", NO_PATHS)
@pytest.mark.parametrize("wrong", [None, 5, [["a"]]])
def test_what_is_no_path(path, call, wrong):
    events.write(path, {"a": [1]})
    argument = call if call in ("source", "target") else "path"
    with pytest.raises(TypeError, match=f"{argument}: a path was expected, not "):
        NO_PATHS[call](wrong, path)


@pytest.mark.parametrize("copied", [copy.copy, lambda e: pickle.loads(pickle.dumps(e))])
def test_pickled(path, monkeypatch, copied):
    """The file is opened again by its path, its group and its options."""
    events.write(path, whole(), name="Others")
    monkeypatch.chdir(path.parent)
    opened = events.open(f"{path.name}:Others", sharing="serve")
    found = copied(opened)
    monkeypatch.chdir("/")
    opened.close()
    with found:
        assert found.group.name == "/Others" and found.path == str(path)
        assert found.to_awkward().to_list() == whole().to_list()
    with pytest.raises(TypeError, match=r"only open files.*its path"):
        pickle.dumps(opened)


DESCRIBED_BY_NOTHING = """
import os, sys
import numpy as np
from onecast import events
writer = events.create(sys.argv[1], chunk_bytes=64)
for number in range(int(sys.argv[2])):
    writer.append({"x": np.arange(100), "l": [[1]] * 100})
writer.file.flush()
os._exit(9)
"""


@pytest.mark.leaves_damage
@pytest.mark.parametrize("appends", [0, 100])
def test_a_group_that_nothing_describes_yet(path, appends):
    """HDF5 may write metadata before the first flush of the writer."""
    done = subprocess.run([sys.executable, "-c", DESCRIBED_BY_NOTHING, path, str(appends)])
    assert done.returncode == 9
    for name in (path, f"{path}:Events"):
        with pytest.raises(onecast.FormatError, match="holds nothing yet: its writer"):
            events.open(name)


@pytest.mark.parametrize("name", ["numbers", "data"])
def test_other_groups_are_no_unfinished_events(path, name):
    with onecast.File(path, "w") as file:
        file[f"g/{name}"] = [1, 2]
    with pytest.raises(onecast.FormatError, match="holds no events of a known kind"):
        events.open(path)


@pytest.mark.parametrize("name", [b"p0_0", b"Thing"])
def test_names_in_pds_that_are_no_utf_8(tmp_path, name):
    pytest.importorskip("onecast._events", reason="Onecast was built without the events layer")
    sample = sample_events()
    path = tmp_path / "a.pds"
    write_pds(path, sample, dict.fromkeys(sample[0][3], "Thing"), "none")
    path.write_bytes(path.read_bytes().replace(name, b"\xff" + name[1:]))
    with pytest.raises(onecast.FormatError, match=r"a\.pds: the name of .* is no UTF-8: b'.xff"):
        events.open(path)


def test_the_package_has_it_without_an_import():
    program = "import onecast; print(onecast.events.kinds()[0].name)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "columnar\n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = onecast.nothing
