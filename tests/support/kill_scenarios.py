"""Writers that are killed in the middle of a flush: their changes, and what must be left.

As a program: `kill_scenarios.py loop SCENARIO FOLDER` kills a process at every write of the flush
and checks what is left; `kill_scenarios.py ranks SCENARIO FILE RANK WRITE HOW` is one rank of a
writer whose RANK is killed. Both run with killer.c preloaded.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import random_sessions

import onecast

BEFORE, HALF, AFTER = -1, 0, 1
JOURNAL = ".onecast-journal"


def base(f) -> None:
    """Writes the initial contents, on several pages."""
    for i in range(200):
        group = f.create_group(f"group {i}")
        group.attrs["number"] = i
        group.attrs["text"] = "some text, so that it takes more room"
        if i % 20 == 0:
            group["data"] = np.arange(2000) + i


def fill_new(f) -> None:
    base(f)


def change_attribute(f) -> None:
    f["group 150"].attrs["number"] = -150


def change_first_page(f) -> None:
    f.attrs["on the root"] = 5


def add_groups(f) -> None:
    for i in range(200):
        f.create_group(f"more/group {i}").attrs["number"] = i


def make_dense(f) -> None:
    for i in range(60):
        f["group 3"].attrs[f"attribute {i}"] = np.arange(i)
    f["group 170"].attrs["large"] = np.arange(9000)


def replace(f, name: str, data, **options) -> None:
    del f[name]
    f.create_dataset(name, data=data, **options)


def change_much(f) -> None:
    for i in range(0, 200, 7):
        f[f"group {i}"].attrs["number"] = -i
        f[f"group {i}"].attrs["new"] = np.arange(i)
    del f["group 4"]
    f["group 5/later"] = np.arange(5000.0)
    replace(f, "group 20/data", -np.arange(2000))
    f.create_dataset("compact", data=np.arange(5))


# Files that h5py writes -> their `libver`
FOREIGN = {"foreign-old": "earliest", "foreign-new": "latest"}


def base_of_arrays(f) -> None:
    """Writes arrays of chunks, parts of which a flush overwrites in place."""
    for name, most in (("fixed", 3000), ("extensible", None)):
        options = {"chunks": (1,), "maxshape": (most,), "compression": "gzip"}
        f.create_dataset(name, (1500,), "i4", **options)[::3] = 5


def append_to_arrays(f) -> None:
    for name in ("fixed", "extensible"):
        f[name].resize((1600,))
        f[name][1450:] = 7


def base_of_texts(f) -> None:
    """Writes values of variable length, which are later overwritten in place."""
    base(f)
    for name, options in {"contiguous": {}, "chunks": {"chunks": (30,)}}.items():
        texts = [f"text {i} of {name}" for i in range(300)]
        f.create_dataset(name, data=texts, dtype=onecast.string_dtype(), **options)


def overwrite_texts(f) -> None:
    f["contiguous"][10:100] = [f"another text {i}, which is longer" for i in range(90)]
    f["contiguous"][200] = "one"
    f["chunks"][20:70] = [f"another text {i}, which is longer" for i in range(50)]


def base_of_references(f) -> None:
    base(f)
    refs = [f[f"group {i}"].ref for i in range(200)]
    f.create_dataset("contiguous", data=refs, dtype=onecast.ref_dtype)
    f.create_dataset("chunks", data=refs, dtype=onecast.ref_dtype, chunks=(30,))


def refer_to_new(f) -> None:
    """Writes old references to new objects, which have no header before the flush."""
    new = [f.create_group(f"new {i}").ref for i in range(50)]
    f["contiguous"][10:40] = new[:30]
    f["contiguous"][150] = new[30]
    f["chunks"][20:70] = new


def replace_much(f) -> None:
    """Writes new data in the place of removed data."""
    for i in range(0, 200, 20):
        replace(f, f"group {i}/data", -np.arange(2000) - i)
    replace(f, "group 20/data", np.full(1500, 1.5))
    replace(f, "contiguous", [f"one text {i}" for i in range(300)], dtype=onecast.string_dtype())
    del f["group 40/data"]
    f["group 40"].create_dataset("data", (1900,), "i8", fillvalue=5)[700:900] = 6


SCENARIOS: dict[str, Callable] = {
    "new": fill_new,
    "attribute": change_attribute,
    "first-page": change_first_page,
    "groups": add_groups,
    "dense": make_dense,
    "much": change_much,
    **dict.fromkeys(FOREIGN, change_much),
    "arrays": append_to_arrays,
    "texts": overwrite_texts,
    "replaced": replace_much,
    "replaced-latest": replace_much,
    "references": refer_to_new,
}
# These are also killed at writes before the flush.
EARLY = ("texts", "references")
BASES = {
    "arrays": (base_of_arrays, {"profile": "latest"}),
    "texts": (base_of_texts, {}),
    "replaced": (base_of_texts, {}),
    "replaced-latest": (base_of_texts, {"profile": "latest"}),
    "references": (base_of_references, {}),
}
OPTIONS = {"page_size": 4096, "stripe_size": 4096, "single_writer_stripes": 0}


def open_before(path: Path, scenario: str, **options):
    if scenario == "new":
        return onecast.File(path, "w", **OPTIONS, **options)
    return onecast.File(path, "r+", stripe_size=4096, single_writer_stripes=0, **options)


def values_of(library, dataset):
    values = dataset[()]
    if library.check_ref_dtype(dataset.dtype) is not None:
        values = np.array([dataset.file[ref].name for ref in values])
    return values.tolist()


def describe(library, path: Path) -> dict | None:
    return random_sessions.describe(library, path, values_of)


class Checker:
    def __init__(self, scenario: str, folder: Path) -> None:
        self.scenario, self.folder = scenario, folder
        self.old = folder / "old.h5"
        if scenario in FOREIGN:
            with h5py.File(self.old, "w", libver=FOREIGN[scenario]) as f:
                base(f)
        elif scenario != "new":
            make, options = BASES.get(scenario, (base, {}))
            with onecast.File(self.old, "w", page_size=4096, **options) as f:
                make(f)
        self.before = describe(h5py, self.old) if scenario != "new" else None
        new = folder / "new.h5"
        self.prepare(new)
        with open_before(new, scenario) as f:
            SCENARIOS[scenario](f)
        self.after = describe(h5py, new)
        assert self.after is not None and self.after != self.before

    def prepare(self, path: Path) -> None:
        for name in (path, Path(f"{path}{JOURNAL}")):
            name.unlink(missing_ok=True)
        if self.scenario != "new":
            shutil.copy(self.old, path)

    def copy(self, path: Path, name: str) -> Path:
        target = self.folder / f"{name}.h5"
        for suffix in ("", JOURNAL):
            Path(f"{target}{suffix}").unlink(missing_ok=True)
            if Path(f"{path}{suffix}").exists():
                shutil.copy(f"{path}{suffix}", f"{target}{suffix}")
        return target

    def state(self, library, path: Path) -> str:
        found = describe(library, path)
        if found == self.after:
            return "after"
        if found == self.before:
            return "before"
        if found is None:
            return "refused"
        raise AssertionError(f"{self.scenario}: {library.__name__} reads half a flush")

    def check(self, path: Path, torn: bool) -> tuple[str, str]:
        """For a file whose writer was killed, returns what stock HDF5 sees before and after
        recovery."""
        # No mark announces a single write, which may be cut short.
        stock = "unasked" if torn else self.state(h5py, path)
        mine = self.state(onecast, path)
        opened = self.copy(path, "opened")
        new_file = self.scenario == "new"
        if new_file and mine == "before":
            assert not Path(f"{path}{JOURNAL}").exists()
            return stock, "before"
        assert mine != "refused"
        with onecast.File(opened, "r+"):
            pass
        assert not Path(f"{opened}{JOURNAL}").exists()
        done = onecast.recover(path)
        assert done == "undone" or stock == "unasked" or stock == mine, (done, stock, mine)
        assert not Path(f"{path}{JOURNAL}").exists()
        assert onecast.recover(path) == "nothing"
        for file in (opened, path):
            assert self.state(h5py, file) == self.state(onecast, file) == mine
            report = onecast.check(os.fspath(file), data=True)
            assert not report["damaged"], report
        with h5py.File(path, "r+") as f:  # stock HDF5 continues with it
            f.create_group("by stock")
        with onecast.File(path) as f:
            assert "by stock" in f
        return stock, mine


def killer() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def loop(scenario: str, folder: Path) -> None:
    """Kills at every write, in every way."""
    checker = Checker(scenario, folder)
    path = folder / "killed.h5"
    for how in (BEFORE, HALF, AFTER):
        seen = []
        for write in range(1, 1000):
            checker.prepare(path)
            child = os.fork()
            if child == 0:
                f = open_before(path, scenario)
                if scenario in EARLY:
                    killer().killer_arm(write, how)
                SCENARIOS[scenario](f)
                if scenario not in EARLY:
                    killer().killer_arm(write, how)
                f.flush()
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if os.WIFEXITED(status):
                assert os.WEXITSTATUS(status) == 0
                break
            assert os.WTERMSIG(status) == 9
            seen.append(checker.check(path, torn=how == HALF))
        print(how, *("/".join(states) for states in seen))


def rank(scenario: str, path: Path, killed: int, write: int, how: int) -> None:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    f = open_before(path, scenario, comm=comm)
    if comm.rank == killed and scenario in EARLY:
        killer().killer_arm(write, how)
    SCENARIOS[scenario](f)
    comm.Barrier()
    if comm.rank == killed and scenario not in EARLY:
        killer().killer_arm(write, how)
    f.flush()
    comm.Barrier()
    if comm.rank == 0:
        print("flushed", flush=True)
    killer().killer_arm(0, 0)
    f.close()


def build_killer(folder: Path) -> Path:
    library = folder / "libkiller.so"
    source = Path(__file__).with_name("killer.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


if __name__ == "__main__":
    action, name, where, *numbers = sys.argv[1:]
    if action == "loop":
        loop(name, Path(where))
    else:
        rank(name, Path(where), *map(int, numbers))
