"""Standard output that cannot be written: a full disk, a reader that has gone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import click


class OutputError(click.ClickException):
    """No OSError, which commands take for one of the file that they read."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"the output cannot be written: {error.strerror}")
        self.reader_has_gone = isinstance(error, BrokenPipeError)


class _Output:
    """The methods of a stream; those that write raise OutputError."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return _attempted(self._stream.write, text)

    def flush(self) -> None:
        _attempted(self._stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _attempted(work: Callable[..., Any], *arguments: object) -> Any:
    try:
        return work(*arguments)
    except OSError as error:
        raise OutputError(error) from error


@contextmanager
def checked_output() -> Iterator[None]:
    """sys.stdout raises OutputError."""
    stream = sys.stdout
    sys.stdout = _Output(stream)
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout = stream
