"""Writes and compares files with virtual datasets."""

import h5py
import numpy as np

import onecast

UNLIMITED = h5py.h5s.UNLIMITED


def write(path, values, name="x", **options):
    with h5py.File(path, "a") as f:
        f.create_dataset(name, data=values, **options)


def write_virtual(path, layout, fill=-1, name="v", **options):
    with h5py.File(path, "a", **options) as f:
        f.create_virtual_dataset(name, layout, fillvalue=fill)


SELECTIONS = (
    np.s_[...],
    np.s_[0],
    np.s_[-1],
    np.s_[:, 1],
    np.s_[::2],
    np.s_[1:, ::3],
    np.s_[1:-1, 2:5],
    np.s_[0, 0],
    np.s_[:0],
    np.s_[[0, 2]],
    np.s_[:, [0, 2, 3]],
)


def compare(path, name="v", selections=SELECTIONS):
    """Expects h5py and Onecast to agree in everything. Returns all elements."""
    with h5py.File(path) as theirs, onecast.File(path) as ours:
        expected, found = theirs[name], ours[name]
        assert found.shape == expected.shape
        assert found.maxshape == expected.maxshape
        assert found.dtype == expected.dtype
        assert found.is_virtual
        assert found.layout == "virtual_dataset"
        values = expected[...]
        for args in selections:
            try:
                part = values[args]
            except IndexError:
                continue
            np.testing.assert_array_equal(found[args], part, str(args))
        mine, stock = found.virtual_sources(), expected.virtual_sources()
        assert [(m.file_name, m.dset_name) for m in mine] == [
            (m.file_name, m.dset_name) for m in stock
        ]
        for m, s in zip(mine, stock, strict=True):
            for ours_, theirs_ in ((m.vspace, s.vspace), (m.src_space, s.src_space)):
                if theirs_.get_select_type() == h5py.h5s.SEL_ALL:
                    assert ours_.is_all
                elif theirs_.is_regular_hyperslab() and ours_.is_unlimited:
                    assert ours_.get_regular_hyperslab() == theirs_.get_regular_hyperslab()
                elif not ours_.is_unlimited:
                    assert ours_.element_count() == theirs_.get_select_npoints()
        return values


def set_virtual(path, shape, maxshape, mappings, dtype=h5py.h5t.STD_I32LE, fill=-1):
    """`mappings` has (virtual, file, dataset, source). A side is (start, stride, count, block)."""
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_fill_value(np.array(fill, "<i4"))
    space = h5py.h5s.create_simple(shape, maxshape)
    for virtual, file, name, source, source_shape in mappings:
        spaces = []
        for slab, (extent, most) in ((virtual, (shape, maxshape)), (source, source_shape)):
            part = h5py.h5s.create_simple(extent, most)
            start, stride, count, block = zip(*slab, strict=True)
            part.select_hyperslab(start, count, stride, block)
            spaces.append(part)
        dcpl.set_virtual(spaces[0], file.encode(), name.encode(), spaces[1])
    with h5py.File(path, "w") as f:
        h5py.h5d.create(f.id, b"v", dtype, space, dcpl)
