"""Random collective reads and writes of all kinds, compared with numpy and h5py on one process"""

from pathlib import Path

import pytest
from on_ranks import output_of_ranks, require_ranks

pytestmark = pytest.mark.long

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "support" / "random_transfers.py"


@pytest.mark.parametrize(("ranks", "seed", "files"), [(4, 0, 60), (7, 10_000, 40)])
def test_random_transfers(tmp_path, ranks, seed, files):
    """The program itself can run for longer."""
    require_ranks()
    arguments = [tmp_path, "--seed", seed, "--count", files]
    assert output_of_ranks(ranks, PROGRAM, *arguments, timeout=180) == f"{files} files\n"
