"""A rank of a job that stays: it runs the programs that kept_ranks.py sends, one after the other.

The interpreter, the imports and MPI start only once.
"""

import builtins
import gc
import os
import runpy
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Client
from pathlib import Path

import numpy  # noqa: F401  so that no program waits for it
from mpi4py import MPI

import onecast  # noqa: F401


def run(task) -> int:
    """Runs the program of `task`, with its output in the task's files. Returns its exit status."""
    output = [os.open(task[name], os.O_WRONLY | os.O_APPEND) for name in ("stdout", "stderr")]
    for standard, file in zip((1, 2), output, strict=True):
        os.dup2(file, standard)
        os.close(file)
    os.chdir(task["cwd"])
    environment = dict(os.environ)
    os.environ["TMPDIR"] = task["tmpdir"]
    path = list(sys.path)
    sys.argv = [task["program"], *task["arguments"]]
    sys.path.insert(0, os.path.dirname(task["program"]))
    try:
        runpy.run_path(task["program"], {"__builtins__": builtins}, "__main__")
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        # Objects that the program left open end here, as at the end of an interpreter.
        gc.collect()
        sys.stdout.flush()
        sys.stderr.flush()
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)
    return 0


def lasting() -> list[str]:
    """Returns what a program may change for later ones: users, mask, limits."""
    status = Path("/proc/self/status").read_text().splitlines()
    kept = [line for line in status if line.startswith(("Uid", "Gid", "Umask"))]
    return [*kept, Path("/proc/self/limits").read_text(), str(MPI.Is_finalized())]


def main():
    before = lasting()
    with Client(f"\0{sys.argv[1]}") as caller:
        caller.send(MPI.COMM_WORLD.rank)
        while (task := caller.recv()) is not None:
            status = run(task)
            caller.send((status, lasting() == before))


if __name__ == "__main__":
    with suppress(EOFError):  # The tests have ended.
        main()
