"""Onecast in h5py's place"""

import subprocess
import sys

import pytest

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


def run(program, folder, *given):
    return subprocess.run(
        [sys.executable, "-c", program, *given], cwd=folder, capture_output=True, text=True
    )


def test_libraries_find_onecast(tmp_path):
    done = run(PROGRAM, tmp_path)
    assert done.returncode == 0, done.stderr


INNER = """
import sys
import numpy as np
if sys.argv[1] == "onecast":
    import onecast
    onecast.install_as_h5py()
import h5py, h5py.utils, h5py.defs
from h5py._hl.base import default_lapl, default_lcpl, find_item_type, guess_dtype
from h5py._hl.files import make_fapl, make_fid
from h5py._hl.filters import guess_chunk
from h5py import h5p
assert default_lapl() is None and default_lcpl().get_create_intermediate_group()
assert find_item_type([["a", "b"], ["c"]]) is str and find_item_type(["a", b"b"]) is None
assert find_item_type(np.array(["a"], object)) is str and find_item_type(np.zeros(2)) is None
assert find_item_type(np.array([], object)) is find_item_type([]) is None
assert find_item_type(5) is int and find_item_type([(1,), (2.5,)]) is None
assert find_item_type(np.array(["a"], h5py.string_dtype())) is None
assert h5py.check_string_dtype(guess_dtype("a")) and guess_dtype([1, 2]) is None
chunk = guess_chunk((1000, 0, 30), (None, None, 30), 8)
assert len(chunk) == 3 and min(chunk) > 0
try:
    guess_chunk((), None, 8)
except ValueError:
    pass
else:
    raise AssertionError
fapl = make_fapl(None, "latest", 521, 1 << 20, 0.75, locking=None, page_buf_size=0, min_meta_keep=0,
                 min_raw_keep=0, alignment_threshold=1, alignment_interval=1, meta_block_size=None)
for mode, block in (("w", 512), ("r", None), ("r+", None), ("a", None), ("a", 512)):
    file = h5py.File(make_fid(b"f.h5", mode, block, fapl))
    assert file.mode == ("r" if mode == "r" else "r+") and file.userblock_size == 512
    file.close()
h5py.File(make_fid(b"new.h5", "a", None, fapl)).close()
for mode, error in (("x", FileExistsError), ("q", ValueError)):
    try:
        make_fid(b"f.h5", mode, None, fapl)
    except error:
        pass
    else:
        raise AssertionError(mode)
"""


@pytest.mark.parametrize("which", ["h5py", "onecast"])
def test_names_of_inner_modules(tmp_path, which):
    done = run(INNER, tmp_path, which)
    assert done.returncode == 0, done.stderr


def test_modules_without_being_in_the_place_of_h5py(tmp_path):
    done = run(DIRECT, tmp_path)
    assert done.returncode == 0, done.stderr


DIRECT = """
import onecast.h5d
import onecast.h5t as h5t
from onecast.h5s import UNLIMITED
from onecast._hl.base import phil, find_item_type
from onecast._hl.filters import guess_chunk
from onecast import _hl
import onecast
assert onecast.h5t is h5t and "h5py" not in __import__("sys").modules
assert onecast.Dataset.__module__ == "onecast._dataset"
with onecast.File("f.h5", "w") as f:
    f["x"] = 1
"""


def test_too_late(tmp_path):
    done = run("import h5py, onecast; onecast.install_as_h5py()", tmp_path)
    assert "RuntimeError: install_as_h5py: h5py is imported already" in done.stderr


def test_every_public_name_of_h5py_is_there():
    """These are the names of its package; docs/reference/h5py.md lists the differences."""
    import h5py

    import onecast

    names = {name for name in dir(h5py) if not name.startswith("_")}
    absent = {"atexit", "ipy_completer", "run_tests", "utils", "defs", "h5py_warnings", "tests"}
    assert {name for name in names - absent if not hasattr(onecast, name)} == set()
    for kind in ("File", "Group", "Dataset", "Datatype", "AttributeManager"):
        theirs, ours = getattr(h5py, kind), getattr(onecast, kind)
        members = {name for name in dir(theirs) if not name.startswith("_")}
        assert {name for name in members if not hasattr(ours, name)} == set(), kind
