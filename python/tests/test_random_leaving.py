"""Random programs in which one rank raises, returns early, or calls or opens something else"""

import os
from pathlib import Path

import pytest
from on_ranks import require_ranks, run_on_ranks

pytestmark = pytest.mark.long

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "support" / "random_leaving.py"
# There are 500 programs in total. ONECAST_LEAVING_SEEDS=500 runs more.
COUNT = int(os.environ.get("ONECAST_LEAVING_SEEDS", "125"))


@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
@pytest.mark.timeout(180 + COUNT)
def test_nobody_waits_for_ever(tmp_path, ranks):
    require_ranks()
    arguments = [tmp_path, "--seed", 1000 * ranks, "--count", COUNT]
    done = run_on_ranks(ranks, PROGRAM, *arguments, timeout=170 + COUNT)
    where = [stacks.read_text() for stacks in tmp_path.glob("stacks.*")]
    assert done.returncode == 0, "\n".join([done.stdout, done.stderr, *where])
    assert done.stdout == f"{COUNT} programs\n"
