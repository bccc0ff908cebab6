"""HDF5 1.8 reads files of the default profile."""

import hdf5_1_8
import numpy as np
import pytest

import onecast


def fill(file):
    """Writes one of each. Returns what HDF5 1.8 should find."""
    rng = np.random.default_rng(1)
    series = np.arange(3000).reshape(50, 60)
    found = {
        "/compact": np.arange(7),
        "/contiguous": rng.random((300, 200)),
        "/chunked": series,
        "/growing": np.arange(1000) ** 2,
        "/few/x": np.int16(5),
        "/strings": np.array(["", "one", "größer", "x" * 5000], dtype=object),
    }
    file.create_dataset("compact", data=found["/compact"])
    file.create_dataset("contiguous", data=found["/contiguous"])
    file.create_dataset("chunked", data=series, chunks=(10, 20), compression="gzip", shuffle=True)
    file.create_dataset("growing", data=found["/growing"], chunks=(10,), maxshape=(None,))
    file["few/x"] = found["/few/x"]
    file.create_dataset("strings", (4,), onecast.string_dtype())
    file["strings"][...] = found["/strings"]
    for i in range(300):
        found[f"/many/{i:03}"] = file[f"many/{i:03}"] = np.float32(i / 4)
    for i in range(3):
        found[f"/few@{i}"] = file["few"].attrs[str(i)] = np.arange(i + 1)
    for i in range(40):
        found[f"/many@{i:02}"] = file["many"].attrs[f"{i:02}"] = i
    found["/@title"] = file.attrs["title"] = "Größe"
    return found


def same(path, expected):
    found = hdf5_1_8.read(path)
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name] == np.ravel(values).tolist(), name


def test_a_new_file(tmp_path):
    path = tmp_path / "new.h5"
    with onecast.File(path, "w") as file:
        expected = fill(file)
    same(path, expected)


def test_a_file_that_was_opened_again(tmp_path):
    path = tmp_path / "again.h5"
    with onecast.File(path, "w") as file:
        expected = fill(file)
    with onecast.File(path, "r+") as file:
        expected["/later"] = file["later"] = np.arange(9000)
        del file["many/007"], expected["/many/007"]
        file["growing"][5] = expected["/growing"][5] = -1
        expected["/few@3"] = file["few"].attrs["3"] = 1.5
    same(path, expected)


def test_an_adopted_file(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "adopted.h5"
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(10)
    with onecast.File(path, "r+") as file:
        file.adopt()
        file["y"] = np.arange(20)
    same(path, {"/x": np.arange(10), "/y": np.arange(20)})


def test_a_file_of_three_ranks(tmp_path, mpirun):
    path = tmp_path / "ranks.h5"
    mpirun(3, PROGRAM, path)
    steps = np.arange(3000.0)
    same(path, {"/steps": steps, "/mine": steps[:300], "/g@ranks": 3})


PROGRAM = """
with onecast.File(sys.argv[1], "w", comm=comm) as file:
    steps = file.create_dataset("steps", (3000,), "f8", chunks=(100,), compression="gzip")
    part = slice(rank * 1000, (rank + 1) * 1000)
    steps.write_all(part, np.arange(3000.0)[part])
    mine = file.create_dataset("mine", (300,), "f8")
    mine[rank * 100 : (rank + 1) * 100] = np.arange(rank * 100.0, (rank + 1) * 100)
    file.create_group("g").attrs["ranks"] = size
"""
