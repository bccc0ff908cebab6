"""Onecast in h5py's place."""

import subprocess
import sys

PROGRAM = """
import onecast
onecast.install_as_h5py()
onecast.install_as_h5py()
import h5py, h5py.h5d
from h5py import File, h5t
from h5py._hl.base import phil, HLObject
from h5py.h5s import UNLIMITED
import h5py._hl.files
assert File is onecast.File and h5py.h5d is onecast.h5d and h5py.__version__ == "3.16.0"
assert h5py.version.hdf5_version_tuple >= (1, 14) and h5py.get_config().track_order is False
with File("f.h5", "w") as f:
    f["b"] = f["a"] = 1
    assert list(f) == ["a", "b"] and isinstance(f, HLObject)
    names = [type(thing).__module__ for thing in (f, f["a"], f["a"].id, f.attrs)]
assert names == ["h5py._hl.files", "h5py._hl.dataset", "h5py.h5d", "h5py._hl.attrs"], names
with phil:
    pass
"""


def run(program, folder):
    return subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True
    )


def test_libraries_find_onecast(tmp_path):
    done = run(PROGRAM, tmp_path)
    assert done.returncode == 0, done.stderr


def test_too_late(tmp_path):
    done = run("import h5py, onecast; onecast.install_as_h5py()", tmp_path)
    assert "RuntimeError: install_as_h5py: h5py is imported already" in done.stderr


def test_every_public_name_of_h5py_is_there():
    """Those of its package; docs/reference/h5py.md says what differs."""
    import h5py

    import onecast

    names = {name for name in dir(h5py) if not name.startswith("_")}
    absent = {"atexit", "ipy_completer", "run_tests", "utils", "defs", "h5py_warnings", "tests"}
    assert {name for name in names - absent if not hasattr(onecast, name)} == set()
    for kind in ("File", "Group", "Dataset", "Datatype", "AttributeManager"):
        theirs, ours = getattr(h5py, kind), getattr(onecast, kind)
        members = {name for name in dir(theirs) if not name.startswith("_")}
        assert {name for name in members if not hasattr(ours, name)} == set(), kind
