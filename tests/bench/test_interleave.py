"""The benchmark of interleaved writes: all cases run, with the expected calls."""

import json

import numpy as np
import pytest

from onecast_bench import interleave, lab
from onecast_bench.programs import BenchError, Launcher
from onecast_bench.results import gather

MIB = 1 << 20
COLLECTIVE, INDEPENDENT = "Onecast, write_all", "Onecast, write"


@pytest.fixture
def mpi(need_programs):
    need_programs("plain_interleave", "onecast_interleave")


def run(settings, piece, mib=1):
    interleave.run_interleave_bench([piece], mib, settings)
    name = "interleave-lab.json" if settings.lab else "interleave.json"
    results = json.loads((settings.out / name).read_text())["results"]
    assert {each["piece_bytes"] for each in results} == {piece}
    return {each["result"]["case"]: each["result"] for each in results}


@pytest.mark.parametrize("ranks", [pytest.param(1, marks=pytest.mark.long), 3])
def test_counts(mpi, library, settings, ranks):
    results = run(settings(ranks), 4096)
    pieces = [len(range(rank, 256, ranks)) for rank in range(ranks)]

    def counts(case, measure=interleave.FIRST):
        return results[case]["counts"][measure]

    for measure in (interleave.FIRST, interleave.FURTHER):
        assert counts("MPI-IO, independent", measure)["writes"] == pieces
        assert sum(counts("MPI-IO, collective", measure)["bytes_written"]) == MIB
        # The pieces of a single rank are contiguous.
        alone = [1] if ranks == 1 else pieces
        assert counts(INDEPENDENT, measure)["writes"] == alone
        # The MiB lies in two stripes, since metadata comes before it.
        assert sum(counts(COLLECTIVE, measure)["writes"]) == min(ranks, 2)
        assert sum(counts(COLLECTIVE, measure)["bytes_written"]) == MIB
        for method in ("plain", "independent"):
            assert counts(f"{COLLECTIVE}, {method}", measure)["writes"] == alone
        assert (
            counts(f"{COLLECTIVE}, collective", measure)["bytes_written"]
            == (counts(COLLECTIVE, measure)["bytes_written"])
        )
    assert counts("MPI-IO, collective")["collectives"] == [1] * ranks
    assert counts(INDEPENDENT)["collectives"] == [0] * ranks


@pytest.mark.long
def test_more_ranks_than_pieces(mpi, settings):
    """Some ranks have nothing to write."""
    assert COLLECTIVE in run(settings(3, steps=1), MIB // 2)


@pytest.mark.long
def test_large_writes_are_counted(mpi, library, settings):
    """Some MPIs write them asynchronously."""
    results = run(settings(2, steps=1, stock=False), 65536, mib=40)
    for result in results.values():
        assert sum(result["counts"][interleave.FIRST]["bytes_written"]) == 40 * MIB


@pytest.mark.long
def test_in_a_lab(mpi, small_lab, settings):
    results = run(settings(3, lab=small_lab, steps=1), 4096, mib=4)
    ours = lab.sum_steps([results[COLLECTIVE]["lab"]["first"]])
    assert ours == lab.LabCounts(4, 4 * MIB, 0, 0, nodes=2, nodes_per_ost=1)
    independent = lab.sum_steps([results[INDEPENDENT]["lab"]["first"]])
    assert (independent.write_rpcs, independent.nodes_per_ost) == (1024, 3)
    assert sorted(results[COLLECTIVE]["lab"]) == ["close", "create", "first"]


def test_both_make_the_same_bytes():
    pieces = interleave.expected(1000, 64, steps=5)
    assert pieces[300, 8] == 300 % 256 + 8 * 7
    assert pieces[300, 5] == 300 // 256 + 5 * 7
    assert (pieces[:, 0] == 4).all()
    # No piece may take the place of another.
    assert len(np.unique(pieces, axis=0)) == 1000


def test_a_wrong_byte_is_told(tmp_path):
    pieces = interleave.expected(8, 64, steps=1)
    file = tmp_path / "pieces.bytes"
    wrong = pieces.copy()
    wrong[7, 9] ^= 1
    wrong.tofile(file)
    with pytest.raises(BenchError, match="not what the ranks wrote"):
        interleave.check_file(file, pieces, "case")


def test_pieces_that_do_not_fit(settings):
    with pytest.raises(BenchError, match="not whole pieces of 3000 bytes"):
        run(settings(1), 3000)


def test_counters_of_steps_are_summed():
    step = {"write_rpcs": 3, "write_bytes": 9, "read_rpcs": 1, "revocations": 2}

    def counters(any_busy, *osts):
        each = [
            {"ost": number, "writers": writers, "busy_ns": busy}
            for number, (writers, busy) in enumerate(osts)
        ]
        return {"total": step, "osts": each, "any_busy_ns": any_busy}

    first = counters(40, ([0, 1], 30), ([], 10))
    second = counters(10, ([1, 2], 0), ([4], 10))
    assert lab.sum_steps([first, second]) == lab.LabCounts(6, 18, 2, 4, 4, 3, balance=0.5)
    idle = counters(0, ([0], 0), ([0], 0))
    assert lab.sum_steps([idle]).balance is None


def test_reports_without_a_lab(make_report):
    assert gather("case", "subject", [make_report()]).lab is None


def test_launchers_set_the_environment(tmp_path):
    launcher = Launcher(["mpiexec"], None, environment=("A=b",))
    command = launcher.command(tmp_path / "program", 2, tmp_path / "file", [])
    assert command[:5] == ["mpiexec", "-n", "2", "env", "A=b"]
