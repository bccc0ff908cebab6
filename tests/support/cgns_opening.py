"""Finds which files a CGNS library opens."""

import subprocess
import sys
from pathlib import Path

from cgns_libraries import library

PROGRAM = """
import sys
sys.path.insert(0, {support!r})
import cgns_writers as writers
from cgns_libraries import READ, CgnsError, library
for path in sys.argv[2:]:
    try:
        writers.opened(library(sys.argv[1]), path, READ)
        print(1)
    except CgnsError:
        print(0)
"""


def opened_by(kind, paths):
    """Returns the files that the library opens. It runs in another process, since refused files
    stay open."""
    library(kind)  # skips the test if the library is missing
    program = PROGRAM.format(support=str(Path(__file__).parent))
    command = [sys.executable, "-c", program, kind, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line == "1" for line in done.stdout.splitlines()]
