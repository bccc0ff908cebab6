"""The examples in docstrings and in the README run as they are."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import numpy as np
import pytest

import onecast

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = ["onecast"] + [
    f"onecast.{module.name}"
    for module in pkgutil.iter_modules(onecast.__path__)
    if module.name != "_core"
]
README = Path(__file__).resolve().parents[1] / "README.md"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"onecast": onecast, "np": np}, optionflags=FLAGS)
    assert result.failed == 0


def test_readme():
    result = doctest.testfile(str(README), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0
    assert result.attempted > 5
