"""Writing through virtual datasets. If types are converted, h5py is not the reference: the HDF5
library writes other elements."""

import h5py
import numpy as np
import pytest

import onecast

MORE = {
    "plain": {},
    "chunked": {"chunks": (2, 3), "maxshape": (None, None)},
    "filtered": {"chunks": (2, 3), "compression": "gzip"},
}


def make(lib, folder, dtype="i4", **more):
    """Writes v.h5 with four sources of 3 rows: two in one file, one in another, one in v.h5."""
    sources = [("a.h5", "x"), ("a.h5", "y"), ("b.h5", "deep/x"), ("v.h5", "here")]
    with lib.File(folder / "v.h5", "w"):
        pass
    for file, name in sources:
        with lib.File(folder / file, "a") as f:
            f.create_dataset(name, data=np.zeros((3, 6), dtype), **more)
    layout = lib.VirtualLayout((12, 6), "i4")
    for i, (file, name) in enumerate(sources):
        layout[3 * i : 3 * i + 3] = lib.VirtualSource(
            "." if file == "v.h5" else file, name, shape=(3, 6)
        )
    with lib.File(folder / "v.h5", "r+") as f:
        f.create_virtual_dataset("v", layout, fillvalue=-1)
    return sources


def stored(folder, sources):
    parts = []
    for file, name in sources:
        with h5py.File(folder / file) as f:
            parts.append(f[name][()])
    return np.concatenate(parts)


@pytest.mark.parametrize("more", MORE.values(), ids=MORE)
def test_to_all_sources(lib, elsewhere, more):
    sources = make(lib, elsewhere, **more)
    expected = np.zeros((12, 6), "i4")
    with lib.File(elsewhere / "v.h5", "r+") as f:
        v = f["v"]
        for at, value in (
            (np.s_[...], np.arange(72).reshape(12, 6)),
            (np.s_[2:7, 1::2], -5),
            (np.s_[11], 8),
            (np.s_[4, 4], 99),
            (np.s_[[1, 5, 9]], np.arange(6)),
        ):
            expected[at] = value
            v[at] = expected[at]
            np.testing.assert_array_equal(v[...], expected)
    np.testing.assert_array_equal(stored(elsewhere, sources), expected)


def test_types_are_converted(elsewhere):
    sources = make(onecast, elsewhere, ">i2")
    with onecast.File(elsewhere / "v.h5", "r+") as f:
        f["v"][:, 2] = np.arange(12) * 100.0
    assert stored(elsewhere, sources)[:, 2].tolist() == list(range(0, 1200, 100))


def test_sources_with_strides(elsewhere):
    with onecast.File(elsewhere / "v.h5", "w") as f:
        even, odd = (f.create_dataset(n, (4, 10), "f4") for n in ("even", "odd"))
        layout = onecast.VirtualLayout((4, 10), "f4")
        layout[:, ::2] = onecast.VirtualSource(even)[:, 5:]
        layout[:, 1::2] = onecast.VirtualSource(odd)[:, ::2]
        v = f.create_virtual_dataset("v", layout)
        data = np.arange(40, dtype="f4").reshape(4, 10)
        v[...] = data
        v[1:3, 3:8] = -1
        data[1:3, 3:8] = -1
        np.testing.assert_array_equal(v[...], data)
        np.testing.assert_array_equal(even[:, 5:], data[:, ::2])
        np.testing.assert_array_equal(odd[:, ::2], data[:, 1::2])
        assert not even[:, :5].any() and not odd[:, 1::2].any()


def test_the_sources_are_open(elsewhere):
    sources = make(onecast, elsewhere)
    with (
        onecast.File(elsewhere / "a.h5", "r+") as a,
        onecast.File(elsewhere / "v.h5", "r+") as f,
    ):
        f["v"][:6] = 5
        assert (a["x"][:] == 5).all() and (a["y"][:] == 5).all()
        a["x"][0] = 6
        assert (f["v"][0] == 6).all()
    assert stored(elsewhere, sources)[:, 0].tolist() == [6, 5, 5, 5, 5, 5] + [0] * 6


def test_virtual_datasets_in_each_other(elsewhere):
    sources = make(onecast, elsewhere)
    layout = onecast.VirtualLayout((6, 6), "f8")
    layout[:] = onecast.VirtualSource("v.h5", "v", shape=(12, 6))[::2]
    with onecast.File(elsewhere / "w.h5", "w") as f:
        f.create_virtual_dataset("w", layout)[:, 1] = np.arange(6)
    assert stored(elsewhere, sources)[::2, 1].tolist() == [0, 1, 2, 3, 4, 5]


def test_strings_and_fields_within_a_file(path):
    texts = ["one", "two", "three"]
    with onecast.File(path, "w") as f:
        f["s"] = ["", "", ""]
        table = f.create_dataset("t", (3,), [("a", "i4"), ("b", "f8")])
        layout = onecast.VirtualLayout((3,), onecast.string_dtype())
        layout[:] = onecast.VirtualSource(f["s"])
        f.create_virtual_dataset("vs", layout)[:] = texts
        layout = onecast.VirtualLayout((3,), table.dtype)
        layout[:] = onecast.VirtualSource(table)
        v = f.create_virtual_dataset("vt", layout)
        v[:] = np.array([(1, 2.0), (3, 4.0), (5, 6.0)], table.dtype)
        v["a"] = [7, 8, 9]
        assert table["b"].tolist() == [2, 4, 6] and table["a"].tolist() == [7, 8, 9]
    with h5py.File(path) as f:
        assert f["s"].asstr()[:].tolist() == f["vs"].asstr()[:].tolist() == texts


def test_many_source_files(elsewhere):
    """These are more than stay open."""
    layout = onecast.VirtualLayout((150, 4), "i4")
    for i in range(150):
        with onecast.File(elsewhere / f"s{i}.h5", "w") as f:
            f["x"] = np.zeros(4, "i4")
        layout[i] = onecast.VirtualSource(f"s{i}.h5", "x", shape=(4,))
    with onecast.File(elsewhere / "v.h5", "w") as f:
        v = f.create_virtual_dataset("v", layout)
        assert not v[...].any()
        for turn in range(2):
            v[...] = np.arange(600).reshape(150, 4) + turn
            assert v[149, 3] == 599 + turn
    for i in range(150):
        with h5py.File(elsewhere / f"s{i}.h5") as f:
            assert f["x"][0] == 4 * i + 1


# --- failed writes change nothing ----------------------------------------------------------------
def expect_unchanged(folder, error, match, at=np.s_[...], mode="r+", sources=(("a.h5", "x"),)):
    before = {p.name: p.read_bytes() for p in folder.glob("*.h5")}
    with onecast.File(folder / "v.h5", mode) as f, pytest.raises(error, match=match):
        f["v"][at] = 1
    after = {p.name: p.read_bytes() for p in folder.glob("*.h5")}
    assert {name for name in after if after[name] != before[name]} <= {"v.h5"}
    for file, name in sources:
        with h5py.File(folder / file) as f:
            assert not f[name][()].any()


def test_a_missing_source(elsewhere):
    make(onecast, elsewhere)
    (elsewhere / "b.h5").unlink()
    expect_unchanged(elsewhere, FileNotFoundError, r'source "deep/x" in file "b.h5" does not exist')
    with onecast.File(elsewhere / "v.h5", "r+") as f:
        f["v"][:6] = 1  # this writes none of its elements


def test_unmapped_elements(elsewhere):
    with onecast.File(elsewhere / "a.h5", "w") as f:
        f["x"] = np.zeros(4, "i4")
    layout = onecast.VirtualLayout((6,), "i4")
    layout[:4] = onecast.VirtualSource("a.h5", "x", shape=(4,))
    with onecast.File(elsewhere / "v.h5", "w") as f:
        f.create_virtual_dataset("v", layout)
    expect_unchanged(elsewhere, ValueError, "2 of 6 elements are mapped to no source")
    expect_unchanged(elsewhere, ValueError, "1 of 1 elements are mapped to no source", 5)


def test_a_source_that_is_open_for_reading(elsewhere):
    make(onecast, elsewhere)
    with onecast.File(elsewhere / "a.h5"):
        expect_unchanged(elsewhere, ValueError, "a.h5: the file is open for reading only")
    with h5py.File(elsewhere / "a.h5"):
        expect_unchanged(elsewhere, ValueError, "a.h5: the file is open for reading only: .*lock")
    with onecast.File(elsewhere / "v.h5") as f, pytest.raises(ValueError, match="reading only"):
        f["v"][0] = 1


def test_a_source_that_is_smaller(elsewhere):
    make(onecast, elsewhere, chunks=(1, 6), maxshape=(None, 6))
    with h5py.File(elsewhere / "b.h5", "r+") as f:
        f["deep/x"].resize((2, 6))
    expect_unchanged(elsewhere, OSError, "smaller than what is mapped")


def test_on_ranks(mpirun, elsewhere):
    make(onecast, elsewhere)
    program = """
import os
os.chdir(sys.argv[1])
with onecast.File("v.h5", "r+", comm=comm) as f:
    for text in same_everywhere(lambda: f["v"].write_all(np.s_[rank], 1), onecast.UnsupportedError):
        assert "virtual" in text, text
    for text in same_everywhere(lambda: f["v"].__setitem__(rank, 1), onecast.UnsupportedError):
        assert "from several ranks" in text, text
    f["v"][9 + rank] = rank + 1  # the source in the file itself
    f.flush()
    assert f["here"][:, 0].tolist() == [1, 2, 3]
"""
    mpirun(3, program, elsewhere)


def test_scalars(lib, path):
    """Scalars may be sources and virtual datasets."""
    with lib.File(path, "w") as f:
        f["s"], f["x"] = 5, np.arange(3)
        for name, shape, part, source in (
            ("scalar", (), (), lib.VirtualSource(f["s"])),
            ("all of it", (), Ellipsis, lib.VirtualSource(f["s"])[()]),
            ("by name", (), (), lib.VirtualSource(".", "s", shape=())),
            ("of an array", (), (), lib.VirtualSource(f["x"])[1]),
            ("into an array", (3,), 1, lib.VirtualSource(f["s"])),
        ):
            layout = lib.VirtualLayout(shape, "i8")
            layout[part] = source
            f.create_virtual_dataset(name, layout)
        with pytest.raises((TypeError, ValueError)):
            layout = lib.VirtualLayout((), "i8")
            layout[()] = lib.VirtualSource(f["x"])
            f.create_virtual_dataset("more than one", layout)
    for reader in (h5py, onecast):
        with reader.File(path) as f:
            for name in ("scalar", "all of it", "by name"):
                assert f[name].shape == () and f[name].is_virtual and f[name][()] == 5
            assert f["of an array"][()] == 1 and f["into an array"][()].tolist() == [0, 5, 0]
            found = f["scalar"].virtual_sources()
            assert [(source.file_name, source.dset_name) for source in found] == [(".", "/s")]
    with lib.File(path, "r+") as f:
        f["scalar"][()] = 6
        f["into an array"][1] = 7 if lib is h5py else 6
    with h5py.File(path) as f:
        assert f["s"][()] == (7 if lib is h5py else 6)
