"""Views of a dataset read together, too."""

import numpy as np
import pytest

import onecast

KIND = np.dtype([("a", "<i4"), ("b", "<f8")])

TOGETHER = """
import sys
import numpy as np
import onecast
from mpi4py import MPI

comm = MPI.COMM_WORLD
with onecast.File(sys.argv[1], comm=comm) as f:
    mine = np.s_[comm.rank :: comm.size]
    assert f["x"].astype("u1").read_all(mine).tolist() == f["x"].astype("u1")[mine].tolist()
    assert f["x"].astype("f4").read_all().tolist() == [-5, 7, 300, 4]
    assert f["text"].asstr().read_all().tolist() == ["one", "zwölf"]
    assert f["kind"].fields("a").read_all(mine).tolist() == f["kind"]["a"][mine].tolist()
    before = f.io_stats().collectives
    f["x"].astype("f4").read_all()
    assert f.io_stats().collectives > before or comm.size == 1
    try:
        f["x"].astype("f4").read_all(0 if comm.rank else "wrong")
    except Exception as error:
        assert "compound" in str(error), error
    else:
        raise AssertionError("no error")
"""


@pytest.fixture
def views(path):
    with onecast.File(path, "w") as f:
        f["x"] = np.array([-5, 7, 300, 4], "<i4")
        f["text"] = ["one", "zwölf"]
        f["kind"] = np.array([(1, 2.0), (3, 4.0), (5, 6.0)], KIND)
        f["empty"] = onecast.Empty("f4")
    return path


def test_alone(views):
    with onecast.File(views) as f:
        found = f["x"].astype("u1").read_all()
        assert found.dtype == np.uint8 and found.tolist() == [0, 7, 255, 4]
        assert f["x"].astype("f8").read_all(2) == 300.0
        assert f["x"].astype("f8").read_all(np.s_[1:3], sharing="verify").tolist() == [7, 300]
        assert f["text"].asstr().read_all(1) == "zwölf"
        assert f["kind"].fields(["a"]).read_all().dtype.names == ("a",)
        with pytest.raises(ValueError, match="sharing"):
            f["x"].astype("f8").read_all(sharing="wrong")


@pytest.mark.parametrize("ranks", [1, 3])
def test_together(mpirun, views, ranks):
    mpirun(ranks, TOGETHER, views)
