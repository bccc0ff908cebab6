"""Runs the tests of another package with Onecast in h5py's place, or with h5py on the HDF5 library
and Onecast's plug-in.

python tests/suites/run_suite.py h5py                      passed and failed of each file
python tests/suites/run_suite.py h5py -k attrs --reasons   of some tests, with the errors
python tests/suites/run_suite.py h5py --library h5py       with h5py itself
"""

import argparse
import collections
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# `tools/setup.sh suites` installs this folder.
APART = Path(sys.prefix) / "suites"
PACKAGES_APART = sysconfig.get_path("purelib", vars={"base": str(APART)})


@dataclass
class Suite:
    """The tests of a package as pytest arguments, and their place in the sources if the installed
    package lacks them. `place` is what Onecast replaces: h5py, xarray's engine h5netcdf for
    reading, or nothing ("plug-in"): then the HDF5 library loads Onecast. `package` is set if the
    suite has another name. With `alone`, tests write files of equal names into the current
    folder."""

    arguments: tuple[str, ...] = ()
    in_sources: str | None = None
    place: str = "h5py"
    package: str | None = None
    alone: bool = False


SUITES = {
    "h5py": Suite(),
    "h5netcdf": Suite(),
    "xarray": Suite(("test_backends.py", "-k", "h5netcdf")),
    "xarray_engine": Suite(
        ("test_backends.py", "-k", "h5netcdf"), place="engine", package="xarray"
    ),
    "h5py_plugin": Suite(place="plug-in", package="h5py"),
    "h5netcdf_plugin": Suite(place="plug-in", package="h5netcdf"),
    "xarray_plugin": Suite(
        ("test_backends.py", "-k", "netcdf4 or NetCDF4 or h5netcdf"),
        place="plug-in",
        package="xarray",
    ),
    "hdmf": Suite(in_sources="tests", alone=True),
    "hickle": Suite(in_sources="hickle/tests"),
    "nexusformat": Suite(in_sources="tests"),
    # The other tests take minutes, or read no files.
    "pynwb": Suite(("integration/hdf5",), in_sources="tests", alone=True),
}


def folder_of(suite):
    """Returns the folder of the tests; None if they are not installed."""
    if SUITES[suite].in_sources is not None:
        sources = sources_of(suite)
        return sources and sources / SUITES[suite].in_sources
    spec = importlib.util.find_spec(SUITES[suite].package or suite)
    return None if spec is None else Path(spec.submodule_search_locations[0]) / "tests"


def sources_of(suite):
    return next(APART.glob(f"sources/{suite}-*"), None)


def plugin_environment():
    from onecast_cli.dropin import environment

    return environment()


def run(suite, library="onecast", arguments=(), processes="auto", show=False):
    """Returns ({test: outcome}, {test: reason of its failure}). Tests are named `file.py::...`."""
    folder = folder_of(suite)
    with tempfile.TemporaryDirectory() as scratch:
        inside, current = SUITES[suite].in_sources, Path(scratch)
        if inside is not None:
            # Some tests write into their own folder, and some read files in it.
            current = shutil.copytree(sources_of(suite), current / "sources")
            folder = current / inside
        record = Path(scratch) / "record.json"
        path = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")]), PACKAGES_APART]
        environment = os.environ | {
            "PYTEST_PLUGINS": "onecast_in_place",
            "SUITE_PLACE": SUITES[suite].place if library == "onecast" else "",
            "SUITE_RECORD": str(record),
            "PYTHONPATH": os.pathsep.join(path),
        }
        if library == "onecast" and SUITES[suite].place == "plug-in":
            environment |= plugin_environment()
        command = [sys.executable, "-m", "pytest", "-q", "-c", str(HERE / "suite.ini")]
        command += [
            f"--rootdir={folder}",
            f"--confcutdir={folder if inside is None else current}",
            f"--basetemp={scratch}/temporary",
        ]
        command += ["-p", "no:cacheprovider", "--tb=native"]
        chosen = SUITES[suite].arguments or ("",)
        command += [
            "-n",
            "0" if SUITES[suite].alone else processes,
            str(folder / chosen[0]),
            *chosen[1:],
            *arguments,
        ]
        # Some tests write into the current folder.
        done = subprocess.run(
            command, env=environment, cwd=current, capture_output=not show, text=True
        )
        if not record.exists():
            raise RuntimeError(f"pytest did not run:\n{done.stdout}\n{done.stderr}")
        found = json.loads(record.read_text())
    return found["outcomes"], found["reasons"]


def known_failures(suite, heading="kind"):
    """Returns {test: reason} from FILE.toml: of the tests that fail, or those of a heading."""
    table = tomllib.loads((HERE / f"{suite}.toml").read_text())
    return {test: kind["reason"] for kind in table.get(heading, ()) for test in kind["tests"]}


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
