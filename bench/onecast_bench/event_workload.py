"""The events that `onecast bench events` writes."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from onecast_bench.event_program import run_program
from onecast_bench.programs import BenchError

CHECKOUT = Path(__file__).resolve().parents[2]
TTBAR = CHECKOUT / "build" / "ttbar.pds"  # made once
MADE = "TestProducts:events=40:products=17:size=6300:spread=0.9"  # 107 KB an event
MOST_KEPT = 100  # different events, repeated from memory
HOW_TO_GET_TTBAR = """\
Events are random numbers. For top quark pairs of PYTHIA, run once in the checkout:
  python3 -m venv .venv/pythia
  .venv/pythia/bin/pip install -r tools/requirements-pythia.txt
  .venv/pythia/bin/python bench/events/ttbar.py build/ttbar.pds"""


@dataclass(frozen=True)
class Workload:
    """The events to write. `kept` of them are held in memory and repeated."""

    events: int
    source: str  # the source of the repeated events
    kept: int  # the number of repeated events
    products: tuple[str, ...]
    event_bytes: int

    @property
    def replayed(self) -> str:
        inner = self.source.replace(":", "::")
        return f"Replay={inner}:count={self.kept}:events={self.events}"


def top_quark_pairs() -> Path | None:
    """Returns the file of top quark pairs, which is made if PYTHIA is installed; else None."""
    if not TTBAR.exists():
        TTBAR.parent.mkdir(exist_ok=True)
        python = os.environ.get("ONECAST_PYTHIA_PYTHON", sys.executable)
        script = CHECKOUT / "bench" / "events" / "ttbar.py"
        done = subprocess.run([python, script, TTBAR], capture_output=True, text=True)
        if "not installed" in done.stderr:
            return None
        if done.returncode != 0:
            raise BenchError(f"{script}: {done.stderr.strip()}")
    return TTBAR


def source_of_file(file: Path) -> str:
    with file.open("rb") as opened:
        kind = "HDF5" if opened.read(4) == b"\x89HDF" else "PDS"
    return f"{kind}={str(file.resolve()).replace(':', '::')}"


def workload_of(work: Path, events: int, file: Path | None, console: Console) -> Workload:
    file = file or top_quark_pairs()
    source = source_of_file(file) if file else MADE
    console.print(f"Events of {file}" if file else HOW_TO_GET_TTBAR, soft_wrap=True, markup=False)
    found = run_program(work, 1, "-s", source, "-n", str(MOST_KEPT), "-o", "Serialize")
    if not found["events"]:
        raise BenchError(f"{file}: has no events")
    text = work / "first"
    run_program(work, 1, "-s", source, "-n", "1", "-o", f"TextDump={text}")
    products = re.findall(r"^  (\S+) .* bytes$", text.read_text(), re.MULTILINE)
    event_bytes = found["product_bytes"] // found["events"]
    return Workload(events, source, found["events"], tuple(products), event_bytes)
