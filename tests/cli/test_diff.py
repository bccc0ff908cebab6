"""onecast diff"""

import shutil

import h5py
import numpy as np
import pytest


@pytest.fixture
def pair(tmp_path):
    """pair(change) returns two files, the second of which was changed."""

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
            f["z"] = [complex(np.nan, 1), 1j]
            f.create_dataset("s", (), "S5")[()] = b"abc"
            f.create_dataset("filled", (3,), "i4", data=[1, 2, 3], fillvalue=5)
            f["long"] = "x" * 500 + "y" + "x" * 500
            f.create_dataset("many", (1,), h5py.vlen_dtype("i4"))
            f["many"][0] = np.zeros(1000, "i4")
            ordered = f.create_group("ordered", track_order=True)
            for name in ("a", "b"):
                ordered[name] = ordered.attrs[name] = 1
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


def replace_typed(path, value, kind):
    def change(f):
        del f[path]
        f.create_dataset(path, (), kind)[()] = value

    return change


def padded(size):
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(size)
    kind.set_strpad(h5py.h5t.STR_SPACEPAD)
    return h5py.Datatype(kind)


def filled(value):
    def change(f):
        del f["filled"]
        f.create_dataset("filled", (3,), "i4", data=[1, 2, 3], fillvalue=value)

    return change


def replace_list(at, value):
    def change(f):
        values = np.zeros(1000, "i4")
        values[at] = value
        f["many"][0] = values

    return change


def refer(f):
    f["refs"][0] = f["g"].ref


def reorder(owner, name):
    """Makes the first member the last one."""

    def change(f):
        members = f[owner] if isinstance(owner, str) else owner
        del members[name]
        members[name] = 1

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
    "part of NaN": (set_value("z", 0, complex(np.nan, 2)), "/z: 1 of 2 values differ"),
    "characters": (
        replace_typed("s", b"abc", h5py.string_dtype("utf-8", 5)),
        "/s: type: string of 5 bytes: characters ascii != utf8",
    ),
    "padding": (
        replace_typed("s", b"abc", padded(5)),
        "/s: type: string of 5 bytes: padding null_padded != space_padded",
    ),
    "fixed and variable": (
        replace_typed("s", b"abc", h5py.string_dtype()),
        "/s: type: string of 5 bytes != variable-length string",
    ),
    "fill value": (filled(7), "/filled: fill value: 5 != 7"),
    "no fill value": (filled(None), "/filled: fill value: 5 != 0"),
    "long text": (
        replace("long", "x" * 500 + "z" + "x" * 500),
        "xxxyxxx",
    ),
    "long list": (replace_list(700, 5), "/many: 1 of 1 values differ, first at (0,)[700]: 0 != 5"),
    "reference": (refer, "first at (0,): -> /same != -> /g"),
    "order of links": (reorder("ordered", "a"), "/ordered: order of links: first at 0: a != b"),
    "order of attributes": (
        lambda f: reorder(f["ordered"].attrs, "a")(f),
        "/ordered: order of attributes: first at 0: a != b",
    ),
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


@pytest.mark.parametrize("options", [("--rtol", "0.5"), ("--atol", "1e300")], ids=" ".join)
def test_no_tolerance_reaches_infinity(onecast, tmp_path, options):
    inf, nan = np.inf, np.nan
    a = [inf, inf, 1, -inf, inf, nan, 1, nan]
    b = [-inf, 1, inf, inf, inf, 1, nan, nan]
    different = [True, True, True, True, False, True, True, False]
    for kind in ("f4", "f8", "c16"):
        for name, values in (("a.h5", a), ("b.h5", b)):
            with h5py.File(tmp_path / name, "w") as f:
                for number, value in enumerate(np.array(values, kind)):
                    f[f"{number}"] = value
        result = onecast("diff", *options, tmp_path / "a.h5", tmp_path / "b.h5")
        found = {line.partition(":")[0] for line in result.lines}
        assert found == {f"/{i}" for i, differs in enumerate(different) if differs}


@pytest.mark.parametrize("option", ["--rtol", "--atol"])
@pytest.mark.parametrize("value", ["nan", "inf", "-1", "x"])
def test_tolerances_that_are_none(onecast, pair, option, value):
    result = onecast("diff", option, value, *pair())
    assert result.code == 2
    assert option in result.err


def test_text_of_fixed_and_of_variable_length(onecast, pair):
    """The values are equal."""
    files = pair(replace_typed("s", b"abc", h5py.string_dtype()))
    assert onecast("diff", *files).lines == [
        "/s: type: string of 5 bytes != variable-length string"
    ]


@pytest.mark.parametrize("typo", ["/typo", "g/typo", "/g@typo", "/typo@text", "/"])
def test_nothing_to_exclude(onecast, pair, typo):
    result = onecast("diff", "--exclude", typo, *pair())
    assert result.code == 2
    assert f"--exclude {typo}: " in result.err


def test_exclude_what_one_file_has(onecast, pair):
    def add(f):
        f["new"] = 1
        f["g"].attrs["at@sign"] = 1
        f["dangling"] = h5py.SoftLink("/nowhere")

    a, b = pair(add)
    options = ["--exclude", "new", "--exclude", "/g@at@sign", "--exclude", "/dangling"]
    assert onecast("diff", *options, a, b).code == 0
    assert onecast("diff", *options, b, a).code == 0


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


@pytest.mark.leaves_damage
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
