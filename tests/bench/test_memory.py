"""`onecast bench memory`, scaled down: collective calls stay within their budget."""

import json

import pytest

import onecast
import onecast_bench.memory as memory


@pytest.mark.long
@pytest.mark.skipif(not onecast.have_mpi, reason="needs MPI")
def test_calls_stay_within_their_budget(need_programs, tmp_path):
    need_programs()
    pytest.importorskip("mpi4py")
    within = memory.run_memory_bench(
        ranks=8,
        mib=8,
        buffer_mib=1,
        pieces=[4096, 1 << 20],
        out=tmp_path,
        directory=None,
        timeout=100,
    )
    found = json.loads((tmp_path / "memory.json").read_text())["results"]
    assert within, found
    assert [(r["call"], r["storage"], r["piece_bytes"]) for r in found] == [
        (call, storage, piece)
        for storage in ("contiguous", "filtered chunks")
        for piece in (4096, 1 << 20)
        for call in ("write_all", "read_all", "independent()")
    ]
    assert all(len(r["peaks"]) == 8 for r in found)
    assert found[0]["how"].startswith("write_all: collective")


def test_what_does_not_fit_is_refused(tmp_path):
    with pytest.raises(memory.BenchError, match="whole pieces"):
        memory.run_memory_bench(2, 1, 1, [3000], tmp_path, None, 10)
