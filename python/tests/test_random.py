"""Random selections compared with numpy, random histories of a file with a model and h5py"""

import tempfile
from pathlib import Path

import h5py
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onecast

pytestmark = pytest.mark.long

DTYPES = st.sampled_from(["i1", ">i4", "<f8", "S3", "c8", [("a", "<i2"), ("b", ">f8")]])
SHAPES = hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=9)


@st.composite
def selections(draw):
    shape = draw(SHAPES)
    index = draw(hnp.basic_indices(shape, allow_newaxis=False))
    index = index if isinstance(index, tuple) else (index,)
    return shape, tuple(
        slice(i.start, i.stop, abs(i.step) if i.step else None) if isinstance(i, slice) else i
        for i in index
    )


def values_of(shape, dtype):
    values = np.zeros(shape, dtype)
    raw = values.view("u1").reshape(-1) if values.ndim else values.view("u1")
    raw[:] = np.arange(1, raw.size + 1) % 120 + 1
    return values


def same(ours, expected):
    np.testing.assert_array_equal(ours, expected)
    assert np.shape(ours) == np.shape(expected)


@settings(deadline=None, max_examples=150)
@given(selection=selections(), dtype=DTYPES, kind=st.sampled_from(["compact", "apart", "chunked"]))
def test_selections(selection, dtype, kind):
    shape, index = selection
    values = values_of(shape, dtype)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.h5"
        if kind == "chunked":
            chunks = tuple(max(1, extent // 2) for extent in shape)
            with h5py.File(path, "w") as f:
                f.create_dataset("x", data=values, chunks=chunks, compression="gzip")
        else:
            with onecast.File(path, "w") as f:
                f.create_dataset("x", data=values, compact=kind == "compact")
        with onecast.File(path) as f:
            same(f["x"][...], values)
            same(f["x"][index], values[index])
        if kind != "chunked":
            with onecast.File(path, "r+") as f:
                f["x"][index] = values[index][::-1] if np.ndim(values[index]) else values[index]
            expected = values.copy()
            expected[index] = values[index][::-1] if np.ndim(values[index]) else values[index]
            with h5py.File(path) as f:
                same(f["x"][...], expected)


NAMES = st.sampled_from(
    ["a", "b", "a/b", "a/c", "b/a/c", "ü", "x" * 300] + [f"n{i}" for i in range(9)]
)
VALUES = hnp.arrays(
    dtype=st.sampled_from(["<i4", ">f8", "u1"]), shape=hnp.array_shapes(max_dims=2, max_side=40)
)
STEPS = st.one_of(
    st.tuples(st.just("group"), NAMES),
    st.tuples(st.just("dataset"), NAMES, VALUES),
    st.tuples(st.just("write"), NAMES, st.integers(0, 100)),
    st.tuples(st.just("attribute"), NAMES, st.sampled_from("pqrstuvwxyz"), VALUES),
    st.tuples(st.just("attribute"), NAMES, st.sampled_from("pqrstuvwxyz"), st.text(max_size=20)),
    st.tuples(st.just("remove attribute"), NAMES, st.sampled_from("pqrstuvwxyz")),
    st.tuples(st.just("delete"), NAMES),
    st.tuples(st.just("create many"), NAMES, st.integers(40, 100)),
    st.tuples(st.just("delete many"), NAMES, st.integers(2, 7)),
    st.tuples(st.just("flush")),
    st.tuples(st.just("reopen")),
)


def apply(f, step):
    """Makes a step with either library. Returns True if that was possible."""
    kind, *arguments = step
    try:
        match kind:
            case "group":
                f.create_group(arguments[0])
            case "dataset":
                f[arguments[0]] = arguments[1]
            case "write":
                f[arguments[0]][0] = arguments[1]
            case "attribute":
                f[arguments[0]].attrs[arguments[1]] = arguments[2]
            case "remove attribute":
                del f[arguments[0]].attrs[arguments[1]]
            case "delete":
                del f[arguments[0]]
            case "create many":
                for i in range(arguments[1]):
                    f.create_group(f"{arguments[0]}/member {i}")
            case "delete many":
                group = f[arguments[0]]
                for name in sorted(group)[:: arguments[1]]:
                    del group[name]
    except (KeyError, ValueError, OSError, TypeError, AttributeError):
        return False
    return True


@settings(deadline=None, max_examples=150)
@given(steps=st.lists(STEPS, min_size=1, max_size=60))
def test_histories(steps):
    with tempfile.TemporaryDirectory() as folder:
        path, model_path = Path(folder) / "ours.h5", Path(folder) / "model.h5"
        ours = onecast.File(path, "w")
        model = h5py.File(model_path, "w", track_order=True)
        for step in steps:
            if step[0] == "flush":
                ours.flush()
            elif step[0] == "reopen":
                ours.close()
                ours = onecast.File(path, "r+")
            else:
                assert apply(ours, step) == apply(model, step), step
        compare(ours, model)
        ours.close()
        with onecast.File(path) as ours:
            compare(ours, model)
        with h5py.File(path) as theirs:
            compare(theirs, model)
        model.close()


def compare(ours, model):
    assert set(ours) == set(model)
    for name in model:
        assert isinstance(ours[name], type(ours["/"])) == isinstance(model[name], h5py.Group)
        attrs = ours[name].attrs
        assert set(attrs) == set(model[name].attrs)
        for key, expected in model[name].attrs.items():
            value = attrs[key]
            same(value.decode() if isinstance(value, bytes) else value, expected)
        if isinstance(model[name], h5py.Group):
            compare(ours[name], model[name])
        else:
            assert ours[name].dtype == model[name].dtype
            same(ours[name][...], model[name][...])
