"""The folders in which the files that a dataset names are looked for"""

import os

import h5py
import numpy as np
import pytest

import onecast


def opened_with(library, f, name, **prefixes):
    low, opened = (h5py.h5p, h5py.h5d) if library is h5py else (onecast.low.h5p, onecast.low.h5d)
    access = low.create(low.DATASET_ACCESS)
    for kind, prefix in prefixes.items():
        getattr(access, f"set_{kind}_prefix")(os.fsencode(prefix))
    return library.Dataset(opened.open(f.id, name, access))


@pytest.mark.parametrize("library", [h5py, onecast])
def test_external_files(elsewhere, library):
    prefixes = (str(elsewhere / "a"), "${ORIGIN}/b")
    for folder, value in zip("ab", (1, 2), strict=True):
        (elsewhere / folder).mkdir()
        (elsewhere / folder / "x.raw").write_bytes(np.full(3, value, "<i4").tobytes())
    with library.File(elsewhere / "f.h5", "w") as f:
        slots = [("x.raw", 0, 12)]
        x = f.create_dataset("x", (3,), "<i4", external=slots, efile_prefix=prefixes[0])
        assert x[:].tolist() == [1, 1, 1] and x.external == slots
        x[1] = 5
        f.create_dataset("new", data=[7], external="new.raw", efile_prefix=prefixes[0])
    assert (elsewhere / "a" / "new.raw").exists() and not (elsewhere / "new.raw").exists()
    with library.File(elsewhere / "f.h5") as f:
        for prefix, values in zip(prefixes, ([1, 5, 1], [2, 2, 2]), strict=True):
            assert opened_with(library, f, b"x", efile=prefix)[:].tolist() == values


@pytest.mark.parametrize("library", [h5py, onecast])
def test_sources_of_a_virtual_dataset(elsewhere, library):
    (elsewhere / "sources").mkdir()
    with h5py.File(elsewhere / "sources" / "s.h5", "w") as f:
        f.create_dataset("x", data=np.arange(3, dtype="<i4"), maxshape=(None,))
    all_of = slice(0, h5py.h5s.UNLIMITED)
    layout = library.VirtualLayout((1,), "<i4", maxshape=(None,))
    layout[all_of] = library.VirtualSource("s.h5", "x", (3,), maxshape=(None,))[all_of]
    with library.File(elsewhere / "v.h5", "w") as f:
        f.create_virtual_dataset("v", layout, fillvalue=-1)
    with library.File(elsewhere / "v.h5") as f:
        v = opened_with(library, f, b"v", virtual=elsewhere / "sources")
        assert v[:].tolist() == [0, 1, 2]
        assert v.id.get_access_plist().get_virtual_prefix() == bytes(elsewhere / "sources")


@pytest.mark.parametrize("mode", ["r", "r+"])
def test_prefixes_end_with_the_handles(elsewhere, mode):
    """A dataset that is opened anew, without prefixes, is looked for where it was before."""
    for folder, count in (("sources", 3), (".", 2)):
        (elsewhere / folder).mkdir(exist_ok=True)
        with h5py.File(elsewhere / folder / "s.h5", "w") as f:
            f.create_dataset("x", data=np.arange(count, dtype="<i4"), maxshape=(None,))
    all_of = slice(0, h5py.h5s.UNLIMITED)
    layout = onecast.VirtualLayout((1,), "<i4", maxshape=(None,))
    layout[all_of] = onecast.VirtualSource("s.h5", "x", (3,), maxshape=(None,))[all_of]
    with onecast.File(elsewhere / "v.h5", "w") as f:
        f.create_virtual_dataset("v", layout, fillvalue=-1)
    with onecast.File(elsewhere / "v.h5", mode) as f:
        assert f["v"].shape == (2,)
        for _ in range(2):
            v = opened_with(onecast, f, b"v", virtual=elsewhere / "sources")
            second = f["v"]
            assert v.shape == second.shape == (3,)
            del v
            assert second[:].tolist() == [0, 1, 2] and f["v"].shape == (3,)
            del second
            assert f["v"][:].tolist() == [0, 1]
