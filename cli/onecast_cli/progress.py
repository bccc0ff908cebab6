"""A progress bar on the terminal for long work; nothing if stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int, int | None], None]


@contextmanager
def progress(what: str) -> Iterator[Advance]:
    """Yields advance(done, known so far)."""
    if not sys.stderr.isatty():
        yield lambda done, known: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, known: bar.update(task, completed=done, total=known)
