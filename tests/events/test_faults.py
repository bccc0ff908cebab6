"""With killed writers, full disks and damaged files, stored events stay readable, or there is an
error."""

import re
import subprocess
import time

import h5py
import numpy as np
import pytest
from event_files import (
    PROGRAM,
    checked_within_limits,
    convert,
    events_of,
    events_program,
    write_version_1,
    write_version_2_product,
)
from on_ranks import mpiexec
from small_disks import small_file_system

import onecast
import onecast.events

SOURCE = "TestProducts:events=40:products=3:size=200:lumi=7"
OUTPUTERS = {
    "PDS": "PDS",
    "HDF5Product": "HDF5",
    "HDF5Event": "HDF5",
    "HDF5Batch": "HDF5",
    "HDF5Columnar": "HDF5",
}
COMPRESSED = {
    "PDS": ":compression=zstd",
    "HDF5Product": ":compression=zstd:unit=chunk:batch=5",
    "HDF5Event": ":compression=lz4:batch=5",
    "HDF5Batch": ":compression=zstd:batch=5",
    "HDF5Columnar": ":compression=zstd:batch=5",
}


def expect_error_or_events(path):
    code, said = checked_within_limits(path)
    assert code in (0, 1, 2), said
    assert "terminate" not in said and "bad_alloc" not in said, said
    if code != 0:
        assert str(path) in said or "onecast-events: " in said, said
    return code, said


@pytest.mark.leaves_damage
@pytest.mark.long
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_files_cut_at_every_64th_byte(tmp_path, outputer):
    path = tmp_path / "a"
    convert("TestProducts:events=12:products=2:size=60", f"{outputer}={path}{COMPRESSED[outputer]}")
    whole = path.read_bytes()
    step = 64 if len(whole) < 20_000 else len(whole) // 300 // 64 * 64 + 64
    wrong = 0
    for end in range(0, len(whole), step):
        path.write_bytes(whole[:end])
        wrong += expect_error_or_events(path)[0]
    assert wrong > 0


@pytest.mark.leaves_damage
@pytest.mark.parametrize(
    "count", [12, pytest.param(150, marks=pytest.mark.long)], ids=["few", "many"]
)
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_random_bytes(tmp_path, outputer, count):
    path = tmp_path / "a"
    convert(SOURCE, f"{outputer}={path}{COMPRESSED[outputer]}")
    whole = path.read_bytes()
    random = np.random.default_rng(5)
    for _ in range(count):
        damaged = bytearray(whole)
        for at in random.integers(0, len(damaged), 8):
            damaged[at] = int(random.integers(256))
        path.write_bytes(damaged)
        expect_error_or_events(path)


@pytest.mark.leaves_damage
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_disk_full(tmp_path, outputer):
    """With a limit on the size of files, the error names the file, and complete batches are
    read."""
    path = tmp_path / "a"
    options = "" if outputer == "PDS" else ":batch=3:flush=1"
    target = f"{outputer}={path}{options}"
    command = f"ulimit -f 4096; exec {PROGRAM} run -s TestProducts:events=900:size=1k -o {target}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, done.stderr
    assert f"{path}: " in done.stderr and "File too large" in done.stderr
    if outputer != "PDS":
        onecast.recover(str(path))
    found = events_of(f"{OUTPUTERS[outputer]}={path}", "-n", 20)
    assert found == events_of("TestProducts:events=20:size=1k")[: len(found)]
    assert len(found) >= 3


@pytest.mark.parametrize("ranks", [None, 3])
@pytest.mark.parametrize(
    "outputer, options",
    [
        ("PDS", ""),
        ("HDF5Product", ":batch=200"),
        ("HDF5Product", ":compression=zstd:chunk=4k"),
        ("HDF5Event", ""),
        ("HDF5Event", ":compression=lz4:unit=chunk:flush=3"),
        ("HDF5Batch", ":compression=zstd"),
    ],
)
def test_a_full_disk_keeps_all_complete_batches(tmp_path, outputer, options, ranks):
    """For all options of the outputer, complete batches are stored, and the file is closed."""
    if outputer == "PDS" and ranks:
        pytest.skip("a file for each rank")
    source = "TestProducts:events=9000:size=1k"  # 14 KB an event
    with small_file_system(tmp_path / "small", "40m") as small:
        path = small / "a"
        error = convert(source, f"{outputer}={path}{options}", "-t", 2, ranks=ranks, fails=True)
        assert "No space left on device" in error
        assert [p.name for p in small.iterdir()] == ["a"]
        code, said = checked_within_limits(path)
        assert code == 1
        assert ("behind the last complete" if outputer == "PDS" else "was interrupted") in said
        count = int(re.search(r"(\d+) events", said)[1])
        assert count * 14_000 > 20_000_000
        for first in (0, count - 9):
            part = ("--first", first, "-n", 9)
            assert events_of(f"{OUTPUTERS[outputer]}={path}", *part) == events_of(source, *part)


@pytest.mark.leaves_damage
@pytest.mark.parametrize("ranks", [3])
@pytest.mark.parametrize("outputer", list(OUTPUTERS)[1:])
def test_ranks_that_are_killed_leave_their_first_batches(tmp_path, outputer, ranks):
    path = tmp_path / "a"
    command = [*mpiexec(ranks), PROGRAM, "run", "-s", "TestProducts:events=1000000:size=1k"]
    command += ["-o", f"{outputer}={path}:batch=3:flush=1", "-w", "Uneven:time=1000"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL):
        for _ in range(100):
            time.sleep(0.1)
            if path.exists() and path.stat().st_size > 3_000_000:
                break
        # This ends mpiexec and the ranks, whose parents differ between MPIs.
        subprocess.run(["pkill", "-9", "-f", f"{outputer}={path}:"], check=False)
    time.sleep(0.3)
    onecast.recover(str(path))
    code, said = checked_within_limits(path)
    assert code == 1 and "1 problems" in said, said
    assert int(re.search(r"(\d+) events", said)[1]) >= 3
    found = events_of(f"HDF5={path}", "-n", 30)
    assert found == events_of("TestProducts:events=30:size=1k")[: len(found)]


@pytest.mark.leaves_damage
@pytest.mark.parametrize("unit", ["batch", "both", "chunk"])
def test_units_that_a_layout_cannot_have(tmp_path, unit):
    path = tmp_path / "a"
    for layout, source in (("Product", SOURCE), ("Product", "Empty:events=9"), ("Batch", SOURCE)):
        convert(source, f"HDF5{layout}={path}:batch=4")
        with h5py.File(path, "r+") as file:
            file["Events"].attrs["compression_unit"] = unit
            file["Events"].attrs["compression"] = "zstd"
        code, said = expect_error_or_events(path)
        if (layout == "Batch") == (unit == "chunk"):
            assert code == 2 and f"has no compression_unit {unit}" in said


@pytest.mark.leaves_damage
def test_a_batch_that_lies_before_another_one(tmp_path):
    """Its rows are those of its batch, so it can be read, but not together with others."""
    path = tmp_path / "a"
    convert("TestProducts:events=64:products=2:size=50", f"HDF5Event={path}:batch=4")
    with h5py.File(path, "r+") as file:
        batches, rows = file["Events/Batches"][...], file["Events/Offsets"][...]
        length = batches[-1, 2] - batches[-1, 1]
        rows[-4:, :2] -= batches[-1, 1] - batches[3, 1]
        batches[-1, 1:3] = batches[3, 1], batches[3, 1] + length
        file["Events/Batches"][...], file["Events/Offsets"][...] = batches, rows
        stored = file["Events/Blobs"][...].tobytes()
    with onecast.events.open(path) as opened:
        together = opened.to_awkward(["product00"], lazy=False)["product00"].to_list()
        alone = [opened[number]["product00"].to_list() for number in range(64)]
    assert together == alone
    first = np.array(alone[-4], "u4").tobytes()
    assert stored[batches[3, 1] :][: len(first)] == first


@pytest.mark.leaves_damage
def test_one_row_of_an_index_that_leads_nowhere(tmp_path):
    path = tmp_path / "a"
    convert("TestProducts:events=80:size=10", f"PDS={path}.1", "-n", 40)
    convert("TestProducts:events=80:size=10", f"PDS={path}.2", "--first", 40)
    events_program("cat", f"{path}.pds", f"{path}.2", f"{path}.1")
    convert(f"PDS={path}.pds", f"HDF5Event={path}")
    with h5py.File(path, "r+") as file:
        file["Events/Index"][30] = 2**64 - 1
    code, said = checked_within_limits(path)
    assert code == 1 and said.count("entry 18446744073709551615 of 80") < 20, said
    with onecast.events.open(path) as opened:
        assert opened.find(1, 1, 40) == 79 and opened.find(1, 1, 45) == 4


# Formats, compressions, lanes and ranks are combined: each value with several of the others.
CHAINS = [
    ("PDS:compression=zstd", "HDF5Product:batch=7", 1, 1),
    ("HDF5Event:compression=lzma:unit=event", "HDF5Batch:compression=zstd:unit=both", 8, 2),
    ("HDF5Product:compression=lz4:unit=chunk", "HDF5Event:compression=lz4:unit=chunk", 4, 3),
    ("HDF5Batch:compression=lzma:unit=batch", "HDF5Product:compression=zstd:unit=product", 2, 4),
    ("HDF5Event:batch=3", "HDF5Product:numeric=compound:batch=3", 8, 7),
    ("HDF5Product:numeric=compound:compression=lz4:unit=chunk", "HDF5Event:batch=1", 2, 3),
    ("PDS:compression=lz4", "HDF5Batch:compression=lz4:unit=event:batch=4", 4, 2),
    ("HDF5Batch:compression=zstd", "PDS:compression=zstd:level=9", 8, 1),
]


@pytest.mark.long
@pytest.mark.parametrize("first, second, lanes, ranks", CHAINS)
def test_round_trips(tmp_path, first, second, lanes, ranks):
    def outputer(text, path):
        name, _, options = text.partition(":")
        return f"{name}={path}:{options}" if options else f"{name}={path}"

    def source(text, path):
        return f"{'PDS' if text.startswith('PDS') else 'HDF5'}={path}"

    a, b = tmp_path / "a", tmp_path / "b"
    with_ranks = {"ranks": ranks} if ranks > 1 else {}
    alone = {} if first.startswith("PDS") else with_ranks
    convert(SOURCE, outputer(first, a), "-l", lanes, **alone)
    convert(source(first, a), outputer(second, b), "-l", lanes, "-t", 2, **with_ranks)
    assert events_of(source(second, b)) == events_of(SOURCE)


@pytest.mark.leaves_damage
@pytest.mark.parametrize("layout", ["version 1", "version 2"])
def test_a_dataset_that_says_it_is_huge(tmp_path, layout):
    """Chunks that nobody wrote take no space in the file."""
    path = tmp_path / "a.h5"
    classes = {"x": "int"}
    events = [(1, 1, n, {"x": bytes(4)}) for n in range(3)]
    if layout == "version 1":
        write_version_1(path, events, classes, "product")
    else:
        write_version_2_product(path, events, classes, "raw")
    where = "Lumi/Event_IDs" if layout == "version 1" else "Events/EventIDs"
    with h5py.File(path, "r+") as file:
        dtype = file[where].dtype
        del file[where]
        file.create_dataset(where, (2**40,), dtype, chunks=(128,))
    code, said = checked_within_limits(path)
    assert code == 2 and f"/{where}: has {2**40} elements, more than the file can hold" in said
