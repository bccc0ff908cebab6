"""Random programs of independent objects: h5py's contents, and equal bytes on any number of
ranks"""

import os
from pathlib import Path

import pytest
from on_ranks import output_of_own_ranks, output_of_ranks, require_ranks

pytestmark = pytest.mark.long

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "support" / "random_independent.py"
# ONECAST_INDEPENDENT_SEEDS=500, for example, runs more programs.
COUNT = int(os.environ.get("ONECAST_INDEPENDENT_SEEDS", "6"))


@pytest.mark.timeout(240 + 30 * COUNT)
def test_what_ranks_make_alone(tmp_path):
    require_ranks()
    said = output_of_ranks(7, PROGRAM, tmp_path, "--count", COUNT, timeout=230 + 30 * COUNT)
    assert said == f"{COUNT} programs\n"


@pytest.mark.timeout(240 + 30 * COUNT)
def test_what_ranks_of_two_nodes_make(tmp_path):
    """The ranks of a node share the pages, however few there are, and leave nothing behind."""
    require_ranks()
    environment = os.environ | {"ONECAST_RANKS_PER_NODE": "4", "ONECAST_SHARE_FROM": "1"}
    said = output_of_own_ranks(
        7, PROGRAM, tmp_path, "--count", COUNT, env=environment, timeout=230 + 30 * COUNT
    )
    assert said == f"{COUNT} programs\n"
    assert not [name for name in os.listdir("/dev/shm") if "onecast" in name]
