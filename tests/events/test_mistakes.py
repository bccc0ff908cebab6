"""Mistakes of users lose no existing file, and nothing hangs."""

import json
import os
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from event_files import PROGRAM, convert, events_of, events_program
from on_ranks import mpiexec, require_ranks

from onecast import events

LAYOUTS = ("PDS", "HDF5Event", "HDF5Batch", "HDF5Product")
SOURCE = "TestProducts:events=60:size=500:products=3"


# --- a job that would write over its own source --------------------------------------------------
@pytest.mark.parametrize("outputer", LAYOUTS)
@pytest.mark.parametrize("link", [None, os.link, os.symlink], ids=["same", "hard", "symbolic"])
def test_a_source_is_not_overwritten(tmp_path, outputer, link):
    path = tmp_path / "in"
    convert(SOURCE, f"{outputer}={path}")
    before = path.read_bytes()
    target = path
    if link is not None:
        target = tmp_path / "out"
        link(path, target)
    kind = "PDS" if outputer == "PDS" else "HDF5"
    events_program("ls", path)  # makes the index
    left = [*tmp_path.iterdir()]
    for to in ("PDS", "TextDump", "HDF5Event"):
        convert(f"{kind}={path}", f"{to}={target}", fails=True)
        assert path.read_bytes() == before, to
        said = convert(f"{kind}={path}", f"{to}={target}:staging={tmp_path}", fails=True)
        assert f"{target}: is a file of the source {kind}={path}; a job cannot write over" in said
        assert path.read_bytes() == before, to
    assert sorted(tmp_path.iterdir()) == sorted(left)
    events_program("convert", path, target, fails=True)
    assert path.read_bytes() == before
    convert(f"Replay={kind}={path}:count=3:events=9", f"{outputer}={target}", fails=True)
    assert path.read_bytes() == before
    without = os.environ | {"HDF5_USE_FILE_LOCKING": "FALSE"}
    for to in LAYOUTS:
        convert(f"{kind}={path}", f"{to}={target}", fails=True, env=without)
    assert path.read_bytes() == before


# --- an index that is not of this file -----------------------------------------------------------
def test_a_file_that_is_written_anew_has_no_old_index(tmp_path):
    path = tmp_path / "a.pds"
    for first in (1, 5001):
        convert(f"Empty:events=200:first={first}", f"PDS={path}")
        assert f"1:1:{first} to 1:1:{first + 199}" in events_program("ls", path)
        events_program("dump", path, "-e", f"1:1:{first + 17}")


def test_the_index_of_another_file_is_not_believed(tmp_path):
    path, other = tmp_path / "a.pds", tmp_path / "b.pds"
    convert("Empty:events=200", f"PDS={path}")
    convert("Empty:events=200:first=5001", f"PDS={other}")
    events_program("ls", path)
    shutil.copy2(other, path)  # the index of the previous file stays
    assert "1:1:5001 to 1:1:5200" in events_program("ls", path)
    assert [event[2] for event in events_of(f"PDS={path}")][:2] == [5001, 5002]


def test_ls_tells_of_an_interrupted_writer(tmp_path):
    path = tmp_path / "a.pds"
    convert(SOURCE, f"PDS={path}")
    assert "interrupted" not in events_program("ls", path)
    path.write_bytes(path.read_bytes()[:-5])
    assert "59 events" in events_program("ls", path)
    assert "its writer was interrupted" in events_program("ls", path)


@pytest.mark.parametrize("outputer", [name for name in LAYOUTS if name != "PDS"])
def test_an_index_does_not_hide_that_the_writer_was_interrupted(tmp_path, outputer):
    path = tmp_path / "a.h5"
    convert(SOURCE, f"{outputer}={path}")
    with h5py.File(path, "r+") as file:
        del file["Events"].attrs["index"]  # the writer sets it at the end
    for _ in range(2):
        events_program("index", path)
        assert "its writer was interrupted" in events_program("ls", path)
        assert "its writer was interrupted: it has 60" in events_program("check", path, fails=True)
    events_program("dump", path, "-e", "1:1:17")


def told(*arguments, ranks=None):
    """Returns what the program prints on standard error."""
    command = [*(mpiexec(ranks) if ranks else []), PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("ranks", [None, 3])
@pytest.mark.parametrize("outputer", LAYOUTS)
def test_jobs_tell_of_an_interrupted_writer(tmp_path, outputer, ranks):
    path, out = tmp_path / "a", tmp_path / "b.h5"
    convert(SOURCE, f"{outputer}={path}")
    kind = "PDS" if outputer == "PDS" else "HDF5"
    jobs = (("run", "-q", "-s", f"{kind}={path}"), ("convert", "-q", path, out))
    for job in jobs:
        assert "interrupted" not in told(*job, ranks=ranks)
    if outputer == "PDS":
        path.write_bytes(path.read_bytes()[:-5])
    else:
        with h5py.File(path, "r+") as file:
            file["Events"].attrs["interrupted"] = 1
    count = 59 if outputer == "PDS" else 60
    said = f"onecast-events: {path}: its writer was interrupted; it has {count} complete events\n"
    for job in jobs:
        assert told(*job, ranks=ranks).count(said) == 1, job


def test_numbers_become_bytes_in_pds(tmp_path):
    path, out = tmp_path / "a.h5", tmp_path / "a.pds"
    said = told("run", "-q", "-s", SOURCE, "-o", f"HDF5Event={path}")
    assert said == ""
    said = told("convert", "-q", "-p", "product00", path, out)
    assert said.startswith("onecast-events: 1 of 1 products are numbers (serializer raw): PDS ")
    assert told("convert", "-q", out, tmp_path / "b.pds") == ""


# --- wrong arguments -----------------------------------------------------------------------------
@pytest.mark.parametrize("outputer", LAYOUTS)
def test_a_product_that_is_named_twice(tmp_path, outputer):
    path = tmp_path / "a"
    path.write_text("what was there")
    twice = ["-p", "product00", "-p", "product00"]
    said = events_program("run", "-q", "-s", SOURCE, "-o", f"{outputer}={path}", *twice, fails=True)
    assert "product product00 is named twice" in said
    assert path.read_text() == "what was there"


@pytest.mark.parametrize("size", ["1", "63", "5G"])
def test_chunks_of_sizes_that_are_no_use(tmp_path, size):
    path = tmp_path / "a"
    path.write_text("what was there")
    said = convert(SOURCE, f"HDF5Product={path}:chunk={size}", fails=True)
    assert "chunk: 64 to 1G, or 0, was expected" in said
    assert path.read_text() == "what was there"


def test_no_identity(tmp_path):
    convert(SOURCE, f"PDS={tmp_path}/a")
    assert "run:lumi:event was expected" in events_program(
        "dump", tmp_path / "a", "-e", "", fails=True
    )


def test_a_file_of_no_kind(tmp_path):
    path = tmp_path / "passwd"
    for text in ("root:x:0:0:root:/root:/bin/bash\n", "no", "long " * 1000):
        path.write_text(text)
        for command in ("ls", "check", "index"):
            said = events_program(command, path, fails=True)
            assert said == f"onecast-events: {path}: is neither HDF5, ROOT nor PDS\n"


def test_an_hdf5_file_without_events(tmp_path):
    path = tmp_path / "ordinary.h5"
    with h5py.File(path, "w") as file:
        file["x"] = [1, 2, 3]
    for command in ("ls", "check", "index"):
        said = events_program(command, path, fails=True)
        assert said.startswith(f"onecast-events: {path}: holds no events: it is an HDF5 file")


def test_hdf5_behind_a_user_block(tmp_path):
    path = tmp_path / "a.h5"
    convert(SOURCE, f"HDF5Event={path}")
    path.write_bytes(bytes(2048) + path.read_bytes())
    assert "60 events, no problem" in events_program("check", path)


BIG = (2**63, 2**64 - 1, 2**64, 2**64 + 5, 10**30)


@pytest.mark.parametrize("option", ["-n", "--first"])
def test_numbers_that_are_too_large(option):
    for number in BIG:
        said = convert(SOURCE, "TextDump", option, number, fails=True)
        assert f"a whole number from 0 to {2**63 - 1} was expected, not {number}" in said
    assert len(events_of(SOURCE, "-n", 2**63 - 1)) == 60
    assert len(events_of(SOURCE, "-n", 2**63 - 1, "--first", 58)) == 2
    assert len(events_of(SOURCE, "-n", "010")) == 10


@pytest.mark.parametrize("first", [60, 2**63 - 1])
@pytest.mark.parametrize("outputer", LAYOUTS)
def test_a_first_entry_behind_the_last(tmp_path, outputer, first):
    said = convert(SOURCE, f"{outputer}={tmp_path}/a", "--first", first, fails=True)
    assert f"first: {first}: is behind the last entry; the source has 60 events" in said
    assert not list(tmp_path.iterdir())
    assert events_of("Empty:events=0") == []


def test_what_ranks_agreed_on_is_said_once():
    require_ranks()
    said = convert(SOURCE, "Dummy", "--first", 60, ranks=2, fails=True)
    assert "onecast-events: rank 0: first: 60: is behind" in said


def test_commands_that_there_are_not():
    for command in ("nope", "--nope"):
        said = events_program(command, fails=True)
        assert f"{command}: one of the commands run, convert, ls, dump, check, cat, index" in said


def test_what_e_means(tmp_path):
    path = tmp_path / "a.pds"
    convert("TestProducts:events=9:products=1", f"PDS={path}")
    for how in (("-e", 6), ("-e", "1:1:7"), ("--entry", 6), ("--event", "1:1:7")):
        assert events_program("dump", path, *how).startswith("entry 6: 1:1:7\n"), how
    assert "run:lumi:event was expected" in events_program("dump", path, "--event", 6, fails=True)
    for text in ("x", "1x"):
        assert f"-e: '{text}': " in events_program("dump", path, "-e", text, fails=True)
    assert "excludes" in events_program("dump", path, "-e", 6, "--entry", 6, fails=True)


@pytest.mark.parametrize("name", ["a.parquet", "a.v2"])
def test_names_of_other_formats(tmp_path, name):
    path, out = tmp_path / "a.pds", tmp_path / name
    convert(SOURCE, f"PDS={path}")
    said = events_program("convert", path, out, fails=True)
    assert f"{out}: " in said and not out.exists()


@pytest.mark.parametrize(
    "name, start", [("b.PDS", b"\x01"), ("b", b"\x89HDF"), ("b.HDF5", b"\x89HDF")]
)
def test_the_kind_by_the_name(tmp_path, name, start):
    path, out = tmp_path / "a.h5", tmp_path / name
    convert(SOURCE, f"HDF5Event={path}")
    events_program("convert", "-q", path, out)
    assert out.read_bytes().startswith(start)


def test_events_have_numbers_below_2_to_64():
    assert events_of(f"Empty:events=3:first={2**64 - 3}")[-1][2] == 2**64 - 1
    said = convert(f"Empty:events=3:first={2**64 - 2}", "TextDump", fails=True)
    assert f"Empty: first: with 3 events at most {2**64 - 3} was expected" in said


@pytest.mark.parametrize("option", [("--layout", "event"), ("--unit", "event")])
def test_pds_has_no_layout(tmp_path, option):
    path, out = tmp_path / "a.h5", tmp_path / "z.pds"
    convert(SOURCE, f"HDF5Event={path}")
    said = events_program("convert", path, out, *option, fails=True)
    assert said == f"onecast-events: {option[0]}: is for HDF5; {out} becomes PDS\n"
    assert not out.exists()


def test_a_unit_needs_a_compression(tmp_path):
    convert(SOURCE, f"PDS={tmp_path}/a")
    said = events_program("convert", tmp_path / "a", tmp_path / "b", "--unit", "event", fails=True)
    assert "unit: is for a compression" in said


def test_a_descriptor_that_is_not_open(tmp_path):
    with open(os.devnull) as file:
        for number in (-1, 77, file.fileno()):
            said = convert(
                SOURCE,
                f"PDS={tmp_path}/a",
                "--progress-fd",
                number,
                fails=True,
                pass_fds=(file.fileno(),),
            )
            assert f"--progress-fd: {number}: a descriptor that is open for writing" in said
    assert not (tmp_path / "a").exists()


def test_what_is_no_library(tmp_path):
    text = tmp_path / "a.so"
    text.write_text("no library")
    for name in (".", "/no/such.so", text):
        said = convert(SOURCE, "Dummy", "--load", name, fails=True)
        assert f"onecast-events: {name}: a shared library was expected" in said
    said = convert(SOURCE, "Dummy", "--load", "no-such.so", fails=True)
    assert "in the system's folders, since the name has no /" in said


# --- a file for the statistics that is another one, or cannot be ---------------------------------
def test_statistics_do_not_overwrite_files_of_the_job(tmp_path):
    path, hard, new = tmp_path / "a", tmp_path / "hard", tmp_path / "new"
    convert(SOURCE, f"PDS={path}")
    os.link(path, hard)
    before = path.read_bytes()
    for json_path in (path, hard):
        for source, out in (
            (f"PDS={path}", "Dummy"),
            (f"Replay=PDS={path}", "Dummy"),
            (SOURCE, f"TextDump={path}"),
            (SOURCE, f"HDF5Event={path}:staging={tmp_path}"),
        ):
            said = convert(source, out, "--json", json_path, fails=True)
            assert f"--json: {json_path}: is a file of " in said
            assert path.read_bytes() == before
    (tmp_path / "folder").mkdir()
    said = convert(SOURCE, f"PDS={new}", "--json", tmp_path / "folder" / ".." / "new", fails=True)
    assert "is a file of PDS=" in said and not new.exists()


def test_statistics_that_cannot_be_written_are_said_before(tmp_path):
    out = tmp_path / "out"
    for name, why in (("no/such", "No such file or directory"), (".", "Is a directory")):
        said = convert(SOURCE, f"PDS={out}", "--json", tmp_path / name, fails=True)
        assert f"--json: {tmp_path / name}: {why}" in said
        assert not out.exists()


def test_a_job_that_fails_leaves_old_statistics(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("what was there, much longer than what comes " * 100)
    for path in (old, new):
        convert("PDS=/no/such", "Dummy", "--json", path, fails=True)
    assert old.read_text().startswith("what was there") and not new.exists()
    convert(SOURCE, "Dummy", "--json", old)
    assert json.loads(old.read_text())["events"] == 60


# --- columns -------------------------------------------------------------------------------------
@pytest.fixture
def columns(tmp_path):
    path = tmp_path / "columns.h5"
    numbers = np.arange(3, dtype="u4")
    events.write(path, {"run": numbers, "luminosityBlock": numbers, "event": numbers})
    return path


@pytest.mark.parametrize("command", ["index", "cat"])
def test_columns_are_not_products(tmp_path, columns, command):
    before = columns.read_bytes()
    out = [tmp_path / "out.h5"] if command == "cat" else []
    said = events_program(command, *out, columns, fails=True)
    assert f"onecast-events: {columns}: has columns: `onecast events` joins and indexes " in said
    assert columns.read_bytes() == before and list(tmp_path.iterdir()) == [columns]


# --- ends that never come ------------------------------------------------------------------------
@pytest.mark.parametrize("outputer", ["TextDump", "TextDump=/dev/stdout", "PDS=/dev/stdout"])
def test_nobody_reads_the_pipe_any_more(outputer):
    source = "TestProducts:events=20000:size=2k"
    command = [PROGRAM, "run", "-q", "-s", source, "-o", outputer]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert job.stdout.read(10)
    job.stdout.close()
    assert job.wait(timeout=60) != 0


def test_a_second_signal_does_not_wait(tmp_path):
    source = "TestProducts:events=50:size=1M"
    waiting = ["-w", "Uneven:time=1e9"]
    command = [PROGRAM, "run", "-q", "-s", source, "-o", f"HDF5Event={tmp_path}/a", *waiting]
    job = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    job.send_signal(signal.SIGTERM)
    time.sleep(3.5)
    assert job.poll() is None
    job.send_signal(signal.SIGTERM)
    first, second = job.communicate(timeout=60)[1].splitlines()
    assert job.returncode == -signal.SIGTERM
    assert first.startswith("onecast-events: stopped by a signal: waits for the events")
    assert second.startswith("onecast-events: ended by a second signal")


def test_files_that_are_open_are_not_overwritten_by_the_side(tmp_path):
    waits = tmp_path / "w.txt"
    waits.write_text("1 2 3")
    said = convert(SOURCE, f"HDF5Event={waits}", "-w", f"Sleep={waits}", fails=True)
    assert "locked" in said and waits.read_text() == "1 2 3"
    path = tmp_path / "a.h5"
    with h5py.File(path, "w"):
        said = convert(SOURCE, "Dummy", "--json", path, fails=True)
    assert f"--json: {path}: locked" in said
    h5py.File(path).close()


def test_two_products_of_one_name(tmp_path):
    source, path = tmp_path / "a.pds", tmp_path / "a.h5"
    convert("TestProducts:events=3:products=2:size=8", f"PDS={source}")
    source.write_bytes(source.read_bytes().replace(b"product01", b"product00"))
    convert(SOURCE, f"HDF5Product={path}")
    before = path.read_bytes()
    said = convert(f"PDS={source}", f"HDF5Product={path}", fails=True)
    assert "two products have the name product00" in said
    assert path.read_bytes() == before


def test_statistics_of_odd_names_and_of_failures(tmp_path):
    json_path = tmp_path / "s.json"
    odd = os.fsdecode(bytes(tmp_path) + b"/a\xff.h5")
    convert(SOURCE, f"HDF5Event={odd}", "--json", json_path)
    found = json.loads(json_path.read_text())
    assert found["events"] == 60 and "\ufffd" in found["outputer"]
    assert found["bytes_written"] == os.path.getsize(odd)
    convert(f"HDF5={tmp_path}/none", "Dummy", "--json", json_path, fails=True)
    assert json.loads(json_path.read_text()) == found  # the job did not begin
    damaged = tmp_path / "a.h5"
    convert(SOURCE, f"HDF5Event={damaged}")
    with h5py.File(damaged, "r+") as file:
        file["Events/Offsets"][40, 1] = 2**60
    said = convert(f"HDF5={damaged}", "Dummy", "--json", json_path, fails=True)
    assert json.loads(json_path.read_bytes())["error"].split(": ", 1)[1] in said


@pytest.mark.leaves_damage
def test_two_products_with_one_name(tmp_path):
    """The error names the source, not the file to which its events would go."""
    path = tmp_path / "a.h5"
    convert("TestProducts:events=5:size=20:products=2", f"HDF5Product={path}")
    with h5py.File(path, "r+") as file:
        names = file["Events/ProductNames"]
        names[...] = np.array([names[0], names[0]], names.dtype)
    for command in (("check", path), ("convert", path, tmp_path / "b.pds")):
        said = events_program(*command, fails=True)
        assert f"{path}: two products have the name product00" in said
