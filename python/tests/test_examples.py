"""The Python examples run to their end."""

import hashlib
import runpy
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_write_and_read(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / "write_and_read.py"))
    assert "base/zone 1/x" in capsys.readouterr().out


def test_parallel_write(tmp_path, mpirun):
    digests = set()
    for ranks in (1, 3):
        mpirun(ranks, (EXAMPLES / "parallel_write_mpi.py").read_text())
        digests.add(hashlib.sha256((tmp_path / "parallel_write.h5").read_bytes()).hexdigest())
    assert len(digests) == 1
