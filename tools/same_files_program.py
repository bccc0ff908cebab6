"""Writes files of many kinds in the current folder, with the package that Python finds: the program
of tools/same_files.py. It uses only what every version of the package has."""

import numpy as np
from mpi4py import MPI

import onecast

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
ROWS = 1200  # divided evenly among 1, 2 and 3 ranks
MINE = slice(RANK * ROWS // SIZE, (RANK + 1) * ROWS // SIZE)
FILTERS = (
    {},
    {"compression": "gzip"},
    {"compression": "lzf", "shuffle": True},
    {"fletcher32": True},
)


def values(width: int) -> np.ndarray:
    """Returns this rank's rows of numbers that follow from their places."""
    rows = np.arange(ROWS, dtype="f8")[MINE, None]
    return np.sin(rows * width + np.arange(width))


def tree(file: onecast.File) -> None:
    """Groups, attributes of all sorts, links, and many of each."""
    for i in range(40):
        group = file.create_group(f"base/zone {i}")
        group.attrs["number"] = i
        group.attrs["name"] = "wing" * i
        group.attrs["box"] = np.arange(3.0 * i)
        group["x"] = np.arange(i)
    for i in range(300):
        file.create_group(f"many/{i}")
        file["many"].attrs[f"a{i}"] = i
    file["soft"] = onecast.SoftLink("/base/zone 3")
    file["outside"] = onecast.ExternalLink("other.h5", "/x")
    file["hard"] = file["base/zone 7"]
    file["type"] = np.dtype([("a", "i4"), ("b", "f8", (3,))])
    file.create_dataset("of type", (5,), file["type"])


def arrays(file: onecast.File) -> None:
    """Data of all layouts, each rank its part: rows, columns, one element of each chunk."""
    for i, how in enumerate(FILTERS):
        chunks = None if i == 0 else (100, 7)
        data = file.create_dataset(f"rows {i}", (ROWS, 12), "f8", chunks=chunks, **how)
        data.write_all(MINE, values(12))
        mixed = file.create_dataset(f"columns {i}", (64, ROWS), "i4", chunks=chunks and (16, 50))
        mixed.write_all((slice(None), slice(RANK, None, SIZE)), 1000 * i)
    small = file.create_dataset("small", (ROWS // 100, 3), "u2")
    small.write_all(slice(RANK * 12 // SIZE, (RANK + 1) * 12 // SIZE), 7)
    growing = file.create_dataset("growing", (10, 4), "f4", chunks=(8, 4), maxshape=(None, 4))
    growing.resize((300, 4))
    growing.write_all(slice(RANK * 300 // SIZE, (RANK + 1) * 300 // SIZE), 1)
    texts = file.create_dataset("texts", (ROWS,), onecast.string_dtype())
    texts.write_all(MINE, [f"text {i}" * (i % 5) for i in range(ROWS)[MINE]])
    file["equal"] = np.arange(100_000.0)


def later(file: onecast.File) -> None:
    """What a later session changes, removes and adds."""
    del file["base/zone 5"], file["rows 1"]
    file["base/zone 6"].attrs["name"] = "short"
    for i in range(300):
        file[f"many/{i}"].attrs["late"] = "x" * i
    file["rows 2"].write_all(MINE, -values(12))
    file["texts"].write_all(MINE, ["another"] * len(range(ROWS)[MINE]))
    for i in range(30):
        file[f"late/{i}"] = np.arange(i * 50)
    file.flush()
    file["growing"].resize((50, 4))


def main() -> None:
    for name, how in {
        "plain": {},
        "latest": {"libver": "latest"},
        "ordered": {"track_order": True},
        "pages": {"page_size": 1 << 16},
    }.items():
        with onecast.File(f"{name}.h5", "w", comm=COMM, **how) as file:
            tree(file)
            file.flush()
            arrays(file)
        with onecast.File(f"{name}.h5", "r+", comm=COMM) as file:
            later(file)


main()
