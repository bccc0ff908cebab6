"""Programs for h5py pass the type checker: `make lint` checks this file, too."""

from pathlib import Path

import numpy as np

import onecast as h5py


def test_calls_of_h5py(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as f:
        d = f.create_dataset("x", data=np.zeros((3, 4)), chunks=(1, 4), compression="gzip")
        d[0] = [1, 2, 3, 4]
        d.attrs["a"] = 5
        f["g/y"] = [1, 2]
        f["soft"] = h5py.SoftLink("/x")
        f["type"] = np.dtype("f4")
        f["again"] = d
        f.create_dataset("texts", data=["a", "b"], dtype=h5py.string_dtype())
        assert f[d.ref] == f[b"x"] == d
        del f["again"]
        assert [name.upper() for name in f] == ["X", "G", "SOFT", "TYPE", "TEXTS"]
        assert "x" in dict(f.items()) and b"x" in f
        d.read_direct(np.empty((3, 4)))
        assert d.shape is not None and len(d.shape) == 2


def test_calls_of_onecast(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w", profile="latest", stripe_size=1 << 20) as f:
        d = f.create_dataset("x", (4,), "i4", maxshape=(None,))
        d.write_all(np.s_[0:2], [1, 2])
        d.shape = 5
        writing = d.write_all_async(4, 7)
        f.write_multi([(d, 3, 6)])
        writing.wait()
        assert d.read_all().tolist() == [1, 2, 0, 6, 7]
        assert f.io_stats().opens == 1
