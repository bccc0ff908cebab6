"""A complete checkpoint on a striped file system, from creating the file to closing it"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.usefixtures("ranks"), pytest.mark.long]

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, str(ROOT / "lab" / "run.py"), "--nodes", "8", "--quiet"]
OURS = [sys.executable, str(Path(__file__).with_name("checkpoint.py"))]
MIB = 1 << 20


FILE = "{lab}/file.h5"


def run(program: list[str], *options: str) -> str:
    command = [*RUN, *options, "--", *program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("osts, stripe", [(4, 1024), (4, 256), (5, 4096), (3, 192)])
def test_nobody_takes_a_lock_away(osts, stripe):
    """One node writes the data and metadata of each target, nothing is read, and there is one RPC
    for each stripe."""
    found = json.loads(
        run([*OURS, FILE, "4", "4096"], "--osts", str(osts), "--stripe-size", f"{stripe}k")
    )
    total = found["total"]
    assert total["revocations"] == 0
    assert total["read_rpcs"] == 0
    assert total["lock_enqueues"] == osts
    assert [len(ost["writers"]) for ost in found["osts"]] == [1] * osts
    # There are few pages of metadata, and a block of texts.
    assert 32 * MIB < total["write_bytes"] <= 32 * MIB + 4 * found["page_size"] + 4096
    assert found["page_size"] == 4096
    # RPCs are full, except at both ends of an object. If a dataset is not a whole number of
    # stripes, a hole follows it.
    holes = 8 if 4096 % stripe else 0
    assert total["write_rpcs"] <= 32 + 3 + 2 * osts + holes
    if stripe == 1024:
        assert total["write_rpcs"] == 32 + 2


@pytest.mark.parametrize("io", ["romio341", "ompio"])
def test_stock_beside_it(monkeypatch, tmp_path, io):
    """lab/README.md has the numbers."""
    program = Path(os.environ["ONECAST_BUILD_DIR"]) / "bench" / "lab_checkpoint"
    if not program.is_file():
        pytest.skip("lab_checkpoint is not built (no parallel HDF5)")
    monkeypatch.setenv("OMPI_MCA_io", io)
    report = str(tmp_path / "report.json")
    work = ["--file", FILE, "--json", report, "--bases", "4", "--zones", "4096"]
    run([str(program), *work], "--json", str(tmp_path / "counters"))
    total = json.loads((tmp_path / "counters").read_text())["total"]
    assert total["write_bytes"] >= 32 * MIB
    assert total["write_rpcs"] > 34
