"""Numbers that are none, too large or negative are refused in words of the call"""

import os

import h5py
import pytest

import onecast

HUGE = 10**30
CALLS = {
    "chunks": [
        lambda lib, f: f.create_dataset("x", (10, 20), "f4", chunks=(None, 5)),
        lambda lib, f: f.create_dataset("x", (10, 20), "f4", chunks=("a", 5)),
        lambda lib, f: f.create_dataset("x", (10, 20), "f4", chunks=(HUGE, 5)),
        lambda lib, f: f.create_dataset("x", (10, 20), "f4", chunks=(-1, 5)),
    ],
    "maxshape": [
        lambda lib, f: f.create_dataset("x", (10, 20), "f4", maxshape=(HUGE, 20)),
        lambda lib, f: f.create_dataset("x", (10, 20), "f4", maxshape=("a", 20)),
    ],
    "shape": [
        lambda lib, f: f.create_dataset("x", (HUGE, 20), "f4"),
        lambda lib, f: f.create_dataset("x", (None, 20), "f4"),
        lambda lib, f: f.create_virtual_dataset("x", lib.VirtualLayout((None, 3), "f4")),
        lambda lib, f: f.create_virtual_dataset("x", lib.VirtualLayout((HUGE, 3), "f4")),
        lambda lib, f: lib.VirtualSource("a", "x", (None, 3)),
    ],
    "offsets": [
        lambda lib, f: f["d"].id.read_direct_chunk((None, 0)),
        lambda lib, f: f["d"].id.read_direct_chunk((HUGE, 0)),
        lambda lib, f: f["d"].id.write_direct_chunk((0, "a"), bytes(16)),
    ],
}


@pytest.mark.parametrize(("name", "call"), [(n, c) for n, calls in CALLS.items() for c in calls])
def test_messages(path, name, call):
    errors = {}
    for lib in (h5py, onecast):
        with lib.File(path, "w") as f:
            f.create_dataset("d", (4, 4), "f4", chunks=(2, 2))
            with pytest.raises((TypeError, ValueError, OverflowError)) as found:
                call(lib, f)
            assert list(f) == ["d"]
        errors[lib] = found.value
    assert isinstance(errors[onecast], type(errors[h5py]))
    assert name in str(errors[onecast])
    assert "function arguments" not in str(errors[onecast])


@pytest.mark.parametrize("mode", ["r", "r+", "w", "x", "a"])
def test_an_empty_path(lib, tmp_path, monkeypatch, mode):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError) as error:
        lib.File("", mode)
    if lib is onecast:
        assert "the path of the file is empty" in str(error.value)
    assert os.listdir() == []


def test_an_empty_path_on_one_rank(mpirun):
    mpirun(
        2,
        """
try:
    onecast.File("" if rank == 1 else "file.h5", "w", comm=comm)
    sys.exit("no error")
except (OSError, onecast.DivergedError) as error:
    assert "the path of the file is empty" in str(error), error
""",
    )
