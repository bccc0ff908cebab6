"""PyTables' own tests pass with the plug-in, but for one that counts bytes."""

import re

import pytest

pytest.importorskip("tables")

# It wants a file whose data are 1300 bytes to have at most 7300: Onecast's has two pages of 4 KiB.
WITH_PAGES = {"tables.tests.test_carray.SizeOnDiskInMemoryPropertyTestCase.None"}


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_the_tests_of_pytables(dropin, tmp_path):
    program = """
import os, runpy, sys
os.chdir(sys.argv.pop())
runpy.run_module("tables.tests.test_all", run_name="__main__", alter_sys=True)
"""
    done = dropin.run(program, tmp_path, check=False, timeout=3500)
    assert re.search(r"^Ran \d+ tests", done.stderr, re.MULTILINE), done.stderr[-5000:]
    failed = set(re.findall(r"^(?:FAIL|ERROR): .*\((.*)\)$", done.stderr, re.MULTILINE))
    assert failed == WITH_PAGES, done.stderr[-5000:]
