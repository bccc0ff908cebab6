"""The benchmark of stripes: transfers aligned and shifted, and clients that queue."""

import json

import pytest

from onecast_bench import lab, stripes
from onecast_bench.cases import AUTO
from onecast_bench.programs import BenchError

MIB = 1 << 20


@pytest.fixture
def programs(need_programs):
    need_programs("plain_interleave", "onecast_interleave", "plain_arrays", "mpi_arrays")


def results_of(path):
    return json.loads(path.read_text())["results"]


@pytest.mark.long
def test_sizes(programs, library, settings):
    """The programs and the command compare every byte, even if the first transfer is shifted."""
    given = settings(3, steps=1)
    stripes.run_stripes_bench([MIB // 2, MIB // 4], 1, given, ["sizes", "queue"])
    found = {}
    for each in results_of(given.out / "stripes.json"):
        counts = each["result"]["counts"]["first small writes"]
        found[each["workload"], each["result"]["case"]] = counts["writes"]
        assert each["nbytes"] == (MIB if each["piece_bytes"] == MIB // 4 else 2 * MIB)
        assert sum(counts["bytes_written"]) == each["nbytes"]
    assert {workload for workload, _ in found} == {
        f"{size} KiB, {place}"
        for size in (256, 512)
        for place in ("aligned", "shifted by half a stripe")
    }
    assert found["256 KiB, aligned", "write calls"] == [2, 1, 1]
    assert found["512 KiB, shifted by half a stripe", "write calls"] == [2, 1, 1]
    assert found["512 KiB, shifted by half a stripe", "Onecast, write"] == [2, 1, 1]


def test_transfers_that_do_not_fit(settings):
    with pytest.raises(BenchError, match="not whole transfers of 3000 bytes"):
        stripes.run_stripes_bench([3000], 1, settings(1), ["sizes"])


def test_sizes_in_words():
    texts = [stripes.size_text(size) for size in (1000, 4096, 3 * MIB // 2, 64 * MIB)]
    assert texts == ["1,000 bytes", "4 KiB", "1,536 KiB", "64 MiB"]


def test_bytes_of_a_stripe():
    sizes = [lab.Lab(1, 1, text).stripe_bytes for text in ("65536", "64k", "1M")]
    assert sizes == [65536, 65536, MIB]


@pytest.mark.long
def test_sizes_in_a_lab(programs, small_lab, settings):
    """A shifted transfer of a stripe takes two RPCs; stripe owners write no stripe twice."""
    given = settings(2, lab=small_lab, steps=1, stock=False)
    stripes.run_stripes_bench([MIB], 4, given, ["sizes"])
    found = {
        (each["place"], each["result"]["case"]): lab.sum_steps([each["result"]["lab"]["further"]])
        for each in results_of(given.out / "stripes-lab.json")
    }
    aligned, shifted = stripes.ALIGNED, stripes.SHIFTED
    assert found[aligned, "write calls"].write_rpcs == 4
    assert found[aligned, "write calls"].nodes_per_ost == 1
    assert found[shifted, "write calls"].write_rpcs == 8
    assert found[shifted, "write calls"].nodes_per_ost == 2
    assert found[aligned, AUTO].write_rpcs == 4
    assert found[shifted, AUTO].write_rpcs == 5
    assert all(0 < counts.balance <= 1 for counts in found.values())


@pytest.mark.long
def test_clients_that_queue(programs, small_lab, settings):
    """The same clients write the same bytes to the same targets; only the time differs. A client
    waits for each of its stripes, so the last target begins two stripes after the first."""
    given = settings(3, lab=small_lab, steps=1, stock=False)
    stripes.run_stripes_bench([], 1, given, ["queue"])
    found = {
        each["result"]["case"]: each["result"]["lab"]["further"]
        for each in results_of(given.out / "stripes-queue-lab.json")
    }
    stripe = 100_000_000
    for case in (stripes.ALL_AT_FIRST, stripes.EACH_ANOTHER, AUTO):
        assert [ost["busy_ns"] for ost in found[case]["osts"]] == [3 * stripe] * 3
    assert found[stripes.ALL_AT_FIRST]["any_busy_ns"] >= 5 * stripe
    assert found[stripes.ALL_AT_FIRST]["balance"] <= 0.6
    assert found[stripes.EACH_ANOTHER]["balance"] > found[stripes.ALL_AT_FIRST]["balance"]
    # Whole stripes go to their owners, without a request, too: no node takes another's lock.
    for case in (AUTO, "Onecast, write_all, collective"):
        assert sorted(ost["writers"] for ost in found[case]["osts"]) == [[0], [1], [2]]
        assert found[case]["total"]["revocations"] == 0
        assert found[case]["balance"] > found[stripes.ALL_AT_FIRST]["balance"]
    assert (given.out / "stripes-queue-written.png").is_file()
