"""A writer for readers (SWMR) that is killed before any of its writes leaves a file that readers of
all libraries read, and that `onecast recover` and h5clear open for writing again."""

import os
import subprocess
import sys
from pathlib import Path

import kill_swmr
import pytest

PROGRAM = Path(kill_swmr.__file__)


def kills(folder, killer, library, seed, every):
    done = subprocess.run(
        [sys.executable, PROGRAM, library, str(seed), str(every), folder],
        env=os.environ | {"LD_PRELOAD": str(killer)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return int(done.stdout)


@pytest.mark.parametrize("library", kill_swmr.LIBRARIES)
@pytest.mark.parametrize("seed", range(2))
def test_some_writes(tmp_path, killer, library, seed):
    assert kills(tmp_path, killer, library, seed, 12) > 2


# A flush writes at least what is new, what leads to it, and the object that has changed; the mark
# of a writer is set and cleared. These seeds have 47 to 62 writes by Onecast, and 30 to 56 by the
# HDF5 library, of which other versions may join other writes.
LEAST = 3 * kill_swmr.FLUSHES + 2


@pytest.mark.long
@pytest.mark.parametrize("library", kill_swmr.LIBRARIES)
@pytest.mark.parametrize("seed", range(10, 20))
def test_every_write(tmp_path, killer, library, seed):
    assert kills(tmp_path, killer, library, seed, 1) > LEAST
