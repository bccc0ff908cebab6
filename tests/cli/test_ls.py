"""onecast ls"""

import h5py
import numpy as np
import pytest


@pytest.fixture
def filled(path):
    with h5py.File(path, "w") as f:
        f["a/x"] = np.arange(6, dtype=">i4").reshape(2, 3)
        f["a/x"].attrs["units"] = np.float64(1)
        f["a/b/deep"] = 1.5
        f["again"] = f["a"]
        f["soft"] = h5py.SoftLink("/a/x")
        f["ext"] = h5py.ExternalLink("other.h5", "/q")
        f["empty"] = h5py.Empty("f4")
        f["kind"] = np.dtype("i4")
        f.create_dataset("z", (10,), "f4", chunks=(4,), maxshape=(None,))
    return path


def cells(result):
    return {line.split()[0]: line for line in result.lines}


def test_members(onecast, filled):
    result = onecast("ls", filled)
    assert result.code == 0
    assert [line.split()[0] for line in result.lines] == [
        "a", "again", "empty", "ext", "kind", "soft", "z",
    ]  # fmt: skip
    lines = cells(result)
    assert "group" in lines["a"]
    assert "empty" in lines["empty"]
    assert "-> other.h5:/q" in lines["ext"]
    assert "-> /a/x" in lines["soft"]
    assert "type" in lines["kind"]


def test_path(onecast, filled):
    assert sorted(cells(onecast("ls", f"{filled}/a"))) == ["b", "x"]
    (line,) = onecast("ls", f"{filled}/a/x").lines
    assert "dataset" in line
    assert "2 × 3" in line
    assert "big-endian" in line


def test_recursive(onecast, filled):
    names = [line.split()[0] for line in onecast("ls", "-r", filled).lines]
    assert sorted(names) == sorted(
        ["a", "a/b", "a/b/deep", "a/x", "again", "empty", "ext", "kind", "soft", "z"]
    )
    assert "same as /a" in cells(onecast("ls", "-r", filled))["again"]


def test_long(onecast, filled):
    text = onecast("ls", "-l", f"{filled}/a").out
    assert "layout: contiguous" in text
    assert "@units: scalar, " in text
    text = onecast("ls", "-l", filled).out
    assert "layout: chunked, chunks of 4" in text
    assert "may grow to: unlimited" in text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[bold]red[bold]", "[bold]red[bold]"),
        ("new\nline", "new\\nline"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("ünï 日本", "ünï 日本"),
        (b"\xff\xfe", "\\xff\\xfe"),
        ("x" * 500, "x" * 500),
        ("..", ".."),
    ],
)
def test_weird_names(onecast, path, name, shown):
    with h5py.File(path, "w") as f:
        f.create_group(name)
    for options in ([], ["-r"], ["-l"]):
        result = onecast("ls", *options, path)
        assert result.code == 0
        (line,) = result.lines
        assert line.startswith(f"{shown} ")


def test_a_loop_ends(onecast, path):
    with h5py.File(path, "w") as f:
        f["a/b"] = f["/"]
    result = onecast("ls", "-r", path)
    assert result.code == 0
    assert [line.split()[0] for line in result.lines] == ["a", "a/b"]
    assert "same as /" in result.lines[1]


def test_corpus(onecast, corpus):
    for file in sorted((corpus / "cgns").glob("*.cgns"))[:4]:
        result = onecast("ls", "-r", "-l", file)
        assert result.code in (0, 1), result.err
        if result.code == 0:
            assert "CGNSLibraryVersion" in result.out
        else:
            assert result.err.count("\n") == 1


def test_filters(onecast, path):
    with h5py.File(path, "w") as f:
        f.create_dataset(
            "x", data=np.zeros((10, 10)), chunks=(5, 5), compression="gzip",
            compression_opts=4, shuffle=True, fletcher32=True,
        )  # fmt: skip
        f.create_dataset("y", data=np.zeros(10), chunks=(5,))
    lines = onecast("ls", "-l", path).lines
    assert [line.strip() for line in lines if "filters:" in line] == [
        "filters: shuffle, gzip=4, fletcher32"
    ]


NAMES = [b"\xff\xfe", b"a\tb", "\u202e\u00ad".encode(), b"plain\\xff", "\U0001f600".encode()]


@pytest.mark.parametrize("name", NAMES)
def test_names_can_be_given_back(onecast, path, tmp_path, name):
    """Names are accepted as they are printed."""
    with h5py.File(path, "w") as f:
        f.create_group("g").create_group(name)["x"] = [1, 2, 3]
    (line,) = onecast("ls", f"{path}/g").lines
    printed = line.split("  ")[0]
    assert printed.isprintable()
    assert "3" in onecast("ls", f"{path}/g/{printed}").out
    dumped = onecast("dump", path, f"/g/{printed}/x")
    assert dumped.code == 0, dumped.err
    (found,) = dumped.json["objects"].values()
    assert found["value"] == [1, 2, 3]
    (as_json,) = dumped.json["objects"]
    assert onecast("dump", path, as_json).code == 0
    (records,) = (onecast("dump", "--format", "records", path, f"/g/{printed}/x"),)
    assert records.code == 0
    out = tmp_path / "out.h5"
    layout = f"g/{printed}/x:chunked:2"
    assert onecast("repack", "--layout", layout, path, out).code == 0
    with h5py.File(out) as f:
        assert f["g"][name]["x"].chunks == (2,)
    excluded = onecast("diff", "--exclude", f"/g/{printed}", path, out)
    assert (excluded.code, excluded.out) == (0, "")
