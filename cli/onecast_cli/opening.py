"""FILE[/PATH] on the command line, and its errors."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import click

import onecast

Follow = Literal["nowhere", "everywhere", "folder"]  # the values of `follow_external`

# Errors for which a file or an argument may be to blame. UnsupportedError is a RuntimeError.
FAILURES = (
    OSError,
    ValueError,
    TypeError,
    LookupError,
    RuntimeError,
    OverflowError,
    MemoryError,
)


def split_location(location: str) -> tuple[str, str]:
    """Splits FILE/PATH into (FILE, /PATH). The file is the longest leading part that is a file.

    >>> split_location("missing.h5")
    ('missing.h5', '/')
    """
    parts = location.split("/")
    for end in range(len(parts), 0, -1):
        candidate = "/".join(parts[:end])
        if os.path.isfile(candidate):
            return candidate, "/" + "/".join(parts[end:])
    return location, "/"


follow_option = click.option(
    "--follow-external",
    type=click.Choice(onecast.FILE_OPTIONS["follow_external"].values),
    default="folder",
    show_default=True,
    help="Which files named by a file are read: those in its folder and below, all, or none.",
)


@contextmanager
def open_file(
    path: str, follow_external: Follow = "folder", **options: Any
) -> Iterator[onecast.File]:
    """Yields the file, open for reading; errors end the command with one line. Files may come from
    anywhere: by default, nothing outside of their folder is shown."""
    with (
        blaming(path),
        onecast.File(path, "r", follow_external=follow_external, **options) as file,
    ):
        yield file


@contextmanager
def blaming(path: str) -> Iterator[None]:
    """Ends the command with one line for an error, which names this file."""
    try:
        yield
    except (click.exceptions.Exit, click.Abort):  # RuntimeErrors
        raise
    except FAILURES as error:
        raise click.ClickException(message(error, path)) from error


def find(file: onecast.File, path: str) -> Any:
    """Returns the object of this path, or of the path that is printed like it."""
    try:
        return file[path]
    except KeyError:
        meant = as_printed(path)
        if meant == path:
            raise
        return file[meant]


def reason(error: Exception, path: str, where: str = "") -> str:
    """Returns the text of an error on one line, without the names of the file and the object."""
    if isinstance(error, OSError) and error.errno is not None:
        text = error.strerror or str(error)
    elif isinstance(error, KeyError) and error.args:
        text = str(error.args[0])
    else:
        text = str(error)
    for name in (path, os.path.abspath(path), where):
        text = text.removeprefix(f"{name}: ")
    return printable(text)


def message(error: Exception, path: str) -> str:
    """Returns the text with the name of the file, which "a.cgns is an ADF file" already has."""
    text = reason(error, path)
    return text if text.startswith(f"{printable(path)} is ") else f"{printable(path)}: {text}"


def complain(path: str, error: Exception) -> None:
    """Prints the error in one line on stderr."""
    click.echo(f"onecast: {message(error, path)}", err=True)


def for_each(paths: Iterable[str], work: Callable[[str], str]) -> None:
    """Prints `FILE: work(FILE)` for each file. If one fails, prints its error, and ends with exit
    code 1."""

    def one(path: str) -> int:
        click.echo(f"{printable(path)}: {work(path)}")
        return 0

    each(paths, one, 1)


def each(paths: Iterable[str], work: Callable[[str], int], failed: int = 2) -> None:
    """Calls work(FILE) for each file, and ends with the highest of the exit codes that it returns.
    If it raises, prints the error; the exit code of the file is `failed`."""
    code = 0
    for path in paths:
        try:
            code = max(code, work(path))
        except FAILURES as error:
            complain(path, error)
            code = max(code, failed)
    if code:
        raise click.exceptions.Exit(code)


def printable(text: str) -> str:
    """Escapes control characters, and bytes that are not UTF-8: \\x80 and above.

    >>> printable("a\\nb\\udcff")
    'a\\\\nb\\\\xff'
    """
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    if 0xDC80 <= ord(char) <= 0xDCFF:
        return f"\\x{ord(char) - 0xDC00:02x}"
    if 0x80 <= ord(char) <= 0xFF:
        return f"\\u{ord(char):04x}"
    return char.encode("unicode_escape").decode("ascii")


def as_printed(text: str) -> str:
    """Returns the text that printable() shows as `text`.

    >>> as_printed("a\\\\nb\\\\xff")
    'a\\nb\\udcff'
    """
    return ESCAPE.sub(_escaped, text)


ESCAPE = re.compile(r"\\([tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4})")


def _escaped(found: re.Match) -> str:
    escape = found[1]
    if escape in "tnr":
        return {"t": "\t", "n": "\n", "r": "\r"}[escape]
    code = int(escape[1:], 16)
    return chr(code + 0xDC00 if escape[0] == "x" and code >= 0x80 else code)
