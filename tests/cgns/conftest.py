"""The common part of the tests of the CGNS library"""

import cgns_writers as writers
import pytest
from cgns_libraries import READ, STOCK, library


@pytest.fixture
def lib():
    return library("ours")


@pytest.fixture(params=["ours", *STOCK])
def written(request, lib, tmp_path):
    """Opens for reading what a program wrote with the library `writer`."""
    files = []

    def open_written(write):
        path = tmp_path / "file.cgns"
        write(library(request.param), path)
        files.append(writers.opened(lib, path, READ))
        return files[-1]

    open_written.writer = request.param
    yield open_written
    for file in files:
        lib.cg_close(file)
