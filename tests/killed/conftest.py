import shutil
from functools import partial

import kill_scenarios
import on_ranks
import pytest


@pytest.fixture
def killer(tmp_path):
    """Returns a library that kills the process into which it is preloaded."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler for killer.c")
    return kill_scenarios.build_killer(tmp_path)


@pytest.fixture
def run_on_ranks(killer):
    """run_on_ranks(ranks, program, arguments ...) returns the completed process of mpiexec."""
    on_ranks.require_ranks()
    return partial(on_ranks.run_on_ranks, under=("env", f"LD_PRELOAD={killer}"))
