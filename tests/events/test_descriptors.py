"""Full standard output and error, and files that are not regular files"""

import os
import subprocess

import pytest
from event_files import PROGRAM, convert, events_of, events_program
from on_ranks import mpiexec, require_ranks

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


@pytest.mark.long
@pytest.mark.parametrize("outputer", ["PDS", "TextDump"])
def test_a_pipe_that_nobody_reads(tmp_path, outputer):
    os.mkfifo(tmp_path / "pipe")
    said = convert(SOURCE, f"{outputer}={tmp_path}/pipe", fails=True)
    assert f"{tmp_path}/pipe: is a pipe, and nobody has read from it for 10 s" in said


def test_a_reader_of_a_pipe_may_come_later(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    command = [PROGRAM, "run", "-q", "-s", SOURCE, "-o", f"TextDump={tmp_path}/pipe"]
    with subprocess.Popen(command) as process:
        lines = (tmp_path / "pipe").read_text().splitlines()
    assert process.returncode == 0 and lines[0] == "run 1 lumi 1 event 1"


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


def test_a_message_that_cannot_be_written_is_lost(tmp_path):
    """A lost warning does not end a job, and an error keeps its exit code."""
    with open("/dev/full", "w") as full:

        def code(*arguments):
            command = [PROGRAM, *arguments]
            return subprocess.run(command, stderr=full, stdout=subprocess.DEVNULL).returncode

        path = tmp_path / "a.pds"
        warned = "TestProducts:events=9:products=2:size=40"
        assert code("run", "-q", "-s", warned, "-o", f"PDS={path}") == 0
        assert len(events_of(f"PDS={path}")) == 9
        path.write_bytes(path.read_bytes()[:-3])
        assert code("convert", path, tmp_path / "b.h5") == 0
        assert code("cat", tmp_path / "c.h5", tmp_path / "b.h5", tmp_path / "b.h5") == 0
        assert code("ls", tmp_path / "none") == 1
        assert code("run", "-s", "Nope", "-o", "Dummy") == 2


def test_ranks_whose_messages_cannot_be_written():
    require_ranks()
    program = f"exec {PROGRAM} run -q -s PDS=nofile -o Dummy 2>/dev/full"
    command = [*mpiexec(2), "bash", "-c", program]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode != 0


@pytest.mark.parametrize("command", ["ls", "check", "dump", "--help", "run"])
def test_a_full_standard_output_is_an_error(tmp_path, command):
    path = tmp_path / "a.pds"
    convert(SOURCE, f"PDS={path}")
    arguments = {"--help": [], "run": ["-s", SOURCE, "-o", "Dummy"]}.get(command, [path])
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PROGRAM, command, *arguments], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1 and "standard output: cannot be written" in done.stderr


def test_a_job_that_says_nothing_needs_no_standard_output(tmp_path):
    program = f"{PROGRAM} run -q -s {SOURCE} -o PDS={tmp_path}/a.pds >&-"
    assert subprocess.run(["bash", "-c", program]).returncode == 0
