"""Onecast alone on the nodes of a lab: `onecast_inside.py NAME` under `run.py --once`"""

import os
import struct
import sys
from pathlib import Path

import layouts
import numpy as np

import onecast
from onecast import inspect

NODES = Path(os.environ["ONECAST_LAB_NODES"])
KIB = 1 << 10
MIB = 1 << 20


def on(node: int, name: str) -> Path:
    return NODES / str(node) / name


def stripes_of(path: Path) -> tuple[int, int]:
    return struct.unpack_from("<IH", os.getxattr(path, "lustre.lov"), 24)


def write(path: Path, value: int, **options) -> None:
    with onecast.File(path, "w", **options) as f:
        f["x"] = np.full(3 * MIB, value, "u1")


def replace() -> None:
    """A new file replaces an old one, with other stripes and objects. A process that has the old
    one open continues to read it. A locked file is not replaced."""
    here, there = on(0, "file.h5"), on(1, "file.h5")
    for locking in (True, False, "best-effort"):
        write(here, 1, stripe_size=256 * KIB, stripe_count=2, locking=locking)
        assert stripes_of(there) == (256 * KIB, 2)
        reader = onecast.File(there, locking=False)
        plain = there.open("rb")
        before = there.stat().st_ino
        write(here, 2, stripe_size=MIB, stripe_count=3, locking=locking)
        assert stripes_of(there) == (MIB, 3), "the new file's own"
        assert there.stat().st_ino != before
        assert (reader["x"][:] == 1).all()
        assert b"\2" * 100 not in plain.read()
        with onecast.File(there, locking=False) as new:
            assert (new["x"][:] == 2).all()
        reader.close()
        plain.close()
        assert os.listdir(on(0, "")) == ["file.h5"], "nothing else stays"
        here.unlink()

    write(here, 1, stripe_size=256 * KIB, stripe_count=2)
    with onecast.File(there) as reader:  # with a lock
        try:
            write(here, 2, stripe_size=MIB)
        except BlockingIOError:
            pass
        else:
            raise AssertionError("a locked file was replaced")
        assert (reader["x"][:] == 1).all()
    assert stripes_of(here) == (256 * KIB, 2)
    write(here, 2)
    assert stripes_of(here) == (MIB, 4), "as the folder has it"


def alignment() -> None:
    """Large contiguous data of one process also starts on a stripe."""
    folder = on(0, "folder")
    folder.mkdir()
    os.setxattr(folder, "lustre.lov", layouts.plain(256 * KIB, 3))
    for options, interval in (({}, 256 * KIB), ({"alignment_interval": 96 * KIB}, 96 * KIB)):
        with onecast.File(folder / "file.h5", "w", compact_limit=0, **options) as f:
            for number, size in enumerate((5000, 300 * KIB, 256 * KIB, 10, MIB + 1)):
                f.create_dataset(f"x{number}", data=np.full(size, number, "u1"))
        with onecast.File(on(1, "folder/file.h5")) as f:
            for x in f.values():
                address = inspect.storage(x)["address"]
                assert x.nbytes < interval or address % interval == 0


def reserve() -> None:
    """Metadata has a component of one stripe in front of the requested striping, or the folder's.
    Later sessions keep it."""
    for name, options, size, count in (
        ("asked", {"stripe_size": 256 * KIB, "stripe_count": 3}, 256 * KIB, 3),
        ("folder's", {}, MIB, 4),
    ):
        path = on(0, name)
        with onecast.File(path, "w", metadata_reserve=900 * KIB, **options) as f:
            for number in range(200):
                f.create_dataset(f"group {number}/x", data=np.full(20 * KIB, number, "u1"))
        front, rest = layouts.told(os.getxattr(path, "lustre.lov"))
        assert front[:4] == (0, MIB, size, 1)
        assert rest[:4] == (MIB, layouts.ALL, size, count)
        for again in range(3):
            there = on(1, name)
            with onecast.File(there, "r+") as f:
                for number in range(again, 200, 3):
                    del f[f"group {number}"]
                f.flush()
                for number in range(again, 200, 3):
                    f.create_dataset(f"group {number}/x", data=np.full(20 * KIB, number, "u1"))
                for number in range(200):
                    assert inspect.storage(f[f"group {number}/x"])["address"] >= MIB
            with onecast.File(path) as f:
                assert all((f[f"group {n}/x"][:] == n).all() for n in range(200))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
