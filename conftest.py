"""What all tests in Python have in common: which take long, and that the files that they leave
behind are sound."""

import os
from pathlib import Path

import hypothesis
import pytest
from clean_start import inherit_nothing

import onecast

inherit_nothing()

SIGNATURE = b"\x89HDF\r\n\x1a\n"

# Hypothesis draws the same examples each time, so that a test that passed passes again. With
# ONECAST_NEW_EXAMPLES=1 it draws others, as `make test-long` does.
hypothesis.settings.register_profile("same", derandomize=True)
if os.environ.get("ONECAST_NEW_EXAMPLES", "0") == "0":
    hypothesis.settings.load_profile("same")

# Fixtures that run programs on ranks.
STARTS_RANKS = {"mpirun", "run_on_ranks", "same_bytes"}
# The numbers of ranks of a sweep that `make test` runs. tools/try_wheel.sh chooses others.
QUICK_RANKS = tuple(map(int, os.environ.get("ONECAST_QUICK_RANKS", "1 3").split()))


def pytest_collection_modifyitems(items):
    for item in items:
        if is_sweep(item) or "corpus" in item.fixturenames:
            item.add_marker("long")
        if STARTS_RANKS.intersection(item.fixturenames):
            item.add_marker("ranks")


def is_sweep(item) -> bool:
    """Whether a test runs on many numbers of ranks, or is the part of such a one on others than
    QUICK_RANKS."""
    ranks = getattr(item, "callspec", None) and item.callspec.params.get("ranks")
    return "same_bytes" in item.fixturenames or (ranks is not None and ranks not in QUICK_RANKS)


@pytest.fixture(autouse=True)
def folder_of_mpi(monkeypatch, tmp_path_factory):
    """A job that is killed leaves the folder of its session, named by a process number, in TMPDIR,
    and a later mpiexec of that number fails. So each test has a TMPDIR of its own."""
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("mpi")))


@pytest.fixture(autouse=True)
def sound_files(request):
    """Fails a test that leaves a file in which `onecast check` finds damage, whoever wrote it,
    unless the test is marked `leaves_damage`."""
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    if folder is None or request.node.get_closest_marker("leaves_damage"):
        return
    damage = {}
    for path in folder.rglob("*"):
        if path.is_file() and is_hdf5(path):
            found = onecast.check(path, data=True)["findings"]
            if wrong := [f for f in found if f["kind"] in ("damage", "overlap")]:
                damage[path.name] = wrong[:3]
    assert not damage


def is_hdf5(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SIGNATURE)) == SIGNATURE
