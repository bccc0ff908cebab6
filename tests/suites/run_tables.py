"""Runs PyTables' own tests, which are not pytest's."""

import collections
import re
import subprocess
import sys
import tempfile

PROGRAM = """
import os, runpy, sys
os.chdir(sys.argv.pop())
runpy.run_module("tables.tests.test_all", run_name="__main__", alter_sys=True)
"""


def run(environment):
    """Returns the numbers of tests that passed, failed and were skipped, and the names of those
    that failed."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, folder],
            env=environment,
            cwd=folder,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
    ran = re.search(r"^Ran (\d+) tests", done.stderr, re.MULTILINE)
    if ran is None:
        raise RuntimeError(f"PyTables' tests did not end:\n{done.stderr[-5000:]}")
    failed = set(re.findall(r"^(?:FAIL|ERROR): .*\((.*)\)$", done.stderr, re.MULTILINE))
    skipped = re.search(r"skipped=(\d+)", done.stderr.splitlines()[-1])
    counts = collections.Counter(failed=len(failed), skipped=int(skipped[1]) if skipped else 0)
    counts["passed"] = int(ran[1]) - counts.total()
    return counts, failed
