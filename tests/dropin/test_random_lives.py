"""Random programs with h5py do with the plug-in what they do without."""

from pathlib import Path

import pytest

pytest.importorskip("h5py")
pytest.importorskip("hypothesis")


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_random_lives(dropin):
    done = dropin.run(Path(__file__).parent / "random_lives.py", 30, timeout=1200)
    assert done.stdout.endswith("all equal\n")
