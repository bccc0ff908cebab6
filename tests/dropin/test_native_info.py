"""What only native files have is told by Onecast as by the library: headers and structures beside
them, the creation list of a file, the access lists of datasets."""

import ast
from pathlib import Path

import pytest

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")

INDEX = 10  # the position of the size of the index
PROGRAM = Path(__file__).resolve().parent / "native_info.py"


def fill(file):
    """Fills a file with objects that have structures of all kinds beside their headers."""
    for count in (3, 40, 3000):
        group = file.create_group(f"{count} links", track_order=count == 40)
        for i in range(count):
            group[f"a soft link with a name {i}"] = h5py.SoftLink("/nowhere")
        of_attributes = file.create_group(f"{count} attributes", track_order=count == 40)
        for i in range(min(count, 300)):
            of_attributes.attrs[f"name {i}"] = np.arange(i % 7)
    shapes = {"fixed": ((50,), (50,)), "growing": ((50,), (None,)), "both": ((9, 9), (None, None))}
    for name, (shape, most) in shapes.items():
        data = np.arange(np.prod(shape)).reshape(shape)
        file.create_dataset(name, data=data, maxshape=most, chunks=(2,) * len(shape))
        file.create_dataset(
            f"filtered {name}", data=data, maxshape=most, chunks=(3,) * len(shape), compression=4
        )
    file.create_dataset("unwritten", (9, 9), "f4", chunks=(2, 2))
    file.create_dataset("contiguous", data=np.zeros(9))
    file["contiguous"].attrs.create("large", np.zeros(60000, "i1"))
    del file["contiguous"].attrs["large"]
    file.create_dataset("outside", (4,), "i4", external=[("raw", 0, 8), ("raw2", 4, 8)])
    file["type"] = np.dtype("i4")
    file.create_dataset("typed", (2,), dtype=file["type"])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("native_info")
    for libver in ("earliest", "v110", "latest"):
        with h5py.File(folder / f"{libver}.h5", "w", libver=libver, userblock_size=512) as file:
            fill(file)
    return sorted(folder.glob("*.h5"))


def test_sizes_and_lists(dropin, files):
    with_plugin = dropin.run(PROGRAM, *files, trace=True)
    without = dropin.run(PROGRAM, *files, plugin=False)
    assert "raises" not in without.stdout
    for ours, native in zip(
        with_plugin.stdout.splitlines(), without.stdout.splitlines(), strict=True
    ):
        ours, native = ast.literal_eval(ours), ast.literal_eval(native)
        if native["file"][2][0] > 0:
            # The library forgets some addresses in the index block of an extensible array.
            for name in ("growing", "filtered growing"):
                native[name][INDEX] = ours[name][INDEX]
        assert ours == native
    assert with_plugin.stderr.count(" 0 by the shadow") == len(files), with_plugin.stderr


def test_files_that_onecast_wrote(dropin, tmp_path):
    onecast = pytest.importorskip("onecast")
    with onecast.File(tmp_path / "ours.h5", "w") as file:
        file.create_group("g").attrs["a"] = 1
        for i in range(100):
            file[f"x{i}"] = np.arange(i)
    with_plugin = dropin.run(PROGRAM, tmp_path / "ours.h5", trace=True)
    assert with_plugin.stdout == dropin.run(PROGRAM, tmp_path / "ours.h5", plugin=False).stdout
    assert " 0 by the shadow" in with_plugin.stderr
