"""Files of profile "latest": their chunk indexes, and stock libraries that read and change them"""

import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest
from chunked_values import (
    FILTERS,
    TYPES,
    append_by_stock,
    check,
    resized,
    values_of,
    write_some,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

import onecast
from onecast import inspect

# name: shape, maxshape, chunks, index
KINDS = {
    "single": ((10, 6), None, (10, 6), "single chunk"),
    "fixed": ((10, 6), None, (3, 4), "fixed array"),
    "fixed, grows": ((5, 6), (20, 6), (3, 4), "fixed array"),
    "fixed, pages": ((1500,), None, (1,), "fixed array"),
    "extensible": ((40, 6), (None, 6), (1, 1), "extensible array"),
    "extensible, last": ((7, 30), (9, None), (2, 3), "extensible array"),
    "extensible, pages": ((12000,), (None,), (1,), "extensible array"),
    "tree": ((9, 8), (None, None), (2, 2), "v2 B-tree"),
    "tree, deep": ((60, 120), (None, None), (1, 1), "v2 B-tree"),
    "empty": ((0, 3), (None, 3), (2, 2), "extensible array"),
}
STOCK = {"libver": ("v110", "v110")}


def fill(f, dtype, filters, kinds=KINDS):
    for name in kinds:
        shape, maxshape, chunks, _ = KINDS[name]
        d = f.create_dataset(name, shape, dtype, maxshape=maxshape, chunks=chunks, **filters)
        d[...] = values_of(dtype, shape)


def agrees(f, dtype, kinds=KINDS):
    for name in kinds:
        np.testing.assert_array_equal(f[name][...], values_of(dtype, KINDS[name][0]), name)


def small(kinds=KINDS):
    return {k: v for k, v in kinds.items() if np.prod(v[0]) < 1000}


@pytest.mark.parametrize("filters", ["none", "all", "scaleoffset", "lzf"])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_stock_reads_what_is_written(path, dtype, filters):
    dtype = np.dtype(dtype)
    if filters == "scaleoffset" and dtype.kind not in "ui":
        pytest.skip("for integers")
    kinds = KINDS if dtype == "<i4" else small()
    with onecast.File(path, "w", profile="latest") as f:
        fill(f, dtype, FILTERS[filters], kinds)
        agrees(f, dtype, kinds)
    for library in (h5py, onecast):
        with library.File(path) as f:
            agrees(f, dtype, kinds)
    check(path, filters)


@pytest.mark.parametrize("filters", ["none", "all"])
def test_indexes_are_those_of_stock(path, tmp_path, filters):
    with onecast.File(path, "w", profile="latest") as f:
        fill(f, "i4", FILTERS[filters])
    with h5py.File(tmp_path / "stock.h5", "w", **STOCK) as f:
        fill(f, "i4", FILTERS[filters])
    with onecast.File(path) as ours, onecast.File(tmp_path / "stock.h5") as stock:
        for name, (_, _, _, index) in KINDS.items():
            found = inspect.storage(ours[name])
            assert (found["layout_version"], found["chunk_index"]) == (4, index)
            assert found["chunk_index"] == inspect.storage(stock[name])["chunk_index"]
    # The headers of arrays are equal, except for addresses.
    ours, stock = (p.read_bytes() for p in (path, tmp_path / "stock.h5"))
    for signature, size in ((b"FAHD", 16), (b"EAHD", 12 + 6 * 8)):
        found = [
            sorted(whole[at : at + size] for at in positions(whole, signature))
            for whole in (ours, stock)
        ]
        assert found[0] == found[1]


def positions(whole, signature):
    at = whole.find(signature)
    while at >= 0:
        yield at
        at = whole.find(signature, at + 1)


@pytest.mark.parametrize("filters", ["none", "all"])
def test_stock_tools_accept_it(path, tmp_path, filters):
    tools = ["h5dump", "h5stat", "h5repack", "h5diff"]
    if not all(map(shutil.which, tools)):
        pytest.skip(f"needs {', '.join(tools)}")
    with onecast.File(path, "w", profile="latest") as f:
        fill(f, "i4", FILTERS[filters])
    again = tmp_path / "again.h5"
    for tool, files in zip(tools, ([path], [path], [path, again], [path, again]), strict=True):
        subprocess.run([tool, *files], check=True, stdout=subprocess.DEVNULL)
    with onecast.File(again) as f:
        agrees(f, "i4")


def test_profile_is_kept_by_the_file(path):
    with onecast.File(path, "w", profile="latest") as f:
        assert f.profile == "latest"
    assert path.read_bytes()[8] == 3
    with onecast.File(path, "r+") as f:
        assert f.profile == "latest"
        d = f.create_dataset("d", (3,), "i4", maxshape=(None,))
        assert inspect.storage(d)["chunk_index"] == "extensible array"
    assert path.read_bytes()[8] == 3
    with onecast.File(path, "w") as f:
        assert f.profile == "compatible"
    assert path.read_bytes()[8] == 2


def test_libver_of_h5py_chooses_the_profile(path):
    profiles = {
        "earliest": "compatible",
        "v108": "compatible",
        "v110": "latest",
        "latest": "latest",
        ("earliest", "latest"): "compatible",
        ("v110", "latest"): "latest",
    }
    for libver, profile in profiles.items():
        with onecast.File(path, "w", libver=libver) as f:
            assert f.profile == profile
    for wrong in (
        {"libver": "v1"},
        {"profile": "newest"},
        {"libver": "latest", "profile": "compatible"},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            onecast.File(path, "w", **wrong)


def test_what_is_too_large_for_arrays_keeps_the_tree(path):
    with onecast.File(path, "w", profile="latest") as f:
        large = f.create_dataset("large", (1 << 40,), "u1", chunks=(1 << 15,))
        wide = f.create_dataset("wide", (2, 1 << 40), "u1", chunks=(1, 8), maxshape=(None, 1 << 40))
        grows = f.create_dataset("grows", (4,), "u1", chunks=(1,), maxshape=(None,))
        large[-3:] = wide[1, -3:] = 7
        grows[:] = 1
        for d in (large, wide):
            assert inspect.storage(d)["chunk_index"] == "v1 B-tree"
        with pytest.raises(onecast.UnsupportedError, match="chunks in an extensible array"):
            grows.resize((1 << 40,))
        grows.resize((1 << 32,))
        grows[-1] = 2
    with h5py.File(path) as f:
        assert f["large"][-4:].tolist() == f["wide"][1, -4:].tolist() == [0, 7, 7, 7]
        assert (f["grows"][:4].tolist(), f["grows"][-2:].tolist()) == ([1] * 4, [0, 2])
    assert onecast.check(path)["findings"] == []


def test_a_file_that_stock_has_open_for_writing_is_not_changed(path):
    with onecast.File(path, "w", profile="latest") as f:
        f["x"] = 1
    program = (
        f"import h5py, os; f = h5py.File({str(path)!r}, 'r+'); f['y'] = 2; f.flush(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert path.read_bytes()[11] & 1
    with onecast.File(path, "r+") as f, pytest.raises(onecast.UnsupportedError, match="h5clear"):
        f["z"] = 3
    with onecast.File(path) as f:
        assert f["y"][()] == 2


@pytest.mark.parametrize(
    "page_size", [1 << 12, *(pytest.param(1 << n, marks=pytest.mark.long) for n in (14, 16, 20))]
)
@pytest.mark.parametrize("filters", ["none", "fletcher32"])
def test_nothing_small_straddles_a_page(path, page_size, filters):
    shapes = {"a": (2100,), "b": (5000,), "c": (9000,)}
    with onecast.File(path, "w", profile="latest", page_size=page_size) as f:
        for name, shape in shapes.items():
            f.create_dataset(name, shape, "u1", chunks=(1,), **FILTERS[filters])[...] = 5
        f.create_dataset("e", (70000,), "u1", chunks=(2,), maxshape=(None,), **FILTERS[filters])[
            ...
        ] = 6
    check(path, filters)
    # Through a page buffer stock HDF5 reads every part that straddles pages, and finds its checksum
    # wrong.
    with h5py.File(path, "r", page_buf_size=4 * page_size) as f:
        for name in shapes:
            assert (f[name][...] == 5).all()
        assert (f["e"][...] == 6).all()


@pytest.mark.parametrize("filters", ["none", "gzip"])
@pytest.mark.parametrize("maxshape", [(None,), (None, 7), (4000, 2), (None, None)], ids=str)
def test_appending_writes_what_has_changed(path, maxshape, filters):
    steps = 1200
    rest = tuple(n or 3 for n in maxshape[1:])
    with onecast.File(path, "w", profile="latest") as f:
        d = f.create_dataset(
            "d", (0, *rest), "i4", chunks=(1, *rest), maxshape=maxshape, **FILTERS[filters]
        )
        for i in range(steps):
            d.resize(i + 1, axis=0)
            d[i] = i
            f.flush()
        written = f.io_stats().bytes_written
    if maxshape != (None, None):  # the tree is written anew
        assert written < steps * 60_000
    with h5py.File(path, "r+") as f:
        expected = np.broadcast_to(np.arange(steps).reshape(-1, *[1] * len(rest)), (steps, *rest))
        np.testing.assert_array_equal(f["d"][...], expected)
        f["d"].resize(steps + 1, axis=0)
        f["d"][-1] = -1
    with onecast.File(path) as f:
        np.testing.assert_array_equal(f["d"][:-1], expected)
        assert (f["d"][-1] == -1).all()
    check(path, filters)


def test_a_file_that_is_opened_again_and_again_does_not_keep_old_indexes(path):
    for maxshape in ((None,), (4000,), (None, None)):
        shape = (0, 1)[: len(maxshape)]
        with onecast.File(path, "w", profile="latest") as f:
            f.create_dataset("d", shape, "i4", chunks=(1,) * len(shape), maxshape=maxshape)
        for i in range(60):
            with onecast.File(path, "r+") as f:
                for _ in range(5):
                    f["d"].resize(len(f["d"]) + 1, axis=0)
                    f["d"][-1:] = i
                    f.flush()
        check(path, "none")
        with h5py.File(path) as f:
            np.testing.assert_array_equal(f["d"][...].ravel(), np.repeat(np.arange(60), 5))


def test_space_of_what_is_removed_is_used_again(path):
    with onecast.File(path, "w", profile="latest") as f:
        fill(f, "i4", FILTERS["none"])
        f.flush()
        size = path.stat().st_size
        for _ in range(3):
            for name in KINDS:
                del f[name]
            f.flush()
            fill(f, "i4", FILTERS["none"])
            f.flush()
        assert path.stat().st_size < 2.5 * size
    with h5py.File(path) as f:
        agrees(f, "i4")
    check(path, "none")


def test_chunks_that_go_leave_the_index(path):
    with onecast.File(path, "w", profile="latest") as f:
        fill(f, "i4", FILTERS["gzip"])
        f.flush()
        for name, (shape, maxshape, _, _) in KINDS.items():
            if maxshape is None:
                continue
            half = tuple(n // 2 for n in shape)
            f[name].resize(half)
            f.flush()
            f[name].resize(shape)
            f.flush()
        f["tree"].resize((0, 0))
        f["extensible"].resize((0, 6))
    with h5py.File(path, "r+") as f:
        for name, (shape, maxshape, _, _) in KINDS.items():
            if maxshape is None or name in ("tree", "extensible"):
                continue
            expected = np.zeros(shape, "i4")
            part = tuple(slice(0, n // 2) for n in shape)
            expected[part] = values_of("i4", shape)[part]
            np.testing.assert_array_equal(f[name][...], expected, name)
            f[name][...] = 4
        for name in ("tree", "extensible"):
            assert f[name].id.get_num_chunks() == 0
            f[name].resize((5, 6))
            f[name][...] = 9
    with onecast.File(path) as f:
        assert (f["tree"][...] == 9).all()
        assert (f["fixed, grows"][...] == 4).all()
    check(path, "gzip")


def test_copies_take_the_profile_of_their_file(path, tmp_path):
    with onecast.File(path, "w", profile="latest") as f:
        fill(f, "i4", FILTERS["all"])
        f.copy("extensible", "again")
        np.testing.assert_array_equal(f["again"][...], f["extensible"][...])
    for profile, version in (("compatible", 3), ("latest", 4)):
        target = tmp_path / f"{profile}.h5"
        onecast.repack(path, target, profile=profile)
        with onecast.File(target) as f:
            agrees(f, "i4")
            assert f.profile == profile
            assert {inspect.storage(f[name])["layout_version"] for name in KINDS} == {version}
        with h5py.File(target) as f:
            agrees(f, "i4")
        check(target, "all")


def stock_goes_on(path, libver):
    """Stock HDF5 writes every dataset anew, and enlarges it if possible."""
    with h5py.File(path, "r+", libver=libver) as f:
        for name, (shape, maxshape, _, _) in KINDS.items():
            if maxshape is not None:
                f[name].resize([n or s + 2 for s, n in zip(shape, maxshape, strict=True)])
            f[name][...] = values_of("i4", f[name].shape, 1)


@pytest.mark.parametrize("libver", [None, ("v110", "v110"), ("latest", "latest")], ids=str)
@pytest.mark.parametrize("filters", ["none", pytest.param("all", marks=pytest.mark.long)])
def test_what_stock_wrote_is_changed(path, filters, libver):
    """Stock HDF5 continued with files of Onecast, or wrote its own; then everything is done once
    more."""
    if libver is None:
        with onecast.File(path, "w", profile="latest") as f:
            fill(f, "i4", FILTERS[filters])
        stock_goes_on(path, None)
    else:
        with h5py.File(path, "w", libver=libver) as f:
            fill(f, "i4", FILTERS[filters])
    for seed in (2, 3):
        shapes = {}
        with onecast.File(path, "r+") as f:
            indexes = {name: inspect.storage(f[name])["chunk_index"] for name in KINDS}
            for name, (_, maxshape, _, _) in KINDS.items():
                if maxshape is not None:
                    f[name].resize(
                        [n or s + 3 for s, n in zip(f[name].shape, maxshape, strict=True)]
                    )
                f.flush()
                f[name][...] = values_of("i4", f[name].shape, seed)
                shapes[name] = f[name].shape
        with onecast.File(path) as f:
            assert indexes == {name: inspect.storage(f[name])["chunk_index"] for name in KINDS}
        with h5py.File(path) as f:
            for name, shape in shapes.items():
                np.testing.assert_array_equal(f[name][...], values_of("i4", shape, seed), name)
        assert onecast.check(path, data=True)["findings"] == []
        stock_goes_on(path, libver)
        with onecast.File(path) as f:
            for name in KINDS:
                np.testing.assert_array_equal(f[name][...], values_of("i4", f[name].shape, 1), name)


def test_an_implicit_index_becomes_a_fixed_array(path):
    with h5py.File(path, "w", **STOCK) as f:
        create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        create.set_chunk((2, 3))
        create.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        space = h5py.h5s.create_simple((4, 5), (8, 9))
        h5py.h5d.create(f.id, b"d", h5py.h5t.NATIVE_INT32, space, create)
        f["d"][...] = values_of("i4", (4, 5))
    with onecast.File(path, "r+") as f:
        assert inspect.storage(f["d"])["chunk_index"] == "implicit"
        f["d"][0, 0] = 77
        f.flush()
        assert inspect.storage(f["d"])["chunk_index"] == "implicit"
        f["d"].resize((7, 9))
        f["d"][6] = 5
    expected = np.zeros((7, 9), "i4")
    expected[:4, :5] = values_of("i4", (4, 5))
    expected[0, 0], expected[6] = 77, 5
    with onecast.File(path) as f:
        assert inspect.storage(f["d"])["chunk_index"] == "fixed array"
    with h5py.File(path, "r+") as f:
        np.testing.assert_array_equal(f["d"][...], expected)
        f["d"].resize((8, 9))
        f["d"][7] = 6
    with onecast.File(path) as f:
        np.testing.assert_array_equal(f["d"][...], [*expected, [6] * 9])
    assert onecast.check(path, data=True)["findings"] == []


steps = st.one_of(
    st.tuples(st.just("write"), st.integers(0, 2**32)),
    st.tuples(st.just("resize"), st.tuples(st.integers(0, 9), st.integers(0, 7))),
    st.tuples(st.just("flush"), st.none()),
    st.tuples(st.just("reopen"), st.none()),
)


@settings(max_examples=100, deadline=None)
@example(
    maxshape=(9, 7),
    chunks=(1, 1),
    filters="none",
    program=[("resize", (9, 7)), ("reopen", None), ("resize", (0, 0))],
)
@example(
    maxshape=(9, 7),
    chunks=(1, 1),
    filters="none",
    program=[
        ("resize", (9, 7)),
        ("write", 1),
        ("reopen", None),
        ("resize", (5, 3)),
        ("reopen", None),
        ("resize", (9, 6)),
        ("write", 2),
    ],
)
@given(
    maxshape=st.sampled_from([(None, None), (None, 7), (9, None), (9, 7)]),
    chunks=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    filters=st.sampled_from(["none", "all"]),
    program=st.lists(steps, max_size=14),
)
def test_random_programs_agree_with_numpy_and_h5py(
    tmp_path_factory, maxshape, chunks, filters, program
):
    path = tmp_path_factory.mktemp("random") / "f.h5"
    f = onecast.File(path, "w", chunk_cache_bytes=64, profile="latest")
    options = {"maxshape": maxshape, "chunks": chunks, "fillvalue": 7, **FILTERS[filters]}
    f.create_dataset("d", (4, 5), "i4", **options)
    model = np.full((4, 5), 7, "i4")
    for what, argument in program:
        if what == "write":
            write_some(f["d"], model, argument)
        elif what == "resize":
            f["d"].resize(argument)
            model = resized(model, argument, 7)
        elif what == "flush":
            f.flush()
        else:
            f.close()
            f = onecast.File(path, "r+", chunk_cache_bytes=64)
        np.testing.assert_array_equal(f["d"][...], model)
    f.close()
    assert onecast.check(path, data=True)["findings"] == []
    append_by_stock(path, model, (9, 7))
