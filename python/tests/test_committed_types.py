"""Committed types count their users, as with h5py."""

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


@pytest.mark.parametrize("lib", [h5py, onecast])
@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_datasets_and_attributes_refer_to_the_type(path, lib, libver):
    with lib.File(path, "w", libver=libver) as f:
        f["kind"] = KIND
        f["number"] = np.dtype("<i4")
        f["text"] = lib.string_dtype()
        rows = np.array([(1.5, 2)], [("b", "f4"), ("a", "i8")])
        f.create_dataset("x", (3,), f["kind"])
        f.create_dataset("y", data=rows, dtype=f["kind"])
        f.create_dataset("z", (4,), f["number"], chunks=(2,), compression=1)[:] = [1, 2, 3, 4]
        f.create_dataset("t", data=["é"], dtype=f["text"])
        f["x"].attrs.create("n", [1, 2], dtype=f["number"])
        f["x"].attrs.create("replaced", 1, dtype=f["number"])
        f["x"].attrs.create("replaced", 1, dtype=f["number"])
        f["x"].attrs.create("plain", 1, dtype=f["number"].dtype)
        f["x"].attrs.create("empty", lib.Empty("i4"), dtype=f["number"])
        f.create_dataset("removed", (3,), f["number"])
        del f["removed"]
        if lib is onecast:
            assert f["x"].dtype == KIND and f["x"].attrs["n"].tolist() == [1, 2]
            f.flush()
            f.create_dataset("late", data=7, dtype=f["number"])
            assert f["late"][()] == 7
    with h5py.File(path) as f:
        for name, kind in {"x": "kind", "y": "kind", "z": "number", "t": "text"}.items():
            stored = f[name].id.get_type()
            assert stored.committed() and stored.equal(f[kind].id), name
        assert f["y"][...].tolist() == [(2, 1.5)]
        assert f["z"][...].tolist() == [1, 2, 3, 4]
        assert f["t"].asstr()[...].tolist() == ["é"]
        types = {a: f["x"].attrs.get_id(a).get_type().committed() for a in f["x"].attrs}
        assert types == {"n": True, "replaced": True, "plain": False, "empty": True}
        assert f["x"].attrs["n"].tolist() == [1, 2]
        uses = 5 if lib is onecast else 4
        rc = {name: h5py.h5o.get_info(f[name].id).rc for name in ("kind", "number", "text")}
        assert rc == {"kind": 3, "number": 1 + uses, "text": 2} or lib is h5py
    assert not onecast.check(path, data=True)["damaged"]


def test_types_that_cannot_be_referred_to(path, tmp_path):
    with onecast.File(path, "w") as f, onecast.File(tmp_path / "other.h5", "w") as other:
        other["kind"] = KIND
        f["kind"] = KIND
        with pytest.raises(ValueError, match="not a committed datatype of this file"):
            f.create_dataset("x", (3,), other["kind"])
        with pytest.raises(ValueError, match="not a committed datatype of this file"):
            f.attrs.create("x", np.zeros(1, KIND), dtype=other["kind"])
        kind = f["kind"]
        with f.independent(), pytest.raises(ValueError, match="independent"):
            f.create_dataset("x", (3,), kind)
        assert "x" not in f and "x" not in f.attrs
        del f["kind"]
        f.create_dataset("x", (3,), kind)  # which outlives its link
    with h5py.File(path) as f:
        assert f["x"].dtype == KIND
    assert not onecast.check(path)["findings"]


def test_together(mpirun):
    mpirun(
        3,
        """
f = onecast.File("types.h5", "w", comm=comm)
f["kind"] = np.dtype([("a", "i4")])
d = f.create_dataset("d", (3,), f["kind"], compact=False)
d.write_all(slice(rank, rank + 1), np.array([(rank,)], [("a", "i8")]))
f.attrs.create("a", np.zeros(2, [("a", "i4")]), dtype=f["kind"])
f.flush()
f["number"], f["other"] = np.dtype("i4"), np.dtype("i4")
f.create_dataset("x", (3,), f["number" if rank else "other"])
same_everywhere(f.flush, onecast.DivergedError)
same_everywhere(f.close, onecast.DivergedError)
""",
    )


@pytest.mark.parametrize("kind", ["i4", "u1", "S5", "f8"])
@pytest.mark.parametrize("use", ["dataset", "attribute", "link", "attribute of it"])
def test_a_small_one_is_used_in_a_later_session(path, kind, use):
    with onecast.File(path, "w") as f:
        f["kind"] = np.dtype(kind)
    with onecast.File(path, "r+") as f:
        f["x"] = np.arange(10)
        if use == "dataset":
            f.create_dataset("y", (5,), dtype=f["kind"])
        elif use == "attribute":
            f.attrs.create("n", np.zeros((), kind), dtype=f["kind"])
        elif use == "link":
            f["same kind"] = f["kind"]
        else:
            f["kind"].attrs["n"] = "text"
    with h5py.File(path) as f:
        assert list(f["x"]) == list(range(10))
        assert f["kind"].dtype == np.dtype(kind)
        if use == "attribute of it":
            assert f["kind"].attrs["n"] == "text"


def test_what_they_are_shown_as(lib, file):
    file["a"], file["b"] = np.dtype("S5"), KIND
    assert repr(file["a"]) == '<HDF5 named type "a" (dtype |S5)>'
    assert repr(file["b"]) == '<HDF5 named type "b" (dtype |V12)>'
    found = file["a"]
    file.close()
    assert repr(found) == "<Closed HDF5 named type>"


def merged(source, target, name, into):
    options = onecast._core.CopyOptions(merge_committed_types=True)
    onecast._core.copy(target["/"]._object, source[name]._object, into, options)


def test_copies_refer_to_equal_types_of_the_target(path, tmp_path):
    """As with H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG."""
    make(path, "latest")
    own = tmp_path / "own.h5"
    with h5py.File(own, "w", libver="latest") as f:
        f["types/same"] = KIND
        f["other"] = np.dtype("<f4")
    with onecast.File(path) as source, onecast.File(own, "r+") as f:
        merged(source, f, "x", "x")
        merged(source, f, "/", "all")
        merged(source, f, "kind", "kind too")
    with h5py.File(own) as f:
        same = h5py.h5o.get_info(f["types/same"].id)
        for name in ("x", "all/x", "all/y", "all/g/h/z"):
            kind = f[name].id.get_type()
            assert kind.committed() and h5py.h5o.get_info(kind).addr == same.addr
        assert f["all/kind"] == f["kind too"] == f["types/same"]
        # Three links, and four datasets: x and "same x" of the copy are one.
        assert same.rc == 7
        number = f["all/x"].attrs.get_id("n").get_type()
        assert number.committed() and h5py.h5o.get_info(number).addr != same.addr
    assert onecast.check(own)["findings"] == []
    with onecast.File(own, "r+") as f:
        del f["all"], f["x"], f["kind too"]
    with h5py.File(own) as f:
        assert h5py.h5o.get_info(f["types/same"].id).rc == 1
