"""Ranks on several nodes write events to one file of a striped file system."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from event_files import PROGRAM

pytestmark = [pytest.mark.usefixtures("ranks"), pytest.mark.long]

RUN = [sys.executable, str(Path(__file__).parents[2] / "lab" / "run.py")]
MIB = 1 << 20
SOURCE = "TestProducts:events=600:products=17:size=6300:spread=0.9"


@pytest.mark.parametrize(
    "outputer, options, most",
    [
        ("HDF5Event", "", 1.1),
        ("HDF5Product", "", 1.4),
        ("HDF5Event", ":compression=zstd", 1.2),
        ("HDF5Product", ":compression=zstd", 1.2),
    ],
)
def test_many_ranks_write_one_file(tmp_path, outputer, options, most):
    """Each stripe is written by one node, also the byte that makes the file as long as it says.
    Chunks of the layout product have ends without bytes, so that its requests are smaller."""
    if not PROGRAM.is_file():
        pytest.skip("needs onecast-events")
    report = tmp_path / "lab.json"
    command = [*RUN, "--nodes", "4", "--osts", "4", "--quiet", "--json", str(report), "--"]
    command += [
        str(PROGRAM),
        "run",
        "-q",
        "-s",
        SOURCE,
        "-o",
        f"{outputer}={{lab}}/out.h5{options}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    total = json.loads(report.read_text())["total"]
    assert total["write_bytes"] > 600 * 17 * 6000 * (0.5 if options else 1)
    assert total["revocations"] == 0
    assert total["write_rpcs"] <= most * total["write_bytes"] / MIB + 4
