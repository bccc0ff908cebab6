"""PDS files, compared with a reader and a writer made from the description of the format"""

import resource
import struct
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from event_files import (
    CODECS,
    MAGIC,
    as_in_pds,
    checked_within_limits,
    convert,
    events_of,
    events_program,
    read_pds,
    sample_events,
    write_pds,
)

EVENTS = sample_events()
CLASSES = {
    name: f"std::vector<{'int' if i % 2 else 'Track, A'}>" for i, name in enumerate(EVENTS[0][3])
}


@pytest.mark.parametrize("codec", CODECS)
def test_reads_what_another_program_wrote(tmp_path, codec):
    write_pds(tmp_path / "a.pds", EVENTS, CLASSES, codec)
    assert events_of(f"PDS={tmp_path}/a.pds", "-t", 2, "-l", 3) == as_in_pds(EVENTS)


@pytest.mark.parametrize("codec", CODECS)
def test_writes_what_another_program_reads(tmp_path, codec):
    write_pds(tmp_path / "a.pds", EVENTS, CLASSES, "none", MAGIC + 1)
    convert(f"PDS={tmp_path}/a.pds", f"PDS={tmp_path}/b.pds:compression={codec}")
    events, classes, found, magic = read_pds(tmp_path / "b.pds")
    assert (events, classes, found, magic) == (as_in_pds(EVENTS), CLASSES, codec, MAGIC + 1)


def test_uncompressed_files_are_equal_byte_for_byte(tmp_path):
    write_pds(tmp_path / "a.pds", EVENTS, CLASSES)
    convert(f"PDS={tmp_path}/a.pds", f"PDS={tmp_path}/b.pds", "-t", 2)
    assert (tmp_path / "a.pds").read_bytes() == (tmp_path / "b.pds").read_bytes()


def test_no_events_and_no_products(tmp_path):
    convert("Empty:events=3", f"PDS={tmp_path}/a.pds")
    assert read_pds(tmp_path / "a.pds")[0] == [(1, 1, n, {}) for n in (1, 2, 3)]
    convert("Empty:events=0", f"PDS={tmp_path}/b.pds")
    assert read_pds(tmp_path / "b.pds")[0] == []
    assert events_of(f"PDS={tmp_path}/b.pds") == []


def test_the_index_is_kept_beside_the_file(tmp_path):
    path, index = tmp_path / "a.pds", tmp_path / "a.pds.index"
    write_pds(path, EVENTS, CLASSES)
    shown = events_program("dump", path, "-e", "2:3:4294967305")
    assert shown.startswith("entry 4: 2:3:4294967305\n")
    assert index.stat().st_size == 48 + 32 * len(EVENTS)
    # Another file gets that name, so the index is made anew.
    write_pds(path, EVENTS[:4], CLASSES)
    assert "has no event" in events_program("dump", path, "-e", "2:3:4294967305", fails=True)
    # A damaged index is not used.
    index.write_bytes(index.read_bytes()[:8] + b"x" * 88)
    assert "entry 1: " in events_program("dump", path, "-e", "1:1:4294967302")
    events_program("index", path)
    assert index.stat().st_size == 48 + 32 * 4
    # A file that is not an index stays.
    index.write_text("notes")
    assert "entry 1: " in events_program("dump", path, "-e", "1:1:4294967302")
    assert f"{index}: is there, and no index" in events_program("index", path, fails=True)
    convert("TestProducts:events=3", f"PDS={path}")
    assert index.read_text() == "notes"


def test_the_index_needs_no_room(tmp_path):
    """A file on a full disk is read nevertheless."""
    path = tmp_path / "a.pds"
    write_pds(path, EVENTS, CLASSES)

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    assert f"{len(EVENTS)} events" in events_program("ls", path, preexec_fn=no_room)
    said = events_program("index", path, preexec_fn=no_room, fails=True)
    assert "a.pds.index" in said
    assert list(tmp_path.iterdir()) == [path]


def test_several_processes_make_the_index(tmp_path):
    path = tmp_path / "a.pds"
    convert("Empty:events=30000", f"PDS={path}")
    with ThreadPoolExecutor(6) as readers:
        said = readers.map(
            lambda event: events_program("dump", path, "-e", event), ["1:1:30000"] * 6
        )
    assert all(text.startswith("entry 29999: 1:1:30000") for text in said)
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "a.pds.index"]
    assert (tmp_path / "a.pds.index").stat().st_size == 48 + 32 * 30000


def test_what_was_interrupted_is_read_up_to_the_last_complete_event(tmp_path):
    path = tmp_path / "a.pds"
    write_pds(path, EVENTS, CLASSES)
    whole = path.read_bytes()
    for cut in (1, 5, 40, 4000):
        path.write_bytes(whole[:-cut])
        assert events_of(f"PDS={path}") == as_in_pds(EVENTS[:-1])
        assert "behind the last complete event" in events_program("check", path, fails=True)
        events_program("convert", "-q", path, tmp_path / "whole.pds")
        assert "6 events, no problem" in events_program("check", tmp_path / "whole.pds")
        assert events_of(f"PDS={tmp_path}/whole.pds") == as_in_pds(EVENTS[:-1])


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("codec", CODECS)
def test_damaged_words_are_errors_or_other_values(tmp_path, codec, step):
    """There is never a crash, and never memory without limit."""
    path = tmp_path / "a.pds"
    write_pds(path, sample_events(2, sizes=(0, 8)), {"p0_0": "A", "p1_8": "B"}, codec)
    whole = path.read_bytes()
    for at in range(0, len(whole) // 4 * 4, 4 * step):
        for value in (0xFFFFFFFF, 0x7FFFFFF0):
            path.write_bytes(whole[:at] + struct.pack("<I", value) + whole[at + 4 :])
            code, said = checked_within_limits(path)
            assert code in (0, 1, 2), said
            assert code == 0 or str(path) in said


def test_cat_joins_files(tmp_path):
    write_pds(tmp_path / "a.pds", EVENTS[:3], CLASSES, "zstd")
    write_pds(tmp_path / "b.pds", EVENTS[3:], CLASSES, "zstd")
    events_program("cat", tmp_path / "c.pds", tmp_path / "a.pds", tmp_path / "b.pds")
    assert read_pds(tmp_path / "c.pds")[0] == as_in_pds(EVENTS)
    write_pds(tmp_path / "d.pds", EVENTS, CLASSES)
    error = events_program(
        "cat", tmp_path / "e.pds", tmp_path / "a.pds", tmp_path / "d.pds", fails=True
    )
    assert "differ in products or compression" in error


@pytest.mark.leaves_damage
@pytest.mark.parametrize("which", [0, 20, 39])
@pytest.mark.parametrize("word", [5, -1])
def test_a_damaged_size_is_no_interrupted_writer(tmp_path, which, word):
    """The file ends with a complete event, or with its size. Earlier events can be read."""
    path = tmp_path / "a.pds"
    convert("TestProducts:events=40:products=2:size=60", f"PDS={path}")
    whole = events_of(f"PDS={path}")
    words = np.frombuffer(path.read_bytes(), "<u4").copy()
    at = 4 + words[3] + 1  # in the first record
    for _ in range(which):
        at += 7 + words[at + 5]
    at += word if word > 0 else 7 + words[at + 5] - 1
    words[at] = 0x7FFFFFFF
    path.write_bytes(words.tobytes())
    (tmp_path / "a.pds.index").unlink(missing_ok=True)
    said = convert(f"PDS={path}", f"HDF5Event={tmp_path}/b.h5:batch=1", fails=True)
    assert f"{path}: event {which}" in said and "interrupted" not in said
    if which != 0:
        assert events_of(f"HDF5={tmp_path}/b.h5") == whole[:which]
    assert events_of(f"PDS={path}", "-n", which) == whole[:which]
    said = events_program("check", path, fails=True)
    assert f"{path}: event {which}" in said and f"{which + 1} events, 1 problems" in said
    assert f"{path}: event {which}" in events_program("cat", tmp_path / "c.pds", path, fails=True)
    assert f"{path}: event {which}" in events_program("index", path, fails=True)


@pytest.mark.leaves_damage
def test_an_index_does_not_hide_damage(tmp_path):
    path = tmp_path / "a.pds"
    convert("TestProducts:events=40:products=2:size=60", f"PDS={path}")
    events_program("index", path)
    words = np.frombuffer(path.read_bytes(), "<u4").copy()
    at = 4 + words[3] + 1
    at += 7 + words[at + 5]
    words[at] = 7  # the kind of the record
    path.write_bytes(words.tobytes())
    said = events_program("check", path, fails=True)
    assert said.count("event 1 at byte ") == 1 and "1 problems" in said
    assert not (tmp_path / "a.pds.index").exists()
    assert "event 1 at byte " in events_program("dump", path, "-e", "1:1:30", fails=True)
