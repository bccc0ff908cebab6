"""Runs the tests that another package brings with it, with Onecast in h5py's place.

python tests/suites/run_suite.py h5py                      passed and failed of each file
python tests/suites/run_suite.py h5py -k attrs --reasons   of some tests, with the errors
python tests/suites/run_suite.py h5py --library h5py       with h5py itself
"""

import argparse
import collections
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Of each package which tests, as pytest is told.
SUITES = {
    "h5py": [],
    "h5netcdf": [],
    "xarray": ["test_backends.py", "-k", "h5netcdf"],
}


def folder_of(suite):
    """Where the tests are; None if the package is not installed."""
    spec = importlib.util.find_spec(suite)
    return None if spec is None else Path(spec.submodule_search_locations[0]) / "tests"


def run(suite, library="onecast", arguments=(), processes="auto", show=False):
    """({test: outcome}, {test: reason of its failure}). Tests are named `file.py::...`."""
    folder = folder_of(suite)
    with tempfile.TemporaryDirectory() as scratch:
        record = Path(scratch) / "record.json"
        path = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {
            "PYTEST_PLUGINS": "onecast_in_place",
            "SUITE_LIBRARY": library,
            "SUITE_RECORD": str(record),
            "PYTHONPATH": os.pathsep.join(path),
        }
        command = [sys.executable, "-m", "pytest", "-q", "-c", str(HERE / "suite.ini")]
        command += [f"--rootdir={folder}", f"--basetemp={scratch}/tests"]
        command += ["-p", "no:cacheprovider", "--tb=native"]
        chosen = SUITES[suite] or [""]
        command += ["-n", processes, str(folder / chosen[0]), *chosen[1:], *arguments]
        # Some write into the current folder.
        done = subprocess.run(
            command, env=environment, cwd=scratch, capture_output=not show, text=True
        )
        if not record.exists():
            raise RuntimeError(f"pytest did not run:\n{done.stdout}\n{done.stderr}")
        found = json.loads(record.read_text())
    return found["outcomes"], found["reasons"]


def known_failures(suite):
    """{test: reason} of FILE.toml."""
    table = tomllib.loads((HERE / f"{suite}.toml").read_text())
    return {test: kind["reason"] for kind in table.get("kind", ()) for test in kind["tests"]}


def by_file(outcomes):
    counts = collections.defaultdict(collections.Counter)
    for test, outcome in outcomes.items():
        counts[test.partition("::")[0]][outcome] += 1
    return counts


def report(outcomes):
    lines = []
    for file, count in sorted(by_file(outcomes).items()):
        lines.append(
            f"{count['passed']:6} passed {count['failed']:5} failed"
            f" {count['skipped']:5} skipped  {file}"
        )
    total = collections.Counter(outcomes.values())
    lines.append(
        f"{total['passed']:6} passed {total['failed']:5} failed {total['skipped']:5} skipped"
    )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--library", choices=["onecast", "h5py"], default="onecast")
    parser.add_argument("--reasons", action="store_true", help="the errors of unexpected failures")
    parser.add_argument("--show", action="store_true", help="what pytest prints")
    parser.add_argument("-n", dest="processes", default="auto")
    given, arguments = parser.parse_known_args()
    outcomes, reasons = run(given.suite, given.library, arguments, given.processes, show=given.show)
    print(report(outcomes))
    if given.reasons:
        known = known_failures(given.suite)
        for test, reason in sorted(reasons.items()):
            if test not in known:
                print(f"{test}\n    {reason.splitlines()[-1] if reason else ''}")


if __name__ == "__main__":
    main()
