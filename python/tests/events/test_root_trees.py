"""ROOT files whose trees and branches have unusual names and classes"""

import numpy as np
import pytest

from onecast import events

ak = pytest.importorskip("awkward")
uproot = pytest.importorskip("uproot")
root_files = pytest.importorskip("root_files")

COLUMNS = {"aa": np.arange(30, dtype="i4"), "bb": np.arange(30) / 4, "cc": np.arange(30)}


@pytest.fixture
def root(tmp_path):
    return tmp_path / "tree.root"


def test_branches_of_one_name(root, path):
    root_files.write_tree(root, COLUMNS, batches=2)
    root_files.rename(root, "bb", "aa")
    root_files.rename(root, "cc", "aa")
    with events.open(root) as opened:
        assert opened.columns == ["aa", "aa_2", "aa_3"]
        assert list(opened.products.values()) == ["int32_t", "double", "int64_t"]
        found = opened.to_awkward()
        for name, values in zip(opened.columns, COLUMNS.values(), strict=True):
            assert found[name].to_list() == opened[name].to_list() == values.tolist()
    events.convert(root, path, batch=7)
    with events.open(path) as opened:
        assert opened.products == {"aa": "int32_t", "aa_2": "double", "aa_3": "int64_t"}
        for name, values in zip(opened.columns, COLUMNS.values(), strict=True):
            assert opened[name].to_list() == values.tolist()
            assert opened.to_numpy([name])[name].dtype == values.dtype
    assert events.check(root, data=True) == []


def test_a_branch_that_has_the_name_of_a_second_one(root):
    names = {"aa": "i4", "a1": "f8", "aa_2": "i8", "aa_3": "i8"}
    values = {name: np.arange(3, dtype=dtype) + i for i, (name, dtype) in enumerate(names.items())}
    root_files.write_tree(root, values)
    root_files.rename(root, "a1", "aa")
    with events.open(root) as opened:
        assert opened.columns == ["aa", "aa_4", "aa_2", "aa_3"]
        found = opened.to_awkward()
        assert [found[name][0] for name in opened.columns] == [0, 1, 2, 3]


@pytest.mark.parametrize("kinds", [["TNtuple"], ["TNtupleD"], ["TNtuple", "OwnTuple"], ["Tree"]])
def test_a_class_that_is_a_tree(root, path, kinds):
    root_files.write_subclasses(root, COLUMNS, *kinds)
    for kind in kinds:
        for name in (f"of {kind}", f"of {kind};1"):
            with events.open(f"{root}:{name}") as opened:
                assert len(opened) == 30 and opened.columns == list(COLUMNS)
                for column, values in COLUMNS.items():
                    assert opened[column].to_list() == values.tolist()
        assert events.convert(f"{root}:of {kind}", path) == 30
        with events.open(f"{path}:of {kind}") as opened:
            assert opened["bb"].to_list() == COLUMNS["bb"].tolist()
    with pytest.raises(KeyError, match=f"'no', but Events, of {kinds[0]}"):
        events.open(f"{root}:no")


def test_a_class_that_is_no_tree(root):
    """Its name looks like that of a tree."""
    with uproot.recreate(root) as file:
        file["histogram"] = np.histogram([1, 2, 3])
        file["TTree of words"] = "words"
    with pytest.raises(ValueError, match="one tree was expected, not 0"):
        events.open(root)


@pytest.mark.parametrize("name", ["a:b", ":a:", "folder/c:d;e"])
def test_a_colon_in_the_name(root, path, name):
    root_files.write_tree(root, COLUMNS, name)
    for location in (root, f"{root}:{name}", f"{root}:{name};1"):
        with events.open(location) as opened:
            assert opened["bb"].to_list() == COLUMNS["bb"].tolist()
    assert events.convert(f"{root}:{name}", path) == 30
    group = name.rpartition("/")[2]
    for location in (path, f"{path}:{group}"):
        with events.open(location) as opened:
            assert opened.group.name == f"/{group}" and len(opened) == 30


def test_a_colon_in_the_path(tmp_path):
    folder = tmp_path / "a:b"
    folder.mkdir()
    root = folder / "c:d.root"
    root_files.write_tree(root, COLUMNS, "e:f")
    for location in (root, f"{root}:e:f"):
        with events.open(location) as opened:
            assert len(opened) == 30


def test_a_class_that_uproot_cannot_name(root, path, monkeypatch):
    root_files.write_tree(root, COLUMNS)
    with uproot.open(root) as file:
        kind = type(file["Events"]["aa"])

    def typename(branch):
        raise NotImplementedError("no such class")

    monkeypatch.setattr(kind, "typename", property(typename))
    with events.open(root) as opened:
        assert opened.products == dict.fromkeys(COLUMNS, "unknown")
        assert opened["aa"].to_list() == COLUMNS["aa"].tolist()
    assert events.convert(root, path) == 30
    assert events.check(root, data=True) == []
