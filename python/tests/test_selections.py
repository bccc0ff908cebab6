"""Everything that may stand in the brackets, compared with h5py and numpy"""

import tempfile
from pathlib import Path

import h5py
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onecast

VALUES = np.arange(60, dtype="<i4").reshape(3, 4, 5)
POINTS = np.array(
    [(i, i / 2, [i] * 3) for i in range(4)], [("a", "<i4"), ("b", ">f8"), ("c", "i1", 3)]
)
LAYOUTS = ("contiguous", "compact", "chunked")


@pytest.fixture(params=LAYOUTS)
def datasets(request, path):
    """Yields the datasets of one file in h5py and in Onecast."""
    options = {"chunks": (2, 3, 2), "compression": "gzip"} if request.param == "chunked" else {}
    with h5py.File(path, "w") as f:
        if request.param == "compact":
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_layout(h5py.h5d.COMPACT)
            kind = h5py.h5t.STD_I32LE
            space = h5py.h5s.create_simple(VALUES.shape)
            h5py.h5d.create(f.id, b"x", kind, space, plist).write(space, space, VALUES)
        else:
            f.create_dataset("x", data=VALUES, **options)
        f.create_dataset("scalar", data=7)
        f.create_dataset("compound", data=POINTS)
        f.create_dataset("empty", data=h5py.Empty("f4"))
        f.create_dataset("none", (0, 3), "i4")
    with h5py.File(path) as theirs, onecast.File(path) as ours:
        yield theirs, ours


MASK = VALUES % 7 == 0
SLAB = onecast.MultiBlockSlice

GOOD = {
    "x": [
        (),
        ...,
        0,
        -1,
        True,
        np.int64(1),
        np.array(1),
        np.uint8(2),
        slice(None),
        slice(1, 100),
        slice(-2, None),
        slice(2, 1),
        slice(5, 9),
        slice(None, None, 2),
        (0, 1, 2),
        (0, 1, 2, ...),
        (..., 2),
        (0, ..., 2),
        (slice(1, 3), slice(0, 3, 2), slice(1, 4, 2)),
        [0, 2],
        (0, 2),
        ([0, 2],),
        ((0, 2),),
        range(2),
        [],
        [-2, -1],
        [False, True, True],
        np.array([True, False, True]),
        np.array([0, 1], "u1"),
        np.array([], int),
        (slice(None), [1, 3], 0),
        (0, [1, 3], slice(None)),
        (slice(0, 2), slice(None), [0, 3, 4]),
        (slice(None), [True, False, True, False]),
        (..., np.array([False, True, False, False, True])),
        (0, [1], 0),
        (np.array(1), [0, 1]),
        ([0, 1], 0, 0),
        ([0, 2], slice(0, 4, 3), slice(1, 4, 2)),
        MASK,
        (MASK,),
        np.zeros_like(MASK),
        np.ones_like(MASK),
        (SLAB(0, 2, 2, 1), 0),
        (..., SLAB(0, 3, 2, 2)),
        (slice(None), slice(None), SLAB(start=1, stride=2)),
        ([0, 2], 1, SLAB(start=1, stride=3, block=2)),
    ],
    "scalar": [(), ..., (...,)],
    "compound": [
        (),
        "a",
        ("a", "b"),
        ("b", "a", slice(0, 2)),
        ("a", 0),
        (0, "a"),
        ("a", [1, 2]),
        ("c", 1),
        ("c", slice(1, 3)),
        np.array([True, False, True, False]),
        2,
    ],
    "empty": [(), ...],
    "none": [(), slice(0, 0), (slice(None), 1), [], slice(0, 5), (slice(None), [0, 2])],
}


def same(ours, theirs):
    if isinstance(theirs, h5py.Empty):
        assert isinstance(ours, onecast.Empty) and ours.dtype == theirs.dtype
        return
    assert type(ours) is type(theirs)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    np.testing.assert_array_equal(ours, theirs)


def with_h5py(index):
    """Returns the index with h5py's own class of multi-block slices."""
    if isinstance(index, tuple):
        return tuple(with_h5py(i) for i in index)
    if isinstance(index, SLAB):
        return h5py.MultiBlockSlice(index.start, index.stride, index.count, index.block)
    return index


def test_reading(datasets):
    theirs, ours = datasets
    for name, indexes in GOOD.items():
        for index in indexes:
            expected = theirs[name][with_h5py(index)]
            same(ours[name][index], expected)
            same(ours[name][with_h5py(index)], expected)
            with ours[name].collective:
                same(ours[name].read_all(index), expected)


BAD = {
    "x": [
        [2, 0],
        [0, 0],
        ([0, 1], [1, 2]),
        ([0, 1], [True, True, False, False]),
        np.array([[0, 2]]),
        [[0], [1]],
        [0.5],
        1.0,
        None,
        (slice(1, 2), None),
        {},
        b"a",
        np.True_,
        [-4],
        np.array([True, False]),
        np.zeros((3, 4), bool),
        np.array([[True, False]]),
        (..., ...),
        (0, 0, 0, 0),
        (slice(None), 10),
        (slice(None), -5),
        slice(None, None, 0),
        slice(None, None, -1),
        "a",
        ("a", "b"),
        (..., "a"),
        ["a"],
        [np.iinfo("i8").max],
        SLAB(start=2, count=2, stride=2),
        SLAB(start=7),
    ],
    "scalar": [0, slice(None), "a"],
    "compound": ["x", ["a"], b"a"],
    "empty": [0],
    "none": [0],
}


def test_what_is_refused(datasets):
    theirs, ours = datasets
    for name, indexes in BAD.items():
        for index in indexes:
            with pytest.raises((IndexError, TypeError, ValueError)) as expected:
                theirs[name][with_h5py(index)]
            with pytest.raises(expected.type):
                ours[name][index]
            with pytest.raises(expected.type):
                ours[name].read_all(index)
    # h5py notices this too late, and raises OSError.
    with pytest.raises(IndexError, match=r"out of range for \(0-2\)"):
        ours["x"][[3]]


def test_multi_block_slices_check_themselves():
    for arguments in ({"start": -1}, {"stride": 0}, {"count": 0}, {"block": 0}, {"block": 2}):
        with pytest.raises(ValueError):
            onecast.MultiBlockSlice(**arguments)


def test_fields(datasets):
    theirs, ours = (file["compound"] for file in datasets)
    for names in ("a", "c", ["a"], ["b", "a"]):
        for index in ((), slice(1, 3), 0, [0, 2]):
            same(ours.fields(names)[index], theirs.fields(names)[index])
        same(np.asarray(ours.fields(names)), ours.fields(names)[()])
        assert len(ours.fields(names)) == 4
    for dataset, names in ((ours, "x"), (ours, ["a", "x"]), (datasets[1]["x"], "a")):
        with pytest.raises(ValueError):
            dataset.fields(names)


def test_iteration(datasets):
    theirs, ours = datasets
    for mine, other in zip(ours["x"], theirs["x"], strict=True):
        same(mine, other)
    assert len(ours["x"]) == 3
    for name in ("scalar", "empty"):
        with pytest.raises(TypeError):
            len(ours[name])
        with pytest.raises(TypeError):
            iter(ours[name])


@pytest.mark.parametrize("dtype", ["<i4", ">i2", "f8"])
@pytest.mark.parametrize(
    ("source", "dest"),
    [
        ((), ()),
        (np.s_[0:2, 1:3, 4], np.s_[1:3, 0:2, 0]),
        (np.s_[1], np.s_[2, :4, :5]),
        (np.s_[:, 1, 2], np.s_[0:3, 0, 0]),
        (np.s_[::2, ::3, 1], np.s_[0:4:2, 1:3, 3]),
        (np.s_[0, 0, 0], ()),
        (np.s_[0:1, 0:1, 0:1], np.s_[0:1, 0:1, 0:1]),
    ],
)
def test_read_direct(datasets, source, dest, dtype):
    ours = datasets[1]["x"]
    shape = VALUES.shape if dest == () and source == () else (4, 5, 6)
    mine, expected = np.full(shape, -1, dtype), np.full(shape, -1, dtype)
    ours.read_direct(mine, source, dest)
    expected[dest if dest != () else ...] = VALUES[source]
    np.testing.assert_array_equal(mine, expected)
    # An array that is not C-contiguous works, too.
    mine = np.full(shape, -1, dtype, order="F")
    ours.read_direct(mine, source, dest)
    np.testing.assert_array_equal(mine, expected)
    with pytest.raises(TypeError):
        ours.read_direct(np.empty((2, 2), dtype), np.s_[0:3, 0:3, 0])


@pytest.mark.parametrize("compact", [True, False])
def test_writing(path, tmp_path, compact):
    with onecast.File(path, "w") as ours, h5py.File(tmp_path / "theirs.h5", "w") as theirs:
        mine = ours.create_dataset("x", data=VALUES, compact=compact)
        other = theirs.create_dataset("x", data=VALUES)
        for number, index in enumerate(GOOD["x"]):
            shape = other[with_h5py(index)].shape
            values = 1000 * (number + 1) + np.arange(np.prod(shape)).reshape(shape)
            for value in (values, np.full(shape, number)):
                mine[index] = value
                other[with_h5py(index)] = value
                same(mine[...], other[...])
        expected = other[...]
    with h5py.File(path) as f:
        same(f["x"][...], expected)


@st.composite
def indexes(draw, extent):
    """Draws an index of one dimension, and the coordinates that it means."""
    kind = draw(st.sampled_from(["number", "slice", "slice", "list", "mask", "blocks"]))
    if kind == "number" and extent:
        at = draw(st.integers(-extent, extent - 1))
        return at, at % extent
    if kind == "list":
        picked = sorted(draw(st.sets(st.integers(0, extent - 1)))) if extent else []
        return picked, np.array(picked, int)
    if kind == "mask":
        mask = draw(hnp.arrays(bool, extent))
        return mask, np.flatnonzero(mask)
    if kind == "blocks" and extent:
        block = draw(st.integers(1, extent))
        stride = draw(st.integers(block, block + 2))
        start = draw(st.integers(0, extent - block))
        index = SLAB(start, stride, None, block)
        count = index.indices(extent)[2]
        starts = start + stride * np.arange(count)
        return index, (starts[:, None] + np.arange(block)).reshape(-1)
    index = draw(st.slices(extent))
    step = min(abs(index.step), 10) if index.step else None
    index = slice(index.start, index.stop, step)
    return index, np.arange(extent)[index]


@st.composite
def selections(draw):
    """Draws a shape, an index, and numpy's equivalent: all coordinates of each dimension."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=9))
    chosen, coordinates = [], []
    has_list = False
    for extent in shape:
        index, at = draw(indexes(extent))
        if has_list and is_list(index):  # h5py takes one list
            index, at = slice(None), np.arange(extent)
        has_list = has_list or is_list(index)
        chosen.append(index)
        coordinates.append(at)
    whole = [isinstance(i, slice) and i == slice(None) for i in chosen]
    while chosen and whole.pop() and draw(st.booleans()):
        chosen.pop()
    return shape, tuple(chosen), coordinates


def is_list(index):
    return isinstance(index, (list, np.ndarray, SLAB))


def pick(values, coordinates):
    """Returns the product of the coordinates, without dimensions that a number indexes."""
    box = values[np.ix_(*[np.atleast_1d(at) for at in coordinates])]
    return box.reshape([np.size(at) for at in coordinates if np.ndim(at)])


def put(values, coordinates, new):
    values[np.ix_(*[np.atleast_1d(at) for at in coordinates])] = np.reshape(
        new, [np.size(at) for at in coordinates]
    )


def chunks_of(shape):
    return tuple(max(1, extent // 2) for extent in shape)


def compare_selection(selection, layout, dtype):
    shape, index, coordinates = selection
    values = (np.arange(np.prod(shape), dtype=int) % 900).reshape(shape).astype(dtype)
    expected = pick(values, coordinates)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.h5"
        if layout == "chunked":
            with h5py.File(path, "w") as f:
                f.create_dataset(
                    "x", data=values, chunks=chunks_of(shape), maxshape=(None,) * len(shape)
                )
        else:
            with onecast.File(path, "w") as f:
                f.create_dataset("x", data=values, compact=layout == "compact")
        with h5py.File(path) as theirs, onecast.File(path) as ours:
            result = ours["x"][index]
            np.testing.assert_array_equal(result, expected)
            same(result, theirs["x"][with_h5py(index)])
            out = np.zeros((2, *expected.shape), dtype)
            ours["x"].read_direct(out, index, 1)
            np.testing.assert_array_equal(out[1], expected)
            np.testing.assert_array_equal(out[0], np.zeros(expected.shape, dtype))
        if layout != "chunked":
            with onecast.File(path, "r+") as f:
                f["x"][index] = expected[::-1] if expected.ndim else expected
            put(values, coordinates, expected[::-1] if expected.ndim else expected)
            with h5py.File(path) as f:
                same(f["x"][...], values)


any_selection = given(
    selection=selections(),
    layout=st.sampled_from(LAYOUTS),
    dtype=st.sampled_from(["<i4", ">f8", "S3"]),
)


@settings(deadline=None, max_examples=100)
@any_selection
def test_any_selection(selection, layout, dtype):
    compare_selection(selection, layout, dtype)


@pytest.mark.long
@settings(deadline=None, max_examples=1000)
@any_selection
def test_many_selections(selection, layout, dtype):
    compare_selection(selection, layout, dtype)


@settings(deadline=None, max_examples=150)
@given(data=st.data(), layout=st.sampled_from(LAYOUTS))
def test_masks_and_sets(data, layout):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, max_side=8))
    masks = [data.draw(hnp.arrays(bool, shape)) for _ in range(2)]
    values = np.arange(np.prod(shape)).reshape(shape)
    options = {"chunks": chunks_of(shape)} if layout == "chunked" else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.h5"
        with h5py.File(path, "w") as f:
            f.create_dataset("x", data=values, **options)
        with onecast.File(path) as f:
            same(f["x"][masks[0]], values[masks[0]])
            sets = [
                onecast._core.Selection.points(
                    len(shape), np.ascontiguousarray(np.argwhere(mask), np.uint64)
                )
                for mask in masks
            ]
            for part, mask in (
                (sets[0] | sets[1], masks[0] | masks[1]),
                (sets[0] & sets[1], masks[0] & masks[1]),
                (sets[0] - sets[1], masks[0] & ~masks[1]),
                (sets[0] ^ sets[1], masks[0] ^ masks[1]),
            ):
                np.testing.assert_array_equal(np.ravel(f["x"][part]), values[mask])


def test_regions(path):
    with h5py.File(path, "w") as f:
        x = f.create_dataset("x", data=VALUES)
        regions = [
            x.regionref[0:2, 1],
            x.regionref[:, ::3, 1:5:2],
            x.regionref[[0, 2], 1],
            x.regionref[()],
            x.regionref[2:1],
            x.regionref[MASK],
        ]
        f.create_dataset("regions", data=regions, dtype=h5py.regionref_dtype)
        expected = [x[region] for region in regions]
    with onecast.File(path) as f:
        for region, part in zip(f["regions"], expected, strict=True):
            same(f["x"][region], part)


def test_selections_of_the_core(path):
    Selection = onecast._core.Selection
    with h5py.File(path, "w") as f:
        f["x"] = VALUES
    with onecast.File(path) as f:
        x = f["x"]
        assert x[Selection.none()].shape == (0, 0, 0)
        same(x[Selection()], VALUES)
        union = Selection.hyperslab((0, 0, 0), (1, 1, 5)) | Selection.points(
            3, np.array([[2, 3, 4]], np.uint64)
        )
        assert x[union].tolist() == [0, 1, 2, 3, 4, 59]
        assert x[union.complement(VALUES.shape)].size == VALUES.size - 6
        with pytest.raises(TypeError):
            x[Selection.hyperslab((0,), (1,))]
        with pytest.raises(ValueError):
            x[Selection.hyperslab((0, 0, 0), (1, 1, 6))]


def test_a_reference_to_the_whole_dataset_stays_one(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", data=np.arange(10), chunks=(3,), maxshape=(None,))
        f.attrs["whole"] = x.regionref[...]
        f.attrs["box"] = x.regionref[:]
        x.resize((5,))
    for library in (h5py, onecast):
        with library.File(path) as f:
            assert f["x"][f.attrs["whole"]].tolist() == [0, 1, 2, 3, 4]
            with pytest.raises((OSError, ValueError)):
                f["x"][f.attrs["box"]]


def test_a_region_without_elements_of_a_scalar_on_one_of_the_ranks(mpirun):
    """That rank takes part in the collective call."""
    mpirun(
        2,
        """
part = onecast._core.Selection.none()
with onecast.File("regions.h5", "w", comm=comm) as f:
    x = f.create_dataset("x", data=5)
    f.flush()
    mine = (x._object.region_reference(part), ())[rank]
    found = [x.read_all(mine), x.read_all_async(mine).wait(), *f.read_multi([(x, mine)])]
    for value in found:
        assert (value == onecast.Empty("i8")) if rank == 0 else (value == 5), value
""",
    )
