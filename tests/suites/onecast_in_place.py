"""A plugin of pytest that puts Onecast in h5py's place, and records the outcome of each test.

It is loaded before any test module, and in the processes that tests start (`PYTEST_PLUGINS`).
"""

import importlib.util
import json
import os
import sys
from pathlib import Path


def put_in_place():
    """Makes `import h5py` find Onecast. Only `h5py.tests` is still that of the installed h5py."""
    folder = Path(importlib.util.find_spec("h5py").submodule_search_locations[0]) / "tests"
    import onecast

    onecast.install_as_h5py()
    spec = importlib.util.spec_from_file_location(
        "h5py.tests", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    tests = importlib.util.module_from_spec(spec)
    sys.modules["h5py.tests"] = tests
    spec.loader.exec_module(tests)


def put_in_place_of_engine():
    """Makes xarray's engine h5netcdf read with the engine "onecast". It writes as before."""
    from xarray.backends.h5netcdf_ import H5netcdfBackendEntrypoint

    from onecast.xarray import OnecastBackend

    for name in ("open_dataset", "open_datatree", "open_groups_as_dict", "open_dataset_parameters"):
        setattr(H5netcdfBackendEntrypoint, name, vars(OnecastBackend)[name])


PLACES = {"h5py": put_in_place, "engine": put_in_place_of_engine}
PLACES.get(os.environ.get("SUITE_PLACE"), lambda: None)()


class Record:
    """The outcome of each test: passed, skipped or failed."""

    def __init__(self, path):
        self.path = path
        self.outcomes = {}
        self.reasons = {}

    def pytest_runtest_logreport(self, report):
        before = self.outcomes.get(report.nodeid)
        if before == "failed" or (report.when != "call" and report.passed):
            return
        self.outcomes[report.nodeid] = report.outcome
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.reasons[report.nodeid] = crash.message if crash else str(report.longrepr)

    def pytest_collectreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid] = "failed"
            self.reasons[report.nodeid] = str(report.longrepr)

    def pytest_sessionfinish(self):
        found = {"outcomes": self.outcomes, "reasons": self.reasons}
        Path(self.path).write_text(json.dumps(found))


def pytest_configure(config):
    path = os.environ.get("SUITE_RECORD")
    if path and not hasattr(config, "workerinput"):
        # Processes that tests start record nothing.
        del os.environ["SUITE_RECORD"]
        config.pluginmanager.register(Record(path), "record of outcomes")
