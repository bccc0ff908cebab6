"""In files of other programs Onecast reads what h5py reads, and the documentation lists what it
refuses."""

import sys
from pathlib import Path

import pytest
from on_ranks import output_of_ranks, require_ranks

sys.path.insert(0, str(Path(__file__).parent))
import compare
import coverage_of_files as coverage

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def corpus():
    if not coverage.files():
        pytest.skip(f"no corpus at {coverage.CORPUS} (set ONECAST_CORPUS)")


@pytest.mark.parametrize("path", coverage.files(), ids=lambda path: path.name)
def test_reads_what_h5py_reads(path):
    assert compare.examine(path).differences == []


def test_the_table_of_refusals_is_that_of_the_files(corpus):
    assert coverage.table() == coverage.written_table(), (
        "run python tests/interop/coverage_of_files.py"
    )


def test_on_ranks_too(corpus, tmp_path):
    """One rank walks over these files and broadcasts the metadata."""
    require_ranks()
    small = [path for path in coverage.files() if path.stat().st_size < 1 << 20]
    output_of_ranks(3, compare.__file__, "--mpi", *small, cwd=tmp_path)
