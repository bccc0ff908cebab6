"""The examples run to their end."""

import hashlib
import runpy
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "events"


def test_write_columns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / "write_columns.py"))
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("3000 events: run, ") and len(printed) == 4


def test_parallel_analysis(tmp_path, mpirun):
    printed, digests = set(), set()
    for ranks in (1, 3):
        printed.add(mpirun(ranks, (EXAMPLES / "parallel_analysis_mpi.py").read_text()))
        digests.add(hashlib.sha256((tmp_path / "muons.h5").read_bytes()).hexdigest())
    assert len(printed) == len(digests) == 1
    (lines,) = printed
    assert sum(int(line.split()[-1]) for line in lines.splitlines()) > 9_000
