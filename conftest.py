"""What all tests in Python have in common: the files that they leave behind are sound."""

from pathlib import Path

import pytest

import onecast

SIGNATURE = b"\x89HDF\r\n\x1a\n"


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
