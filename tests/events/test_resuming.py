"""Jobs are interrupted and killed at random, and continue behind what they left."""

import os
import random
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from event_files import PROGRAM, convert, events_program
from on_ranks import mpiexec, require_ranks

pytestmark = pytest.mark.long

OUTPUTERS = [
    "HDF5Event",
    "HDF5Event=:compression=zstd:unit=chunk:batch=5",
    "HDF5Batch=:compression=lz4:unit=both:flush=1",
    "HDF5Batch=:compression=zstd:batch=5",
    "HDF5Product=:batch=5",
    "HDF5Product=:compression=zstd:batch=1",
]


def processes_with(name):
    """Returns the processes with the name in their commands."""
    pids = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # the process has ended
            if name.encode() in command.read_bytes():
                pids.append(int(command.parent.name))
    return pids


def ended_at_random(chance, command, name):
    """Ends the job, or one of its processes, after some time, or not at all. The command of each
    process contains `name`."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as job:
        try:
            job.wait(timeout=0.3 + chance.random())
            return
        except subprocess.TimeoutExpired:
            pass
        how = chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        pids = processes_with(name) or [job.pid]
        for pid in pids if chance.random() < 0.5 else [chance.choice(pids)]:
            with suppress(ProcessLookupError):  # a rank ends when another one does
                os.kill(pid, how)
        job.wait(timeout=60)


def events_in(path):
    """Returns the number of events that a job left; None if it was killed before the file was
    valid."""
    done = subprocess.run([PROGRAM, "ls", path], capture_output=True, text=True)
    found = re.search(r"^(\d+) events", done.stdout, re.MULTILINE)
    return int(found[1]) if found else None


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_the_parts_have_all_events(tmp_path, outputer, ranks):
    if ranks > 1:
        require_ranks()
    whole, joined, back = (tmp_path / name for name in ("whole.pds", "joined.h5", "back.pds"))
    source = "TestProducts:events=600:size=300:products=3:spread=1:lumi=7:run=3:first=5000000000"
    convert(source, f"PDS={whole}")
    name, _, options = outputer.partition("=")
    chance = random.Random(outputer)
    parts, done = [], 0
    for number in range(30):
        path = tmp_path / f"part{number}.h5"
        arguments = ["run", "-q", "-s", f"PDS={whole}", "-o", f"{name}={path}{options}"]
        arguments += ["--first", done, "-t", 2, "-l", 3, "-w", "Uneven:time=3000"]
        start = mpiexec(ranks) if ranks > 1 else []
        ended_at_random(chance, [*start, PROGRAM, *map(str, arguments)], str(path))
        if count := events_in(path):
            parts.append(path)
            done += count
        if done == 600:
            break
    assert done == 600
    events_program("cat", joined, *parts)
    events_program("check", joined)
    events_program("convert", "-q", joined, back)
    assert back.read_bytes() == whole.read_bytes()
