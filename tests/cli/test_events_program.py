"""onecast events: the program is found and started."""

import os
import subprocess
import sys


def onecast(*arguments, **how):
    code = "import sys; from onecast_cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **how)


def test_arguments_and_exit_codes_pass_through(tmp_path):
    path = tmp_path / "a.h5"
    done = onecast(
        "events", "run", "-s", "TestProducts:events=5:size=100", "-o", f"HDF5Event={path}"
    )
    assert done.returncode == 0 and done.stdout.startswith("5 events in ")
    assert "5 events, 17 products" in onecast("events", "ls", path).stdout
    assert onecast("events", "check", tmp_path / "none").returncode == 2
    wrong = onecast("events", "run", "-s", "TestProducts:evnets=5")
    assert wrong.returncode == 2 and "evnets: unknown; known are events" in wrong.stderr
    assert "cat" in onecast("events", "--help").stdout
    said = onecast("events", "run", "--help").stdout
    assert "--source" in said and "-r, --ranks N" in said


def test_events_with_products_are_found_by_identity(tmp_path):
    path = tmp_path / "a.pds"
    source = "TestProducts:events=5:size=100:products=1"
    assert onecast("events", "run", "-q", "-s", source, "-o", f"PDS={path}").returncode == 0
    for how in (("--find", 1, 1, 4), ("-e", "1:1:4"), ("--entry", 3)):
        said = onecast("events", "dump", *how, path).stdout
        assert said.startswith("entry 3: 1:1:4\n  product00  ")
    wrong = onecast("events", "dump", "--find", 1, "x", 4, path)
    assert wrong.returncode == 2 and "'1:x:4': run:lumi:event was expected" in wrong.stderr
    assert onecast("events", "dump", "--find", 1, 1, 9, path).returncode == 1
    said = " ".join(onecast("events", "dump", "--help").stdout.split())
    assert (
        "in JSON" in said and "For files with products" in said and "--event RUN:LUMI:EVENT" in said
    )


def test_a_missing_program_is_named(tmp_path):
    code = "import onecast_cli.events_program as e; e.NAME = 'no-such'; e.find_program()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "no-such is not installed" in done.stderr


def test_progress_is_told_by_the_program(tmp_path):
    from event_files import PROGRAM

    reading, writing = os.pipe()
    subprocess.run(
        [PROGRAM, "run", "-q", "-s", "Empty:events=200", "--progress-fd", str(writing)],
        pass_fds=(writing,),
        check=True,
    )
    os.close(writing)
    with open(reading) as lines:
        counts = [int(line) for line in lines]
    assert counts == sorted(counts) and counts[-1] == 200


def test_options_of_columns_are_not_for_products(tmp_path):
    from onecast import events

    columns = tmp_path / "c.h5"
    events.write(columns, {"x": [1, 2, 3]})
    target = tmp_path / "p.pds"
    for options, said in (
        (["-c", "x"], "-c: is for columns, and this makes products; -p is for products"),
        (["--pad", 2], "--pad: is for columns, and this makes products\n"),
        (["--start=1"], "--start: is for columns, and this makes products; --first is for"),
    ):
        done = onecast("events", "convert", *options, columns, target)
        assert done.returncode == 2 and said in done.stderr
        assert not target.exists()
