"""Arrays of numbers whose type differs from the stored one"""

import itertools
import subprocess
import sys

import h5py
import numpy as np
import pytest

import onecast

DTYPES = ["i1", "u1", ">i2", "u4", "i8", "u8", "f4", ">f8"]  # HDF5 errs with "f2" out of range
ODD = {
    "i": [0, 1, -1, 127, 128, -129, 300, 70_000, -70_000, 2**31, -(2**31) - 1, 2**62],
    "u": [0, 1, 127, 128, 255, 256, 65_536, 2**32, 2**63 + 7],
    "f": [0.0, -0.5, 1.5, 127.9, 128.0, -129.5, 7e4, 3e9, -3e9, 1e19, -1e19, np.inf, -np.inf],
}


def odd_values(dtype):
    dtype = np.dtype(dtype)
    with np.errstate(all="ignore"):
        if dtype.kind == "f":
            return np.array(ODD["f"]).astype(dtype)
        limits = np.iinfo(dtype)
        kept = [v for v in ODD[dtype.kind] if limits.min <= v <= limits.max]
        return np.array([*kept, limits.min, limits.max], dtype)


@pytest.mark.parametrize(
    ("given", "stored"), list(itertools.permutations(DTYPES, 2)), ids=lambda d: d
)
def test_numbers_are_converted_as_hdf5_does(path, given, stored):
    values = odd_values(given)
    if np.dtype(given).kind != "f" and np.dtype(stored).kind == "f":
        # HDF5 reads back arbitrary values for numbers that rounding takes beyond the type's range.
        most = np.iinfo(given).max
        values = values[[int(np.dtype(stored).type(v)) <= most for v in values]]
    found = {}
    for library in (h5py, onecast):
        with library.File(path, "w") as f:
            f.create_dataset("new", data=values, dtype=stored)
            d = f.create_dataset("written", values.shape, stored)
            d[...] = values
            f.create_dataset("direct", values.shape, stored).write_direct(values)
            f.create_dataset("part", (3, values.size), stored)[1] = values
            f.create_dataset("spread", (2, values.size), stored)[...] = values
            back = np.empty(values.shape, given)
            d.read_direct(back)
            found[library] = [f[name][...] for name in sorted(f)] + [back, d.astype(given)[...]]
    for expected, seen in zip(found[h5py], found[onecast], strict=True):
        assert seen.dtype == expected.dtype
        np.testing.assert_array_equal(seen, expected)


def test_lists_and_scalars_are_converted_by_numpy(path):
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", (3,), "i1")
        d[...] = [1, 2, 3]
        with pytest.raises(OverflowError):
            d[0] = 300
        assert d[:].tolist() == [1, 2, 3]
        d[1:] = np.array([300], "i4")
        assert d[:].tolist() == [1, 127, 127]


def test_bit_fields_are_converted_by_numpy(path):
    """HDF5 does not convert them."""
    with h5py.File(path, "w") as f:
        space = h5py.h5s.create_simple((3,))
        made = h5py.h5d.create(f.id, b"x", h5py.h5t.STD_B16LE, space)
        bits = np.array([1, 2, 65535], "u2")
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, bits, mtype=h5py.h5t.STD_B16LE)
        h5py.h5t.STD_B16LE.copy().commit(f.id, b"kind")
    with onecast.File(path, "r+") as f:
        x = f["x"]
        assert x.astype("i8")[:].tolist() == [1, 2, 65535]
        back = np.empty(3, "i4")
        x.read_direct(back)
        assert back.tolist() == [1, 2, 65535]
        x[1:] = np.array([7, 8], "i8")
        assert x[:].tolist() == [1, 7, 8]
        large = np.arange(600_000, dtype="i8") % 1000
        assert (f.create_dataset("y", data=large, dtype=f["kind"])[:] == large).all()
    with h5py.File(path) as f:
        assert f["x"].id.get_type().get_class() == h5py.h5t.BITFIELD


def test_strings_without_a_length(path):
    with onecast.File(path, "w") as f:
        assert f.create_dataset("x", data=[b"abc", b"d"], dtype="S").dtype == "S3"


def test_attributes(path):
    for library in (h5py, onecast):
        with library.File(path, "w") as f:
            f.attrs.create("a", np.arange(5.0), dtype="i2")
            assert f.attrs["a"].dtype == "i2" and f.attrs["a"].tolist() == [0, 1, 2, 3, 4]


def test_pending_and_many(path):
    values = np.arange(6, dtype="i8") + 2**40
    with onecast.File(path, "w") as f:
        a, b = (f.create_dataset(name, (6,), "i4") for name in "ab")
        writing = a.write_async((), values)
        f.write_multi([(b, np.s_[:3], values[::2])])
        writing.wait()
        out = np.empty(6, "f8")
        assert a.read_async((), out).wait() is out
        assert out.tolist() == [2**31 - 1] * 6
        assert f.read_multi([(b, ())], out=[np.empty(6, "u1")])[0].tolist() == [255] * 3 + [0] * 3


def test_a_creation_that_fails_leaves_nothing(path):
    large = np.ones(1_000_000)
    with onecast.File(path, "w") as f:
        with pytest.raises(FileNotFoundError, match="no folder"):
            raw = str(path.parent / "no folder/raw")
            f.create_dataset("g/x", data=large, dtype="i4", external=[(raw, 0, 4_000_000)])
        assert list(f) == []
        f.create_dataset("g/x", data=large, dtype="i4")
    with h5py.File(path) as f:
        assert (f["g/x"][:] == 1).all()


MEMORY = """
import sys
import numpy as np
import onecast

def status(field):
    for line in open("/proc/self/status"):
        if line.startswith(field):
            return int(line.split()[1]) / 1024
def more(work):
    open("/proc/self/clear_refs", "w").write("5")
    before = status("VmRSS")
    work()
    return status("VmHWM") - before

a = np.random.default_rng(0).random(8_000_000, "f4")  # 30 MiB
b = np.zeros_like(a)
with onecast.File(sys.argv[1], "w") as f:
    d = f.create_dataset("d", a.shape, "f8")
    calls = {
        "brackets": lambda: d.__setitem__((), a),
        "write_direct": lambda: d.write_direct(a),
        "write_all": lambda: d.write_all((), a),
        "write_equal": lambda: d.write_equal((), a),
        "create": lambda: f.create_dataset("e", data=a, dtype="f8"),
        "read_direct": lambda: d.read_direct(b),
    }
    for name, call in calls.items():
        call()
        if name == "create":
            del f["e"]
        print(name, round(more(call), 1), flush=True)
    assert (a == b).all()
    print("astype", round(more(lambda: d.astype("f4")[:]) - a.nbytes / 2**20, 1))
"""


def test_conversion_takes_little_memory(tmp_path):
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pytest.skip("this system does not measure the most memory of a call")
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(tmp_path / "a.h5")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    taken = {name: float(mib) for name, mib in map(str.split, done.stdout.splitlines())}
    assert len(taken) == 7
    assert max(taken.values()) < 12, taken


def test_warnings_of_overflow_point_to_the_program(path):
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", (2,), "f4")
        for call in (
            lambda: d.write_all(0, 1e300),
            lambda: d.__setitem__(slice(None), [1e300, 1]),
            lambda: f.attrs.create("a", 1e300, dtype="f2"),
            lambda: f.create_dataset("h", data=[1e300], dtype="f2"),
        ):
            with pytest.warns(RuntimeWarning, match="overflow encountered in cast") as found:
                call()
            assert [warning.filename for warning in found] == [__file__]
        with np.errstate(over="raise"), pytest.raises(FloatingPointError):
            d[0] = 1e300
        with np.errstate(over="ignore"):
            d[0] = 1e300
