"""The stubs of the compiled modules say what is built."""

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

from onecast import _core

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tools"))

import stubs  # noqa: E402

VAGUE = tuple(f"-> {kind}: ..." for kind in ("object", "list", "tuple", "dict"))


@pytest.mark.skipif(not shutil.which("ruff"), reason="formats with ruff, which make lint installs")
@pytest.mark.skipif(not _core.have_mpi, reason="the stubs are those of a build with MPI")
def test_stubs_are_what_is_built(capsys):
    """After a change of a binding: python tools/stubs.py"""
    missing = [name for name in stubs.MODULES if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not built: {', '.join(missing)}")
    assert stubs.main(["--check"]) == 0, capsys.readouterr().err


def test_nothing_is_left_unsaid():
    """A type that nanobind does not know is an object, or a list of anything."""
    for name in stubs.MODULES:
        text = (ROOT / f"python/{name.replace('.', '/')}.pyi").read_text()
        unsaid = [line for line in text.splitlines() if line.endswith(VAGUE)]
        assert not unsaid, name
