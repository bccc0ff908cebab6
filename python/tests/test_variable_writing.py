"""Onecast writes strings and sequences of variable length, and references, and h5py reads them."""

import subprocess

import numpy as np
import pytest

import onecast

h5py = pytest.importorskip("h5py")

TEXTS = ["", "one", "Größe", "x" * 5000, "end"]


@pytest.fixture
def close(file, path):
    """close() closes the file, checks it, and opens it with h5py."""
    opened = []

    def close_and_open():
        file.close()
        report = onecast.check(path, data=True)
        report = onecast.check(path, data=True)
        assert not report["findings"], report["findings"]
        opened.append(h5py.File(path))
        return opened[-1]

    yield close_and_open
    for reader in opened:
        reader.close()


def same_sequences(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "storage", [{}, {"chunks": (2,)}, {"chunks": (3,), "compression": "gzip", "shuffle": True}]
)
def test_strings(lib, file, close, storage):
    file.create_dataset("data", data=TEXTS, **storage)
    file.create_dataset("typed", data=TEXTS, dtype=lib.string_dtype(), **storage)
    file.create_dataset("ascii", data=[b"a", b"bcd"], **{**storage, "chunks": None})
    written = file.create_dataset("written", (7,), lib.string_dtype(), **storage)
    written[1:3] = ["a", "bc"]
    written[3] = "def"
    written[-1] = b"bytes"
    written[4:6] = "both"
    assert list(written.asstr()[:]) == ["", "a", "bc", "def", "both", "both", "bytes"]
    read = close()
    assert list(read["data"].asstr()[:]) == TEXTS
    assert list(read["typed"].asstr()[:]) == TEXTS
    assert h5py.check_string_dtype(read["data"].dtype) == ("utf-8", None)
    assert h5py.check_string_dtype(read["ascii"].dtype) == ("ascii", None)
    assert list(read["ascii"]) == [b"a", b"bcd"]
    assert list(read["written"].asstr()[:]) == ["", "a", "bc", "def", "both", "both", "bytes"]


def test_one_string(lib, file, close):
    file["text"] = "text"
    file["bytes"] = b"bytes"
    file.create_dataset("later", (), lib.string_dtype())[()] = "written"
    read = close()
    assert read["text"].asstr()[()] == "text"
    assert read["bytes"][()] == b"bytes"
    assert read["later"].asstr()[()] == "written"


def test_attributes(lib, file, close):
    values = {
        "text": "Größe",
        "empty": "",
        "bytes": b"bytes",
        "texts": ["a", "bc"],
        "nested": [["a", "bc"], ["def", ""]],
        "objects": np.array(["a", "bc"], dtype=object),
    }
    for name, value in values.items():
        file.attrs[name] = value
    file.attrs.create("ascii", "text", dtype=lib.string_dtype("ascii"))
    file.attrs.create("fixed", "text", dtype=lib.string_dtype("utf-8", 10))
    file.attrs["array"] = np.array([b"a", b"bc"])
    assert file.attrs["text"] == "Größe"
    file.attrs["text"] = "another"
    file.attrs.modify("text", "a third")
    read = close()
    assert read.attrs["text"] == "a third"
    assert read.attrs["empty"] == ""
    for name in ("texts", "nested", "objects"):
        np.testing.assert_array_equal(read.attrs[name], np.array(values[name], object))
    types = {name: read.attrs.get_id(name).dtype for name in read.attrs}
    for name in ("text", "empty", "texts", "nested", "objects"):
        assert h5py.check_string_dtype(types[name]) == ("utf-8", None)
    for name in ("bytes", "ascii"):
        assert h5py.check_string_dtype(types[name]) == ("ascii", None)
    assert types["array"] == "S2"
    assert h5py.check_string_dtype(types["fixed"]) == ("utf-8", 10)


def test_sequences(lib, file, close):
    expected = [np.arange(n, dtype="i4") for n in (3, 0, 1, 2000)]
    written = file.create_dataset("written", (4,), lib.vlen_dtype("i4"))
    for position, row in enumerate(expected):
        written[position] = row
    same_sequences(written[:], expected)
    ragged = np.empty(4, object)
    ragged[:] = expected
    file.create_dataset("data", data=ragged, dtype=lib.vlen_dtype("i4"), chunks=(3,))
    rows = file.create_dataset("rows", (2, 2), lib.vlen_dtype("f8"), chunks=(1, 2))
    rows[0] = [[1, 2, 3], [4, 5, 6]]
    rows[1, 0] = [7]
    read = close()
    assert h5py.check_vlen_dtype(read["written"].dtype) == "i4"
    same_sequences(read["written"][:], expected)
    same_sequences(read["data"][:], expected)
    same_sequences(read["rows"][0], [[1, 2, 3], [4, 5, 6]])
    same_sequences(read["rows"][1], [[7], []])


def test_sequences_of_strings_and_of_sequences(path):
    words = onecast.vlen_dtype(onecast.string_dtype())
    nested = onecast.vlen_dtype(onecast.vlen_dtype("i2"))
    with onecast.File(path, "w") as file:
        file.create_dataset("words", (2,), words)[0] = ["a", "bcd"]
        file.create_dataset("nested", (2,), nested)[1] = [[1, 2], [], [3]]
        assert list(file["words"][0]) == [b"a", b"bcd"]
    with onecast.File(path) as file:
        assert list(file["words"][0]) == [b"a", b"bcd"] and len(file["words"][1]) == 0
        same_sequences(file["nested"][1], [[1, 2], [], [3]])
    text = subprocess.run(["h5dump", path], capture_output=True, text=True, check=True).stdout
    assert '(0): ("a", "bcd"), ()' in text
    assert "((1, 2), (), (3))" in text


def test_a_sequence_of_sequences_from_an_array_of_arrays(lib, file):
    nested = lib.vlen_dtype(lib.vlen_dtype("i4"))
    d = file.create_dataset("nested", (3,), nested)
    d[0] = np.array([np.array([1, 2], "i4"), np.array([3], "i4")], dtype=object)
    d[1] = [np.array([4], "i4"), np.array([5, 6], "i4")]
    one = np.empty(1, object)
    one[0] = np.array([7, 8], "i4")
    d[2] = one
    assert [[part.tolist() for part in whole] for whole in d] == [
        [[1, 2], [3]],
        [[4], [5, 6]],
        [[7, 8]],
    ]


def test_several_sequences_of_sequences_from_an_array(path):
    with onecast.File(path, "w") as file:
        d = file.create_dataset("nested", (2,), onecast.vlen_dtype(onecast.vlen_dtype("i4")))
        all_of_them = np.empty(2, object)
        all_of_them[0] = np.array([np.array([1, 2], "i4"), np.array([3], "i4")], dtype=object)
        all_of_them[1] = [[4]]
        d[:] = all_of_them
        d[0] = d[0:1]
        assert [[part.tolist() for part in whole] for whole in d] == [[[1, 2], [3]], [[4]]]


def test_compounds(lib, file, close):
    dtype = np.dtype(
        [
            ("number", "i4"),
            ("text", lib.string_dtype()),
            ("pair", lib.string_dtype(), (2,)),
            ("object", lib.ref_dtype),
            ("end", "i2"),
        ]
    )
    data = np.zeros(3, dtype)
    data["number"] = [1, 2, 3]
    data["text"] = ["a", "Größe", ""]
    data["pair"] = [["a", "b"], ["c", "d"], ["e", "fgh"]]
    data["object"] = [file.ref, file.ref, file.ref]
    data["end"] = [7, 8, 9]
    file.create_dataset("data", data=data)
    file.create_dataset("written", (3,), dtype, chunks=(2,))[...] = data
    file.attrs.create("attribute", data, dtype=dtype)
    read = close()
    for found in (read["data"][:], read["written"][:], read.attrs["attribute"]):
        np.testing.assert_array_equal(found["number"], data["number"])
        np.testing.assert_array_equal(found["end"], data["end"])
        assert [t.decode() for t in found["text"]] == list(data["text"])
        assert [[t.decode() for t in pair] for pair in found["pair"]] == data["pair"].tolist()
        assert all(read[reference].name == "/" for reference in found["object"])


def test_references(lib, file, close):
    group = file.create_group("group")
    data = group.create_dataset("data", data=np.arange(20).reshape(4, 5))
    file.attrs["one"] = data.ref
    file.attrs["several"] = [group.ref, data.ref]
    file.create_dataset("objects", data=[group.ref, data.ref])
    typed = file.create_dataset("typed", (3,), lib.ref_dtype)
    typed[1] = group.ref
    file.attrs["region"] = data.regionref[1:3, ::2]
    regions = file.create_dataset("regions", (2,), lib.regionref_dtype)
    regions[0] = data.regionref[2:4, 1]
    assert file[file.attrs["one"]] == data
    assert data.regionref.selection(regions[0]) in ((2, 1), (2,))
    np.testing.assert_array_equal(data[regions[0]].reshape(-1), [11, 16])
    for position in range(30):
        group.attrs[f"attribute {position}"] = position
    read = close()
    assert read[read.attrs["one"]].name == "/group/data"
    assert [read[r].name for r in read.attrs["several"]] == ["/group", "/group/data"]
    assert [read[r].name for r in read["objects"]] == ["/group", "/group/data"]
    assert not read["typed"][0] and read[read["typed"][1]].name == "/group"
    np.testing.assert_array_equal(
        read["group/data"][read.attrs["region"]], [[5, 7, 9], [10, 12, 14]]
    )
    np.testing.assert_array_equal(read["group/data"][read["regions"][0]].reshape(-1), [11, 16])
    assert len(read["group"].attrs) == 30


def test_fill_value(lib, file, close, path):
    file.create_dataset("x", (5,), lib.string_dtype(), fillvalue="nothing", chunks=(2,))[4] = "a"
    read = close()
    assert read["x"].fillvalue == b"nothing"
    # HDF5 reads such values only in a file open for writing, even its own.
    read.close()
    with h5py.File(path, "r+") as read:
        assert list(read["x"].asstr()[:]) == ["nothing"] * 4 + ["a"]
    with onecast.File(path) as read:
        assert list(read["x"].asstr()[:]) == ["nothing"] * 4 + ["a"]


@pytest.mark.parametrize("of", [h5py, onecast])
def test_a_dataset_as_data_keeps_its_type(lib, file, close, tmp_path, of):
    if lib is h5py and of is onecast:
        pytest.skip("h5py does not know the datasets of others")
    with of.File(tmp_path / "given.h5", "w") as given:
        given.create_dataset("texts", data=["a", "ü", "xyz"], dtype=of.string_dtype())
        given.create_dataset("none", (2,), of.string_dtype())
        given.create_dataset("lists", (2,), of.vlen_dtype("i4"))[0] = [1, 2]
        for name in given:
            file.create_dataset(name, data=given[name])
            file.attrs[name] = given[name]
    f = close()
    assert list(f["texts"].asstr()) == ["a", "ü", "xyz"] == list(f.attrs["texts"])
    assert list(f["none"].asstr()) == ["", ""]
    assert lib.check_vlen_dtype(f["lists"].dtype) == np.dtype("i4")
    assert [list(x) for x in f["lists"]] == [[1, 2], []]


def test_empty(lib, file, close):
    file.attrs["empty"] = lib.Empty(lib.string_dtype())
    file.create_dataset("x", data=lib.Empty(lib.vlen_dtype("i4")))
    read = close()
    assert read.attrs["empty"] == h5py.Empty(h5py.string_dtype())
    assert read["x"].shape is None


def test_texts_fit_their_type(lib, file, close):
    for name, length in (("any", None), ("four", 4)):
        with pytest.raises(UnicodeEncodeError):
            file.create_dataset(name, data=["ä"], dtype=lib.string_dtype("ascii", length))
        assert lib is h5py or name not in file
    if lib is onecast:
        for length in (None, 4):
            kind = lib.string_dtype("ascii", length)
            with pytest.raises(ValueError, match="fillvalue 'ä'"):
                file.create_dataset("x", (2,), kind, fillvalue="ä")
        file.create_dataset("cut", data=["aäö"], dtype=lib.string_dtype("utf-8", 4))
        assert close()["cut"].asstr()[0] == "aä"


@pytest.mark.parametrize("value", [5, [1, 2], object()])
def test_what_is_no_text(path, value):
    with onecast.File(path, "w") as file:
        x = file.create_dataset("x", (2,), onecast.string_dtype())
        with pytest.raises(TypeError):
            x[...] = value
        with pytest.raises(ValueError, match="NUL"):
            x[0] = "a\0b"


def test_both_change_a_file(path):
    """h5py continues where Onecast stopped, and the reverse."""
    with onecast.File(path, "w") as file:
        x = file.create_dataset(
            "x", (3,), onecast.string_dtype(), maxshape=(None,), chunks=(4,), compression="gzip"
        )
        x[:] = ["a", "b", "c"]
        file.attrs["text"] = "by onecast"
    with h5py.File(path, "r+") as file:
        file["x"].resize((6,))
        file["x"][3:] = ["d", "e", "f"]
        file["x"][0] = "changed"
        file.attrs["other"] = "by h5py"
        file.attrs["text"] = "replaced"
    with onecast.File(path, "r+") as file:
        assert list(file["x"].asstr()[:]) == ["changed", "b", "c", "d", "e", "f"]
        assert dict(file.attrs) == {"text": "replaced", "other": "by h5py"}


def test_netcdf_and_pytables_read_it(path):
    netcdf = pytest.importorskip("netCDF4")
    tables = pytest.importorskip("tables")
    with onecast.File(path, "w") as file:
        file["texts"] = TEXTS
        file.attrs["title"] = "Größe"
    with netcdf.Dataset(path) as read:
        assert read.title == "Größe"
        assert list(read["texts"][:]) == TEXTS
    with tables.open_file(path) as read:
        assert str(read.root._v_attrs.title) == "Größe"


PARALLEL = """
import sys
import numpy as np
from mpi4py import MPI
import onecast

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
n = 5000
first, end = n * rank // size, n * (rank + 1) // size
texts = np.array([f"text {i} " + "x" * (i % 300) for i in range(n)], dtype=object)
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    a = f.create_dataset("a", (n,), onecast.string_dtype())
    a.write_all(np.s_[first:end], texts[first:end])
    b = f.create_dataset("b", (n,), onecast.string_dtype(), chunks=(64,), compression=1)
    b.write_all(np.s_[rank::size], texts[rank::size])
    c = f.create_dataset("c", (n,), onecast.string_dtype())
    c[first:end] = texts[first:end]
    f.attrs["text"] = "the same"
    assert f.attrs["text"] == "the same"
    f["same"] = ["on", "all"]
    f.attrs["c"] = c.ref
    f.flush()
    assert list(c.asstr()[:]) == list(texts)
    assert list(b.asstr()[:]) == list(texts)
"""


@pytest.mark.parametrize("ranks", [1, 3])
def test_in_parallel(mpirun, path, ranks):
    mpirun(ranks, PARALLEL.replace("sys.argv[1]", repr(str(path))))
    expected = [f"text {i} " + "x" * (i % 300) for i in range(5000)]
    with h5py.File(path) as file:
        for name in "abc":
            assert list(file[name].asstr()[:]) == expected
        assert list(file["same"].asstr()[:]) == ["on", "all"]
        assert file[file.attrs["c"]].name == "/c"
    assert not onecast.check(path, data=True)["findings"]


@pytest.mark.parametrize("storage", [{}, {"chunks": (4,)}, {"chunks": (4,), "compression": 1}])
def test_strings_changed_in_many_flushes_and_sessions(tmp_path, storage):
    """The file is about as large as h5py's, and h5py continues with it."""

    def write(module, path):
        with module.File(path, "w") as f:
            f.create_dataset("t", (10,), h5py.string_dtype(), **storage)
            f["t"][:] = [f"text {i}" for i in range(10)]
            for step in range(200):
                f.flush()
                f["t"][3] = f"flush {step}"
        for session in range(30):
            with module.File(path, "r+") as f:
                f["t"][3] = f"session {session}"
        return path.stat().st_size

    stock = write(h5py, tmp_path / "stock.h5")
    ours = write(onecast, tmp_path / "ours.h5")
    # Two states of the values alternate: the last flush's state stays until the next one.
    assert ours < 2 * stock + 16384
    expected = [f"text {i}" for i in range(10)]
    for session, module in enumerate((h5py, onecast, h5py, onecast)):
        expected[3] = f"session {29 + session}" if session else "session 29"
        with module.File(tmp_path / "ours.h5", "r+") as f:
            assert [text.decode() for text in f["t"][:]] == expected
            f["t"][3] = f"session {30 + session}"


def test_one_string_more_in_each_flush(tmp_path):
    def write(module, path):
        with module.File(path, "w") as f:
            d = f.create_dataset("d", (0,), h5py.string_dtype(), maxshape=(None,), chunks=(100,))
            for step in range(300):
                d.resize((step + 1,))
                d[step] = f"step {step}"
                f.flush()
        return path.stat().st_size

    stock = write(h5py, tmp_path / "stock.h5")
    assert write(onecast, tmp_path / "ours.h5") < 1.3 * stock + 8192
    with h5py.File(tmp_path / "ours.h5") as f:
        assert f["d"].asstr()[:].tolist() == [f"step {i}" for i in range(300)]


@pytest.mark.parametrize("base", ["i4", np.int32, np.dtype("i4")])
def test_sequences_of_a_base_type_in_any_form(path, base):
    with onecast.File(path, "w") as file:
        file.create_dataset("x", (2,), h5py.vlen_dtype(base))[:] = [[1, 2], [3]]
    with h5py.File(path) as file:
        assert [a.tolist() for a in file["x"][:]] == [[1, 2], [3]]
        assert file["x"][0].dtype == np.int32
