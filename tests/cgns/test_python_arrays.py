"""LazyArray and SlicedArray behave like numpy's arrays in operators, copies and pickles; and when
values are read"""

import copy
import pickle

import numpy as np
import pytest
from cgns_lists import ARRAY, sample

from onecast import cgns


@pytest.fixture
def path(tmp_path):
    cgns.save(tmp_path / "file.cgns", sample())
    return tmp_path / "file.cgns"


@pytest.fixture
def lazy(path):
    return cgns.find(cgns.load(path, values="lazy"), "/Base/Values/Real")[1]


@pytest.mark.parametrize("depth", [-1, -5])
def test_depth_is_not_negative(path, depth):
    with pytest.raises(ValueError, match=f"depth: .*{depth}"):
        cgns.load(path, depth=depth)


@pytest.mark.parametrize("depth", [1.5, "1", [1]])
def test_depth_is_a_number(path, depth):
    with pytest.raises(TypeError, match="depth: "):
        cgns.load(path, depth=depth)


def test_depth_of_numpy(path):
    assert cgns.load(path, depth=np.int32(0)) == cgns.load(path, depth=0)


def test_lazy_arrays_compare_and_calculate(lazy):
    assert ((lazy == ARRAY) == np.ones_like(ARRAY, bool)).all()
    assert ((lazy == 1) == (ARRAY == 1)).all()
    assert ((lazy != 1) == (ARRAY != 1)).all()
    assert ((2 * lazy + 1 - lazy) == ARRAY + 1).all()
    assert ((lazy < ARRAY) == np.zeros_like(ARRAY, bool)).all()
    assert np.sum(lazy) == ARRAY.sum() and np.sqrt(lazy)[0, 1, 0] == np.sqrt(2)
    assert np.add.reduce(lazy, axis=0).shape == (3, 2)
    with pytest.raises(TypeError):
        lazy += 1
    with pytest.raises(TypeError):
        hash(lazy)


def test_lazy_arrays_are_pickled_as_arrays(path, lazy):
    found = pickle.loads(pickle.dumps(lazy))
    assert type(found) is np.ndarray and (found == ARRAY).all()
    tree = cgns.load(path, values="lazy")
    for copied in (copy.deepcopy(tree), copy.copy(tree)):
        assert isinstance(cgns.find(copied, "/Base/Values/Real")[1], cgns.LazyArray)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickled_slices_know_the_whole(protocol):
    part = cgns.sliced(ARRAY[:, :, 1:], (4, 3, 7), 2)
    found = pickle.loads(pickle.dumps(part, protocol))
    assert isinstance(found, cgns.SlicedArray)
    assert (found.whole_shape, found.start) == ((4, 3, 7), 2)
    assert (found == part).all() and found.flags.f_contiguous
    copied = copy.deepcopy(part)
    assert (copied.whole_shape, copied.start) == ((4, 3, 7), 2)
