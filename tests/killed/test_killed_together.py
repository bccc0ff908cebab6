"""A rank is killed (SIGKILL) in a collective call, or exits: all ranks end, and the file stays
good."""

import os
import shutil
import time
from pathlib import Path

import h5py
import kill_together
import numpy as np
import pytest

import onecast

pytestmark = pytest.mark.long

PROGRAM = Path(kill_together.__file__)
PATIENCE = 10  # seconds from the end of one rank to the end of all


@pytest.mark.parametrize(
    ("call", "ranks", "killed", "write"),
    [
        ("write_parts", 2, 1, 1),
        ("write_interleaved", 4, 3, 1),
        ("write_chunks", 2, 1, 1),
        ("write_async", 2, 1, 2),
        ("flush", 2, 1, 1),
        ("flush", 4, 0, 2),
        ("read", 4, 0, 0),
        ("read", 3, 1, -1),
        ("flush", 3, 0, -1),
        ("write_interleaved", 4, 2, -1),
    ],
)
def test_a_rank_is_killed(run_on_ranks, tmp_path, call, ranks, killed, write):
    run_and_check(run_on_ranks, tmp_path, call, ranks, killed, write)


@pytest.mark.parametrize(
    ("call", "killed", "write"),
    [("flush", 0, 2), ("flush", 1, 0), ("read", 3, 0), ("read", 0, -2), ("read", 2, -2)],
)
@pytest.mark.parametrize("ranks_of_node", [4, 2])
def test_a_rank_that_shares_memory_is_killed(
    run_on_ranks, tmp_path, monkeypatch, call, killed, write, ranks_of_node
):
    monkeypatch.setenv("ONECAST_RANKS_PER_NODE", str(ranks_of_node))
    monkeypatch.setenv("ONECAST_SHARE_FROM", "1")
    run_and_check(run_on_ranks, tmp_path, call, 4, killed, write)
    assert not [name for name in os.listdir("/dev/shm") if "onecast" in name]


def run_and_check(run_on_ranks, tmp_path, call, ranks, killed, write):
    path = tmp_path / "killed.h5"
    done = run_on_ranks(ranks, PROGRAM, call, path, killed, write)
    took = time.time() - Path(f"{path}.end").stat().st_mtime
    assert took < PATIENCE
    assert done.returncode != 0 or write == -1
    assert "came through" not in done.stdout
    if os.environ.get("MPI", "openmpi") == "openmpi" and write != -1:
        assert f"rank {killed} " in done.stderr and "signal 9" in done.stderr, done.stderr
    for library in (h5py, onecast):
        # Stock HDF5 refuses a file in the middle of a flush until it is recovered.
        if library is h5py and call == "flush" and write > 0:
            shutil.copy(path, stock := tmp_path / "stock.h5")
            if (journal := Path(f"{path}.onecast-journal")).exists():
                shutil.copy(journal, f"{stock}.onecast-journal")
            onecast.recover(stock)
            check(library, stock, ranks)
        else:
            check(library, path, ranks)
    onecast.recover(path)
    with onecast.File(path, "r+") as f:
        f["kept"][0] = 5
    with h5py.File(path, "r+") as f:
        assert f["kept"][0] == 5


def check(library, path, ranks):
    """Expects the data of the last flush, and old or new values where the call wrote."""
    with library.File(path) as f:
        assert (f["kept"][...] == kill_together.BEFORE).all()
        for name in "xc":
            values = f[name][...]
            old, new = values == kill_together.BEFORE, values == kill_together.AFTER
            half = np.flatnonzero(~(old | new))
            assert half.size <= ranks, "the write that was cut may end in an element"
        assert sum(name.startswith("group") for name in f) == 100
        assert all(f[f"group {i}"].attrs["number"] == i for i in range(100))
        assert "new 0" not in f
