"""`dataset[region] = values` writes the part to which a region reference refers"""

import numpy as np
import pytest

import onecast

MASK = np.zeros((4, 5), bool)
MASK[[0, 2, 3], [1, 3, 0]] = True
REGIONS = {
    "box": np.s_[1:3, ::2],
    "list": np.s_[[0, 2], 1:3],
    "mask": MASK,
    "element": np.s_[2, 3],
    "whole": ...,
    "nothing": np.s_[0:0, 0:0],
}


@pytest.mark.parametrize("region", REGIONS)
def test_one_value(file, region):
    d = file.create_dataset("d", (4, 5), "i4")
    d[d.regionref[REGIONS[region]]] = 5
    expected = np.zeros((4, 5), int)
    expected[REGIONS[region]] = 5
    assert d[...].tolist() == expected.tolist()


@pytest.mark.parametrize("region", ["box", "mask", "whole"])
def test_as_many_values_in_a_line_or_in_the_shape_of_a_box(file, region):
    d = file.create_dataset("d", (4, 5), "i4", chunks=(2, 2))
    reference = d.regionref[REGIONS[region]]
    shape = d[reference].shape
    values = np.arange(1, 1 + np.prod(shape))
    expected = np.zeros((4, 5), int)
    expected[REGIONS[region]] = values.reshape(shape)
    for given in (values, values.reshape(shape), values.tolist()):
        d[...] = 0
        d[reference] = given
        assert d[...].tolist() == expected.tolist()
        assert d[reference].tolist() == values.reshape(shape).tolist()


def test_wrong_numbers_of_values(file):
    d = file.create_dataset("d", (4, 5), "i4")
    with pytest.raises(TypeError):
        d[d.regionref[MASK]] = [1, 2]
    assert not d[...].any()


def test_a_member(file):
    d = file.create_dataset("d", (4,), [("x", "i4"), ("y", "f4")])
    reference = d.regionref[1:3]
    d[reference, "x"] = 4
    assert d["x"].tolist() == [0, 4, 4, 0]
    assert d[reference, "x"].tolist() == [4, 4]


def test_a_region_of_another_dataset(file):
    d, alike = (file.create_dataset(name, (4, 5), "i4") for name in "de")
    row = file.create_dataset("row", (4,), "i4")
    with pytest.raises(ValueError, match="must point to this dataset"):
        d[alike.regionref[1:3]]
    with pytest.raises(TypeError, match="shape"):
        d[row.regionref[1:3]] = 1
    assert not d[...].any()
    d[alike.regionref[1:3]] = 1
    assert d[...].sum() == 10


def test_write_direct(file):
    d = file.create_dataset("d", (4, 5), "i4")
    d.write_direct(np.arange(6, dtype="i4").reshape(2, 3), dest_sel=d.regionref[1:3, ::2])
    assert d[1:3, ::2].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_other_indices_beside_a_region(path):
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", (4, 5), "i4")
        region = d.regionref[1:3]
        for args in ((region, 1), (region, region)):
            with pytest.raises(TypeError, match="region"):
                d[args] = 1
        assert not d[...].any()


def test_each_rank_writes_its_region(mpirun):
    mpirun(
        3,
        """
with onecast.File("file.h5", "w", comm=comm) as f:
    d = f.create_dataset("d", (size, 4), "i4")
    mine = [d.regionref[row] for row in range(size)][rank]
    d.write_all(mine, rank + 1)
    assert (d.read_all() == np.arange(1, size + 1)[:, None]).all()
    assert d.read_all(mine).tolist() == [[rank + 1] * 4]
""",
    )
