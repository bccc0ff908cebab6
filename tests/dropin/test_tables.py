"""PyTables' own tests pass with the plug-in, but for those of tests/suites/pytables_plugin.toml."""

import os

import pytest
import run_tables
from run_suite import known_failures

pytest.importorskip("tables")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_the_tests_of_pytables(dropin):
    _, failed = run_tables.run(os.environ | dropin.variables)
    assert failed == known_failures("pytables_plugin").keys()
