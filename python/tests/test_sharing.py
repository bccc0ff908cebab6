"""How ranks that read, or that write equal data, find out whether they mean the same"""

import h5py
import numpy as np
import pytest

import onecast

PROGRAM = """
path = sys.argv[1]
with onecast.File(path, "r+", comm=comm, sharing="serve") as f:
    for name in ("contiguous", "chunked"):
        x = f[name]
        for sharing in (None, "automatic", "trust", "verify", "serve"):
            assert (x.read_all(slice(3, 900, 2), sharing=sharing) == np.arange(3, 900, 2)).all()
        half = slice(0, 500) if rank % 2 else slice(400, 1000)
        assert (x.read_all(half) == np.arange(1000)[half]).all()
        if size > 1:
            texts = same_everywhere(
                lambda: x.read_all(half, sharing="verify"), onecast.DivergedError
            )
            assert "read_all" in texts[0] and "1" in texts[0], texts
    texts = f["texts"]
    for sharing in ("automatic", "trust", "verify", "serve"):
        before = f.io_stats().reads
        found = texts.read_all(slice(5, 90), sharing=sharing)
        assert rank == 0 or f.io_stats().reads == before
        assert [t.decode() for t in found] == [f"text {i}" * (i % 9) for i in range(5, 90)]
    f["equal"].write_equal((), np.arange(5.0), sharing="verify")
    f["names"].write_equal(slice(0, 2), ["a", "bc"], sharing="trust")
    if size > 1:
        same_everywhere(
            lambda: f["equal"].write_equal((), np.full(5, rank), sharing="verify"),
            onecast.DivergedError,
        )
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_all_ways(mpirun, path, ranks):
    with h5py.File(path, "w") as f:
        f["contiguous"] = np.arange(1000)
        f.create_dataset("chunked", data=np.arange(1000), chunks=(77,), compression="gzip")
        f["texts"] = [f"text {i}" * (i % 9) for i in range(100)]
        f["equal"] = np.zeros(5)
        f["names"] = ["x", "y", "z"]
    mpirun(ranks, PROGRAM, path)
    with h5py.File(path) as f:
        assert (f["equal"][...] == np.arange(5)).all()
        assert f["names"].asstr()[...].tolist() == ["a", "bc", "z"]


def test_unknown_ways(path):
    expected = r"sharing: one of automatic, trust, verify, serve .* 'all'"
    with pytest.raises(ValueError, match=expected):
        onecast.File(path, "w", sharing="all")
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (3,))
        with pytest.raises(ValueError, match="sharing"):
            x.read_all(sharing="")
        with pytest.raises(ValueError, match="sharing"):
            x.write_equal((), 1, sharing="all")
