"""Programs end without closing their files."""

import subprocess
import sys
from pathlib import Path

import cgns_writers as writers
import pytest
from cgns_libraries import READ, STOCK, library
from cgns_programs import ask

PROGRAM = """
import os, sys
sys.path.insert(0, {support!r})
import cgns_writers as writers
from cgns_libraries import MODIFY, library
from cgns_programs import ask
lib = library({kind!r})
file, base, zone = writers.one_zone(lib, {path!r})
ask(lib, "cg_sol_write", file, base, zone, "Solution", 2, give="int")
{end}
"""
ENDS = {
    "no close": "",
    "cg_error_exit": "lib.cg_error_exit()",
    "a forked process, too": "if os.fork() == 0: sys.exit()\nos.wait()",
}


def run(kind, path, end):
    support = str(Path(writers.__file__).parent)
    program = PROGRAM.format(support=support, kind=kind, path=str(path), end=end)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def solutions(lib, path):
    file = writers.opened(lib, path, READ)
    found = ask(lib, "cg_nsols", file, 1, 1, give="int")
    lib.cg_close(file)
    return found


@pytest.mark.parametrize("end", ENDS)
def test_what_was_written_is_kept(lib, tmp_path, end):
    path = tmp_path / "file.cgns"
    done = run("ours", path, ENDS[end])
    assert done.returncode == (1 if end == "cg_error_exit" else 0), done.stderr
    assert "not closed" not in done.stderr
    assert solutions(lib, path) == 1
    for kind in STOCK:
        assert solutions(library(kind), path) == 1
