"""Standard output that cannot be written: one line and exit code 1, whatever the command."""

import os
import subprocess
import sys

import h5py
import pytest
from cgns_lists import sample

from onecast import cgns

COMMAND = [sys.executable, "-c", "import sys; from onecast_cli.main import main; sys.exit(main())"]
COMMANDS = [
    ("ls", "a.h5"),
    ("dump", "a.h5"),
    ("check", "a.h5"),
    ("stat", "a.h5"),
    ("adopt", "a.h5"),
    ("cgns", "ls", "a.cgns"),
    ("cgns", "check", "a.cgns"),
    ("cgns", "adopt", "a.cgns"),
    ("cgns", "compact", "a.cgns", "b.cgns"),
    ("--version",),
    ("--help",),
]


@pytest.fixture
def folder(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["x"] = [1, 2, 3]
    cgns.save(tmp_path / "a.cgns", sample())
    return tmp_path


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_full_disk(folder, arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
        )  # fmt: skip
    assert done.stderr == "onecast: the output cannot be written: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_reader_that_has_gone(folder, arguments):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")
