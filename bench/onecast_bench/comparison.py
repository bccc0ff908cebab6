"""The common part of benchmarks that compare with another library: a work folder, the form of a
result, the report."""

import json
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from onecast_cli.terminal import columns

MIB = 1 << 20


def wide_console() -> Console:
    """Returns a console on which wide tables are not cut if the output is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=columns(170))


def progress_bar(console: Console) -> Progress:
    """Returns a bar with the current work, the number of finished and of all runs, and the time."""
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*parts, TimeElapsedColumn(), console=console, transient=True)


class Compared(Protocol):
    """The result of a case that both libraries ran. It is a dataclass."""

    name: str
    ratio: float
    aim: float
    equal: bool


@contextmanager
def work_folder(name: str, out: Path, directory: Path | None) -> Iterator[Path]:
    """Yields a folder for the measured files, in `directory` or else in `out`, which is created
    too."""
    out.mkdir(parents=True, exist_ok=True)
    work = (directory or out).resolve() / name
    work.mkdir(parents=True, exist_ok=True)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def name_of(result: Compared) -> str:
    return result.name if result.equal else f"{result.name}: VALUES DIFFER"


def style_of(result: Compared) -> str:
    if not result.equal:
        return "bold red"
    return "" if result.ratio >= result.aim else "yellow"


def save(
    benchmark: str,
    sizes: Any,
    repeats: int,
    results: list[Any],
    out: Path,
    console: Console,
    **more: Any,
) -> None:
    """Writes BENCHMARK.json. `sizes` is a dataclass; `more` is added to the document."""
    document = {
        "benchmark": benchmark,
        "machine": {"system": platform.platform(), "processor": platform.machine()},
        "sizes": asdict(sizes),
        "repeats": repeats,
        "results": [asdict(result) for result in results],
        **more,
    }
    path = out / f"{benchmark}.json"
    path.write_text(json.dumps(document, indent=1) + "\n")
    console.print(f"Saved {path}")
