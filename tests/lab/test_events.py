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
MOST_RPCS = 1.1  # for each MiB: the aim (bench/events/README.md)
# With so many events, metadata and requests that are cut at stripes matter little.
EVENTS = 3000
SERVERS = 4
KEPT = 100  # are repeated from memory
EVENT_BYTES = 17 * 6000  # or slightly more


def written_in_lab(tmp_path, outputer):
    """Returns the counters of four nodes that write one file."""
    if not PROGRAM.is_file():
        pytest.skip("needs onecast-events")
    report = tmp_path / "lab.json"
    source = f"TestProducts::events={KEPT}::products=17::size=6300::spread=0.9"
    command = [*RUN, "--nodes", "4", "--osts", str(SERVERS), "--quiet", "--json", str(report), "--"]
    command += [str(PROGRAM), "run", "-q", "-o", outputer]
    command += ["-s", f"Replay={source}:count={KEPT}:events={EVENTS}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return json.loads(report.read_text())["total"]


@pytest.mark.parametrize("options", ["", ":compression=zstd"])
@pytest.mark.parametrize("outputer", ["HDF5Event", "HDF5Batch", "HDF5Product"])
def test_many_ranks_write_one_file(tmp_path, outputer, options):
    """One node writes each stripe, including the byte that extends the file to its end of
    address."""
    total = written_in_lab(tmp_path, f"{outputer}={{lab}}/out.h5{options}")
    assert total["write_bytes"] > EVENTS * EVENT_BYTES * (0.5 if options else 1)
    assert total["revocations"] == 0
    assert total["write_rpcs"] <= MOST_RPCS * total["write_bytes"] / MIB


def test_many_ranks_write_compressed_columns(tmp_path):
    """Rank 0 reads the identities that others have written, to make their index. For any number of
    events this revokes at most as many locks as there are servers."""
    total = written_in_lab(tmp_path, "HDF5Columnar={lab}/out.h5:compression=zstd")
    assert total["write_bytes"] > EVENTS * EVENT_BYTES * 0.4
    assert total["revocations"] <= SERVERS
    assert total["write_rpcs"] <= MOST_RPCS * total["write_bytes"] / MIB
