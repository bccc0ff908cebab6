"""The cases of `onecast bench python`: small operations that Python programs repeat often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

Library = Any


@dataclass(frozen=True)
class Case:
    """`run(library, path, count)` is measured. `prepare` makes the file that it opens. `aim` is the
    speed to reach, as a multiple of h5py's. With `own`, each library reads the file that it
    made."""

    name: str
    aim: float
    count: int
    run: Callable[[Library, Path, int], Any]
    prepare: Callable[[Library, Path, int], None] | None = None
    own: bool = False


CASES: list[Case] = []


def case(name: str, aim: float, count: int, prepare: Any = None, own: bool = False) -> Any:
    def add(run: Any) -> Any:
        CASES.append(Case(name, aim, count, run, prepare, own))
        return run

    return add


# --- files ----------------------------------------------------------------------------------------
def small_file(library: Library, path: Path, count: int) -> None:
    with library.File(path, "w") as f:
        f["x"] = np.arange(10)
        f.attrs["title"] = "small"


@case("open and close a small file", 1, 2_000, small_file)
def open_close(library: Library, path: Path, count: int) -> Any:
    for _ in range(count):
        with library.File(path, "r"):
            pass


def many_datasets(library: Library, path: Path, count: int) -> None:
    with library.File(path, "w") as f:
        for i in range(30_000):
            f.create_dataset(f"g{i // 100}/d{i}", data=i)
            if i % 100 == 0:
                f[f"g{i // 100}"].attrs["n"] = i


def change_one(library: Library, path: Path, count: int) -> Any:
    for i in range(count):
        with library.File(path, "r+") as f:
            f["g7"].attrs["n"] = i
            f["g7/d700"].attrs["changed"] = i


case("change an attribute of 30,000 datasets, own file", 1, 20, many_datasets, own=True)(change_one)
case("change an attribute of 30,000 datasets, h5py's file", 1, 20, many_datasets)(change_one)


# --- attributes and objects -----------------------------------------------------------------------
def attributes(library: Library, path: Path, count: int) -> None:
    with library.File(path, "w") as f:
        for i in range(100):
            group = f.create_group(f"g{i}")
            for k in range(count // 100):
                group.attrs[f"a{k}"] = k


@case("read 10,000 scalar attributes", 2, 10_000, attributes)
def read_attributes(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return sum(f[f"g{i}"].attrs[f"a{k}"] for i in range(100) for k in range(count // 100))


@case("write 10,000 scalar attributes", 2, 10_000)
def write_attributes(library: Library, path: Path, count: int) -> Any:
    attributes(library, path, count)


@case("create 10,000 small datasets", 5, 10_000)
def create_datasets(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "w") as f:
        for i in range(count):
            f.create_dataset(f"d{i}", data=np.arange(5))


@case("list 10,000 members and their shapes", 1, 10_000, create_datasets)
def list_members(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return sum(member.shape[0] for member in f.values())


def links(library: Library, path: Path, count: int) -> None:
    with library.File(path, "w") as f:
        for i in range(count):
            f[f"link {i}"] = library.SoftLink(f"/elsewhere/{i}")


@case("look up links one by one", 1, 3_000, links)
def look_up_links(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return [f.get(f"link {i}", getlink=True).path for i in range(count)]


@case("copy 2,000 datasets", 1, 2_000, create_datasets)
def copy_datasets(library: Library, path: Path, count: int) -> Any:
    target = path.with_suffix(".copy")
    with library.File(path, "r") as f, library.File(target, "w") as g:
        for name in f:
            f.copy(name, g)


# --- elements -------------------------------------------------------------------------------------
def numbers(library: Library, path: Path, count: int) -> None:
    with library.File(path, "w") as f:
        f["rows"] = np.arange(4_000_000, dtype="f8").reshape(10_000, 400)
        f["line"] = np.arange(1_000_000, dtype="i8")


@case("read 10,000 single elements", 2, 10_000, numbers)
def read_elements(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        line = f["line"]
        return sum(int(line[i * 7]) for i in range(count))


@case("fancy indexing of 100 rows", 3, 1_000, numbers)
def fancy_rows(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        rows = f["rows"]
        return sum(rows[list(range(i % 50, 10_000, 100)), :4].sum() for i in range(count))


@case("a mask of a line", 1, 20, numbers)
def mask_line(library: Library, path: Path, count: int) -> Any:
    chosen = np.arange(1_000_000) % 3 == 0
    with library.File(path, "r") as f:
        return sum(f["line"][chosen].sum() for _ in range(count))


@case("a mask of two dimensions", 1, 2, numbers)
def mask_rows(library: Library, path: Path, count: int) -> Any:
    chosen = (np.arange(4_000_000) % 7 == 0).reshape(10_000, 400)
    with library.File(path, "r") as f:
        return sum(f["rows"][chosen].sum() for _ in range(count))


@case("columns", 1, 50, numbers)
def columns(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return sum(f["rows"][:, i].sum() for i in range(count))


@case("every third element", 1, 100, numbers)
def strided(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return sum(f["line"][i::3].sum() for i in range(count))


@case("a list of 1,000 elements", 1, 500, numbers)
def listed(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return sum(f["line"][list(range(i, 1_000_000, 1_000))].sum() for i in range(count))


@case("read_direct with conversion", 1, 50, numbers)
def direct(library: Library, path: Path, count: int) -> Any:
    out = np.empty(1_000_000, "f4")
    with library.File(path, "r") as f:
        for _ in range(count):
            f["line"].read_direct(out)
    return out.sum()


@case("append 100 rows, 5,000 times", 2, 5_000)
def append_rows(library: Library, path: Path, count: int) -> Any:
    block = np.arange(800, dtype="f8").reshape(100, 8)
    with library.File(path, "w") as f:
        d = f.create_dataset("d", (0, 8), "f8", maxshape=(None, 8), chunks=(1_000, 8))
        for i in range(count):
            d.resize((i + 1) * 100, axis=0)
            d[i * 100 :] = block


# --- chunks ---------------------------------------------------------------------------------------
def many_chunks(library: Library, path: Path, count: int) -> None:
    with library.File(path, "w") as f:
        f.create_dataset("d", data=np.arange(400_000).reshape(200_000, 2), chunks=(1, 2),
                         maxshape=(None, 2))  # fmt: skip


@case("append a chunk to 200,000", 1, 20, many_chunks, own=True)
def append_chunk(library: Library, path: Path, count: int) -> Any:
    for _ in range(count):
        with library.File(path, "r+") as f:
            d = f["d"]
            d.resize(len(d) + 1, axis=0)
            d[-1] = [1, 2]


@case("read a row of 200,000 chunks", 1, 50, many_chunks, own=True)
def read_row(library: Library, path: Path, count: int) -> Any:
    total = 0
    for i in range(count):
        with library.File(path, "r") as f:
            total += f["d"][1_000 * i].sum()
    return total


# --- strings and structures -----------------------------------------------------------------------
@cache
def texts() -> np.ndarray:
    return np.array([f"text {i * 7919 % 100_003}" for i in range(1_000_000)], object)


def strings(library: Library, path: Path, count: int) -> None:
    with library.File(path, "w") as f:
        f["s"] = texts()


def make_texts(library: Library, path: Path, count: int) -> None:
    texts()
    library.File(path, "w").close()


@case("write a million strings", 2, 1, make_texts)
def write_strings(library: Library, path: Path, count: int) -> Any:
    strings(library, path, count)


@case("read a million strings", 2, 1, strings)
def read_strings(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return len(f["s"][:])


@case("read a million strings as str", 2, 1, strings)
def read_str(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return len(f["s"].asstr()[:])


@case("read 5,000 single strings", 1, 5_000, strings)
def single_strings(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        s = f["s"]
        return sum(len(s[i * 11]) for i in range(count))


def structures(library: Library, path: Path, count: int) -> None:
    table = np.zeros(200_000, [("a", "i4"), ("b", "f8"), ("c", "S8"), ("d", "f4", (3,))])
    table["a"] = np.arange(200_000)
    with library.File(path, "w") as f:
        f["t"] = table


@case("a field of a table", 1, 20, structures)
def field(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        return sum(f["t"]["a"].sum() for _ in range(count))


@case("fields of rows of a table", 1, 2_000, structures)
def fields_of_rows(library: Library, path: Path, count: int) -> Any:
    with library.File(path, "r") as f:
        view = f["t"].fields(["a", "b"])
        return sum(view[i * 10 : i * 10 + 10]["a"].sum() for i in range(count))
