"""The framework: components and their options, order, statistics, signals, a user's library"""

import json
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest
from event_files import BUILD, PROGRAM, convert, events_of, events_program, read_pds

SOURCE = "TestProducts:events=60:products=4:size=500:lumi=7:run=3:first=5000000000"
OUTPUTERS = ("PDS", "HDF5Product", "HDF5Event", "HDF5Batch", "HDF5Columnar")


@pytest.mark.parametrize(
    "lanes",
    [1, pytest.param(2, marks=pytest.mark.long), pytest.param(4, marks=pytest.mark.long), 8],
)
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_bytes_do_not_depend_on_threads_and_lanes(tmp_path, outputer, lanes):
    options = "" if outputer == "PDS" else ":batch=7"
    one, many = tmp_path / "one", tmp_path / "many"
    convert(SOURCE, f"{outputer}={one}{options}", "-t", 1, "-l", 1)
    wait = ("-w", "Uneven:time=50:every=3:factor=30")
    convert(SOURCE, f"{outputer}={many}{options}", "-t", 3, "-l", lanes, *wait)
    assert one.read_bytes() == many.read_bytes()


def test_identities_are_kept(tmp_path):
    path = tmp_path / "a.h5"
    convert(SOURCE, f"HDF5Product={path}")
    identities = [event[:3] for event in events_of(f"HDF5={path}")]
    lumis = [i // 7 for i in range(60)]
    assert identities == [(k // 3 + 1, k % 3 + 1, 5000000000 + i) for i, k in enumerate(lumis)]


def test_parts_of_a_source(tmp_path):
    assert [e[2] - 5000000000 for e in events_of(SOURCE, "--first", 50, "-n", 4)] == [
        50,
        51,
        52,
        53,
    ]
    assert [e[2] - 5000000000 for e in events_of(SOURCE, "--first", 57)] == [57, 58, 59]
    assert events_of(SOURCE, "-n", 0) == []
    assert list(events_of(SOURCE, "-n", 1, "-p", "product02")[0][3]) == ["product02"]
    assert "there is no product x" in convert(SOURCE, "Dummy", "-p", "x", fails=True)


def test_replay_repeats_events_with_other_numbers():
    first = events_of(SOURCE, "-n", 5)
    inner = SOURCE.replace(":", "::")
    again = events_of(f"Replay={inner}:count=5:events=12")
    assert [e[3] for e in again] == [first[i % 5][3] for i in range(12)]
    assert [e[2] for e in again] == list(range(5000000000, 5000000012))


WRONG = [
    ("No", "Dummy", "No: no such source; there are Empty, HDF5"),
    ("Empty", "No", "No: no such outputer; there are Dummy, HDF5Batch"),
    ("Empty:size=3", "Dummy", "Empty: size: unknown; known are events, lumi, run, first"),
    ("Empty:events=many", "Dummy", "Empty: events: a number was expected, not many"),
    ("Empty:events=1:events=2", "Dummy", "events is given twice"),
    ("Empty:events", "Dummy", "events: a number was expected, not true"),
    ("Empty=file", "Dummy", "Empty: takes no file"),
    ("PDS", "Dummy", "PDS: needs a file"),
    ("PDS=/no/such", "Dummy", "/no/such: No such file"),
    ("TestProducts:spread=2", "Dummy", "spread: 0 to 1 was expected"),
    ("Empty", "PDS=x:compression=lzma", "compression: one of none, lz4, zstd was expected"),
    ("Empty", "PDS=x:compression=zstd:level=50", "level: 1 to 22 was expected for zstd"),
    ("Empty", "PDS=x:level=3", "level: is for a compression"),
    ("Empty", "HDF5Event=x:unit=event", "unit: is for a compression"),
    (
        "Empty",
        "HDF5Event=x:compression=zstd:unit=batch",
        "unit: one of none, event, product, chunk",
    ),
    ("Empty", "HDF5Event=x:compression=lzma:unit=chunk", "HDF5 has no filter for lzma"),
    ("Empty", "HDF5Event=x:chunk=1x", "chunk: a size such as 65536, 64k or 1M was expected"),
    (":", "Dummy", "there is no name"),
]


@pytest.mark.parametrize("source, outputer, said", WRONG)
def test_what_is_wrong_is_named(tmp_path, source, outputer, said):
    done = subprocess.run(
        [PROGRAM, "run", "-s", source, "-o", outputer], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert not list(tmp_path.iterdir())


NUMBERS = [
    *(
        ("run", option, value)
        for option in ("--threads", "--lanes", "--events", "--first")
        for value in (-1, "x")
    ),
    ("run", "--threads", 0),
    ("run", "--threads", 2**40),
    ("run", "--lanes", 2**40),
    ("dump", "--entry", -1),
    ("dump", "--bytes", -1),
]


@pytest.mark.parametrize("command, option, value", NUMBERS)
def test_numbers_out_of_range_are_refused(tmp_path, command, option, value):
    path = tmp_path / "a.pds"
    convert(SOURCE, f"PDS={path}", "-n", 1)
    given = ("-s", "Empty") if command == "run" else (path,)
    done = subprocess.run(
        [PROGRAM, command, *given, option, str(value)], capture_output=True, text=True
    )
    assert done.returncode == 2 and option in done.stderr


def limit_files():
    """Limits files to 100 kB, as `ulimit -f` does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_a_limit_on_the_size_of_files_is_an_error(tmp_path, outputer):
    path = tmp_path / "a"
    options = "" if outputer == "PDS" else ":batch=5:flush=1"
    source = "TestProducts:events=200:products=2:size=1k"
    said = convert(source, f"{outputer}={path}{options}", fails=True, preexec_fn=limit_files)
    assert str(path) in said and "File too large" in said
    kind = "PDS" if outputer == "PDS" else "HDF5"
    found = events_of(f"{kind}={path}")
    assert 0 < len(found) < 200 and found == events_of(source, "-n", len(found))
    assert f"(outputer {outputer}, events 1:1:" in said


def test_a_file_that_cannot_be_read_does_not_hide_others(tmp_path):
    good, bad = tmp_path / "a.pds", tmp_path / "b"
    convert(SOURCE, f"PDS={good}")
    bad.write_text("no events")
    for command, said in (("check", "60 events, no problem"), ("ls", "60 events, 4 products")):
        found = events_program(command, bad, tmp_path / "none", good, fails=True)
        assert said in found and str(bad) in found and str(tmp_path / "none") in found


def test_a_root_file_is_named_with_what_reads_it(tmp_path):
    path = tmp_path / "a.root"
    path.write_bytes(b"root" + bytes(60))
    for command in (("ls", path), ("check", path), ("convert", path, tmp_path / "a.h5")):
        said = events_program(*command, fails=True)
        assert f"ROOT={path}: " in said or f"{path}: " in said
        if not (BUILD / "libonecast_events_root.so").exists():
            assert "needs the components for ROOT" in said
    assert not (tmp_path / "a.h5").exists()


def test_components_describe_themselves():
    text = events_program("run", "--list")
    assert "outputer HDF5Event=FILE: HDF5: events as blobs in one dataset" in text
    assert "    unit=none|event|product|chunk (event): what is compressed as one piece" in text
    assert "waiter Sleep=FILE: " in text


def test_statistics(tmp_path):
    path = tmp_path / "s.json"
    out = events_program(
        "run", "-s", SOURCE, "-o", f"PDS={tmp_path}/a.pds", "-w", "Scale:per_byte=1", "--json", path
    )
    assert out.startswith("60 events in ")
    found = json.loads(path.read_text())
    size = sum(len(data) for event in events_of(SOURCE) for data in event[3].values())
    assert found["events"] == 60 and found["product_bytes"] == size and not found["stopped"]
    assert found["bytes_written"] == (tmp_path / "a.pds").stat().st_size
    assert (found["threads"], found["lanes"]) == (1, 2)
    assert abs(found["stages"]["wait"] - size * 1e-6) < 1e-3


def test_sleep_takes_times_from_a_list(tmp_path):
    (tmp_path / "times").write_text("0 1000\n20000\n")
    json_path = tmp_path / "s.json"
    convert(SOURCE, "Dummy", "-n", 9, "-w", f"Sleep={tmp_path}/times", "--json", json_path)
    assert json.loads(json_path.read_text())["stages"]["wait"] == pytest.approx(0.063)
    for wrong in ("1 x", "-5", "1e30", ""):
        (tmp_path / "times").write_text(wrong)
        error = convert(SOURCE, "Dummy", "-w", f"Sleep={tmp_path}/times", fails=True)
        assert "a list of microseconds, from 0 on, was expected" in error


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_a_signal_ends_a_run_with_a_valid_file(tmp_path, outputer):
    """The exit code says that events are missing: after a 0 a script may delete the source."""
    path = tmp_path / "a"
    command = [PROGRAM, "run", "-q", "-s", "TestProducts:events=100000:size=100"]
    command += ["-o", f"{outputer}={path}", "-w", "Uneven:time=2000", "-l", "4"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    kind = "PDS" if outputer == "PDS" else "HDF5"
    numbers = [event[2] for event in events_of(f"{kind}={path}")]
    assert 0 < len(numbers) < 100000
    assert numbers == list(range(1, len(numbers) + 1))
    assert said.endswith(f"onecast-events: stopped by a signal after {len(numbers)} events\n")
    checked = events_program("check", path, fails=outputer != "PDS")
    assert ("no problem" if outputer == "PDS" else "its writer was interrupted") in checked


@pytest.mark.parametrize("outputer", OUTPUTERS[1:])
def test_a_failure_is_named_and_leaves_a_mark(tmp_path, outputer):
    source, path = tmp_path / "a.pds", tmp_path / "a.h5"
    convert("TestProducts:events=60:products=1:size=100", f"PDS={source}")
    *_, last = read_pds(source)[0]
    damaged = bytearray(source.read_bytes())
    at = damaged.rindex(last[3]["product00"])
    damaged[at - 8] = 9  # the number of the product
    source.write_bytes(damaged)
    for staging in ("", f":staging={tmp_path}"):
        said = convert(f"PDS={source}", f"{outputer}={path}:batch=8{staging}", fails=True)
        assert said.endswith(": product 9 of 1 (source PDS, entry 59, event 1:1:60)\n")
        assert len(events_of(f"HDF5={path}")) == 56
        assert "its writer was interrupted" in events_program("ls", path)
        assert "its writer was interrupted" in events_program("check", path, fails=True)
        path.unlink()


@pytest.mark.leaves_damage
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_a_killed_run_leaves_its_first_batches(tmp_path, outputer):
    path = tmp_path / "a"
    options = "" if outputer == "PDS" else ":batch=3:flush=1"
    command = [PROGRAM, "run", "-s", "TestProducts:events=100000:size=1k"]
    command += ["-o", f"{outputer}={path}{options}", "-w", "Uneven:time=1000", "-l", "4"]
    with subprocess.Popen(command) as process:
        time.sleep(0.7)
        process.kill()
    if outputer != "PDS":
        assert "; its writer was interrupted" in events_program("ls", path)
        # The next open for writing does the same.
        import onecast

        onecast.recover(str(path))
        assert "its writer was interrupted" in events_program("check", path, fails=True)
        if outputer != "HDF5Columnar":  # onecast.events joins its files
            joined = [PROGRAM, "cat", tmp_path / "joined", path]
            done = subprocess.run(joined, capture_output=True, text=True, check=True)
            assert done.stderr.startswith(f"onecast-events: {path}: its writer was interrupted; ")
    kind = "PDS" if outputer == "PDS" else "HDF5"
    expected = events_of("TestProducts:events=30:size=1k")
    found = events_of(f"{kind}={path}", "-n", 30)
    assert found == expected[: len(found)]
    assert outputer == "PDS" or len(found) >= 3


def test_a_users_library(tmp_path):
    libraries = [BUILD / f"libexample_{name}.so" for name in ("counting", "histogram")]
    if not all(library.exists() for library in libraries):
        pytest.skip("the examples are not built")
    out = tmp_path / "sizes.txt"
    given = ("run", "-q", "--load", libraries[0], "--load", libraries[1])
    events_program(*given, "-s", "TestProducts:events=50:size=1k", "-o", f"Histogram={out}")
    counts = [int(line.split(": ")[1]) for line in out.read_text().splitlines()]
    assert sum(counts) == 50
    events_program(*given, "-s", "Counting:events=9", "-o", f"PDS={tmp_path}/a.pds", "-t", 2)
    products = [e[3]["number"] for e in read_pds(tmp_path / "a.pds")[0]]
    assert products == [n.to_bytes(8, "little") for n in range(9)]
    events_program(*given, "-s", "Counting:events=9", "-o", f"Histogram={out}", "-t", 2)
    assert out.read_text() == "below 2^4: 9\n"
    error = events_program("run", "--load", PROGRAM, "-s", "Empty", fails=True)
    assert "onecast-events" in error
    none = tmp_path / "no" / "sizes.txt"
    error = events_program(*given, "-s", "Empty", "-o", f"Histogram={none}", fails=True)
    assert error == f"onecast-events: {none}: cannot be written (outputer Histogram)\n"


def test_ten_thousand_small_events_take_little_memory(tmp_path):
    peaks = []
    for events in (2_000, 40_000):
        path = tmp_path / "s.json"
        source = f"TestProducts:events={events}:products=2:size=40"
        convert(source, f"HDF5Product={tmp_path}/a.h5:batch=500", "-l", 8, "--json", path)
        peaks.append(json.loads(path.read_text())["peak_memory"])
    assert peaks[1] < peaks[0] + 20e6
    assert Path(tmp_path / "a.h5").stat().st_size < 40_000 * (2 * 60 + 16 + 16) * 1.2
