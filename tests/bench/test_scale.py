"""`onecast bench scale`, scaled down: the counts of every rank, and that few of them grow."""

import json
from math import log2

import pytest

import onecast
from onecast_bench import scale, scale_tables
from onecast_bench.programs import find_program

BASES, ZONES = 4, 8


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Returns for 64 and 256 ranks, on nodes of 32, the steps by name."""
    if find_program("onecast_scale") is None:
        pytest.skip("onecast_scale is not built")
    found = {}
    for ranks in (64, 256):
        work = tmp_path_factory.mktemp("scale")
        sizes = scale.Sizes(BASES, ZONES, BASES, ranks, block=4096, equal=65536)
        runner = scale.Runner(sizes, processes=2, work=work, timeout=300)
        found[ranks] = {step.step: step for step in runner.run_all(ranks, 32)}, work
    return found


@pytest.mark.parametrize("ranks", [64, 256])
def test_only_rank_0_touches_the_file_of_metadata(runs, ranks):
    steps, _ = runs[ranks]
    # Rank 0 writes the run of pages, page 0, and the last byte, which makes the file as long as
    # its addresses.
    for name, reads, writes in (
        ("create", 0, 0),
        ("flush", 0, 2),
        ("close", 0, 0),
        ("open", 1, 0),
        ("read", 0, 0),
        ("close after reading", 0, 0),
    ):
        step = steps[name]
        assert (step.reads, step.writes) == ((reads, 0), (writes, 0)), step
        assert step.opens[1] == 0, step


@pytest.mark.parametrize("ranks", [64, 256])
def test_few_collective_calls(runs, ranks):
    steps, _ = runs[ranks]
    assert [steps[name].collectives for name in ("create", "flush", "close")] == [2, 4, 1]
    assert steps["open"].collectives == 4
    assert [steps[name].collectives for name in ("read", "close after reading")] == [0, 0]
    assert [steps[name].collectives for name in ("write_all", "write_all, equal")] == [1, 1]


def test_as_few_collective_calls_where_nodes_share_pages(tmp_path, monkeypatch):
    if find_program("onecast_scale") is None:
        pytest.skip("onecast_scale is not built")
    monkeypatch.setenv("ONECAST_SHARE_FROM", "4096")
    sizes = scale.Sizes(BASES, ZONES, BASES, 64, block=4096, equal=65536)
    runner = scale.Runner(sizes, processes=2, work=tmp_path, timeout=300)
    steps = runner.run(64, 32, "create", "shared.h5", BASES)
    assert [step.collectives for step in steps] == [2, 4, 1]
    steps = runner.run(64, 32, "open_read", "shared.h5", BASES)
    assert [step.collectives for step in steps] == [4, 0, 0]


@pytest.mark.parametrize("ranks", [64, 256])
def test_each_rank_writes_and_reads_its_block(runs, ranks):
    steps, _ = runs[ranks]
    assert steps["write_all"].writes == (1, 1)
    assert steps["read_all"].reads == (1, 1)
    assert sum(steps["write_all, equal"].writes) == 1
    assert steps["read_all, equal"].reads[1] == 0


def test_messages_grow_with_the_logarithm_of_the_ranks(runs):
    """A step of all ranks takes at most a message each way in each level of a tree."""
    few, many = runs[64][0], runs[256][0]
    for name, step in many.items():
        assert step.messages <= 2 * (step.collectives + 1) * log2(256), step
        more = step.messages - few[name].messages
        assert more <= 2 * (step.collectives + 1) * (log2(256) - log2(64)), step
        assert step.node_messages <= 2 * 32 * (step.collectives + 1), step


def test_the_file_is_that_of_one_rank(runs):
    for _, work in runs.values():
        with onecast.File(work / "created.h5") as f:
            assert len(f) == BASES
            assert f["Base2/Zone3/ data"][0, 0] == (1 * ZONES + 2) * 9
        assert (work / "created.h5").read_bytes() == (work / "read.h5").read_bytes()


def test_limits_name_what_exceeds_them(runs):
    steps = list(runs[64][0].values())
    bars = scale.bars_of(steps, pages=1 << 16)
    assert {bar.what for bar in bars if not bar.is_kept} <= {
        bar.what for bar in bars if bar.what.startswith("memory")
    }
    assert not scale.Bar("reads", 2, 1).is_kept


def test_table_picture_and_json(runs, tmp_path):
    steps = [scale.asdict(step) for ranks in runs for step in runs[ranks][0].values()]
    counts = [
        {"setting": "default", "phase": "open and read", "reads": [1000, 1000], "broadcasts": 0},
        {"setting": "best", "phase": "open and read", "reads": [900, 0], "broadcasts": 900},
    ]
    assert scale_tables.stock_sentences(counts, 8192)[0].endswith("on 8,192 ranks 8,192,000 reads")
    assert scale_tables.stock_sentences(counts, 8192)[1].endswith("on 8,192 ranks 900 reads")
    pytest.importorskip("matplotlib")
    scale_tables.draw(steps, counts, tmp_path / "scale.svg")
    assert (tmp_path / "scale.svg").stat().st_size > 0
    json.dumps(steps)
