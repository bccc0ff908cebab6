"""`convert` and `cat` write a new file beside the one that they replace."""

import json
import os
import signal
import subprocess
import time

import pytest
from event_files import PROGRAM, convert, events_of, events_program
from on_ranks import require_ranks
from small_disks import small_file_system

SOURCE = "TestProducts:events=60:size=500:products=3:lumi=7"
OLD = b"what was there"


def damaged(path):
    """Writes a PDS file with an event that cannot be read behind others."""
    convert(SOURCE, f"PDS={path}:compression=zstd")
    data = bytearray(path.read_bytes())
    data[-100:-50] = bytes(50)
    path.write_bytes(data)
    return path


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", ["h5", "pds"])
@pytest.mark.parametrize("ranks", [None, 1, 3])
def test_a_conversion_that_fails_leaves_what_was_there(tmp_path, ending, ranks):
    if ranks is not None:
        require_ranks()
    target = f"out{{rank}}.{ending}" if ending == "pds" and ranks == 3 else f"out.{ending}"
    out = tmp_path / target.format(rank=1)
    out.write_bytes(OLD)
    source = damaged(tmp_path / "in.pds")
    said = events_program("convert", source, tmp_path / target, ranks=ranks, fails=True)
    assert f"{source}: " in said and out.read_bytes() == OLD
    assert names_in(tmp_path) == ["in.pds", "in.pds.index", out.name]


@pytest.mark.parametrize("ranks", [None, 3])
def test_a_conversion_replaces_what_was_there(tmp_path, ranks):
    if ranks is not None:
        require_ranks()
    convert(SOURCE, f"PDS={tmp_path}/in.pds")
    out = tmp_path / "real"
    out.write_bytes(OLD)
    out.chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    events_program("convert", "-q", tmp_path / "in.pds", tmp_path / "link", ranks=ranks)
    assert events_of(f"HDF5={out}") == events_of(SOURCE)
    assert (tmp_path / "link").is_symlink() and out.stat().st_mode & 0o777 == 0o600
    target = tmp_path / "a{rank}b.pds"
    events_program("convert", "-q", out, target, ranks=ranks)
    found = [e for r in range(ranks or 1) for e in events_of(f"PDS={tmp_path}/a{r}b.pds")]
    assert sorted(found) == sorted(events_of(SOURCE))
    assert not [name for name in os.listdir(tmp_path) if "part" in name]


def test_a_conversion_to_a_full_disk(tmp_path):
    convert("TestProducts:events=300:size=4k", f"PDS={tmp_path}/in.pds")
    with small_file_system(tmp_path / "small", "4m") as small:
        (small / "out.h5").write_bytes(OLD)
        said = events_program("convert", tmp_path / "in.pds", small / "out.h5", fails=True)
        assert f"{small}/out.h5: " in said and "No space left on device" in said
        assert names_in(small) == ["out.h5"] and (small / "out.h5").read_bytes() == OLD


def test_a_signal_leaves_what_was_there(tmp_path):
    convert("TestProducts:events=20000:size=2k", f"PDS={tmp_path}/in.pds")
    out = tmp_path / "out.h5"
    out.write_bytes(OLD)
    command = [PROGRAM, "convert", tmp_path / "in.pds", out, "--compression", "lzma:6", "-l", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not list(tmp_path.glob("out.h5.*.part")):
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert "nothing was replaced" in process.stderr.read()
    assert process.returncode == 1 and out.read_bytes() == OLD
    assert names_in(tmp_path) == ["in.pds", "in.pds.index", "out.h5"]


def test_the_index_of_what_was_there(tmp_path):
    """The old index would lead into a file that no longer exists."""
    for events in (60, 20):
        convert("TestProducts:products=2:size=50", f"HDF5Event={tmp_path}/in.h5", "-n", events)
        events_program("convert", "-q", tmp_path / "in.h5", tmp_path / "a.pds")
        assert not (tmp_path / "a.pds.index").exists()
        events_program("index", tmp_path / "a.pds")
    assert "20 events, no problem" in events_program("check", tmp_path / "a.pds")


def test_other_files_of_such_a_name_stay(tmp_path):
    convert(SOURCE, f"PDS={tmp_path}/in.pds")
    for name in ("out.part", "staged.part"):
        (tmp_path / name).write_bytes(OLD)
    events_program("cat", tmp_path / "out", tmp_path / "in.pds")
    events_program("convert", "-q", tmp_path / "in.pds", tmp_path / "out")
    convert(SOURCE, f"PDS={tmp_path}/staged:staging=/dev/shm")
    for name in ("out.part", "staged.part"):
        assert (tmp_path / name).read_bytes() == OLD
    assert events_of(f"HDF5={tmp_path}/out") == events_of(f"PDS={tmp_path}/staged")


def test_statistics_to_standard_output(tmp_path):
    said = events_program("run", "-s", SOURCE, "-o", "Dummy", "--json", "-")
    assert json.loads(said)["events"] == 60
    assert not os.path.exists("-")
    said = convert(SOURCE, "Dummy", "--json", tmp_path / "{rank}", fails=True)
    assert "--json: " in said and "one file is written for all ranks" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_cat(tmp_path, number):
    convert("TestProducts:events=3000:size=8k", f"HDF5Event={tmp_path}/in.h5")
    out = tmp_path / "out.h5"
    out.write_bytes(OLD)
    with subprocess.Popen([PROGRAM, "cat", out, *[tmp_path / "in.h5"] * 9]) as process:
        while process.poll() is None and not list(tmp_path.glob("out.h5.*.part")):
            time.sleep(0.001)
        process.send_signal(number)
    assert process.returncode == -number and out.read_bytes() == OLD
    assert names_in(tmp_path) == ["in.h5", "out.h5"]


@pytest.mark.parametrize("kind", ["PDS", "HDF5Event"])
def test_many_files_are_joined_one_after_the_other(tmp_path, kind):
    convert("TestProducts:events=2:size=20", f"{kind}={tmp_path}/in")
    program = f"ulimit -n 24; exec {PROGRAM} cat {tmp_path}/out {f'{tmp_path}/in ' * 60}"
    subprocess.run(["bash", "-c", program], check=True, capture_output=True, timeout=60)
    assert "120 events" in events_program("ls", tmp_path / "out")


def test_joined_files_have_names_of_their_kind(tmp_path):
    for kind, name in (("PDS", "a.h5"), ("HDF5Event", "a.pds"), ("HDF5Event", "a.root")):
        convert(SOURCE, f"{kind}={tmp_path}/in")
        said = events_program("cat", tmp_path / name, tmp_path / "in", fails=True)
        assert "becomes a file of its kind" in said and names_in(tmp_path) == ["in"]


def test_files_of_ranks_become_one(tmp_path):
    require_ranks()
    convert(SOURCE, f"HDF5Event={tmp_path}/in.h5:batch=7")
    events_program("convert", "-q", tmp_path / "in.h5", tmp_path / "a{rank}.pds", ranks=2)
    events_program("convert", "-q", tmp_path / "a{rank}.pds", tmp_path / "b.h5", ranks=2)
    assert sorted(events_of(f"HDF5={tmp_path}/b.h5")) == sorted(events_of(SOURCE))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(tmp_path):
    convert(SOURCE, f"PDS={tmp_path}/in.pds")
    out = tmp_path / "out.h5"
    out.write_bytes(OLD)
    os.chown(out, 1000, 1000)
    events_program("convert", "-q", tmp_path / "in.pds", out)
    assert (out.stat().st_uid, out.stat().st_gid) == (1000, 1000)


def test_a_second_signal_leaves_no_part(tmp_path):
    convert("TestProducts:events=2:size=1M", f"PDS={tmp_path}/in.pds")
    command = [
        PROGRAM,
        "convert",
        tmp_path / "in.pds",
        tmp_path / "out.h5",
        "--compression",
        "lzma:9",
    ]
    with subprocess.Popen(command) as process:
        while process.poll() is None and not list(tmp_path.glob("out.h5.*.part")):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        time.sleep(2.5)
        process.send_signal(signal.SIGTERM)
    assert process.returncode in (1, -signal.SIGTERM)
    assert "part" not in "".join(names_in(tmp_path))
