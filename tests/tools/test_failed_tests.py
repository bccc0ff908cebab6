"""The end of the C++ tests lists what failed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools/failed_tests.py"
GTEST = """
[ RUN      ] Lookup.Finds
tests/pages/lookup_test.cpp:12: Failure
Value of: found
  Actual: false
\x1b[0;31m[  FAILED  ] \x1b[mLookup.Finds (3 ms)
[ RUN      ] Sizes/Lookup.Grows/2
[  FAILED  ] Sizes/Lookup.Grows/2, where GetParam() = 7 (0 ms)
line of another rank
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] Lookup.Finds
[  FAILED  ] Sizes/Lookup.Grows/2, where GetParam() = 7
"""


@pytest.fixture
def summary(tmp_path):
    """Returns the summary after ctest has run three tests, one of which passed."""
    if not shutil.which("ctest"):
        pytest.skip("there is no ctest")
    (tmp_path / "output").write_text("a line long before\n" * 30 + GTEST)
    (tmp_path / "CTestTestfile.cmake").write_text(
        'add_test(good "/bin/echo" "well")\n'
        'add_test(bad "/bin/sh" "-c" "cat output; exit 1")\n'
        'add_test(killed "/bin/sh" "-c" "echo at work; kill -SEGV $$")\n'
    )
    assert subprocess.run(["ctest"], cwd=tmp_path, stdout=subprocess.DEVNULL).returncode
    command = [sys.executable, TOOL, tmp_path]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def test_what_failed_is_said(summary):
    bad, killed = summary.split("== ")[1:]
    lines = bad.splitlines()
    assert lines[:6] == [
        "bad failed",
        "[  FAILED  ] Lookup.Finds",
        "[  FAILED  ] Sizes/Lookup.Grows/2",
        "tests/pages/lookup_test.cpp:12: Failure",
        "Value of: found",
        "  Actual: false",
    ]
    assert lines[-1] == "[  FAILED  ] Sizes/Lookup.Grows/2, where GetParam() = 7"
    assert lines.index("The output ends:") == len(lines) - 1 - 15
    assert killed.splitlines() == ["killed failed", "The output ends:", "at work"]
