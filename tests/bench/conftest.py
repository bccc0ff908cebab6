"""Helpers for the benchmark's tests: made-up reports, and the package where it is not installed."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))


@pytest.fixture
def library():
    """Returns the path of the counting library."""
    from onecast_bench.programs import find_program

    found = find_program("libiocount.so")
    if found is None:
        pytest.skip("libiocount.so is not built")
    return found


@pytest.fixture
def need_programs():
    """need_programs(name...) skips the test if one of them is not built, or there is no mpiexec."""
    from onecast_bench.programs import find_program

    def need(*names: str) -> None:
        for name in names:
            if find_program(name) is None:
                pytest.skip(f"{name} is not built")
        if shutil.which(shlex.split(os.environ.get("MPIEXEC", "mpiexec"))[0]) is None:
            pytest.skip("no mpiexec")

    return need


@pytest.fixture
def settings(tmp_path):
    """settings(ranks, **others) describes a run of a benchmark of transfers with results in
    tmp_path."""
    from onecast_bench.cases import Settings

    def make(ranks: int, **others) -> Settings:
        usual = {
            "steps": 2,
            "repeats": 1,
            "out": tmp_path,
            "directory": None,
            "stock": True,
            "mpi_io": ["own"],
            "lab": None,
            "timeout": 120,
        }
        return Settings(ranks=[ranks], **usual | others)

    return make


@pytest.fixture
def small_lab():
    from onecast_bench import lab
    from onecast_bench.programs import BenchError

    try:
        lab.find_lab()
    except BenchError as error:
        pytest.skip(str(error))
    return lab.Lab(nodes=3, osts=2, stripe_size="1M")


def make_step(phase: str, name: str, seconds: list[float], **counts: list[int]) -> dict:
    from onecast_bench.results import COUNTERS

    none = [0] * len(seconds)
    all_counts = {counter: counts.get(counter, none) for counter in COUNTERS}
    all_counts["by_collective"] = (
        {"Bcast": counts["collectives"]} if "collectives" in counts else {}
    )
    each = {
        "seconds": seconds,
        "cpu": seconds,
        "memory": [4096] * len(seconds),
        "counts": all_counts,
    }
    return {"phase": phase, "step": name, **each}


@pytest.fixture
def make_report():
    """Returns a program's report for two ranks, of open_read only or of everything."""

    def make(scale: float = 1.0, reads: int = 5, digest: str = "ab") -> dict:
        return {
            "library": "library",
            "mpi": "mpi",
            "ranks": 2,
            "file_bytes": 10,
            "steps": [
                make_step("create", "fill", [scale, 2 * scale], writes=[3, 1]),
                make_step(
                    "create", "flush", [scale, 0.5 * scale], writes=[1, 0], collectives=[2, 2]
                ),
                make_step("create", "close", [0.0, 0.0]),
                make_step("open_read", "open", [0.1, 0.2], opens=[1, 0], collectives=[1, 1]),
                make_step("open_read", "read", [scale, scale], reads=[reads, 0]),
            ],
            "contents": {
                "ranks_agree": True,
                "digest": digest,
                "groups": 1,
                "datasets": 2,
                "attributes": 3,
                "value_bytes": 4,
                "unreadable": 0,
            },
        }

    return make
