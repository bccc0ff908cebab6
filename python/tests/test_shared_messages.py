"""Messages in the heaps of shared messages, as the stock library writes them"""

import ctypes
import os

import h5py
import numpy as np
import pytest
from stock_hdf5 import stock_library

import onecast

DATASPACE, DATATYPE, FILL_VALUE, FILTERS, ATTRIBUTE = (1 << number for number in (1, 3, 5, 11, 12))
ALL_TYPES = DATASPACE | DATATYPE | FILL_VALUE | FILTERS | ATTRIBUTE


def write(path, indexes):
    """`indexes` has for each index its types of messages, and from which size on it is a B-tree."""
    lib = stock_library()
    lists = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    ident = ctypes.c_int64(lists.id)
    assert lib.H5Pset_shared_mesg_nindexes(ident, len(indexes)) >= 0
    for number, (types, to_btree) in enumerate(indexes):
        assert lib.H5Pset_shared_mesg_index(ident, number, types, 4) >= 0
        assert lib.H5Pset_shared_mesg_phase_change(ident, to_btree, to_btree // 2) >= 0
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_EARLIEST, h5py.h5f.LIBVER_LATEST)
    handle = h5py.h5f.create(os.fsencode(path), fcpl=lists, fapl=access)
    with h5py.File(handle) as f:
        compound = np.dtype([("id", "<i4"), ("position", "<f8", (3,))])
        for i in range(12):
            d = f.create_dataset(
                f"chunked{i}",
                shape=(40, 3 + i % 2),
                dtype="<f4",
                chunks=(16, 3),
                fillvalue=7.5 + i % 2,
                compression="gzip",
                shuffle=True,
            )
            d[:20] = np.arange(20 * (3 + i % 2)).reshape(20, -1)
            d.attrs["units"] = np.full(30, i % 3, "<i8")
            d.attrs["own"] = f"number {i}"
        for i in range(3):
            f.create_dataset(f"compound{i}", data=np.zeros(5, compound))
        for i in range(40):
            f["compound0"].attrs[f"dense{i:02}"] = np.arange(20, dtype="<i8") + i % 4


@pytest.mark.parametrize(
    "indexes",
    [
        [(ALL_TYPES, 50)],
        [(ALL_TYPES, 2)],
        [(DATASPACE | DATATYPE, 20), (FILL_VALUE | FILTERS, 2), (ATTRIBUTE, 10)],
    ],
    ids=["list", "btree", "three"],
)
def test_shared_messages(tmp_path, indexes):
    path = tmp_path / "shared.h5"
    write(path, indexes)
    with h5py.File(path) as expected, onecast.File(path) as found:
        assert list(found) == list(expected)
        for name, dataset in expected.items():
            assert found[name].dtype == dataset.dtype
            np.testing.assert_array_equal(found[name][()], dataset[()])
            assert list(found[name].attrs) == list(dataset.attrs)
            for key, value in dataset.attrs.items():
                np.testing.assert_array_equal(found[name].attrs[key], value)
