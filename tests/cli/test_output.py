"""If standard output cannot be written, each command prints one line and ends with exit code 1."""

import os
import subprocess
import sys

import h5py
import pytest
from cgns_lists import sample

import onecast
from onecast import cgns, events

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
    ("diff", "a.h5", "b.h5"),
    ("doctor", "a.h5"),
    ("explain", "--bytes", "1M"),
    ("recover", "a.h5"),
    ("events", "ls", "events.h5"),
    ("events", "check", "events.h5"),
    ("model", "--no-points"),
    ("--version",),
    ("--help",),
]


@pytest.fixture
def folder(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["x"] = [1, 2, 3]
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["x"] = [1, 2, 4]
    cgns.save(tmp_path / "a.cgns", sample())
    with events.create(tmp_path / "events.h5") as out:
        out.append({"x": [1, 2, 3]})
    return tmp_path


def code_of_failure(arguments):
    """Returns 2 for commands whose exit code 1 tells what was found."""
    return 2 if {"check", "diff"}.intersection(arguments) else 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_full_disk(folder, arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
        )  # fmt: skip
    assert done.stderr == "onecast: the output cannot be written: No space left on device\n"
    assert done.returncode == code_of_failure(arguments)


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


def closing(redirections, *arguments):
    return ["sh", "-c", f'exec "$@" {redirections}', "sh", *COMMAND, *arguments]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_closed_output(folder, arguments):
    done = subprocess.run(
        closing(">&-", *arguments), cwd=folder, stderr=subprocess.PIPE, text=True, timeout=120
    )
    assert done.stderr == "onecast: the output cannot be written: Bad file descriptor\n"
    assert done.returncode == code_of_failure(arguments)


@pytest.mark.parametrize("redirections", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_what_prints_nothing_needs_no_output(folder, redirections):
    """A new file does not get the number of a standard file that was closed."""
    command = closing(redirections, "repack", "a.h5", "new.h5")
    subprocess.run(command, cwd=folder, timeout=120, check=True)
    with onecast.File(folder / "new.h5") as file:
        assert list(file["x"]) == [1, 2, 3]
    missing = closing(redirections, "repack", "missing.h5", "other.h5")
    assert subprocess.run(missing, cwd=folder, timeout=120).returncode == 1
