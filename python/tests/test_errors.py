"""The exception for each kind of error; see python/README.md"""

import builtins
import errno
import re
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast

KINDS = Path(__file__).parents[2] / "include/onecast/base/error_kinds.hpp"


def test_the_exceptions_of_the_table_are_those_there_are():
    table = KINDS.read_text()
    kinds = re.findall(r"KIND\((\w+), (\w+), (\"[^\"]+\"), (\w+)\)", table)
    own = re.findall(r"EXCEPTION\((\w+Error), \"([\w ]+)\",", table)
    assert len(kinds) == 8
    for name, bases in own:
        found = tuple(getattr(builtins, base) for base in bases.split())
        assert getattr(onecast, name).__bases__ == found
        assert getattr(onecast, name).__doc__
    for *_, exception in kinds:
        assert exception in dict(own) or issubclass(getattr(builtins, exception), Exception)


def test_bases():
    assert issubclass(onecast.FormatError, OSError)
    assert issubclass(onecast.UnsupportedError, NotImplementedError)
    assert issubclass(onecast.DivergedError, RuntimeError)
    assert onecast.FormatError.__module__ == "onecast"


def test_not_found(path):
    with onecast.File(path, "w") as f:
        with pytest.raises(KeyError, match="zz"):
            f["zz"]
        with pytest.raises(KeyError, match="zz"):
            f.attrs["zz"]
        with pytest.raises(KeyError, match="zz"):
            del f["zz"]
        with pytest.raises(KeyError, match="zz"):
            del f.attrs["zz"]
    with pytest.raises(FileNotFoundError, match="missing"):
        onecast.File(path.with_name("missing"))


def test_operating_system(tmp_path):
    with pytest.raises(OSError) as caught:
        onecast.File(tmp_path / ("x" * 300))
    assert caught.value.errno == errno.ENAMETOOLONG


def test_format(path):
    path.write_bytes(b"no HDF5 at all" * 1000)
    with pytest.raises(onecast.FormatError, match=r"file\.h5"):
        onecast.File(path)
    path.write_bytes(b"")
    with pytest.raises(onecast.FormatError):
        onecast.File(path)


def test_arguments(path):
    with onecast.File(path, "w") as f:
        f.create_group("a")
        with pytest.raises(ValueError, match="a"):
            f.create_group("a")
        with pytest.raises(ValueError):
            f.create_dataset("n", data=onecast.Empty("i4"))[()] = 3
        with pytest.raises(ValueError):
            f.create_group("nul\0byte")
        with pytest.raises(ValueError):
            f.create_dataset("q", (-1,), "i4")
    for options in ({"page_size": 1000}, {"load_policy": "sometimes"}):
        with pytest.raises(ValueError):
            onecast.File(path, "w", **options)
    with pytest.raises(TypeError, match="pagesize"):
        onecast.File(path, "w", pagesize=4096)
    with pytest.raises(TypeError):
        onecast.File(path, "w", page_size="many")


def test_closed(path):
    f = onecast.File(path, "w")
    x = f.create_dataset("x", data=1)
    f.close()
    for access in (lambda: f["x"], lambda: x[()], lambda: f.attrs["a"], f.flush, lambda: x.shape):
        with pytest.raises(ValueError, match="closed"):
            access()


def test_data_of_type_u_is_utf_8(tmp_path):
    with onecast.File(tmp_path / "f.h5", "w") as f:
        f["x"] = np.array(["a", "é"])
    with h5py.File(tmp_path / "f.h5") as f:
        assert f["x"].dtype == h5py.string_dtype(length=2)
        assert f["x"].asstr()[:].tolist() == ["a", "é"]


def test_no_negative_size(tmp_path):
    with onecast.File(tmp_path / "f.h5", "w") as f:
        x = f.create_dataset("x", (3,), "i4", maxshape=(None,))
        with pytest.raises(ValueError, match="from 0 on"):
            x.resize((-1,))
        assert x.shape == (3,)


def test_wrong_arguments_are_named(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (3,), "i4", maxshape=(None,))
        texts = f.create_dataset("texts", (3,), onecast.string_dtype())
        rows = f.create_dataset("rows", (3,), onecast.vlen_dtype("i4"))
        for call, kind, text in (
            (lambda: x.resize("ab"), TypeError, "size: a tuple of integers was expected"),
            (lambda: f.prefetch_all(5), TypeError, "path: a str was expected, not int"),
            (lambda: f.create_group("a\0b"), ValueError, 'link name "a"...: at most'),
            (lambda: texts.__setitem__(0, "a\0b"), ValueError, 'text "a"...: has NUL'),
            (lambda: rows.__setitem__(0, 5), TypeError, "a sequence was expected"),
        ):
            with pytest.raises(kind, match=text):
                call()
        assert x.shape == (3,) and len(f) == 3


@pytest.mark.parametrize("dtype", ["U5", "M8[s]", "m8[s]", "O", "S0"])
def test_dtypes_that_cannot_be_stored(path, dtype):
    dtype = np.dtype(dtype)
    with onecast.File(path, "w") as f:
        with pytest.raises(TypeError, match="dtype"):
            f.create_dataset("x", (3,), dtype)
        nested = np.dtype([("a", "i4"), ("b", dtype)])
        with pytest.raises(TypeError, match="dtype"):
            f.create_dataset("x", (3,), nested)
        assert len(f) == 0


def test_what_is_not_supported_says_so(path):
    with onecast.File(path, "w") as f:
        f["x"] = [1, 2, 3]
        with pytest.raises(onecast.UnsupportedError):
            f["y"] = onecast.HardLink()
        assert list(f) == ["x"]


def test_comm_needs_a_communicator(path):
    with pytest.raises((TypeError, onecast.UnsupportedError)):
        onecast.File(path, "w", comm="world")
