"""Standard output, and files that are no regular files."""

import os
import subprocess

import pytest
from event_files import PROGRAM, convert, events_program

SOURCE = "TestProducts:events=2:products=1:size=10"


@pytest.mark.parametrize("mode", ["wb", "ab"])
def test_what_stands_in_the_standard_output_stays(tmp_path, mode):
    path = tmp_path / "log"
    path.write_bytes(b"before\n" if mode == "ab" else b"")
    with open(path, mode) as log:
        if mode == "wb":
            log.write(b"before\n")
            log.flush()
        subprocess.run([PROGRAM, "run", "-s", SOURCE, "-o", "TextDump"], stdout=log, check=True)
    lines = path.read_text().splitlines()
    assert lines[:2] == ["before", "run 1 lumi 1 event 1"]
    assert lines[5].startswith("2 events in ")


@pytest.mark.parametrize("command", ["ls", "dump", "check", "index"])
def test_a_pipe_is_no_file_of_events(tmp_path, command):
    os.mkfifo(tmp_path / "pipe")
    said = events_program(command, tmp_path / "pipe", fails=True)
    assert f"{tmp_path}/pipe: is no regular file" in said


@pytest.mark.parametrize("source", ["PDS", "HDF5"])
def test_a_pipe_is_no_source(tmp_path, source):
    os.mkfifo(tmp_path / "pipe")
    assert "regular file" in convert(f"{source}={tmp_path}/pipe", "Dummy", fails=True)


def test_what_check_returns(tmp_path):
    def code(*paths):
        return subprocess.run([PROGRAM, "check", *paths], capture_output=True).returncode

    sound, text = tmp_path / "a.pds", tmp_path / "a.txt"
    convert(SOURCE, f"PDS={sound}")
    text.write_text("no events")
    cut = tmp_path / "cut.pds"
    cut.write_bytes(sound.read_bytes()[:-3])
    assert code(sound) == 0 and code(sound, cut) == 1
    assert code(text, cut) == code(tmp_path / "none.h5", sound) == 2
