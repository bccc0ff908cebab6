"""One rank is killed in the middle of a collective call.

As a program on several ranks, with killer.c preloaded: `kill_together.py CALL FILE RANK WRITE`
kills RANK at write number WRITE of that call, half of which it writes. With 0 it is killed before
the call; with -1 it exits before the call without telling MPI; with -2 it is killed while the call
is made again and again. FILE.end is written just before the call, or the kill.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from kill_scenarios import HALF, killer

import onecast

ELEMENTS = 48_000
# These options give many stripes, rounds and writers of metadata in a small file.
OPTIONS = {
    "page_size": 4096,
    "stripe_size": 4096,
    "single_writer_stripes": 0,
    "collective_buffer": 1 << 16,
}
BEFORE, AFTER = np.arange(ELEMENTS), -np.arange(ELEMENTS)


def base(f: onecast.File) -> None:
    """Writes the state of the last flush."""
    f.create_dataset("kept", data=BEFORE)
    f.create_dataset("x", data=BEFORE)
    f.create_dataset("c", data=BEFORE, chunks=(1000,), compression="gzip")
    for i in range(100):
        f.create_group(f"group {i}").attrs["number"] = i


def mine(comm) -> slice:
    return slice(ELEMENTS * comm.rank // comm.size, ELEMENTS * (comm.rank + 1) // comm.size)


def write_parts(f, comm) -> None:
    f["x"].write_all(mine(comm), AFTER[mine(comm)])


def write_interleaved(f, comm) -> None:
    part = slice(comm.rank, None, comm.size)
    f["x"].write_all(part, AFTER[part])


def write_chunks(f, comm) -> None:
    part = slice(comm.rank, None, comm.size)
    f["c"].write_all(part, AFTER[part])


def write_async(f, comm) -> None:
    part = slice(comm.rank, None, comm.size)
    calls = [f["x"].write_all_async(part, AFTER[part]), f.flush_async()]
    for call in calls:
        call.wait()


def flush(f, comm) -> None:
    """Flushes the changes of prepare()."""
    f.flush()


def read(f, comm) -> None:
    f["x"].read_all()
    f["c"].read_all(mine(comm))


def kill_soon(path: str) -> None:
    def kill() -> None:
        Path(f"{path}.end").touch()
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Timer(0.2, kill).start()


CALLS: dict[str, Callable] = {
    call.__name__: call
    for call in (write_parts, write_interleaved, write_chunks, write_async, flush, read)
}


def prepare(call: str, f) -> None:
    if call == "flush":
        for i in range(100):
            f[f"group {i}"].attrs["number"] = -i
            f.create_group(f"new {i}").attrs["text"] = "some text, so that it takes more room"


def main(call: str, path: str, killed: int, write: int) -> None:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    f = onecast.File(path, "w", comm=comm, **OPTIONS)
    base(f)
    f.flush()
    prepare(call, f)
    comm.Barrier()
    if comm.rank == killed:
        Path(f"{path}.end").touch()
        if write == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        if write == -1:
            os._exit(0)
        if write == -2:
            kill_soon(path)
        else:
            killer().killer_arm(write, HALF)
    while write == -2:
        CALLS[call](f, comm)
    CALLS[call](f, comm)
    comm.Barrier()
    print("all ranks came through", flush=True)
    killer().killer_arm(0, 0)
    f.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
