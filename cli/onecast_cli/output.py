"""Standard output that cannot be written: a full disk, a reader that has gone, or none at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import click


class OutputError(click.ClickException):
    """An error that is no OSError, which commands would blame on the file that they read."""

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


class NoAnswer(Exception):
    """The failure of a command whose exit code 1 is an answer."""

    def __init__(self, failure: click.ClickException) -> None:
        super().__init__(failure)
        self.failure = failure


class Answering(click.Command):
    """A command whose exit code 1 is an answer: it raises failures as NoAnswer."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except click.ClickException as error:
            raise NoAnswer(error) from error


def _attempted(work: Callable[..., Any], *arguments: object) -> Any:
    try:
        return work(*arguments)
    except OSError as error:
        raise OutputError(error) from error


def fill_standard_files() -> None:
    """Reserves the descriptors 0, 1 and 2 if they are closed: what is printed would go into files
    that are opened later. Commands report a closed output if they print."""
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # os.open returns the lowest free number, which is this one.
            os.open(os.devnull, mode)
            os.set_inheritable(number, True)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)


@contextmanager
def checked_output() -> Iterator[None]:
    """Makes sys.stdout raise OutputError."""
    stream = sys.stdout
    sys.stdout = _Output(stream)
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout = stream
