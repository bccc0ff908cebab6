"""The costs of Onecast's collective writes on a striped file system: requests and revoked locks"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.usefixtures("ranks"), pytest.mark.long]

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, str(ROOT / "lab" / "run.py")]
RANDOM = [sys.executable, str(ROOT / "tests" / "support" / "random_transfers.py")]
WRITE = [sys.executable, str(Path(__file__).with_name("write_together.py"))]
MIB = 1 << 20


def counters_of(
    osts: int, piece: int, mib: int, *layout: str, stripe: str = "1M", **options
) -> dict:
    command = [*RUN, "--nodes", "8", "--osts", str(osts), "--stripe-size", stripe, "--quiet"]
    command += ["--", *WRITE]
    command += ["{lab}/file.h5", str(piece), str(mib * MIB // piece), json.dumps(options), *layout]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "osts, piece, mib",
    [(4, 4096, 4), (3, 4096, 6), (5, 512, 5), (7, 4096, 14), (13, 4096, 13), (4, 4096, 64)],
)
def test_interleaved_pieces(osts, piece, mib):
    """Eight nodes write in turns: there are as many requests as stripes, no lock is revoked, and
    one node writes each storage target."""
    found = counters_of(osts, piece, mib)
    assert found["total"]["write_bytes"] == mib * MIB
    assert found["total"]["write_rpcs"] == mib
    assert found["total"]["revocations"] == 0
    assert found["total"]["read_rpcs"] == 0
    assert [len(ost["writers"]) for ost in found["osts"]] == [1] * osts


@pytest.mark.parametrize("layout, mib, requests", [("PROGRESSIVE", 31, 31), ("POOL", 6, 7)])
def test_layouts_of_other_kinds(layout, mib, requests):
    """Each part of a composite layout is dealt by its own stripes."""
    found = counters_of(5, 4096, mib, layout)["total"]
    assert found["write_bytes"] == mib * MIB
    assert found["write_rpcs"] == requests
    assert found["revocations"] == 0


@pytest.mark.parametrize("osts, mib", [(3, 6), (4, 64), (5, 10), (7, 14), (13, 26)])
def test_three_aggregators(osts, mib):
    """Each target still belongs to one node, even if their number is not a multiple of three."""
    options = {"hints": {"cb_nodes": 3}} if osts == 4 else {"aggregators": 3}
    found = counters_of(osts, 4096, mib, **options)
    total = found["total"]
    assert (total["write_rpcs"], total["write_bytes"]) == (mib, mib * MIB)
    assert (total["revocations"], total["read_rpcs"]) == (0, 0)
    assert [len(ost["writers"]) for ost in found["osts"]] == [1] * osts
    assert len(set().union(*(ost["writers"] for ost in found["osts"]))) == 3


@pytest.mark.parametrize("stripe", ["256k", "4M"])
def test_metadata_is_not_in_the_way(stripe):
    """The first page has a stripe of its own, for any size of stripes."""
    found = counters_of(4, 4096, 16, stripe=stripe)
    assert found["total"]["revocations"] == 0
    assert found["total"]["write_bytes"] == 16 * MIB
    assert [len(ost["writers"]) for ost in found["osts"]] == [1] * 4


def test_random_transfers():
    """Transfers of all kinds run on real stripes and nodes."""
    command = [*RUN, "--nodes", "4", "--ranks", "7", "--stripe-size", "64k", "--quiet", "--"]
    command += [*RANDOM, "{lab}", "--seed", "700", "--count", "30", "--as-it-is"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "30 files\n"
