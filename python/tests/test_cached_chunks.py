"""Chunks without filters stay in memory for further reads, and are never stale."""

import h5py
import numpy as np
import pytest

import onecast

SHAPE, CHUNK = (300, 240), (50, 60)  # 6 x 4 chunks of 24 kB
VALUES = np.arange(np.prod(SHAPE), dtype="f8").reshape(SHAPE)


@pytest.fixture
def stored(path):
    with h5py.File(path, "w") as f:
        f.create_dataset("x", data=VALUES, chunks=CHUNK)
    return path


def reads_of(file, call):
    before = file.io_stats().reads
    call()
    return file.io_stats().reads - before


@pytest.mark.parametrize("mode", ["r", "r+"])
@pytest.mark.parametrize("has_small_data", [False, True])
def test_columns_read_their_chunks_once(stored, mode, has_small_data):
    options = {"small_data_limit": 0}
    if has_small_data:  # which comes to memory with the metadata
        with h5py.File(stored, "r+") as f:
            f["small"] = np.arange(10.0)
            f.create_dataset("small chunks", data=np.arange(10.0), chunks=(4,))
        options = {"load_policy": "eager"}
    with onecast.File(stored, mode, **options) as f:
        if has_small_data:
            assert (f.metadata_report().small_data_bytes != 0) == (mode == "r")
            for name in ("small", "small chunks"):
                assert reads_of(f, lambda name=name: f[name][3]) == 0 or mode == "r+"
        x = f["x"]
        for first in range(0, SHAPE[1], CHUNK[1]):
            assert reads_of(f, lambda first=first: x[:, first]) == SHAPE[0] // CHUNK[0]

            def others(first=first):
                for column in range(first + 1, first + CHUNK[1], 7):
                    assert (x[:, column] == VALUES[:, column]).all()
                    assert (x[::3, column] == VALUES[::3, column]).all()

            assert reads_of(f, others) == 0


@pytest.mark.parametrize("limit", [0, 1 << 15])
def test_no_more_is_kept_than_the_limit_says(stored, limit):
    with onecast.File(stored, "r", chunk_cache_bytes=limit) as f:
        x = f["x"]
        assert reads_of(f, lambda: x[:, 3]) == reads_of(f, lambda: x[:, 3]) == 6


def test_a_small_part_of_a_chunk_is_read_alone(path):
    with h5py.File(path, "w") as f:
        f.create_dataset("x", data=np.arange(1 << 20), chunks=(1 << 18,))
    with onecast.File(path, "r") as f:
        before = f.io_stats().bytes_read
        assert f["x"][:: 1 << 18].tolist() == [0, 1 << 18, 2 << 18, 3 << 18]
        assert f.io_stats().bytes_read - before < 1 << 16


def test_what_is_written_is_read(stored):
    """Writes in any order and by any call are read as from an array in memory."""
    drawn = np.random.default_rng(5)
    model = VALUES.copy()
    with onecast.File(stored, "r+") as f, onecast.File(stored, "r+") as again:
        for number in range(400):
            x = (f, again)[drawn.integers(2)]["x"]
            rows, columns = model.shape
            i, j = sorted(drawn.integers(0, rows + 1, 2)), sorted(drawn.integers(0, columns + 1, 2))
            part = np.s_[i[0] : i[1] : drawn.integers(1, 4), j[0] : j[1] : drawn.integers(1, 4)]
            match drawn.integers(12):
                case 0 | 1:
                    x[part] = model[part] = number
                case 2:
                    x.write_all(part, np.full(model[part].shape, number, "f8"))
                    model[part] = number
                case 3:
                    x.write_equal(part, np.full(model[part].shape, number, "f8"))
                    model[part] = number
                case 4:
                    at = (drawn.integers(0, rows // 50) * 50, drawn.integers(0, columns // 60) * 60)
                    x.id.write_direct_chunk(at, np.full(CHUNK, number, "f8").tobytes())
                    model[at[0] : at[0] + 50, at[1] : at[1] + 60] = number
                case 5 if number % 3 == 0:
                    f.flush()
                case _:
                    column = drawn.integers(0, columns)
                    assert (x[:, column] == model[:, column]).all()
                    assert (x[part] == model[part]).all()
    with h5py.File(stored) as f:
        assert (f["x"][()] == model).all()


def test_space_that_is_used_again_is_read_anew(path):
    """Datasets are removed, made smaller and larger, and created in the freed space."""
    with onecast.File(path, "w", compact_limit=0) as f:
        for number in range(12):
            x = f.create_dataset("x", SHAPE, "f8", chunks=CHUNK, maxshape=SHAPE, fillvalue=-1)
            x[: 100 + number] = number
            f.flush()
            for column in (1, 70, 200):
                expected = np.where(np.arange(SHAPE[0]) < 100 + number, number, -1)
                assert (x[:, column] == expected).all()
            x.resize((60, 100))
            f.flush()
            assert (x[:, 70] == number).all()
            x.resize(SHAPE)
            assert (x[:, 70] == np.where(np.arange(SHAPE[0]) < 60, number, -1)).all()
            assert (x[:, 120] == -1).all()
            del f["x"]
            f.flush()


def test_ranks_see_what_others_write(mpirun, stored):
    mpirun(
        3,
        """
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    x = f["x"]
    x[:, 3]
    comm.barrier()
    for turn in range(4):
        if rank == turn % size:
            x[:, 3] = turn
        comm.barrier()
        assert (x[:, 3] == turn).all(), (rank, turn)
        assert (x[:, 4] == np.arange(300) * 240 + 4).all()
        comm.barrier()
    x.write_all(np.s_[100 * rank : 100 * rank + 100, 3], np.full(100, 10.0 + rank))
    comm.barrier()
    assert (x[:, 3] == 10 + np.arange(300) // 100).all()
""",
        stored,
    )
