"""PyTables' own tests pass with the plug-in."""

import re

import pytest

pytest.importorskip("tables")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_the_tests_of_pytables(dropin, tmp_path):
    program = """
import os, runpy, sys
os.chdir(sys.argv.pop())
runpy.run_module("tables.tests.test_all", run_name="__main__", alter_sys=True)
"""
    done = dropin.run(program, tmp_path, check=False, timeout=3500)
    assert re.search(r"^OK", done.stderr, re.MULTILINE), done.stderr[-5000:]
