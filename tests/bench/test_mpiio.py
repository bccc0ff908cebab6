"""The benchmark of small reads: all cases run, with the expected calls."""

import json

import numpy as np
import pytest

import onecast
from onecast_bench import lab, mpiio
from onecast_bench.programs import BenchError, Launcher, find_program

READS, BYTES = 20, 24


@pytest.fixture
def mpi(need_programs):
    need_programs("plain_mpiio", "onecast_mpiio")


def test_both_files_hold_the_pieces(tmp_path):
    plain, hdf5 = mpiio.make_files(tmp_path, READS, BYTES)
    values = mpiio.pieces(READS, BYTES)
    assert plain.read_bytes() == values.tobytes()
    assert values[3, 5] == ((3 * BYTES + 5) * 7 + 3 * 131) % 256
    with onecast.File(hdf5) as f:
        assert np.array_equal(f["pieces"][...], values)


@pytest.mark.parametrize("ranks", [pytest.param(1, marks=pytest.mark.long), 3])
def test_counts(mpi, library, tmp_path, ranks):
    mpiio.run_mpiio_bench([ranks], READS, BYTES, 1, tmp_path, None, stock=True, timeout=120)
    document = json.loads((tmp_path / "mpiio.json").read_text())
    counts = {r["case"]: r["counts"]["small reads"] for r in document["results"]}
    others = [0] * (ranks - 1)
    each = counts["plain MPI, one reads + a broadcast each"]
    assert (each["reads"], each["collectives"][0]) == ([READS, *others], READS)
    once = counts["plain MPI, one reads all + one broadcast"]
    assert (once["reads"], once["collectives"][0]) == ([READS, *others], 1)
    independent = counts["MPI-IO, all read, independent"]
    assert (independent["reads"], independent["collectives"][0]) == ([READS] * ranks, 0)
    assert counts["MPI-IO, all read, collective"]["collectives"][0] == READS
    # The first read brings all data. The others take one reduction each, if ranks compare.
    assert counts["Onecast, read_all each"]["collectives"][0] == (0 if ranks == 1 else READS + 1)
    trusting = counts["Onecast, read_all each, trusting"]["collectives"][0]
    assert trusting == (0 if ranks == 1 else 1)
    assert counts["Onecast, one read_all of all"]["collectives"][0] <= 4
    preloaded = counts["Onecast, preloaded, read each"]
    assert preloaded["reads"] == preloaded["collectives"] == [0] * ranks


@pytest.mark.long
def test_on_the_emulated_file_system(mpi, tmp_path):
    """If one rank reads for all, one node requests bytes."""
    try:
        lab.find_lab()
    except BenchError as error:
        pytest.skip(str(error))
    emulated = lab.Lab(nodes=4, osts=2, stripe_size="64k")
    mpiio.run_mpiio_bench([4], READS, BYTES, 1, tmp_path, None, False, 120, emulated)
    document = json.loads((tmp_path / "mpiio-lab.json").read_text())
    nodes = {}
    for result in document["results"]:
        steps = [result["lab"][step] for step in ("open", "read")]
        nodes[result["case"]] = {
            client["client"] for step in steps for client in step["clients"] if client["read_rpcs"]
        }
    assert nodes.pop("MPI-IO, all read, independent") >= {0, 1, 2}  # the last node wrote the file
    assert nodes.pop("Onecast, read each, not preloaded") >= {0, 1, 2}
    assert set(map(frozenset, nodes.values())) == {frozenset({0})}


@pytest.mark.parametrize("name", ["plain_mpiio", "stock_mpiio", "onecast_mpiio"])
def test_wrong_bytes_are_told(mpi, tmp_path, name):
    program = find_program(name)
    if program is None:
        pytest.skip(f"{name} is not built")
    files = mpiio.make_files(tmp_path, READS, BYTES)
    file = files[0 if name == "plain_mpiio" else 1]
    content = bytearray(file.read_bytes())
    at = content.index(mpiio.pieces(READS, BYTES).tobytes())
    content[at + 7 * BYTES] ^= 1
    file.write_bytes(content)
    setting = "preloaded" if name == "onecast_mpiio" else "independent"
    sizes = {"bases": READS, "zones": BYTES, "setting": setting}
    with pytest.raises(BenchError, match="not what was written"):
        Launcher.from_environment(60).run(program, 2, file, tmp_path / "r.json", **sizes)
