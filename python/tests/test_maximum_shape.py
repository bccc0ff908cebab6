"""The maximum dimensions of a dataspace are stored, even if they equal the dimensions."""

import re
import subprocess
import sys

import h5py
import numpy as np
import pytest

import onecast

PROFILES = ["compatible", "latest"]
MADE = {
    "data": {"data": np.arange(6), "chunks": (2,)},
    "shape": {"shape": (6,), "dtype": "i8", "chunks": (2,)},
    "equal": {"shape": (6,), "dtype": "i8", "maxshape": (6,), "chunks": (2,)},
    "filtered": {"data": np.arange(6), "chunks": (4,), "compression": "gzip"},
    "mixed": {"shape": (6, 3), "dtype": "i8", "maxshape": (6, 9), "chunks": (2, 2)},
}


def make(path, profile):
    with onecast.File(path, "w", profile=profile) as f:
        for name, arguments in MADE.items():
            f.create_dataset(name, **arguments)


def require_refused(path, names):
    """Expects that h5py does not resize beyond the stored shape, which is the maximum."""
    with h5py.File(path, "a") as f:
        for name in names:
            dataset = f[name]
            with pytest.raises(RuntimeError):
                dataset.resize(7, axis=0)
            assert dataset.shape[0] == dataset.maxshape[0] == 6, name


@pytest.mark.parametrize("profile", PROFILES)
def test_h5py_refuses_to_resize_beyond_it(tmp_path, profile):
    make(tmp_path / "a.h5", profile)
    require_refused(tmp_path / "a.h5", MADE)


@pytest.mark.parametrize("profile", PROFILES)
def test_h5py_keeps_it_when_shrinking(tmp_path, profile):
    make(tmp_path / "a.h5", profile)
    with h5py.File(tmp_path / "a.h5", "a") as f:
        f["data"].resize((4,))
        assert f["data"].maxshape == (6,)
        f["data"].resize((6,))
        assert f["data"][:].tolist() == [0, 1, 2, 3, 0, 0]


@pytest.mark.parametrize("profile", PROFILES)
def test_resize_copy_and_repack_keep_it(tmp_path, profile):
    make(tmp_path / "a.h5", profile)
    with onecast.File(tmp_path / "a.h5", "a") as f:
        f.copy("shape", "copied")
        f["data"].resize((3,))
        assert f["data"].maxshape == (6,)
        f["data"].resize((6,))
        grown = f.create_dataset("grown", (3,), "i8", maxshape=(6,), chunks=(2,))
        grown.resize((6,))
    onecast.repack(tmp_path / "a.h5", tmp_path / "b.h5")
    for name in "ab":
        require_refused(tmp_path / f"{name}.h5", [*MADE, "copied", "grown"])


@pytest.mark.parametrize("profile", PROFILES)
def test_it_is_stored_wherever_the_hdf5_library_stores_it(tmp_path, profile):
    """h5py stores it for one dimension of 6. So do datasets and attributes here."""
    with onecast.File(tmp_path / "ours.h5", "w", profile=profile) as f:
        f.create_dataset("contiguous", (600,), "i8")
        f.create_dataset("compact", (6,), "i8")
        f.create_dataset("scalar", data=1)
        f.attrs["array"] = np.arange(6)
        f.attrs["scalar"] = 1
    # "The Dataspace Message", version 2: rank 1, with a maximum, simple, the size, the maximum
    of = {n: n.to_bytes(8, "little") for n in (6, 600)}
    stored = (tmp_path / "ours.h5").read_bytes()
    assert len(re.findall(re.escape(b"\x02\x01\x01\x01" + of[6] + of[6]), stored)) == 2
    assert len(re.findall(re.escape(b"\x02\x01\x01\x01" + of[600] + of[600]), stored)) == 1
    assert len(re.findall(re.escape(b"\x02\x01\x00\x01"), stored)) == 0


def test_what_was_stored_without_it_gets_it_when_the_shape_changes(tmp_path):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w", libver="earliest") as f:
        f.create_dataset("x", data=np.arange(6), chunks=(2,))
    # "The Dataspace Message", version 1: rank 1, no maximum. Headers of version 1 have no checksum.
    six = (6).to_bytes(8, "little")
    stored = path.read_bytes()
    assert stored.count(b"\x01\x01\x01" + bytes(5) + six + six) == 1
    path.write_bytes(stored.replace(b"\x01\x01\x01" + bytes(5) + six, b"\x01\x01" + bytes(6) + six))
    with onecast.File(path, "a") as f:
        assert f["x"].maxshape == (6,)
        f["x"].resize((5,))
        f["x"].resize((6,))
    require_refused(path, ["x"])


def test_h5py_does_not_break_a_fixed_array(tmp_path):
    """Beyond its fixed array the HDF5 library would overwrite something else."""
    path = tmp_path / "a.h5"
    with onecast.File(path, "w", profile="latest") as f:
        f.create_dataset("x", data=np.arange(6), chunks=(2,))
        f.create_dataset("kept", data=np.arange(50000.0))
    program = """if True:
        import sys, h5py
        with h5py.File(sys.argv[1], "a") as f:
            try:
                f["x"].resize((20,))
                f["x"][:] = 1
            except RuntimeError:
                print("refused")"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "refused\n", done
    with h5py.File(path) as f:
        assert f["x"][:].tolist() == list(range(6))
        assert f["kept"][:].tolist() == list(range(50000))
