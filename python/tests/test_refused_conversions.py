"""Values that cannot become what is stored without losing what they mean: they are refused with the
exceptions of h5py, and nothing is written."""

import h5py
import numpy as np
import pytest

import onecast

KIND = h5py.enum_dtype({"a": 1, "b": 2}, "i4")
GIVEN = {
    "i8": np.array([123456, -99999]),
    "f8": np.array([1.5, -2.5]),
    "f2": np.array([1.5, 2.5], "f2"),
    "bool": np.array([True, False]),
    "complex": np.array([1 + 2j, 3]),
    "bytes": np.array([b"False", b"12"]),
    "digits": np.array([b"1", b"2"]),
    "texts": np.array(["False", "no"]),
    "times": np.array(["2020-01-01", "2021-01-01"], "M8[s]"),
    "periods": np.array([1, 2], "m8[s]"),
    "opaque": np.array([b"abcd", b"efgh"], "V4"),
    "enumeration": np.array([1, 2], "i4").astype(KIND),
    "objects": np.array([1, 2], object),
    "text objects": np.array(["False", "no"], object),
    "compound": np.array([(1, 2.0), (3, 4.0)], [("x", "i4"), ("y", "f8")]),
}
STORED = {
    "i8": "i8",
    "u1": "u1",
    "f4": "f4",
    "bool": "?",
    "c8": "c8",
    "S3": "S3",
    "texts": h5py.string_dtype(),
    "enumeration": KIND,
    "times": h5py.opaque_dtype("M8[s]"),
}
# Onecast also stores these, whole.
MORE = {("c8", given) for given in ("i8", "f8", "f2", "bool", "enumeration")} | {
    ("times", "times"),
    ("S3", "text objects"),
    ("S3", "texts"),
    ("texts", "texts"),
    ("texts", "opaque"),
}
REFUSED = [
    ("S3", "i8"),
    ("S3", "bool"),
    ("texts", "i8"),
    ("f4", "complex"),
    ("bool", "texts"),
    ("bool", "text objects"),
    ("enumeration", "f8"),
    ("i8", "times"),
    ("i8", "digits"),
    ("times", "i8"),
    ("c8", "texts"),
]


def outcome(call):
    """Returns the exception of a call, or None."""
    try:
        call()
    except Exception as error:
        return error
    return None


def set_all(library, path, stored, given):
    with library.File(path, "w") as f:
        d = f.create_dataset("d", (2,), stored)
        before = d[...].tolist()
        error = outcome(lambda: d.__setitem__(..., given))
        assert error is None or d[...].tolist() == before
    return error


def create(library, path, stored, given):
    with library.File(path, "w") as f:
        error = outcome(lambda: f.create_dataset("d", data=given, dtype=stored))
        assert error is None or library is h5py or "d" not in f
    return error


def write_member(library, path, stored, given):
    with library.File(path, "w") as f:
        d = f.create_dataset("d", (2,), np.dtype([("m", stored), ("n", "i2")]))
        value = np.zeros(2, [("m", given.dtype)])
        value["m"] = given
        return outcome(lambda: d.__setitem__(..., value))


@pytest.mark.parametrize("call", [set_all, create])
@pytest.mark.parametrize("stored", STORED)
@pytest.mark.parametrize("given", GIVEN)
def test_arrays_are_refused_as_in_h5py(path, call, stored, given):
    expected = call(h5py, path, STORED[stored], GIVEN[given])
    found = call(onecast, path, STORED[stored], GIVEN[given])
    if (stored, given) in MORE:
        assert found is None
    elif isinstance(expected, OSError | TypeError):
        assert isinstance(found, type(expected)), found
    elif expected is None:
        assert found is None


@pytest.mark.parametrize(("stored", "given"), REFUSED)
@pytest.mark.parametrize("call", [set_all, create, write_member])
def test_messages_name_both_types(path, call, stored, given):
    error = call(onecast, path, STORED[stored], GIVEN[given])
    assert isinstance(error, OSError | TypeError)
    if stored != "texts":  # a member that is a text, or each element, is named
        assert str(GIVEN[given].dtype) in str(error)


@pytest.mark.parametrize("stored", ["f4", "bool", "enumeration"])
def test_members_are_refused_as_in_h5py(path, stored):
    expected = write_member(h5py, path, STORED[stored], GIVEN["complex"])
    found = write_member(onecast, path, STORED[stored], GIVEN["complex"])
    assert isinstance(expected, OSError)
    assert isinstance(found, OSError)
    assert "'m'" in str(found)


def test_a_member_of_objects_takes_texts_only(path):
    error = write_member(onecast, path, "S3", GIVEN["objects"])
    assert isinstance(error, OSError)
    assert write_member(onecast, path, "S3", GIVEN["text objects"]) is None


def test_opaque_values_take_bytes_that_fit(path):
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", (2,), "V4")
        for given in (GIVEN["bytes"], GIVEN["i8"]):
            with pytest.raises(OSError, match="no conversion"):
                d[...] = given
        d[...] = np.array([b"ab", b"cd"])
        assert d[0].tobytes() == b"ab\0\0"


def test_lists_and_scalars_are_left_to_numpy_as_in_h5py(path):
    for library in (h5py, onecast):
        with library.File(path, "w") as f:
            d = f.create_dataset("d", (2,), "S3")
            d[...] = [12, 5]
            assert d[...].tolist() == [b"12", b"5"]
            e = f.create_dataset("e", (2,), KIND)
            e[...] = 1.5
            assert e[...].tolist() == [1, 1]


def test_attributes_are_left_to_numpy_as_in_h5py(path):
    for library in (h5py, onecast):
        with library.File(path, "w") as f:
            f.attrs.create("flags", GIVEN["f8"], dtype="?")
            f.attrs.create("days", GIVEN["times"], dtype="i8")
            assert f.attrs["flags"].tolist() == [True, True]
            assert f.attrs["days"].tolist() == [1577836800, 1609459200]


@pytest.mark.parametrize(("stored", "into"), [("complex", "f4"), ("digits", "i8"), ("f8", "?")])
def test_reads_are_refused_as_in_h5py(path, stored, into):
    with h5py.File(path, "w") as f:
        f["d"] = GIVEN[stored]
    for library in (h5py, onecast):
        with library.File(path) as f:
            out = np.zeros(2, into)
            with pytest.raises(OSError):
                f["d"].read_direct(out)
            with pytest.raises(OSError):
                f["d"].astype(into)[...]
            assert not out.any()
    with onecast.File(path) as f, pytest.raises(OSError, match="no conversion"):
        f["d"].read_all(out=out)


ON_RANKS = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    d = f.create_dataset("d", (size,), "f4")
    wrong = np.array([1j]) if rank == size - 1 else np.array([2.0])
    try:
        d.write_all(np.s_[rank : rank + 1], wrong)
        sys.exit("no error")
    except (OSError, ValueError) as error:
        assert "no conversion from complex128 to float32" in str(error), error
    assert (d[...] == 0).all()
    d.write_all(np.s_[rank : rank + 1], np.array([rank]))
"""


def test_the_error_of_one_rank_reaches_all(mpirun, path):
    mpirun(3, ON_RANKS, path)
    with h5py.File(path) as f:
        assert f["d"][...].tolist() == [0, 1, 2]
