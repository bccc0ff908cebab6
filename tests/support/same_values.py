"""Compares what onecast and h5py found."""

import h5py
import numpy as np

import onecast


def plain(value):
    """Returns the metadata of a dtype, with equal names for h5py and onecast, and its layout."""
    dtype = np.dtype(value)
    marks = dict(dtype.metadata or {})
    if "ref" in marks:
        marks["ref"] = marks["ref"].__name__
    if isinstance(marks.get("vlen"), np.dtype):
        marks["vlen"] = plain(marks["vlen"])
    if dtype.names:
        return [(name, plain(dtype.fields[name][0]), dtype.fields[name][1]) for name in dtype.names]
    if dtype.subdtype:
        return (dtype.subdtype[1], plain(dtype.subdtype[0]))
    return (dtype.str, marks)


def assert_same(ours, theirs):
    if isinstance(theirs, h5py.Empty):
        assert isinstance(ours, onecast.Empty)
        assert ours.dtype == theirs.dtype
    elif isinstance(theirs, h5py.Reference | h5py.RegionReference):
        assert type(ours).__name__ == type(theirs).__name__
        assert bool(ours) == bool(theirs)
    elif isinstance(theirs, np.ndarray | np.void) and theirs.dtype.names:
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        for name in theirs.dtype.names:
            assert_same(ours[name], theirs[name])
    elif isinstance(theirs, np.ndarray):
        assert isinstance(ours, np.ndarray)
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        if theirs.dtype.kind == "O":
            for one, other in zip(ours.flat, theirs.flat, strict=True):
                assert_same(one, other)
        else:
            np.testing.assert_array_equal(ours, theirs)
    elif isinstance(theirs, np.bytes_) and isinstance(ours, str):
        assert ours.encode("utf-8", "surrogateescape") == theirs  # the string of an attribute
    else:
        assert type(ours) is type(theirs)
        assert ours == theirs or (ours != ours and theirs != theirs)
