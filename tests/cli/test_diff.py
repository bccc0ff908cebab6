"""onecast diff"""

import shutil

import h5py
import numpy as np
import pytest


@pytest.fixture
def pair(tmp_path):
    """pair(change): two files, the second of which was changed."""

    def make(change=lambda f: None):
        a, b = tmp_path / "a.h5", tmp_path / "b.h5"
        with h5py.File(a, "w") as f:
            f["x"] = np.arange(12.0).reshape(3, 4)
            f["x"][0, 0] = np.nan
            f["g/y"] = np.array([(1, b"a")], [("n", "i4"), ("s", "S3")])
            f["g"].attrs["text"] = "one"
            f["soft"] = h5py.SoftLink("/x")
            f["same"] = f["x"]
            f["refs"] = np.array([f["x"].ref], h5py.ref_dtype)
            f["texts"] = ["a", "bc"]
            f["none"] = h5py.Empty("i4")
            f.create_dataset("lists", (2,), h5py.vlen_dtype("i4"))
            f["lists"][:] = [[1], [2, 3]]
        shutil.copy(a, b)
        with h5py.File(b, "r+") as f:
            change(f)
        return a, b

    return make


def test_equal(onecast, pair):
    a, b = pair()
    result = onecast("diff", a, b)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert onecast("diff", a, a).code == 0


def set_value(path, index, value):
    def change(f):
        f[path][index] = value

    return change


def replace(path, value):
    def change(f):
        del f[path]
        f[path] = value

    return change


def remove(path):
    def change(f):
        del f[path]

    return change


def set_attribute(f):
    f["g"].attrs["text"] = "two"


CHANGES = {
    "value": (
        set_value("x", (1, 2), 7),
        "/same: 1 of 12 values differ, first at (1, 2): 6.0 != 7.0",
    ),
    "NaN": (set_value("x", (0, 0), 7), "first at (0, 0): nan != 7.0"),
    "compound": (set_value("g/y", 0, (2, b"a")), "/g/y: 1 of 1 values differ"),
    "text": (set_value("texts", 1, "bd"), "/texts: 1 of 2 values differ, first at (1,)"),
    "sequence": (set_value("lists", 1, [2, 4]), "/lists: 1 of 2 values differ"),
    "attribute": (set_attribute, "/g@text: 1 of 1 values differ, first at (): one != two"),
    "type": (replace("g/y", np.int8([1])), "/g/y: type: "),
    "shape": (replace("x", np.zeros((3, 5))), "/x: is the same object as /same in one file only"),
    "kind": (lambda f: (remove("g/y")(f), f.create_group("g/y")), "/g/y: dataset != group"),
    "link": (replace("soft", h5py.SoftLink("/g")), "/soft: link: "),
    "one only": (remove("texts"), "/texts: only in "),
    "empty": (replace("none", h5py.Empty("i8")), "/none: type: "),
    "sharing": (replace("same", np.zeros((3, 5))), "/same: shape: (3, 4) != (3, 5)"),
}


@pytest.mark.parametrize(("change", "expected"), CHANGES.values(), ids=CHANGES.keys())
def test_differences(onecast, pair, change, expected):
    result = onecast("diff", *pair(change))
    assert result.code == 1, result.err
    assert any(expected in line for line in result.lines), result.out


def test_tolerance(onecast, pair):
    files = pair(set_value("x", (1, 2), 6.01))
    assert onecast("diff", *files).code == 1
    assert onecast("diff", "--atol", 0.02, *files).code == 0
    assert onecast("diff", "--rtol", 0.01, *files).code == 0
    assert onecast("diff", "--rtol", 0.0001, *files).code == 1


def test_exclude(onecast, pair):
    files = pair(lambda f: (set_attribute(f), remove("texts")(f), remove("g/y")(f)))
    assert onecast("diff", "--exclude", "/g", "--exclude", "texts", *files).code == 0
    assert onecast("diff", "--exclude", "/g@text", "--exclude", "texts", *files).lines == [
        f"/g/y: only in {files[0]}"
    ]


def test_limit(onecast, tmp_path):
    for name, value in (("a.h5", 1), ("b.h5", 2)):
        with h5py.File(tmp_path / name, "w") as f:
            for i in range(20):
                f[f"x{i}"] = value
    result = onecast("diff", "--limit", 3, tmp_path / "a.h5", tmp_path / "b.h5")
    assert result.code == 1
    assert len(result.lines) == 4
    assert result.lines[-1] == "... and 17 more"


def test_large_in_pieces(onecast, tmp_path):
    for name, chunks, last in (("a.h5", (100, 999), 0), ("b.h5", None, 5)):
        with h5py.File(tmp_path / name, "w") as f:
            x = np.zeros((2500, 1000), "i8")
            x[2400, 999] = last
            f.create_dataset("x", data=x, chunks=chunks)
    result = onecast("diff", tmp_path / "a.h5", tmp_path / "b.h5")
    assert result.lines == ["/x: 1 of 2500000 values differ, first at (2400, 999): 0 != 5"]


def test_references_are_compared_by_path(onecast, tmp_path):
    for name, before in (("a.h5", ["x"]), ("b.h5", ["pad", "x"])):
        with h5py.File(tmp_path / name, "w") as f:
            for each in before:
                f[each] = 1
            f["r"] = np.array([f["x"].ref], h5py.ref_dtype)
    result = onecast("diff", "--exclude", "/pad", tmp_path / "a.h5", tmp_path / "b.h5")
    assert result.code == 0, result.out


def test_trouble(onecast, pair, tmp_path):
    a, b = pair()
    assert onecast("diff", a, tmp_path / "missing.h5").code == 2
    data = bytearray(b.read_bytes())
    with h5py.File(b) as f:
        at = h5py.h5o.get_info(f["g/y"].id).addr
    data[at] ^= 0xFF
    b.write_bytes(data)
    result = onecast("diff", a, b)
    assert result.code == 2
    assert "/g/y" in result.err


def test_corpus_equals_itself(onecast, corpus):
    for file in sorted((corpus / "h5dump").glob("t*.h5")):
        if file.stat().st_size > 1_000_000 or file.name == "tbigdims.h5":
            continue
        result = onecast("diff", file, file)
        assert result.code in (0, 2), (file, result.out)
        assert result.out == ""
        assert (result.code == 2) == bool(result.err), file
