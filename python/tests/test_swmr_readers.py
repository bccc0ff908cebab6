"""Readers of several libraries beside a writer for readers (SWMR)"""

import pytest
import swmr_live

import onecast

ROWS = [300, pytest.param(20000, marks=pytest.mark.long)]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.timeout(900)
def test_all_libraries_read_what_onecast_writes(path, rows):
    states = swmr_live.follow_appends(path, "onecast", rows, swmr_live.readers_here())
    assert min(states) > 3
    assert onecast.check(path, data=True)["findings"] == []


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.timeout(900)
def test_onecast_reads_what_the_hdf5_library_writes(path, rows):
    states = swmr_live.follow_appends(path, "h5py", rows, ["onecast", "onecast"])
    assert min(states) > 3
