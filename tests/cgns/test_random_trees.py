"""Random trees: other libraries read node by node what onecast.cgns writes, and the reverse."""

import numpy as np
import pytest
from cgns_libraries import STOCK, library
from cgns_lists import assert_equal
from cgns_random import DTYPES, OLD_TYPES, trees, write_by_library
from cgns_trees import as_stored, tree_by_h5py, tree_by_library, without_type
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from onecast import cgns

pytestmark = pytest.mark.long

SOME = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TYPES = {"debian": OLD_TYPES, "vtk": tuple(DTYPES)}


def nodes_below(tree):
    return [as_stored(child) for child in tree[2]]


def paths(node, above=""):
    for child in node[2]:
        yield f"{above}/{child[0]}", child
        yield from paths(child, f"{above}/{child[0]}")


@pytest.mark.parametrize("stock", STOCK)
@SOME
@given(data=st.data())
def test_other_libraries_read_what_is_saved(tmp_path, stock, data):
    lib = library(stock)
    tree = data.draw(trees(TYPES[stock]))
    path = tmp_path / "file.cgns"
    cgns.save(path, tree)
    assert without_type(tree_by_library(lib, path))[4] == nodes_below(tree)
    assert without_type(tree_by_h5py(path))[4] == nodes_below(tree)


@pytest.mark.parametrize("stock", STOCK)
@SOME
@given(data=st.data())
def test_what_other_libraries_write_is_loaded(tmp_path, stock, data):
    lib = library(stock)
    tree = data.draw(trees(TYPES[stock], fitting=False))
    path = tmp_path / "file.cgns"
    write_by_library(lib, path, tree)
    assert_equal(cgns.load(path), tree)
    # Onecast's cgio finds the same.
    assert tree_by_library(library("ours"), path) == tree_by_library(lib, path)


@pytest.mark.parametrize("stock", STOCK)
@SOME
@given(data=st.data())
def test_links_lead_to_any_node(tmp_path, stock, data):
    lib = library(stock)
    tree = data.draw(trees(TYPES[stock]).filter(lambda tree: tree[2]))
    target, node = data.draw(st.sampled_from(list(paths(tree))))
    if data.draw(st.booleans()):
        # The other library keeps targets of links open, so each one gets a new file.
        other = f"other{len(list(tmp_path.iterdir()))}.cgns"
        cgns.save(tmp_path / other, tree)
        own, link = ["CGNSTree", None, [], "CGNSTree_t"], ("/Link", other, target)
    else:
        own, link = tree, ("/Link", "", target)
    own = [*own[:2], [child for child in own[2] if child[0] != "Link"], own[3]]
    own[2].append(["Link", None, [], ""])
    path = tmp_path / "file.cgns"
    cgns.save(path, own, links=[link])
    assert cgns.links(path) == [link]
    expected = ["Link", *node[1:]]
    assert_equal(cgns.find(cgns.load(path), "/Link"), expected)
    found = without_type(tree_by_library(lib, path))[4][-1]
    assert found == as_stored(expected)


@SOME
@given(tree=trees(tuple(DTYPES)))
def test_parts_of_a_tree_are_those_of_the_whole(tmp_path, tree):
    path = tmp_path / "file.cgns"
    cgns.save(path, tree)
    for where, node in paths(tree):
        assert_equal(cgns.load(path, where), node)
    lazy = dict(paths(cgns.load(path, values="lazy")))
    for where, node in paths(tree):
        found = lazy[where][1]
        assert (found is None) == (node[1] is None)
        assert found is None or (np.asarray(found) == node[1]).all()
