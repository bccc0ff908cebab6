"""The command line reads only trusted files to which a file refers, and check lists them."""

import os

import h5py
import numpy as np
import pytest


@pytest.fixture
def hostile(tmp_path):
    (tmp_path / "secret.bin").write_bytes(b"secret!!" * 4)
    with h5py.File(tmp_path / "secret.h5", "w") as f:
        f["x"] = [1, 2, 3, 4]
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "f.h5"
    with h5py.File(path, "w") as f:
        f["link"] = h5py.ExternalLink("../secret.h5", "/x")
        f.create_dataset("raw", (4,), "S8", external=[(os.fspath(tmp_path / "secret.bin"), 0, 32)])
        layout = h5py.VirtualLayout((4,), "i8")
        layout[:] = h5py.VirtualSource("../secret.h5", "x", (4,))
        f.create_virtual_dataset("virtual", layout)
        f["own"] = np.arange(3)
    return path


def test_dump_stays_in_the_folder(hostile, onecast):
    shown = onecast("dump", hostile)
    assert "secret!!" not in shown.out
    assert "lies outside of" in shown.out
    assert "secret!!" in onecast("dump", "--follow-external", "everywhere", hostile).out
    assert "follow_external is off" in onecast("dump", "--follow-external", "nowhere", hostile).out


def test_ls(hostile, onecast):
    assert onecast("ls", hostile).code == 0
    refused = onecast("ls", f"{hostile}/link")
    assert refused.code == 1
    assert "lies outside of" in refused.err
    assert onecast("ls", "--follow-external", "everywhere", f"{hostile}/link").code == 0


def test_check_lists_them(hostile, onecast):
    listed = onecast("check", hostile)
    assert listed.code == 0
    for path, name in (
        ("/link", "../secret.h5"),
        ("/raw", os.fspath(hostile.parent.parent / "secret.bin")),
        ("/virtual", "../secret.h5"),
    ):
        assert any(
            line.startswith(f"  note: {path}: ") and f'names the file "{name}"' in line
            for line in listed.lines
        ), listed.out
