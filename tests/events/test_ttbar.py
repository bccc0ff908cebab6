"""The events of a generator, for benchmarks"""

import os
import subprocess
import sys

import numpy as np
import pytest
from event_files import ROOT, events_of, events_program


def test_top_quark_pairs(tmp_path):
    path = tmp_path / "t.pds"
    command = [
        os.environ.get("ONECAST_PYTHIA_PYTHON", sys.executable),
        ROOT / "bench/events/ttbar.py",
        path,
        "--events",
        "2",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    if "not installed" in done.stderr:
        pytest.skip("PYTHIA is not installed: pip install pythia8mc")
    assert done.returncode == 0, done.stderr
    first = path.read_bytes()
    events = events_of(f"PDS={path}")
    assert [event[:3] for event in events] == [(1, 1, 1), (1, 1, 2)]
    for event in events:
        products = event[3]
        assert len(products) == 17 and 50_000 < sum(map(len, products.values())) < 300_000
        ids = np.frombuffer(products["id"], "<i4")
        assert {6, -6} <= set(ids.tolist())  # top and antitop
        final = np.frombuffer(products["status"], "<i4") > 0
        energy = np.frombuffer(products["e"], "<f4")[final].sum(dtype="f8")
        assert abs(energy - 13000) < 10
    assert subprocess.run(command, capture_output=True, cwd=tmp_path).returncode == 0
    assert path.read_bytes() == first
    assert "no problem" in events_program("check", path)
