"""Files that are repeatedly opened, changed and closed do not swell."""

import hashlib
import os

import numpy as np
import pytest

import onecast


def delete_and_create(file, step):
    if step == 0:
        file["other"] = np.arange(3)
    else:
        del file["x"]
    file["x"] = np.arange(10_000.0) + step


def append_row(file, step):
    if step == 0:
        file.create_dataset("rows", (0, 125), "f8", maxshape=(None, 125), chunks=(1, 125))
    else:
        file["rows"].resize((step, 125))
        file["rows"][step - 1] = step


def many_objects(file, step):
    """Adds and removes groups with dense links and attributes."""
    if step:
        del file["group"]
    for i in range(150):
        file[f"group/{i}"] = np.arange(i % 7)
    for i in range(20):
        file["group"].attrs[str(i)] = "x" * 50


@pytest.mark.parametrize(
    ("change", "sessions", "most"),
    [(delete_and_create, 30, 2.3), (append_row, 200, 1.3), (many_objects, 20, 2.3)],
)
@pytest.mark.parametrize("profile", ["compatible", "latest"])
def test_size(tmp_path, change, sessions, most, profile):
    h5py = pytest.importorskip("h5py")
    options = {"h5py": {"libver": "latest" if profile == "latest" else None}}
    options["onecast"] = {"profile": profile}
    sizes = {}
    for name, lib in (("h5py", h5py), ("onecast", onecast)):
        path = tmp_path / f"{name}.h5"
        for step in range(sessions + 1):
            with lib.File(path, "r+" if step else "w", **(options[name] if step == 0 else {})) as f:
                change(f, step)
        sizes[name] = os.path.getsize(path)
    assert sizes["onecast"] <= most * sizes["h5py"] + 8192
    with h5py.File(tmp_path / "onecast.h5") as mine, h5py.File(tmp_path / "h5py.h5") as stock:
        compare(mine, stock)


def compare(mine, stock):
    assert set(mine) == set(stock)
    for name in stock:
        if hasattr(stock[name], "keys"):
            compare(mine[name], stock[name])
        else:
            np.testing.assert_array_equal(mine[name][()], stock[name][()])


def test_free_space_is_told_and_used(tmp_path):
    path = tmp_path / "file.h5"
    with onecast.File(path, "w") as f:
        f["kept"] = np.arange(5000)
        f["gone"] = np.arange(50_000)
    with onecast.File(path, "r+") as f:
        del f["gone"]
    size = os.path.getsize(path)
    assert onecast.check(path)["free_bytes"] >= 400_000
    with onecast.File(path, "r+") as f:
        f["new"] = np.arange(49_000)
    assert os.path.getsize(path) == size
    with onecast.File(path) as f:
        np.testing.assert_array_equal(f["kept"][:], np.arange(5000))
        np.testing.assert_array_equal(f["new"][:], np.arange(49_000))


def test_another_program_makes_the_list_stale(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "file.h5"
    with onecast.File(path, "w") as f:
        f["gone"] = np.arange(50_000)
    with onecast.File(path, "r+") as f:
        del f["gone"]
    with h5py.File(path, "r+") as f:
        f["stock"] = np.arange(1000)
    assert onecast.check(path)["free_bytes"] == 0
    with onecast.File(path, "r+") as f:
        f["new"] = np.arange(40_000)
    with h5py.File(path) as f:
        np.testing.assert_array_equal(f["stock"][:], np.arange(1000))
        np.testing.assert_array_equal(f["new"][:], np.arange(40_000))


RANKS = """
path = sys.argv[1]
with onecast.File(path, "w", comm=comm) as f:
    f["kept"] = np.arange(1000)
sizes = []
for step in range(8):
    with onecast.File(path, "r+", comm=comm) as f:
        if step:
            del f["group"]
        data = f.create_dataset("group/data", (300_000,), "f8")
        part = slice(300_000 * rank // size, 300_000 * (rank + 1) // size)
        data.write_all(part, np.arange(300_000.0)[part] + step)
        packed = f.create_dataset("group/packed", (5000,), "f8", chunks=(500,), compression=3)
        packed.write_all(slice(rank, None, size), np.arange(5000.0)[rank::size] * step)
        for i in range(100):
            f["group"].attrs[str(i)] = np.bytes_("x" * (i * 3 + 1))
    comm.barrier()
    sizes.append(os.path.getsize(path))
assert sizes[-1] == sizes[4] <= 1.01 * sizes[2], sizes
with onecast.File(path, comm=comm) as f:
    np.testing.assert_array_equal(f["group/data"].read_all(...), np.arange(300_000.0) + 7)
    np.testing.assert_array_equal(f["group/packed"].read_all(...), np.arange(5000.0) * 7)
    np.testing.assert_array_equal(f["kept"].read_all(...), np.arange(1000))
"""


@pytest.mark.long
def test_on_ranks(tmp_path, mpirun):
    """The space of earlier sessions is used again, equally on any number of ranks."""
    digests = set()
    for ranks in (1, 2, 3, 4, 7):
        path = tmp_path / f"{ranks}.h5"
        mpirun(ranks, "import os" + RANKS, path)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1
