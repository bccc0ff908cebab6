"""The benchmarks of arrays: all cases write and read the same, with the expected calls."""

import json

import numpy as np
import pytest

from onecast_bench import arrays, cases, checkpoint, close, equal_reads, lab, mesh, samewrite
from onecast_bench.arrays import Array
from onecast_bench.programs import BenchError, Launcher, need_program
from onecast_bench.results import gather

WRITE_ALL = "Onecast, write_all"
STOCK = "stock HDF5, collective"
MIXED = (
    Array("rows", "f8", (100, 6), (3, 1)),
    Array("columns", "i4", (90, 33), (1, 3)),
    Array("all", "u1", (5, 8), (1, 1)),
    Array("large numbers", "i8", (60, 2), (3, 1)),
    Array("too few", "f8", (4, 4), (2, 1)),
)


@pytest.fixture
def programs(need_programs):
    need_programs("plain_arrays", "onecast_arrays")


def results_of(name, settings):
    file = settings.out / f"{name}{'-lab' if settings.lab else ''}.json"
    document = json.loads(file.read_text())
    return {each["result"]["case"]: each["result"] for each in document["results"]}, document


def test_values_are_those_of_the_programs():
    values = MIXED[0].values(0, steps=3)
    assert values[1, 1] == 7 * 2654435761 % 2**32
    # The first element of each part is the number of the step.
    assert [values[0, 0], values[33, 0], values[66, 0]] == [2, 2, 2]
    values = MIXED[1].values(1, steps=3)
    assert [values[0, 0], values[0, 11], values[0, 22]] == [2, 2, 2]
    assert values[3, 5] == ((3 * 33 + 5) * 2654435761 + 97) % 2**32 & 0x7FFFFFFF
    assert MIXED[2].values(2, steps=3)[1, 0] == (8 * 2654435761 + 2 * 97) % 256


@pytest.mark.long
def test_all_ways_leave_the_same(programs, settings):
    """This includes runs in which some ranks have no part. h5py reads the files."""
    pytest.importorskip("h5py")
    from rich.console import Console

    given = settings(3)
    found = [
        *arrays.common_cases(given, Console()),
        cases.Case("equal", need_program("onecast_arrays"), "equal_compact", "onecast.h5"),
    ]
    checked = []

    def check(file, case):
        which = MIXED[2:3] if case == "equal" else MIXED
        arrays.check_file(file, which, 2, case)
        checked.append(case)

    launcher = Launcher.from_environment(60)
    for case in found:
        which = MIXED[2:3] if case.name == "equal" else MIXED
        spec = ";".join(array.spec() for array in which)
        options = {"arrays": spec, "rounds": 2, "phases": "read,close"}
        cases.run_cases([case], launcher, 3, 1, given.out, check, **options)
    assert checked == [case.name for case in found]


@pytest.mark.parametrize("name", ["plain_arrays", "onecast_arrays"])
def test_a_wrong_byte_is_told(programs, tmp_path, name):
    file = tmp_path / ("arrays.bytes" if name == "plain_arrays" else "arrays.h5")
    pytest.importorskip("h5py")
    options = {"arrays": MIXED[0].spec(), "phases": "read"}
    Launcher.from_environment(60).run(need_program(name), 3, file, tmp_path / "r.json", **options)
    arrays.check_file(file, MIXED[:1], 1, name)
    content = bytearray(file.read_bytes())
    content[content.index(np.float64(7 * 2654435761 % 2**32).tobytes())] ^= 1
    file.write_bytes(content)
    with pytest.raises(BenchError, match=f"{name}: rows: the file is not what the ranks wrote"):
        arrays.check_file(file, MIXED[:1], 1, name)


@pytest.mark.parametrize("spec", ["", "x:f8:1:1:1", "x:i2:1:1:1:1", "x:f8:1:1:4:1", "x:f8:1:1:0:1"])
def test_arrays_that_make_no_sense(programs, tmp_path, spec):
    with pytest.raises(BenchError, match="--arrays"):
        Launcher.from_environment(60).run(
            need_program("plain_arrays"), 2, tmp_path / "x", tmp_path / "r.json", arrays=spec
        )


@pytest.mark.long
def test_samewrite(programs, library, settings):
    given = settings(3)
    samewrite.run_samewrite_bench([40], given)
    results, document = results_of("samewrite", given)

    def writes(case, measure="first write"):
        return results[case]["counts"][measure]["writes"]

    assert writes("write calls of all") == [1, 1, 1]
    assert writes("Onecast, write_equal") == [1, 0, 0]
    assert writes("Onecast, write_equal, compact") == [0, 0, 0]
    assert writes("Onecast, write_equal, compact", "flush")[1:] == [0, 0]
    assert sum(writes("Onecast, write_all, collective")) == 1
    assert results["Onecast, write_equal"]["counts"]["first write"]["collectives"] == [0, 0, 0]
    assert {c["measure"] for c in document["contests"]} == {"first write", "further writes"}


@pytest.mark.long
def test_checkpoint(programs, library, settings):
    given = settings(2)
    checkpoint.run_checkpoint_bench(["flash"], 1, given)
    results, document = results_of("checkpoint", given)
    assert document["sizes"]["arrays"]["FLASH-like, 2 ranks"][23]["name"] == "variable 23"
    for case in (arrays.WRITE_CALLS, WRITE_ALL, f"{WRITE_ALL}, plain"):
        assert results[case]["counts"]["first write"]["writes"] == [24, 24]
    for result in results.values():
        written = result["counts"]["further writes"]["bytes_written"]
        assert sum(written) == 24 * 2 * 320 * 1024
    assert (given.out / "checkpoint.json").is_file()


def test_shapes_of_checkpoints():
    assert [checkpoint.grid_of(ranks) for ranks in (1, 2, 6, 7, 16)] == [
        (1, 1),
        (1, 2),
        (2, 3),
        (1, 7),
        (4, 4),
    ]
    assert sum(array.nbytes for array in checkpoint.wrf(6)) == 10 * 6 * 4096
    assert checkpoint.pop(3, 60)[0].nbytes == 180_000_000
    assert [array.nbytes for array in checkpoint.flash(2)] == [2 * 320 * 1024] * 24


def test_close(programs, library, settings):
    given = settings(3, steps=1)
    close.run_close_bench(5, given, ["changed"])
    results, _ = results_of("close", given)
    ours = results["Onecast"]["counts"]
    for measure in ("close after writing", "close, unmodified", "close, modified"):
        assert ours[measure]["truncates"] == [0, 0, 0]
        # Only one process has the file open.
        assert ours[measure]["writes"][1:] == [0, 0]
    assert ours["close, unmodified"]["writes"] == [0, 0, 0]
    if STOCK in results:
        collectives = results[STOCK]["by_collective"]["close, modified"]
        assert collectives["File_set_size"] == [1, 1, 1]


@pytest.mark.long
def test_close_after_truncation(programs, library, settings):
    given = settings(2, steps=1)
    close.run_close_bench(1, given, ["truncation"])
    results, _ = results_of("close-truncation", given)
    collectives = {case: r["by_collective"]["close after writing"] for case, r in results.items()}
    assert "File_set_size" not in collectives["MPI-IO: as it is"]
    assert collectives["MPI-IO: set_size"]["File_set_size"] == [1, 1]
    counts = results["MPI-IO: truncated by rank 0"]["counts"]["close after writing"]
    assert counts["truncates"] == [1, 0]
    assert results[WRITE_ALL]["counts"]["close after writing"]["truncates"] == [0, 0]


@pytest.mark.long
def test_metadata_before_the_close(programs, library, settings):
    """The bytes are the same whether the metadata lies between the large arrays or in blocks."""
    given = settings(2, steps=1)
    close.run_close_bench(1, given, ["metadata"])
    results, document = results_of("close-metadata", given)
    pieces = [a for a in document["sizes"]["arrays"].popitem()[1] if a["parts"] == [1, 1]]
    nbytes = sum(a["shape"][1] for a in pieces)
    assert max(a["shape"][1] for a in pieces) < 5 * 1024
    assert 1 << 20 < nbytes < 2 << 20

    def written(case):
        counts = results[f"MPI-IO: {case}"]["counts"]["flush + close"]
        return counts["writes"], sum(counts["bytes_written"])

    assert written("blocks of 1 MiB, one process, as it is") == ([2, 0], 2 << 20)
    assert written("blocks of 1 MiB, two processes, set_size") == ([1, 1], 2 << 20)
    assert written("scattered metadata, collective, as it is")[1] >= nbytes


@pytest.mark.long
def test_scattered_metadata_take_locks(programs, small_lab, settings):
    """In ROMIO's collective writes several nodes meet on a target."""
    given = settings(3, lab=small_lab, steps=1, stock=False, mpi_io=["romio341"])
    close.run_close_bench(1, given, ["metadata"])
    results, _ = results_of("close-metadata", given)

    def revoked(layout):
        steps = results[f"MPI-IO (romio341): {layout}, as it is"]["lab"]
        return lab.sum_steps([steps["flush"], steps["close"]]).revocations

    blocks = [revoked(name) for name in close.LAYOUTS if name.startswith("blocks")]
    assert max(blocks) <= 2
    assert revoked("scattered metadata, collective") > 4 * max(*blocks, 1)


@pytest.mark.long
def test_equal_reads(programs, library, settings):
    """Checks which rank reads for which. The programs compare every byte."""
    given = settings(3, steps=1)
    equal_reads.run_equal_reads_bench([64, 100_000], [2], 8192, given)
    results, _ = results_of("equal-reads", given)  # of the last size

    def reads(case):
        return results[case]["counts"]["read back"]["reads"]

    assert reads("MPI-IO, independent") == [1, 1, 1]
    assert reads("MPI-IO, one reads + a broadcast") == [1, 0, 0]
    assert reads(equal_reads.CHOSEN) == reads(equal_reads.BROADCAST) == [1, 0, 0]
    assert reads(equal_reads.PLAIN) == [1, 1, 1]
    assert max(results[equal_reads.CHOSEN]["memory"]["read back"]) < 1 << 20
    results, _ = results_of("equal-reads-groups", given)
    # Rank r reads part r + 1 of two: ranks 0 and 1 read one each, rank 2 reads that of rank 1.
    assert reads("MPI-IO, one of a group reads + sends") == [1, 1, 0]


def test_mesh(programs, library, settings):
    given = settings(2, steps=1)
    mesh.run_mesh_bench(1e-6, given)
    results, document = results_of("mesh", given)
    shapes = {a["name"]: a["shape"] for a in document["sizes"]["arrays"]["scale 1e-06, 2 ranks"]}
    assert shapes["ElementConnectivity"] == [34, 6]
    assert shapes["CoordinateX"] == shapes["Pressure"] == [204, 1]
    assert sum(results[WRITE_ALL]["counts"]["first write"]["bytes_written"]) == 34 * 24 + 204 * 48


def test_the_full_mesh():
    connectivity, *at_nodes = mesh.mesh(8, 1)
    assert connectivity.shape[0] == 33_500_000
    assert {array.shape[0] for array in at_nodes} == {201_000_000}


@pytest.mark.long
def test_in_a_lab(programs, small_lab, settings):
    given = settings(3, lab=small_lab, steps=1, stock=False)
    samewrite.run_samewrite_bench([40], given)
    results, _ = results_of("samewrite", given)
    equal = lab.sum_steps([results["Onecast, write_equal"]["lab"]["first"]])
    assert (equal.write_rpcs, equal.revocations, equal.nodes) == (1, 0, 1)
    checkpoint.run_checkpoint_bench(["wrf"], 1, given)
    results, _ = results_of("checkpoint", given)
    together = lab.sum_steps([results[f"{WRITE_ALL}, collective"]["lab"]["first"]])
    assert together.revocations <= 1  # the first page of metadata was rank 0's
    assert together.nodes_per_ost == 1
    plain = lab.sum_steps([results[f"{WRITE_ALL}, plain"]["lab"]["first"]])
    assert together.write_rpcs < plain.write_rpcs


def test_contests(make_report):
    def result(case, seconds):
        report = make_report()
        for step in report["steps"]:
            step["seconds"] = [seconds, seconds]
        return gather(case, "file", [report])

    forced = [result(name, 1.0 + i) for i, name in enumerate(map(cases.forced, cases.METHODS))]
    found = cases.contest_of([result(WRITE_ALL, 1.5), *forced], "create: fill", "all")
    assert (found.best, found.ratio) == ("plain", 1.5)
    assert str(found).endswith("TOO LONG")
    found = cases.contest_of([result(WRITE_ALL, 0.9), *forced], "create: fill", "all")
    assert "TOO LONG" not in str(found)
    assert cases.contest_of(forced, "create: fill", "all") is None
