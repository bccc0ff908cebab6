"""A writer raises an error in a forked process, and the file is that of the first process."""

import subprocess
import sys

import pytest

from onecast import events

PROGRAM = """
import os, sys
import numpy as np
from onecast import events

def child(end):
    if os.fork() == 0:
        for call in (lambda: writer.append({"x": np.ones(1000)}), writer.flush, writer.close):
            try:
                call()
            except ValueError as error:
                assert "opened by another process" in str(error), error
            else:
                os._exit(1)
        try:
            with writer:
                raise KeyError("of the program")
        except KeyError:
            end(0)
    assert os.wait()[1] == 0

writer = events.create(sys.argv[1], chunk_bytes=800)
writer.append({"x": np.arange(500.0)})
for number in range(2):
    child(END)
    writer.append({"x": np.arange(500.0)})
    writer.flush()
child(END)
writer.close()
"""


@pytest.mark.parametrize("end", ["sys.exit", "os._exit"])
def test_a_forked_process(path, end):
    program = [sys.executable, "-W", "ignore", "-c", PROGRAM.replace("END", end), str(path)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert events.check(path, data=True) == []
    with events.open(path) as opened:
        assert opened["x"].to_list() == [float(n) for _ in range(3) for n in range(500)]
