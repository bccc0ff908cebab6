"""onecast dump"""

import h5py
import numpy as np
import pytest

import onecast as core


def test_everything(onecast, path):
    with h5py.File(path, "w") as f:
        f["a/x"] = np.arange(6, dtype=">i4").reshape(2, 3)
        f["a/x"].attrs["text"] = "Größe"
        f["soft"] = h5py.SoftLink("/a/x")
        f["ext"] = h5py.ExternalLink("other.h5", "/q")
        f["same"] = f["a/x"]
    result = onecast("dump", path)
    assert result.code == 0
    assert result.err == ""
    dumped = result.json
    assert dumped["file"] == str(path)
    objects = dumped["objects"]
    assert list(objects) == ["/", "/a", "/same"]  # the walk reaches /same before /a/x
    root = objects["/"]
    assert root["kind"] == "group"
    assert root["links"] == {
        "a": {"kind": "hard", "object": "/a"},
        "ext": {"kind": "external", "file": "other.h5", "path": "/q"},
        "same": {"kind": "hard", "object": "/same"},
        "soft": {"kind": "soft", "path": "/a/x"},
    }
    assert objects["/a"]["links"] == {"x": {"kind": "hard", "object": "/same"}}
    x = objects["/same"]
    assert x["kind"] == "dataset"
    assert x["type"] == {"class": "integer", "size": 4, "signed": True, "order": "big"}
    assert x["shape"] == [2, 3]
    assert x["layout"] == "contiguous"
    assert x["value"] == [[0, 1, 2], [3, 4, 5]]
    assert x["attributes"]["text"]["value"] == "Größe"
    assert x["attributes"]["text"]["shape"] == []
    assert x["attributes"]["text"]["type"]["class"] == "variable_string"


VALUES = {
    "scalar": (np.float32(0.5), 0.5),
    "not finite": (np.array([np.nan, np.inf, -np.inf, 1]), ["NaN", "Infinity", "-Infinity", 1]),
    "strings": (np.array([b"a", b"bc"]), ["a", "bc"]),
    "bytes": (np.array([b"\xff\xfe"]), [{"base64": "//4="}]),
    "complex": (np.array([1 + 2j]), [{"r": 1.0, "i": 2.0}]),
    "record": (
        np.array([(1, (2.5, b"x"))], dtype=[("a", "i4"), ("n", [("b", "f8"), ("s", "S3")])]),
        [{"a": 1, "n": {"b": 2.5, "s": "x"}}],
    ),
    "large number": (np.uint64(2**64 - 1), 2**64 - 1),
    "empty": (h5py.Empty("f4"), None),
    "no elements": (np.zeros((0, 3)), []),
    "texts": (["é", ""], ["é", ""]),
    "text": ("one", "one"),
}


@pytest.mark.parametrize(("value", "expected"), VALUES.values(), ids=VALUES.keys())
def test_values(onecast, path, value, expected):
    with h5py.File(path, "w") as f:
        f["x"] = value
        f.attrs["a"] = value
    objects = onecast("dump", path).json["objects"]
    assert objects["/x"]["value"] == expected
    assert objects["/"]["attributes"]["a"]["value"] == expected
    if isinstance(value, h5py.Empty):
        assert objects["/x"]["shape"] is None


def test_header(onecast, path):
    with h5py.File(path, "w") as f:
        f["x"] = [1, 2]
        f.attrs["a"] = 1
    objects = onecast("dump", "--header", path).json["objects"]
    assert "value" not in objects["/x"]
    assert "value" not in objects["/"]["attributes"]["a"]
    assert objects["/x"]["shape"] == [2]
    assert objects["/"]["attributes"]["a"]["type"]["class"] == "integer"


def test_path(onecast, path):
    with h5py.File(path, "w") as f:
        f["a/x"] = 1
        f["b"] = 2
    assert list(onecast("dump", path, "/a").json["objects"]) == ["/a", "/a/x"]
    assert list(onecast("dump", path, "b").json["objects"]) == ["/b"]


def test_types(onecast, path):
    with h5py.File(path, "w") as f:
        f["enum"] = np.array([0, 1], h5py.enum_dtype({"RED": 0, "GREEN": 1}, "i2"))
        f.attrs["flag"] = True
        f["opaque"] = np.array([b"ab"], "V2")
        f.create_dataset("sequence", (2,), h5py.vlen_dtype("i4"))
        f["sequence"][:] = [[1, 2], [3]]
        f["array"] = np.zeros(1, [("m", "i4", (2, 3))])
        f["reference"] = np.array([f["enum"].ref, h5py.Reference()], h5py.ref_dtype)
        f["half"] = np.float16(1.5)
    objects = onecast("dump", path).json["objects"]
    assert objects["/enum"]["type"]["class"] == "enumeration"
    assert objects["/enum"]["type"]["values"] == {"RED": 0, "GREEN": 1}
    assert objects["/enum"]["value"] == [0, 1]
    assert objects["/"]["attributes"]["flag"]["value"] is True
    assert objects["/opaque"]["value"] == [{"base64": "YWI="}]
    assert objects["/sequence"]["type"]["base"]["class"] == "integer"
    assert objects["/sequence"]["value"] == [[1, 2], [3]]
    assert objects["/array"]["type"]["members"][0]["type"]["dimensions"] == [2, 3]
    assert objects["/array"]["value"] == [{"m": [[0, 0, 0], [0, 0, 0]]}]
    first, second = objects["/reference"]["value"]
    assert first["reference"] == "object"
    assert second is None
    assert objects["/half"]["value"] == 1.5


def test_storage(onecast, path):
    with h5py.File(path, "w", libver="latest") as f:
        kind = np.dtype("f4")
        f["kind"] = kind
        f.create_dataset(
            "x", (10, 4), f["kind"], maxshape=(None, 4), chunks=(2, 4), shuffle=True,
            compression="gzip", compression_opts=5, fillvalue=7,
        )  # fmt: skip
        h5py.h5o.set_comment(f["x"].id, b"a remark")
    objects = onecast("dump", "--header", path).json["objects"]
    x = objects["/x"]
    assert [(f["name"], f["client_data"]) for f in x["filters"]] == [
        ("shuffle", [4]), ("deflate", [5]),
    ]  # fmt: skip
    assert x["chunk_index"] == "extensible array"
    assert x["fill"] == 7
    assert x["comment"] == "a remark"
    assert x["committed_type"] == "/kind"
    assert x["maxshape"] == [None, 4]
    assert objects["/kind"]["type"]["class"] == "floating"


def test_unsupported(onecast, path):
    """numpy has no name for this type."""
    with h5py.File(path, "w") as f:
        wide = h5py.h5t.STD_I64LE.copy()
        wide.set_size(16)
        wide.set_precision(128)
        space = h5py.h5s.create_simple((1,))
        h5py.h5d.create(f.id, b"wide", wide, space)
        f["fine"] = 1
    result = onecast("dump", path)
    assert result.code == 0
    objects = result.json["objects"]
    assert "unsupported" in objects["/wide"]["value"]
    assert objects["/wide"]["type"]["size"] == 16
    assert objects["/fine"]["value"] == 1
    assert result.err.startswith(f"onecast: {path}: /wide")


def test_limit(onecast, path):
    with h5py.File(path, "w") as f:
        f.create_dataset("huge", (1 << 40,), "f8", chunks=(1024,))
        f["small"] = [[1, 2], [3, 4]]
    objects = onecast("dump", "--limit", 3, path).json["objects"]
    assert objects["/huge"]["value"] == {"omitted": (1 << 40) - 3, "first": [0, 0, 0]}
    assert objects["/small"]["value"] == {"omitted": 1, "first": [1, 2, 3]}
    assert onecast("dump", "--limit", 4, path).json["objects"]["/small"]["value"] == [
        [1, 2],
        [3, 4],
    ]


@pytest.mark.long
@pytest.mark.parametrize("shape", [(3_000_000,), (3, 1_000_000), (2, 700_000, 3), (1_500_000, 2)])
def test_large_values_in_pieces(onecast, path, shape):
    expected = np.arange(np.prod(shape), dtype="i8").reshape(shape) % 7
    with h5py.File(path, "w") as f:
        f["x"] = expected
    dumped = onecast("dump", path).json["objects"]["/x"]["value"]
    assert np.array_equal(np.array(dumped), expected)


def test_several_objects(onecast, path):
    with h5py.File(path, "w") as f:
        f["a/x"], f["b"], f["c"] = 1, 2, 3
    assert list(onecast("dump", path, "/a", "b").json["objects"]) == ["/a", "/a/x", "/b"]


def test_user_defined_links(onecast, corpus):
    links = onecast("dump", corpus / "h5dump" / "tudlink.h5").json["objects"]["/"]["links"]
    values = {"udlink1": "", "udlink2": "Zm9vAA=="}
    assert links == {
        name: {"kind": "user_defined", "class": 187, "value": {"base64": value}}
        for name, value in values.items()
    }


def test_values_of_user_defined_links(onecast, path, tmp_path):
    with core.File(path, "w") as f:
        f["own"] = core.UserDefinedLink(200, b"\0any")
    onecast("repack", path, tmp_path / "packed.h5")
    for name in (path, tmp_path / "packed.h5"):
        links = onecast("dump", name).json["objects"]["/"]["links"]
        assert links["own"] == {
            "kind": "user_defined",
            "class": 200,
            "value": {"base64": "AGFueQ=="},
        }
        assert "LINKCLASS 200" in onecast("dump", "--format", "h5dump", name).out
        assert onecast("ls", name).out.split() == [
            *("own", "user-defined", "link", "class", "200,", "4", "bytes")
        ]


@pytest.mark.parametrize("name", ["new\nline", "ünï", b"\xff", '"quoted"', "\\", "x" * 500])
def test_weird_names(onecast, path, name):
    with h5py.File(path, "w") as f:
        f.create_group(name).attrs[name] = 1
    result = onecast("dump", path)
    shown = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
    assert list(result.json["objects"]) == ["/", f"/{shown}"]
    assert list(result.json["objects"][f"/{shown}"]["attributes"]) == [shown]


def test_a_loop_ends(onecast, path):
    with h5py.File(path, "w") as f:
        f["a/b"] = f["/"]
    objects = onecast("dump", path).json["objects"]
    assert objects["/a"]["links"] == {"b": {"kind": "hard", "object": "/"}}


def test_deep(onecast, path):
    with h5py.File(path, "w") as f:
        group = f
        for _ in range(2000):
            group = group.create_group("g")
    result = onecast("dump", path)
    assert result.code == 0
    assert len(result.json["objects"]) == 2001


def test_corpus(onecast, corpus):
    for folder in ("jhdf", "h5dump"):
        for file in sorted((corpus / folder).iterdir()):
            if file.suffix not in (".h5", ".hdf5") or file.stat().st_size > 5_000_000:
                continue
            result = onecast("dump", "--limit", 1_000_000, file)
            assert result.code in (0, 1), file
            if result.out:
                assert "/" in result.json["objects"], file
            else:
                assert result.code == 1, file
                assert result.err.count("\n") == 1, file
            assert "Traceback" not in result.err


def test_mappings_of_a_virtual_dataset(onecast, path):
    source = h5py.VirtualSource("s.h5", "d", (4, 5), maxshape=(None, 5))
    layout = h5py.VirtualLayout((8, 5), "i8", maxshape=(None, 5))
    layout[: h5py.h5s.UNLIMITED] = source[: h5py.h5s.UNLIMITED]
    fixed = h5py.VirtualLayout((4, 5), "i8")
    fixed[1:3, 2] = h5py.VirtualSource("s.h5", "d", (2,))
    with h5py.File(path, "w") as f:
        f.create_virtual_dataset("growing", layout)
        f.create_virtual_dataset("fixed", fixed)
    objects = onecast("dump", "--header", path).json["objects"]
    all_rows = {"start": [0, 0], "stride": [1, 1], "count": [None, 1], "block": [1, 5]}
    assert objects["/growing"]["sources"] == [
        {"part": all_rows, "file": "s.h5", "dataset": "d", "source_part": all_rows}
    ]
    part = {"start": [1, 2], "stride": [1, 1], "count": [1, 1], "block": [2, 1]}
    assert objects["/fixed"]["sources"] == [
        {"part": part, "file": "s.h5", "dataset": "d", "source_part": "all"}
    ]
