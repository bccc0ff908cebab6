"""Types and values of datasets and attributes written by h5py, as h5py reads them"""

import shutil
import subprocess

import h5py
import numpy as np
import pytest
from h5py import h5d, h5s, h5t
from same_values import assert_same, plain

import onecast


def compare(path):
    """Compares every dataset and attribute of the root group."""
    with h5py.File(path) as theirs, onecast.File(path) as ours:
        for name, dataset in theirs.items():
            assert plain(ours[name].dtype) == plain(dataset.dtype), name
            assert_same(ours[name][()], dataset[()])
            for key in dataset.attrs:
                assert_same(ours[name].attrs[key], dataset.attrs[key])


NUMBERS = [
    f"{order}{kind}"
    for order in "<>"
    for kind in (
        "i1",
        "u1",
        "i2",
        "u2",
        "i4",
        "u4",
        "i8",
        "u8",
        "f2",
        "f4",
        "f8",
        "f16",
        "c8",
        "c16",
    )
]


def test_numbers(tmp_path):
    path = tmp_path / "numbers.h5"
    with h5py.File(path, "w") as f:
        for kind in [*NUMBERS, "bool", "S3", "V5"]:
            data = (np.arange(24).reshape(4, 6) % 11).astype("i1")
            data = data.astype("S5").view(kind) if kind[0] == "V" else data.astype(kind)
            f[f"d{kind}"] = data
            f[f"d{kind}"].attrs["a"] = data
            f[f"d{kind}"].attrs["one"] = data[1, 2]
    compare(path)


@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_marked_types(tmp_path, libver):
    path = tmp_path / "marked.h5"
    colors = h5py.enum_dtype({"red": 1, "blue": -300}, ">i2")
    text, ascii_text = h5py.string_dtype(), h5py.string_dtype("ascii")
    sequence = h5py.vlen_dtype("<i4")
    mixed = np.dtype(
        [("a", "i4"), ("s", text), ("v", sequence), ("c", colors), ("x", ">f4", (2, 2))]
    )
    with h5py.File(path, "w", libver=libver) as f:
        f["colors"] = np.array([1, -300, 7], dtype=colors)
        f["times"] = np.arange(3).astype("M8[s]").astype(h5py.opaque_dtype("M8[s]"))
        f.create_dataset("text", data=np.array(["", "é", "a" * 5000], object), dtype=text)
        f.create_dataset("ascii", data=[b"x", b"yz"], dtype=ascii_text)
        f.create_dataset("one text", data="Größe", dtype=text)
        f.create_dataset("never written", (3,), dtype=text)
        f.create_dataset("empty", data=h5py.Empty(text))
        sequences = np.empty(3, object)
        sequences[:] = [np.arange(n, dtype="i4") for n in (0, 1, 4000)]
        f.create_dataset("sequences", data=sequences, dtype=sequence)
        f.create_dataset("one sequence", (), dtype=sequence)[()] = np.arange(3, dtype="i4")
        f.create_dataset("texts", (2,), dtype=h5py.vlen_dtype(text))
        f["texts"][0] = np.array(["a", "bc"], object)
        f.create_dataset("arrays", (2,), np.dtype((">i2", (3,))))
        f["arrays"][...] = [[1, 2, 3], [4, 5, 6]]
        d = f.create_dataset("mixed", (3,), mixed)
        d[1] = (5, "text", np.arange(2, dtype="i4"), -300, [[1, 2], [3, 4]])
        f.create_dataset("one mixed", (), mixed)
        f.create_dataset("references", (3,), h5py.ref_dtype)[1] = d.ref
        f.create_dataset("regions", (2,), h5py.regionref_dtype)[0] = d.regionref[1:]
        d.attrs["text"] = "x"
        d.attrs.create("texts", ["a", "b"], dtype=text)
        d.attrs.create("ascii", [b"a", b"b"], dtype=ascii_text)
        d.attrs.create("colors", np.array([1, 1]), dtype=colors)
        d.attrs.create("sequences", sequences, shape=(3,), dtype=sequence)
        d.attrs.create("reference", d.ref, dtype=h5py.ref_dtype)
        d.attrs.create("region", d.regionref[:1], dtype=h5py.regionref_dtype)
        d.attrs["nothing"] = h5py.Empty("f4")
        d.attrs["flag"] = True
        d.attrs["opaque"] = np.void(b"abcd")
    compare(path)


def create(f, name, stored, shape=(2,)):
    return h5d.create(f.id, name.encode(), stored, h5s.create_simple(shape))


def test_rare_types(tmp_path):
    """The low-level interface makes them, and h5py converts what it reads."""
    path = tmp_path / "rare.h5"
    with h5py.File(path, "w") as f:
        nibble = h5t.STD_U8LE.copy()
        nibble.set_precision(3)
        create(f, "nibble", nibble).write(h5s.ALL, h5s.ALL, np.array([5, 200], "u1"))
        brain = h5t.IEEE_F32BE.copy()
        brain.set_fields(15, 7, 8, 0, 7)
        brain.set_precision(16)
        brain.set_size(2)
        create(f, "brain", brain).write(h5s.ALL, h5s.ALL, np.array([1.5, -1e30], "f4"))
        odd = h5t.IEEE_F32LE.copy()
        odd.set_fields(22, 17, 5, 7, 10)
        create(f, "odd", odd).write(h5s.ALL, h5s.ALL, np.array([1.5, -2.25], "f4"))
        wide = h5t.IEEE_F32LE.copy()
        wide.set_fields(31, 20, 11, 0, 20)
        create(f, "wide", wide)
        for name in ("STD_B8LE", "STD_B16BE", "STD_B64LE"):
            create(f, name, getattr(h5t, name))
        for padding in (h5t.STR_NULLTERM, h5t.STR_NULLPAD, h5t.STR_SPACEPAD):
            text = h5t.C_S1.copy()
            text.set_size(6)
            text.set_strpad(padding)
            create(f, f"text {padding}", text).write(h5s.ALL, h5s.ALL, np.array([b"ab", b"abcdef"]))
        for base in (h5t.STD_I8LE, h5t.STD_I16BE):
            flags = h5t.enum_create(base)
            flags.enum_insert(b"TRUE", 1)
            flags.enum_insert(b"FALSE", 0)
            create(f, f"flags {base.get_size()}", flags)
    with h5py.File(path) as theirs, onecast.File(path) as ours:
        for name, dataset in theirs.items():
            assert plain(ours[name].dtype) == plain(dataset.dtype), name
            assert_same(ours[name][()], dataset[()])


def test_sequences_keep_their_order(tmp_path):
    """h5py loses the byte order of the elements."""
    path = tmp_path / "order.h5"
    with h5py.File(path, "w") as f:
        f.create_dataset("d", (1,), h5py.vlen_dtype(">i2"))[0] = [1, 2, 300]
    with onecast.File(path) as f:
        assert f["d"][0].dtype == np.dtype(">i2")
        assert f["d"][0].tolist() == [1, 2, 300]


def test_references_lead_to_objects(tmp_path):
    path = tmp_path / "references.h5"
    with h5py.File(path, "w") as f:
        x = f.create_dataset("group/x", data=np.arange(20).reshape(4, 5))
        f.create_dataset("r", (3,), h5py.ref_dtype)
        f["r"][0], f["r"][1] = x.ref, f["group"].ref
        f.create_dataset("regions", (4,), h5py.regionref_dtype)
        f["regions"][0] = x.regionref[1:3, ::2]
        f["regions"][1] = x.regionref[...]
        f["regions"][2] = x.regionref[x[...] % 7 == 0]
    with h5py.File(path) as theirs, onecast.File(path) as f:
        assert f[f["r"][0]] == f["group/x"]
        assert f[f["r"][0]].name == "/group/x"
        assert f[f["r"][1]].name == "/group"
        assert not f["r"][2]
        with pytest.raises(ValueError, match="Invalid HDF5 object reference"):
            f[f["r"][2]]
        for i in range(3):
            region = f["regions"][i]
            assert f[region] == f["group/x"]
            expected = theirs["group/x"][theirs["regions"][i]]
            np.testing.assert_array_equal(f["group/x"][region], expected)
        with pytest.raises(ValueError, match="Invalid HDF5 region reference"):
            f["group/x"][f["regions"][3]]


def test_views(tmp_path):
    path = tmp_path / "views.h5"
    with h5py.File(path, "w") as f:
        f.create_dataset("text", data=["é", "b"], dtype=h5py.string_dtype())
        f["numbers"] = np.array([-1.5, 300.0, np.nan, 2.9])
    with h5py.File(path) as theirs, onecast.File(path) as f:
        assert_same(f["text"].asstr()[...], theirs["text"].asstr()[...])
        assert f["text"].asstr()[0] == "é"
        assert f["text"].asstr("latin-1")[1:].tolist() == ["b"]
        assert f["numbers"].astype("u1")[...].tolist() == [0, 255, 0, 2]
        assert f["numbers"].astype("i2")[1] == 300
        with pytest.raises(TypeError):
            f["numbers"].asstr()


def test_marks_are_told(tmp_path):
    assert onecast.check_string_dtype(onecast.string_dtype()) == ("utf-8", None)
    assert onecast.check_string_dtype("S5") == ("ascii", 5)
    assert onecast.check_string_dtype("i4") is None
    assert onecast.check_enum_dtype(onecast.enum_dtype({"a": 1}, "i2")) == {"a": 1}
    assert onecast.check_vlen_dtype(onecast.vlen_dtype(">f4")) == np.dtype(">f4")
    assert onecast.check_vlen_dtype(onecast.string_dtype()) is None
    assert onecast.check_ref_dtype(onecast.regionref_dtype) is onecast.RegionReference
    assert onecast.check_opaque_dtype(onecast.opaque_dtype("M8[s]"))


def test_written_types(tmp_path):
    """h5py reads what onecast writes as onecast does."""
    path = tmp_path / "written.h5"
    colors = onecast.enum_dtype({"red": 1, "blue": 2}, "i2")
    times = onecast.opaque_dtype("M8[s]")
    with onecast.File(path, "w") as f:
        f["flags"] = [True, False]
        f.create_dataset("colors", (3,), colors)[...] = [1, 2, 1]
        f["long"] = np.arange(3).astype("g")
        f["half"] = np.arange(3).astype(">f2")
        f["opaque"] = np.void(b"abc")
        f.create_dataset("times", (2,), times)
        f.attrs["flag"] = np.True_
        f.create_dataset("in compounds", (2,), np.dtype([("a", "?"), ("x", "f4", (2,))]))
    compare(path)
    with h5py.File(path) as f:
        assert f["colors"].dtype.metadata["enum"] == {"red": 1, "blue": 2}
        assert f["flags"][...].tolist() == [True, False]


NATIVE_COMPLEX = getattr(h5t, "COMPLEX_IEEE_F64LE", None)


@pytest.mark.skipif(NATIVE_COMPLEX is None, reason="an h5py with HDF5 1")
@pytest.mark.parametrize("profile", ["compatible", "latest"])
def test_the_class_of_complex_numbers(tmp_path, profile):
    """HDF5 2.0 has it. A file for older libraries has compounds of r and i instead."""
    source, path = tmp_path / "source.h5", tmp_path / "copy.h5"
    numbers = np.array([1 + 2j, -3 + 4.5j])
    with h5py.File(source, "w") as f:
        f.create_dataset("z", data=numbers, dtype=NATIVE_COMPLEX)
        f["z"].attrs.create("a", numbers, dtype=NATIVE_COMPLEX)
        f.create_dataset("chunked", data=numbers, dtype=NATIVE_COMPLEX, chunks=(1,), shuffle=True)
        NATIVE_COMPLEX.copy().commit(f.id, b"type")
    with onecast.File(source, "r+") as f, onecast.File(path, "w", profile=profile) as copy:
        assert f["z"][()].tolist() == f["chunked"][()].tolist() == numbers.tolist()
        assert f["z"].attrs["a"].tolist() == numbers.tolist()
        f["z"][1] = 7j
        f.copy("z", copy)
        f.copy("chunked", copy)
        f.copy("type", copy)
    numbers[1] = 7j
    with h5py.File(path) as f:
        expected = "TypeComplexID" if profile == "latest" else "TypeCompoundID"
        for stored in f["z"].id.get_type(), f["chunked"].id.get_type(), f["type"].id:
            assert type(stored).__name__ == expected
        assert f["z"][()].tolist() == numbers.tolist()
        assert f["z"].attrs["a"].dtype == "c16"
    if profile == "compatible" and (h5dump := shutil.which("h5dump")):
        dumped = subprocess.run([h5dump, path], capture_output=True, text=True, check=False)
        assert dumped.returncode == 0, dumped.stderr
        assert dumped.stdout.count('H5T_IEEE_F64LE "r"') == 4
    with onecast.File(path, "r+") as f:
        assert f["z"][()].tolist() == numbers.tolist()
        assert f["chunked"].dtype == "c16"


def test_arrays_of_version_1(path):
    """The HDF5 library wrote these before 1.6, and reads them like those of version 2."""
    row = np.dtype(("<i4", (2, 3)))
    record = np.dtype([("a", "<f8"), ("b", row)])
    with h5py.File(path, "w") as f:
        f.create_dataset("rows", (2,), row)[...] = np.arange(12).reshape(2, 2, 3)
        f.create_dataset("records", (2,), record)
        f["rows"].attrs.create("rows", np.arange(6).reshape(2, 3), dtype=row)
        f["kind"] = row
    stored = path.read_bytes()
    array_of_24_bytes = bytes([0x2A, 0, 0, 0, 24, 0, 0, 0])
    assert stored.count(array_of_24_bytes) >= 4
    path.write_bytes(stored.replace(array_of_24_bytes, bytes([0x1A, *array_of_24_bytes[1:]])))
    with h5py.File(path) as theirs, onecast.File(path) as ours:
        for name in ("rows", "records"):
            assert ours[name].dtype == theirs[name].dtype
            assert_same(ours[name][()], theirs[name][()])
        assert_same(ours["rows"].attrs["rows"], theirs["rows"].attrs["rows"])
        assert ours["kind"].dtype == theirs["kind"].dtype
