"""A file opened several times in a process is one file, as with h5py."""

import os

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def made(path):
    with h5py.File(path, "w") as f:
        f["x"] = np.arange(10)
    return path


def test_reading_while_it_is_written(made, lib):
    with lib.File(made, "r+") as writer, lib.File(made, "r") as reader:
        writer["x"][3] = 33
        writer["new"] = 5
        writer["x"].attrs["unit"] = "m"
        assert reader["x"][3] == 33
        assert reader["new"][()] == 5
        assert reader["x"].attrs["unit"] == "m"
        assert reader["x"] == writer["x"]


def test_the_one_for_reading_refuses_to_write(made):
    with onecast.File(made, "r+") as writer, onecast.File(made, "r") as reader:
        assert (writer.mode, reader.mode) == ("r+", "r")
        x = reader["x"]
        for change in (
            lambda: reader.create_group("g"),
            lambda: reader.__setitem__("y", 1),
            lambda: reader.__delitem__("x"),
            lambda: reader.move("x", "y"),
            lambda: reader.copy("x", "y"),
            lambda: x.attrs.__setitem__("a", 1),
            lambda: x.__setitem__(0, 1),
            lambda: x.write_all(slice(0, 1), 1),
            lambda: x.write_equal(slice(0, 1), 1),
            lambda: reader.write_multi([(x, slice(0, 1), 1)]),
            lambda: reader.adopt(),
            lambda: reader.independent().__enter__(),
        ):
            with pytest.raises((ValueError, OSError), match="open for reading only"):
                change()
        assert list(writer) == ["x"]
        assert x[0] == 0


def test_each_is_closed_for_itself(made, lib):
    first = lib.File(made, "r+")
    second = lib.File(made, "r+")
    x, y = first["x"], second["x"]
    first["a"] = 1
    first.close()
    assert not first
    assert not x
    second["b"] = y[2]
    second.close()
    with h5py.File(made) as f:
        assert (f["a"][()], f["b"][()]) == (1, 2)


def test_objects_of_a_closed_one(made):
    first, second = onecast.File(made, "r+"), onecast.File(made, "r")
    x = first["x"]
    first.close()
    with pytest.raises(ValueError, match="closed"):
        x[()]
    assert second["x"][3] == 3
    second.close()


def test_closing_the_writer_writes_all(made):
    """The others are open for reading only, and h5py may read beside them."""
    writer = onecast.File(made, "r+")
    reader = onecast.File(made)
    writer["new"] = np.arange(100)
    writer.close()
    with h5py.File(made) as f:
        np.testing.assert_array_equal(f["new"][:], np.arange(100))
    np.testing.assert_array_equal(reader["new"][:], np.arange(100))
    assert sorted(p.name for p in made.parent.iterdir()) == [made.name]
    with pytest.raises(BlockingIOError, match="reading only already"):
        onecast.File(made, "r+")
    reader.close()
    onecast.File(made, "r+").close()


def test_the_reader_closes_last_without_a_flush(made):
    writer, reader = onecast.File(made, "r+"), onecast.File(made)
    writer["new"] = 1
    writer.flush()
    reader.close()
    writer["more"] = 2
    writer.close()
    with h5py.File(made) as f:
        assert sorted(f) == ["more", "new", "x"]


def test_writing_what_is_open_for_reading_only(made, lib):
    with lib.File(made), pytest.raises(OSError):
        lib.File(made, "r+")
    lib.File(made, "r+").close()


@pytest.mark.parametrize("mode", ["r", "r+"])
@pytest.mark.parametrize("locking", [True, False])
def test_creating_what_is_open(made, mode, locking):
    before = made.read_bytes()
    with onecast.File(made, mode, locking=locking) as f:
        with pytest.raises(OSError, match="cannot be replaced before it is closed"):
            onecast.File(made, "w", locking=locking)
        for wrong in ("w-", "x"):
            with pytest.raises(FileExistsError):
                onecast.File(made, wrong)
        assert f["x"][2] == 2
    assert made.read_bytes() == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_other_names(made, tmp_path, link):
    alias = tmp_path / "alias.h5"
    link(made, alias)
    with onecast.File(made, "r+") as f, onecast.File(alias, "r") as g:
        f["x"][0] = 100
        assert g["x"][0] == 100
        assert (f.filename, g.filename) == (str(made), str(alias))
        assert f == g
        with pytest.raises(OSError, match="already, as "):
            onecast.File(alias, "w")


def test_a_new_file_of_the_old_name(made):
    with onecast.File(made, "r+") as old:
        made.unlink()
        with onecast.File(made, "w", journal=False) as new:
            new["y"] = 1
            assert list(old) == ["x"]
        assert old != new


def test_options(made):
    with onecast.File(made, "r+", durable=True) as f:
        with onecast.File(made) as g:
            assert f == g
        with onecast.File(made, "r+", durable=True, load_policy="eager", decode_threads=2) as g:
            assert f == g
        with pytest.raises(
            ValueError, match=r"option follow_external: nowhere was given, .* with everywhere"
        ):
            onecast.File(made, follow_external=False)
    with onecast.File(made) as f, onecast.File(made, metadata_budget=1 << 20) as g:
        assert f != g  # openings for reading may differ: then it is open twice
        assert g["x"][3] == 3


def test_forgotten(made):
    """A file that is forgotten without close keeps nothing open."""
    with onecast.File(made, "r+") as f:
        onecast.File(made)
        f["y"] = 1
    with h5py.File(made, "r+") as f:
        assert f["y"][()] == 1


def test_in_many_threads_of_reading(made):
    from concurrent.futures import ThreadPoolExecutor

    def read(_):
        with onecast.File(made) as f:
            return int(f["x"][:].sum())

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(read, range(200))) == {45}


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_on_ranks(mpirun, path, ranks):
    mpirun(
        ranks,
        """
path = sys.argv[1]
with onecast.File(path, "w", comm=comm) as f:
    x = f.create_dataset("x", (70,), "i4")
    x.write_all((), np.arange(70))
    f.flush()
    with onecast.File(path, "r", comm=comm) as g:
        assert f == g
        x[rank] = 100 + rank
        f["made"] = 1
        assert g["made"][()] == 1 and g["x"][rank] == 100 + rank
        same_everywhere(lambda: g["x"].write_all(slice(0, 1), 1), ValueError, OSError)
        same_everywhere(lambda: onecast.File(path, "w", comm=comm), BlockingIOError)
        if size > 2:
            turned = comm.Create(comm.group.Incl([0, *range(size - 1, 0, -1)]))
            texts = same_everywhere(lambda: onecast.File(path, comm=turned), BlockingIOError)
            assert "on one communicator" in texts[0], texts
        if size > 1:
            if rank == 0:
                try:
                    onecast.File(path)
                    print("opened")
                    comm.Abort(1)
                except BlockingIOError as error:
                    assert "on one communicator" in str(error), error
    x[10 + rank] = 7
    g = onecast.File(path, "r", comm=comm)
assert g["x"][10 + rank] == 7
same_everywhere(lambda: onecast.File(path, "r+", comm=comm), BlockingIOError)
g.close()
comm.Barrier()
with onecast.File(path, "r+", comm=comm) as f, onecast.File(path, "r+", comm=comm) as g:
    f["a"] = 1
    g["b"] = 2
with onecast.File(path, comm=comm) as f:
    assert sorted(f) == ["a", "b", "made", "x"]
# Closing what is open for reading is each rank's own affair.
f = onecast.File(path, comm=comm)
if rank == size - 1:
    f.close()
g = onecast.File(path, comm=comm)
assert g["x"].read_all()[69] == 69
""",
        path,
    )
