"""Committed types count who uses them, as h5py makes them do."""

import h5py
import numpy as np
import pytest

import onecast

KIND = np.dtype([("a", "<i4"), ("b", "<f8")])


def make(path, libver):
    with h5py.File(path, "w", libver=libver) as f:
        f["kind"] = KIND
        f["number"] = np.dtype("<i4")
        for name in ("x", "y", "g/h/z"):
            f.create_dataset(name, (3,), dtype=f["kind"])
            f[name].attrs.create("n", 1, dtype=f["number"])
        f["y"].attrs.create("m", 1, dtype=f["number"])
        f.attrs.create("n", 1, dtype=f["number"])
        f["g"].attrs.create("n", 1, dtype=f["number"])
        f["number"].attrs.create("n", 1, dtype=f["number"])
        f["same x"] = f["x"]
        for i in range(30):
            f["x"].attrs.create(f"{i}", i, dtype=f["number"])


def remove_dataset(f):
    del f["y"]


def remove_one_of_two_links(f):
    del f["x"]


def remove_both_links(f):
    del f["x"], f["same x"]


def remove_group(f):
    del f["g"]


def remove_attribute(f):
    del f["y"].attrs["m"], f["x"].attrs["7"]


def replace_attribute(f):
    f.attrs["n"] = 2
    f["x"].attrs["3"] = "text"


def remove_everything(f):
    for name in list(f):
        if name != "number":
            del f[name]


def remove_name(f):
    del f["kind"]


def remove_name_and_users(f):
    del f["kind"]
    del f["x"], f["same x"], f["y"], f["g"]


CHANGES = [
    remove_dataset,
    remove_one_of_two_links,
    remove_both_links,
    remove_group,
    remove_attribute,
    replace_attribute,
    remove_everything,
    remove_name,
    remove_name_and_users,
]


def counts(path):
    with h5py.File(path) as f:
        found = {name: h5py.h5o.get_info(f[name].id).rc for name in ("kind", "number") if name in f}
        if "y" in f:
            assert f["y"].dtype == KIND
        return found


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_counts_are_those_of_h5py(tmp_path, change, libver):
    for lib in (h5py, onecast):
        path = tmp_path / f"{lib.__name__}.h5"
        make(path, libver)
        with lib.File(path, "r+") as f:
            change(f)
    assert counts(tmp_path / "onecast.h5") == counts(tmp_path / "h5py.h5")
    assert not onecast.check(tmp_path / "onecast.h5", data=True)["damaged"]


def test_paths_are_found_after_a_type_was_met_first(tmp_path):
    path = tmp_path / "file.h5"
    make(path, "latest")
    with onecast.File(path, "r+") as f:
        del f["y"]
        assert f["kind"]._object.path == "/kind"
        assert f["kind"] == f["/kind"]


def test_the_space_of_the_last_user_is_used_again(path):
    with h5py.File(path, "w") as f:
        f["kind"] = np.dtype("<i4")
        f.create_dataset("x", (3,), dtype=f["kind"])
        del f["kind"]
    with onecast.File(path, "r+") as f:
        f.copy("x", "copy")
        f.flush()
        del f["x"]
        del f["copy"]
        f.flush()
    assert not onecast.check(path, data=True)["findings"]
    with h5py.File(path, "r+") as f:
        assert list(f) == []
        f["new"] = 1
