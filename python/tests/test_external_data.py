"""Raw data in files that are not HDF5, as h5py writes it"""

import os

import h5py
import numpy as np
import pytest

import onecast

VALUES = np.arange(60, dtype="<i4").reshape(6, 10)


def write(path, slots, shape=(6, 10), **options):
    with h5py.File(path, "w", **options) as f:
        f.create_dataset("d", shape, "<i4", external=slots)


def save(path, values):
    path.write_bytes(np.ascontiguousarray(values).tobytes())


@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_slots(elsewhere, libver):
    name = elsewhere / "f.h5"
    raw = b"head" + VALUES.tobytes()
    (elsewhere / "a.raw").write_bytes(raw[:104])
    (elsewhere / "b.raw").write_bytes(raw[104:])
    slots = [
        (str(elsewhere / "a.raw"), 4, 100),
        (str(elsewhere / "b.raw"), 0, 40),
        (str(elsewhere / "b.raw"), 40, h5py.h5f.UNLIMITED),
    ]
    write(name, slots, libver=libver)
    with h5py.File(name) as theirs, onecast.File(name) as ours:
        d = ours["d"]
        np.testing.assert_array_equal(d[...], VALUES)
        np.testing.assert_array_equal(theirs["d"][...], VALUES)
        assert d.layout == "contiguous" and d.external
        assert not d.is_virtual
        assert [(file, at) for file, at, _ in d.external] == [(f, a) for f, a, _ in slots]
        assert [size for _, _, size in d.external] == [100, 40, 2**64 - 1]
        for args in (np.s_[2], np.s_[::2, 3:5], np.s_[-1, -1], np.s_[:, ::3], np.s_[[0, 2, 5]]):
            np.testing.assert_array_equal(d[args], VALUES[args])
        with pytest.raises(RuntimeError, match="Not a virtual dataset"):
            d.virtual_sources()


def test_without(elsewhere):
    with h5py.File(elsewhere / "f.h5", "w") as f:
        f["d"] = VALUES
    with onecast.File(elsewhere / "f.h5") as ours:
        assert ours["d"].external is None
        assert ours["d"].layout == "contiguous"


def test_short_files_end_in_zeros(elsewhere):
    save(elsewhere / "a.raw", VALUES[:2])
    save(elsewhere / "b.raw", VALUES[5])
    write(
        elsewhere / "f.h5", [(str(elsewhere / "a.raw"), 0, 200), (str(elsewhere / "b.raw"), 20, 40)]
    )
    with h5py.File(elsewhere / "f.h5") as theirs, onecast.File(elsewhere / "f.h5") as ours:
        found = ours["d"][...]
        np.testing.assert_array_equal(found, theirs["d"][...])
        assert found[2:5].sum() == 0
        np.testing.assert_array_equal(found.reshape(-1)[50:55], VALUES[5, 5:])


def test_where_files_are_looked_for(elsewhere, monkeypatch):
    places = {"prefix": elsewhere / "prefix", "here": elsewhere / "elsewhere", "beside": elsewhere}
    for number, place in enumerate(places.values()):
        place.mkdir(exist_ok=True)
        save(place / "a.raw", np.full(60, number, "<i4"))
    write(elsewhere / "f.h5", [("a.raw", 0, 240)])

    def first():
        with onecast.File(elsewhere / "f.h5") as ours:
            return list(places)[ours["d"][0, 0]]

    assert first() == "here"
    monkeypatch.setenv("HDF5_EXTFILE_PREFIX", str(places["prefix"]))
    assert first() == "prefix"
    monkeypatch.setenv("HDF5_EXTFILE_PREFIX", "${ORIGIN}/prefix")
    assert first() == "prefix"
    monkeypatch.delenv("HDF5_EXTFILE_PREFIX")
    (places["here"] / "a.raw").unlink()
    assert first() == "beside"


def test_missing_files_are_named(elsewhere):
    save(elsewhere / "a.raw", VALUES)
    write(elsewhere / "f.h5", [("a.raw", 0, 120), ("b.raw", 0, 120)])
    with onecast.File(elsewhere / "f.h5") as ours:
        np.testing.assert_array_equal(ours["d"][:3], VALUES[:3])  # the other file is not needed
        with pytest.raises(FileNotFoundError) as error:
            ours["d"][3]
        for part in (
            str(elsewhere / "f.h5"),
            "/d",
            '"b.raw"',
            os.path.join(str(elsewhere), "b.raw"),
        ):
            assert part in str(error.value)
        save(elsewhere / "b.raw", VALUES[3:])
        np.testing.assert_array_equal(ours["d"][...], VALUES)


def test_a_missing_folder_is_no_missing_object(elsewhere):
    write(elsewhere / "f.h5", [("gone/a.raw", 0, 240)])
    for call in (lambda d: d[...], lambda d: d.__setitem__(..., 1)):
        with (
            onecast.File(elsewhere / "f.h5", "r+") as ours,
            pytest.raises(FileNotFoundError, match=r'/d: raw data: .*"gone/a\.raw"'),
        ):
            call(ours["d"])


def test_follow_external_off(elsewhere):
    save(elsewhere / "a.raw", VALUES)
    write(elsewhere / "f.h5", [("a.raw", 0, 240)])
    with onecast.File(elsewhere / "f.h5", follow_external=False) as ours:
        assert ours["d"].shape == (6, 10)
        with pytest.raises(onecast.UnsupportedError, match=r"a\.raw.*follow_external"):
            ours["d"][0]


def test_of_no_elements(elsewhere):
    write(elsewhere / "f.h5", [("a.raw", 0, h5py.h5f.UNLIMITED)], shape=(0, 4))
    with onecast.File(elsewhere / "f.h5") as ours:
        assert ours["d"][...].shape == (0, 4)


def test_large(elsewhere):
    values = np.random.default_rng(1).integers(0, 1000, (1000, 1000), "<i4")
    save(elsewhere / "a.raw", values)
    rows = [(str(elsewhere / "a.raw"), 40_000 * i, 40_000) for i in range(100)]
    write(elsewhere / "f.h5", rows, shape=(1000, 1000))
    with onecast.File(elsewhere / "f.h5") as ours:
        np.testing.assert_array_equal(ours["d"][...], values)
        np.testing.assert_array_equal(ours["d"][:, ::7], values[:, ::7])
        np.testing.assert_array_equal(ours["d"][5:995:3, 10:20], values[5:995:3, 10:20])


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"compression": "gzip"}, "compression"),
        ({"chunks": (2,), "shuffle": True}, "chunks, shuffle"),
        ({"compression": 4, "maxshape": (None,)}, "compression"),
        ({"chunks": True}, "chunks"),
    ],
)
def test_no_chunks(elsewhere, file, lib, options, named):
    slots = [("raw.bin", 0, 16)]
    with pytest.raises(ValueError, match="external") as caught:
        file.create_dataset("x", (4,), "i4", external=slots, **options)
    if lib is onecast:
        assert f"not with {named}" in str(caught.value)
    assert "x" not in file
