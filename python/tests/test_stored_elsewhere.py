"""Onecast writes external and virtual datasets, and stock libraries read them."""

import subprocess

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Names of external files are relative to the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_external_files_hold_the_elements(folder):
    values = np.arange(60, dtype="<i4").reshape(6, 10)
    slots = [("a.bin", 16, 100), ("b.bin", 0, 60), ("c.bin", 4, h5py.h5f.UNLIMITED)]
    with onecast.File("x.h5", "w") as f:
        dataset = f.create_dataset("x", data=values, external=slots)
        np.testing.assert_array_equal(dataset[...], values)
        assert dataset.layout == "contiguous" and dataset.external
        dataset[2:4, ::3] = -1
    expected = values.copy()
    expected[2:4, ::3] = -1
    raw = expected.tobytes()
    assert (folder / "a.bin").read_bytes() == bytes(16) + raw[:100]
    assert (folder / "b.bin").read_bytes() == raw[100:160]
    assert (folder / "c.bin").read_bytes() == bytes(4) + raw[160:]
    with h5py.File("x.h5") as f:
        np.testing.assert_array_equal(f["x"][...], expected)
        assert f["x"].external == slots
    assert not onecast.check("x.h5")["damaged"]


def test_stock_writes_on_and_onecast_reads(folder):
    with onecast.File("x.h5", "w") as f:
        f.create_dataset("x", (4,), "f8", external="x.bin")
    with h5py.File("x.h5", "r+") as f:
        f["x"][1:3] = [1, 2]
        f["more"] = 3
    with onecast.File("x.h5") as f:
        assert f["x"][...].tolist() == [0, 1, 2, 0]


def test_debian_tools_read_external_files(folder):
    with onecast.File("x.h5", "w") as f:
        f.create_dataset("x", data=np.arange(4, dtype="<i2"), external=[("x.bin", 2, 8)])
    text = subprocess.run(
        ["/usr/bin/h5dump", "-p", "x.h5"], capture_output=True, text=True, check=True
    ).stdout
    assert "FILENAME x.bin SIZE 8 OFFSET 2" in text
    assert "(0): 0, 1, 2, 3" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"external": [("x.bin", 0, 7)]}, "room for 7 bytes, 8 are needed"),
        ({"external": [("", 0, 8)]}, "a name without NUL"),
        ({"external": [("x.bin",), ("y.bin", 0, 8)]}, "only the last can be unlimited"),
        ({"external": "x.bin", "chunks": (1,)}, "chunk"),
        ({"external": "x.bin", "maxshape": (None,), "chunks": (1,)}, "chunk"),
    ],
)
def test_external_files_that_cannot_be(folder, options, message):
    with onecast.File("x.h5", "w") as f:
        with pytest.raises(ValueError, match=message):
            f.create_dataset("x", (4,), "i2", **options)
        assert "x" not in f


def test_external_files_survive_reopening_and_other_changes(folder):
    with onecast.File("x.h5", "w") as f:
        f.create_dataset("x", data=[1, 2], external="x.bin")
        f.flush()
        f["x"].attrs["unit"] = "m"
    with onecast.File("x.h5", "r+") as f:
        f["x"][0] = 5
        f.move("x", "y")
    with h5py.File("x.h5") as f:
        assert f["y"][...].tolist() == [5, 2]
        assert f["y"].attrs["unit"] == "m"


@pytest.fixture
def parts(folder):
    for i in range(3):
        with h5py.File(f"part{i}.h5", "w") as f:
            f.create_dataset("x", data=np.arange(10) + 10 * i, maxshape=(None,))
    return folder


def layouts(library):
    """Returns name -> layout for many forms, with the classes of h5py or Onecast."""
    whole = library.VirtualLayout((4, 10), "i8")
    for i in range(3):
        whole[i] = library.VirtualSource(f"part{i}.h5", "x", shape=(10,))
    strided = library.VirtualLayout((3, 5), "i4")
    for i in range(3):
        strided[2 - i, :] = library.VirtualSource(f"part{i}.h5", "x", shape=(10,))[1::2]
    columns = library.VirtualLayout((10, 6), "f8")
    for i in range(3):
        columns[:, 2 * i] = library.VirtualSource(f"part{i}.h5", "x", shape=(10,))
    return {"whole": whole, "strided": strided, "columns": columns}


def test_virtual_datasets_show_their_sources(parts):
    with h5py.File("stock.h5", "w") as f:
        for name, layout in layouts(h5py).items():
            f.create_virtual_dataset(name, layout, fillvalue=-7)
    with onecast.File("ours.h5", "w") as f:
        for name, layout in layouts(onecast).items():
            f.create_virtual_dataset(name, layout, fillvalue=-7)
        ours_before = {name: f[name][...] for name in f}
    with h5py.File("stock.h5") as stock, h5py.File("ours.h5") as ours, onecast.File("ours.h5") as f:
        for name in stock:
            expected = stock[name][...]
            for got in (ours[name][...], f[name][...], ours_before[name]):
                np.testing.assert_array_equal(got, expected)
            assert ours[name].is_virtual
            assert len(ours[name].virtual_sources()) == len(stock[name].virtual_sources())
    assert not onecast.check("ours.h5")["damaged"]
    subprocess.run(["/usr/bin/h5dump", "ours.h5"], capture_output=True, check=True)


def test_virtual_datasets_grow_with_their_sources(parts):
    def make(library, path, **options):
        layout = library.VirtualLayout((3, 10), "i8", maxshape=(3, None))
        unlimited = onecast.UNLIMITED
        for i in range(3):
            source = library.VirtualSource(f"part{i}.h5", "x", shape=(10,), maxshape=(None,))
            layout[i, :unlimited] = source[:unlimited]
        with library.File(path, "w", **options) as f:
            f.create_virtual_dataset("x", layout)

    make(onecast, "ours.h5")
    make(h5py, "stock.h5", libver="latest")
    for i in range(3):
        with h5py.File(f"part{i}.h5", "r+") as f:
            f["x"].resize((12,))
            f["x"][10:] = [-1, -2]
    with h5py.File("stock.h5") as stock, h5py.File("ours.h5") as ours:
        np.testing.assert_array_equal(ours["x"][...], stock["x"][...])
        assert ours["x"].shape == (3, 12)


def test_sources_in_the_same_file_are_named_by_a_dot(folder):
    with onecast.File("x.h5", "w") as f:
        source = f.create_dataset("part", data=[1, 2, 3])
        layout = onecast.VirtualLayout((2, 3), "i8")
        layout[1] = onecast.VirtualSource(source)
        assert f.create_virtual_dataset("whole", layout, fillvalue=9)[...].tolist() == [
            [9, 9, 9],
            [1, 2, 3],
        ]
    with h5py.File("x.h5") as f:
        assert f["whole"][...].tolist() == [[9, 9, 9], [1, 2, 3]]
        assert f["whole"].virtual_sources()[0].file_name == "."


def test_stock_changes_a_file_with_virtual_datasets(parts):
    with onecast.File("x.h5", "w") as f:
        f.create_virtual_dataset("x", layouts(onecast)["whole"])
    with h5py.File("x.h5", "r+") as f:
        f["x"].attrs["unit"] = "m"
        f.create_virtual_dataset("y", layouts(h5py)["columns"])
    with onecast.File("x.h5") as f, h5py.File("x.h5") as stock:
        for name in ("x", "y"):
            np.testing.assert_array_equal(f[name][...], stock[name][...])


@pytest.mark.parametrize(
    ("file", "size", "message"),
    [("p.h5", 4, "4 elements are mapped to 3"), ("", 3, "names without NUL")],
)
def test_virtual_sources_that_cannot_be(folder, file, size, message):
    layout = onecast.VirtualLayout((2, 3), "i8")
    with onecast.File("x.h5", "w") as f:
        with pytest.raises(ValueError, match=message):
            layout[0] = onecast.VirtualSource(file, "x", shape=(size,))
            f.create_virtual_dataset("x", layout)
        assert "x" not in f


TOGETHER = """
import os
os.chdir(os.path.dirname(sys.argv[1]))
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    x = f.create_dataset("x", (70,), "i4", external=[(sys.argv[2] + ".a", 0, 100), sys.argv[2]])
    first, end = 70 * rank // size, 70 * (rank + 1) // size
    x.write_all(np.s_[first:end], np.arange(first, end, dtype="i4"))
    layout = onecast.VirtualLayout((2, 70), "i4")
    layout[1] = onecast.VirtualSource(x)
    whole = f.create_virtual_dataset("whole", layout, fillvalue=4)
    assert whole.shape == (2, 70) and x.layout == "contiguous" and x.external
    f.flush()
    assert whole[:, 5].tolist() == [4, 5]
"""


@pytest.mark.parametrize("ranks", [1, 3])
def test_ranks_write_external_files_together(mpirun, path, ranks):
    mpirun(ranks, TOGETHER, path, "x.bin")
    with h5py.File(path) as f:
        assert f["x"].external[1] == ("x.bin", 0, h5py.h5f.UNLIMITED)
    raw = path.with_name("x.bin.a").read_bytes() + path.with_name("x.bin").read_bytes()
    assert np.frombuffer(raw, "<i4").tolist() == list(range(70))
    one = path.with_name("one.h5")
    mpirun(1, TOGETHER, one, "x.bin")
    assert one.read_bytes() == path.read_bytes()


DIFFERENT = """
import os
os.chdir(os.path.dirname(sys.argv[1]))
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    layout = onecast.VirtualLayout((3,), "i4")
    layout[:] = onecast.VirtualSource("p.h5", "x", shape=(3,))
    f.create_virtual_dataset("same", layout)
    f.flush()
    f.create_dataset("x", (3,), "i4", external=[(f"{rank}.bin", 0, 12)])
    texts = same_everywhere(f.flush, onecast.DivergedError)
    assert 'create dataset "x"' in texts[0], texts
    same_everywhere(f.close, onecast.DivergedError)
"""


def test_ranks_that_name_other_files_are_told(mpirun, path):
    mpirun(3, DIFFERENT, path)


@pytest.mark.parametrize("lib", [h5py, onecast], ids=["h5py", "onecast"])
def test_external_files_keep_what_is_in_them(folder, lib):
    (folder / "there.bin").write_bytes(np.arange(4, dtype="<i2").tobytes())
    with lib.File("x.h5", "w") as f:
        external = [("there.bin", 0, 8)]
        there = f.create_dataset("there", (4,), "<i2", external=external, fillvalue=-1)
        assert there[...].tolist() == [0, 1, 2, 3]
        external = [("new.bin", 0, 8)]
        f.create_dataset("new", (4,), "<i2", external=external, fillvalue=-1)[1] = 5
    with h5py.File("x.h5") as f:
        assert f["there"][...].tolist() == [0, 1, 2, 3]
        assert f["new"][...].tolist() == [0, 5, 0, 0]
