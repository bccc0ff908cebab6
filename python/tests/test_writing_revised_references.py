"""References of HDF5 1.12 that Onecast writes, and that the stock library follows through ctypes"""

import ctypes
import hashlib

import h5py
import numpy as np
import pytest
from stock_hdf5 import stock_library

import onecast

hid = ctypes.c_int64
OwnReference = ctypes.c_ubyte * 64  # H5R_ref_t
DEFAULT = hid(0)


class Stock:
    """References in memory, as the stock library has them"""

    def __init__(self):
        self._library = stock_library()

    def call(self, name, *arguments, result=ctypes.c_int):
        function = getattr(self._library, name)
        function.restype = result
        got = function(*arguments)
        assert got >= 0, name
        return got

    def read(self, identifier, count, function="H5Dread"):
        kind = hid(hid.in_dll(self._library, "H5T_STD_REF_g").value)
        references = (OwnReference * count)()
        data = ctypes.byref(references)
        if function == "H5Dread":
            self.call(function, hid(identifier), kind, DEFAULT, DEFAULT, DEFAULT, data)
        else:
            self.call(function, hid(identifier), kind, data)
        return [self.follow(reference) for reference in references]

    def follow(self, reference):
        """Returns (type, path, name of the attribute | elements of the region | None)."""
        data = ctypes.byref(reference)
        kind = self.call("H5Rget_type", data)
        if kind not in (2, 3, 4):
            return None
        opened = self.call("H5Ropen_object", data, DEFAULT, DEFAULT, result=ctypes.c_int64)
        name = ctypes.create_string_buffer(100)
        self.call("H5Iget_name", hid(opened), name, 100)
        self.call("H5Oclose", hid(opened))
        more = None
        if kind == 4:
            text = ctypes.create_string_buffer(100)
            self.call("H5Rget_attr_name", data, text, 100, result=ctypes.c_ssize_t)
            more = text.value.decode()
        if kind == 3:
            space = h5py.h5s.SpaceID(
                self.call("H5Ropen_region", data, DEFAULT, DEFAULT, result=ctypes.c_int64)
            )
            bounds = tuple(map(tuple, np.array(space.get_select_bounds())))
            more = space.get_select_npoints(), bounds
        self.call("H5Rdestroy", data)  # this also closes the file to which it refers
        return kind, name.value.decode(), more


@pytest.fixture(scope="module")
def stock():
    return Stock()


VALUES = np.arange(20).reshape(4, 5)
EXPECTED = [
    (2, "/g/x", None),
    (2, "/h", None),
    (3, "/g/x", (6, ((1, 1), (2, 3)))),
    (3, "/g/x", (20, ((0, 0), (3, 4)))),
    (4, "/g/x", "unit"),
    None,
    (3, "/g/x", (3, ((0, 0), (3, 4)))),
]


def references_of(f):
    x = f["g/x"]
    points = np.zeros((4, 5), bool)
    points[0, 0] = points[3, 4] = points[1, 2] = True
    return [
        x.ref,
        f["h"].ref,
        x.regionref[1:3, 1:4],
        x.regionref[...],
        x.attrs.ref("unit"),
        None,
        x.regionref[points],
    ]


def make(f):
    x = f.create_dataset("g/x", data=VALUES)
    x.attrs["unit"] = "m"
    f.create_group("h")


def same_array(references):
    array = np.empty(len(references), onecast.revised_ref_dtype)
    array[:] = references
    return array


def check(path):
    report = onecast.check(path, data=True)
    assert not report["findings"], report["findings"]


@pytest.mark.parametrize("profile", ["compatible", "latest"])
@pytest.mark.parametrize("flushed", [True, False], ids=["flushed", "new"])
def test_stock_follows_them(stock, path, profile, flushed):
    kinds = {"contiguous": {}, "chunked": {"chunks": (2,)}, "compressed": {"compression": 1}}
    with onecast.File(path, "w", profile=profile) as f:
        make(f)
        if flushed:
            f.flush()
        references = references_of(f)
        for name, options in kinds.items():
            f.create_dataset(name, data=references, dtype=onecast.revised_ref_dtype, **options)
        written = f.create_dataset("written", (9,), onecast.revised_ref_dtype)
        written[1:8] = references
        f.attrs.create("attribute", references, dtype=onecast.revised_ref_dtype)
        for found, given in zip(f["contiguous"][...], references, strict=True):
            assert found == given if given else not found
    check(path)
    with h5py.File(path) as f:
        for name in kinds:
            assert stock.read(f[name].id.id, 7) == EXPECTED, name
        assert stock.read(f["written"].id.id, 9) == [None, *EXPECTED, None]
        attribute = h5py.h5a.open(f.id, b"attribute")
        assert stock.read(attribute.id, 7, "H5Aread") == EXPECTED
    with onecast.File(path) as f:
        x, h, region, whole, attribute, null, points = f["contiguous"][...]
        assert f["contiguous"].dtype.metadata == onecast.revised_ref_dtype.metadata
        assert f[x] == f[region] == f[attribute] == f["g/x"]
        assert f[h] == f["h"]
        assert attribute.attribute == "unit"
        assert not null
        np.testing.assert_array_equal(f["g/x"][region], VALUES[1:3, 1:4])
        np.testing.assert_array_equal(f["g/x"][whole], VALUES)
        assert f["g/x"][points].tolist() == [0, 7, 19]


def test_stock_changes_the_file(stock, path):
    with onecast.File(path, "w") as f:
        make(f)
        f.create_dataset("refs", data=references_of(f), dtype=onecast.revised_ref_dtype)
    with h5py.File(path, "r+") as f:
        f["g/x"].attrs["more"] = np.arange(5000)
        f["g"].create_group("other")
    with h5py.File(path) as f:
        assert stock.read(f["refs"].id.id, 7) == EXPECTED
    with onecast.File(path, "r+") as f:
        f["refs"][5] = f["g/other"].ref
        old = f.create_dataset("old", data=f["refs"][:2], dtype=onecast.ref_dtype)
        assert f[old[0]] == f["g/x"]
    check(path)
    with h5py.File(path) as f:
        expected = [*EXPECTED[:5], (2, "/g/other", None), EXPECTED[6]]
        assert stock.read(f["refs"].id.id, 7) == expected
        assert f[f["old"][1]] == f["h"]


def test_in_compounds_and_sequences(path):
    inner = onecast.vlen_dtype(onecast.revised_ref_dtype)
    dtype = np.dtype([("n", "i4"), ("to", onecast.revised_ref_dtype), ("all", inner)])
    with onecast.File(path, "w") as f:
        make(f)
        references = references_of(f)
        row = np.empty(1, dtype)
        row[0]["n"], row[0]["to"], row[0]["all"] = 7, references[4], same_array(references)
        f.create_dataset("row", data=row)
    check(path)
    with onecast.File(path) as f:
        row = f["row"][0]
        assert row["n"] == 7
        assert row["to"].attribute == "unit"
        assert len(row["all"]) == 7
        assert f[row["all"][2]] == f["g/x"]
        assert row["all"][4] == row["to"]
        np.testing.assert_array_equal(f["g/x"][row["all"][2]], VALUES[1:3, 1:4])


def test_into_another_file(stock, path, monkeypatch):
    monkeypatch.chdir(path.parent)
    with onecast.File("other.h5", "w") as other:
        make(other)
        other.flush()
        references = [r and r.in_file("other.h5") for r in references_of(other)]
    with onecast.File(path, "w") as f:
        f.create_dataset("refs", data=references, dtype=onecast.revised_ref_dtype)
    check(path)
    with h5py.File(path) as f:
        assert stock.read(f["refs"].id.id, 7) == EXPECTED
    with onecast.File(path) as f, onecast.File("other.h5") as other:
        x, _, region, _, attribute, null, _ = f["refs"][...]
        assert x.file == attribute.file == "other.h5"
        np.testing.assert_array_equal(f[x][...], VALUES)
        assert f[attribute].attrs[attribute.attribute] == "m"
        assert not null
        np.testing.assert_array_equal(f[region][region], VALUES[1:3, 1:4])
    onecast.repack(path, "copy.h5")
    with h5py.File("copy.h5") as f:
        assert stock.read(f["refs"].id.id, 7) == EXPECTED
    unsupported = pytest.raises(onecast.UnsupportedError, match="follow_external")
    with onecast.File(path, follow_external=False) as f, unsupported:
        f[f["refs"][0]]


def test_what_cannot_be(path):
    with onecast.File(path, "w") as f:
        make(f)
        with pytest.raises(KeyError, match="no such attribute"):
            f["g/x"].attrs.ref("missing")
        for reference in (f["g/x"].attrs.ref("unit"), f["h"].ref.in_file("other.h5")):
            with pytest.raises(ValueError, match="a reference to an attribute, or to another file"):
                f.create_dataset("refs", data=[reference], dtype=onecast.ref_dtype)
        with pytest.raises(TypeError, match="a reference is expected"):
            f.create_dataset("refs", data=["text"], dtype=onecast.revised_ref_dtype)


PARALLEL = """
dtype = onecast.revised_ref_dtype
with onecast.File(sys.argv[1], "w", comm=comm, page_size=4096) as f:
    x = f.create_dataset("g/x", data=np.arange(20).reshape(4, 5))
    x.attrs["unit"] = "m"
    h = f.create_group("h")
    made = [x.ref, h.ref, x.regionref[1:3, 1:4], x.regionref[...], x.attrs.ref("unit"), None]
    f.create_dataset("equal", data=made, dtype=dtype)
    f.attrs.create("attribute", made, dtype=dtype)
    for name, options in {"rows": {}, "chunks": {"chunks": (100,), "compression": 1}}.items():
        ds = f.create_dataset(name, (600,), dtype, **options)
        a, b = 600 * rank // size, 600 * (rank + 1) // size
        ds.write_all(np.s_[a:b], [made[i % 6] for i in range(a, b)])
with onecast.File(sys.argv[1] + ".own", "w", comm=comm, page_size=4096) as f:
    x = f.create_dataset("g/x", data=np.arange(20).reshape(4, 5))
    x.attrs["unit"] = "m"
    h = f.create_group("h")
    made = [x.ref, h.ref, x.regionref[1:3, 1:4], x.regionref[...], x.attrs.ref("unit"), None]
    own = f.create_dataset("own", (size, 6), dtype)
    own[rank] = made
    f.flush()
    with f.independent():
        made = [x.ref, h.ref, x.regionref[1:3, 1:4], x.regionref[...], x.attrs.ref("unit"), None]
        f.create_dataset(f"of {rank}", data=made, dtype=dtype)
        h.attrs.create(f"of {rank}", made, dtype=dtype)
"""


@pytest.mark.long
def test_on_many_ranks(mpirun, stock, path):
    digests = set()
    expected = EXPECTED[:6]
    for ranks in (1, 2, 3, 4, 7):
        mpirun(ranks, PARALLEL, path)
        check(path)
        check(f"{path}.own")
        with h5py.File(path) as f:
            assert stock.read(f["equal"].id.id, 6) == expected
            attribute = h5py.h5a.open(f.id, b"attribute")
            assert stock.read(attribute.id, 6, "H5Aread") == expected
            for name in ("rows", "chunks"):
                assert stock.read(f[name].id.id, 600) == expected * 100
        with h5py.File(f"{path}.own") as f:
            assert stock.read(f["own"].id.id, ranks * 6) == expected * ranks
            for rank in range(ranks):
                assert stock.read(f[f"of {rank}"].id.id, 6) == expected
                attribute = h5py.h5a.open(f["h"].id, b"of %d" % rank)
                assert stock.read(attribute.id, 6, "H5Aread") == expected
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1
