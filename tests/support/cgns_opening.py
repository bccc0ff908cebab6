"""Which files a CGNS library opens."""

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
    """Which of them the library opens. In a process of its own: what it refuses stays open."""
    library(kind)  # skips the test where there is none
    program = PROGRAM.format(support=str(Path(__file__).parent))
    command = [sys.executable, "-c", program, kind, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line == "1" for line in done.stdout.splitlines()]
