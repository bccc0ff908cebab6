"""Many ranks write one file or many: equal bytes on any number of ranks, and failures of one
rank."""

import os
import signal
import subprocess
import time

import h5py
import pytest
from event_files import PROGRAM, as_in_pds, convert, events_of, events_program
from on_ranks import mpiexec

SOURCE = "TestProducts:events=50:products=5:size=700:lumi=7:run=3:first=5000000000"
OUTPUTERS = [
    "HDF5Event={}:batch=4",
    "HDF5Event={}:batch=4:compression=lz4:unit=chunk:chunk=4k",
    "HDF5Product={}:batch=3:flush=2",
    "HDF5Product={}:batch=4:compression=zstd:unit=chunk:flush=1",
    "HDF5Batch={}:batch=7:compression=lzma:unit=both",
    "HDF5Columnar={}:batch=3:compression=zstd",
]


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_many_ranks_write_the_bytes_of_one(tmp_path, outputer, ranks):
    alone, together = tmp_path / "alone.h5", tmp_path / "together.h5"
    convert(SOURCE, outputer.format(alone), "-t", 2)
    convert(SOURCE, outputer.format(together), "-t", ranks % 2 + 1, "-l", 3, ranks=ranks)
    assert alone.read_bytes() == together.read_bytes()
    assert events_of(f"HDF5={together}") == events_of(SOURCE)


@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
def test_one_file_becomes_many_and_many_one(tmp_path, ranks):
    convert(SOURCE, f"HDF5Event={tmp_path}/one.h5")
    convert(f"HDF5={tmp_path}/one.h5", f"PDS={tmp_path}/part{{rank}}.pds", ranks=ranks)
    parts = [events_of(f"PDS={tmp_path}/part{rank}.pds") for rank in range(ranks)]
    by_number = sorted((event for part in parts for event in part), key=lambda e: e[2])
    assert by_number == as_in_pds(events_of(SOURCE))
    sizes = list(map(len, parts))
    assert max(sizes) == -(-sum(sizes) // ranks)  # although all have less than a batch
    # Each file is converted to a file of its own, then all of them to one.
    convert(f"PDS={tmp_path}/part{{rank}}.pds", f"HDF5Product={tmp_path}/p{{rank}}.h5", ranks=ranks)
    for rank, part in enumerate(parts):
        assert events_of(f"HDF5={tmp_path}/p{rank}.h5") == part
    convert(f"HDF5={tmp_path}/p{{rank}}.h5", f"HDF5Batch={tmp_path}/all.h5:batch=2", ranks=ranks)
    found = events_of(f"HDF5={tmp_path}/all.h5")
    assert sorted(found, key=lambda e: e[2]) == by_number
    assert "no problem" in events_program("check", tmp_path / "all.h5")


@pytest.mark.parametrize("ranks", [1, 3])
def test_few_events_or_none(tmp_path, ranks):
    for events in (0, 1, 2):
        path = tmp_path / f"{events}.h5"
        convert(f"TestProducts:events={events}:size=9", f"HDF5Event={path}:batch=1", ranks=ranks)
        assert len(events_of(f"HDF5={path}")) == events


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_rank_that_fails_ends_all_with_its_reason(tmp_path, ranks):
    """The last rank's source is damaged behind some events."""
    for rank in range(ranks):
        path = tmp_path / f"s{rank}.h5"
        convert("TestProducts:events=30:products=2:size=400", f"HDF5Event={path}:batch=2")
    with h5py.File(path, "r+") as file:
        offsets = file["Events/Offsets"][...]
        offsets[21, 1] = 2**60
        file["Events/Offsets"][...] = offsets
    out = tmp_path / "out.h5"
    error = convert(
        f"HDF5={tmp_path}/s{{rank}}.h5", f"HDF5Event={out}:batch=2", ranks=ranks, fails=True
    )
    who = f"rank {ranks - 1}: " if ranks > 1 else ""
    assert f"onecast-events: {who}{path}: /Events/" in error and error.count(str(path)) == 1
    whole = "TestProducts:events=20:products=2:size=400"
    assert " (source HDF5, entry 2" in error
    assert sorted(events_of(f"HDF5={out}")) == sorted(events_of(whole) * ranks)
    assert "its writer was interrupted" in events_program("ls", out)


@pytest.mark.parametrize("ranks", [3])
def test_what_is_wrong_on_one_rank_is_said(tmp_path, ranks):
    error = convert(SOURCE, f"PDS={tmp_path}/a.pds", ranks=ranks, fails=True)
    assert "each rank writes a file of its own: name it with {rank}" in error
    convert(SOURCE, f"PDS={tmp_path}/a0.pds")
    error = convert(f"PDS={tmp_path}/a{{rank}}.pds", "Dummy", ranks=ranks, fails=True)
    assert f"rank 1: {tmp_path}/a1.pds: No such file" in error
    error = convert(SOURCE, f"HDF5Event={tmp_path}/no/such/a.h5", ranks=ranks, fails=True)
    assert "No such file or directory" in error


@pytest.mark.parametrize("ranks", [3])
def test_what_all_ranks_have_to_say_is_said_once(tmp_path, ranks):
    path = tmp_path / "a.h5"
    convert(SOURCE, f"HDF5Event={path}")
    for command, said in (
        (("run", "-s", "No"), "No: no such source"),
        (("run", "-s", SOURCE, "-o", f"PDS={tmp_path}/out"), "each rank writes a file of its own"),
        (("run", "-s", SOURCE, "-o", f"HDF5Event={tmp_path}/no/out"), "No such file"),
        (("run", "-s", f"HDF5={path}", "-o", f"HDF5Event={path}"), "is a file of the source"),
        (("run", "-s", SOURCE, "--json", f"{tmp_path}/no/json"), "--json: "),
        (("run", "-s", SOURCE, "--progress-fd", 77), "--progress-fd: 77: "),
        (("run",), "--source is required"),
        (("run", "-s", SOURCE, "-n", "x"), "--events"),
        (("convert", path, f"{tmp_path}/a.pds", "--layout", "event"), "--layout: is for HDF5"),
        (("convert", f"{tmp_path}/none", path), f"{tmp_path}/none: No such file"),
    ):
        assert events_program(*command, ranks=ranks, fails=True).count(said) == 1, command


@pytest.mark.parametrize("ranks", [3])
def test_a_command_that_one_rank_starts_waits_for_no_other(tmp_path, ranks):
    path = tmp_path / "a.h5"
    convert(SOURCE, f"HDF5Event={path}")
    is_last = f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = {ranks - 1} ] || exit 0'
    shell = f'{is_last}; "$0" check "$1"; code=$?; exit $code'
    line = [*mpiexec(ranks), "bash", "-c", shell, PROGRAM, path]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"{path}: 50 events, no problem\n"


@pytest.mark.parametrize("first, second", [("-x", "-y"), ("-x", "-q")])
def test_what_ranks_do_not_understand_ends_all(first, second):
    """If ranks have different arguments, each one says what is wrong, and none waits for the
    others."""
    start = [PROGRAM, "run", "-s", "Empty"]
    command = [*mpiexec(1), *start, first, ":", "-n", "1", *start, second]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    for option in {first, second} - {"-q"}:
        assert done.stderr.count(f"not expected: {option}\n") == 1


@pytest.mark.parametrize("ranks", [2, 3])
def test_sources_with_other_products(tmp_path, ranks):
    for rank in range(ranks):
        products = 3 + (rank == ranks - 1)
        convert(
            f"TestProducts:events=5:products={products}:size=50", f"HDF5Event={tmp_path}/{rank}"
        )
    out = tmp_path / "out.h5"
    error = convert(f"HDF5={tmp_path}/{{rank}}", f"HDF5Product={out}", ranks=ranks, fails=True)
    assert f"rank {ranks - 1}: the source has other products than that of rank 0: " in error
    assert " is more" in error
    assert not out.exists()


def job_on_ranks(ranks, *arguments):
    """Returns a job whose ranks write their process numbers to RANK.pid in the tests' folder."""
    shell = 'echo $$ > "$0/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}.pid"; exec "$@"'
    return [*mpiexec(ranks), "bash", "-c", shell, *map(str, arguments)]


@pytest.mark.parametrize("who", ["all", 0, 2])
@pytest.mark.parametrize("outputer", ["HDF5Event", "HDF5Product"])
def test_a_signal_leaves_a_file_without_holes(tmp_path, outputer, who):
    """The ranks end after the same round, even if only one of them got the signal: the rest of the
    source can be appended."""
    ranks, events = 3, 5000
    source, path = f"TestProducts:events={events}:size=100:products=2", tmp_path / "a.h5"
    run = ["run", "-q", "-s", source, "-o", f"{outputer}={path}:batch=10", "-w", "Uneven:time=500"]
    with subprocess.Popen(
        job_on_ranks(ranks, tmp_path, PROGRAM, *run), stderr=subprocess.PIPE, text=True
    ) as job:
        started = [tmp_path / f"{rank}.pid" for rank in range(ranks)]
        while not all(file.exists() and file.read_text() for file in started) or not path.exists():
            time.sleep(0.05)
        time.sleep(0.6)
        for rank, file in enumerate(started):
            if who in ("all", rank):
                os.kill(int(file.read_text()), signal.SIGINT)
        said = job.communicate(timeout=60)[1]
    assert job.returncode != 0 and "stopped by a signal after" in said, said
    count = len(events_of(f"HDF5={path}"))
    assert 0 < count < events
    assert "its writer was interrupted" in events_program("check", path, fails=True)
    rest, whole = tmp_path / "rest.h5", tmp_path / "whole.h5"
    convert(source, f"{outputer}={rest}:batch=10", "--first", count)
    events_program("cat", whole, path, rest)
    assert events_of(f"HDF5={whole}") == events_of(source)
