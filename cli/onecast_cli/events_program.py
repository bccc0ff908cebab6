"""Starts the program onecast-events, on ranks if requested."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import click

from .opening import printable
from .progress import progress

NAME = "onecast-events"
# The program reports the progress of these commands.
LONG = ("run", "convert")


def find_program() -> str:
    """Finds the program in the build tree that the package is loaded from, beside this command, or
    in PATH."""
    import onecast._core

    places = [
        Path(os.environ.get("ONECAST_BUILD_DIR", "")) / NAME,
        Path(onecast._core.__file__).parents[2] / NAME,
        Path(sys.argv[0]).resolve().parent / NAME,
    ]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    if found := shutil.which(NAME):
        return found
    raise click.ClickException(f"{NAME} is not installed: build Onecast with the events layer")


def launcher(ranks: int | None) -> list[str]:
    if ranks is None:
        return []
    mpiexec = os.environ.get("MPIEXEC") or shutil.which("mpiexec")
    if mpiexec is None:
        raise click.ClickException("ranks: there is no mpiexec in PATH")
    return [mpiexec, *shlex.split(os.environ.get("MPIEXEC_FLAGS", "")), "-n", str(ranks)]


@click.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
@click.option(
    "-r", "--ranks", type=click.IntRange(min=1), help="The number of ranks on which to start it."
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def program(context: click.Context, ranks: int | None, arguments: tuple[str, ...]) -> None:
    name = context.info_name or ""
    if name == "convert":
        refuse_options_of_columns(arguments)
    command = [*launcher(ranks), find_program(), name, *arguments]
    if ranks is None and name in LONG and sys.stderr.isatty():
        code = run_with_progress(command, name)
    else:
        code = run(command)
    if code:
        raise click.exceptions.Exit(code)
    if name in LONG and {"-h", "--help"}.intersection(arguments):
        click.echo("of `onecast events`:\n  -r, --ranks N               start it on so many ranks")
    if name == "convert":
        say_what_it_made(arguments)


# Options of `onecast events convert` for columns, and their counterparts for products.
OF_COLUMNS = {
    "-c": "-p",
    "--column": "--product",
    "--start": "--first",
    "--stop": "--events",
    "--pad": None,
    "--batch": None,
    "--identity": None,
}


def refuse_options_of_columns(arguments: tuple[str, ...]) -> None:
    for argument in arguments:
        name = argument.partition("=")[0]
        if name not in OF_COLUMNS:
            continue
        instead = OF_COLUMNS[name]
        hint = f"; {instead} is for products" if instead else ""
        raise click.UsageError(f"{name}: is for columns, and this makes products{hint}")


def say_what_it_made(arguments: tuple[str, ...]) -> None:
    """Reports that products were made, since the same command makes columns of other files."""
    if {"-q", "--quiet", "-h", "--help"}.intersection(arguments):
        return
    if any(argument.startswith("--layout") for argument in arguments):
        return
    files = [a for a in arguments if os.path.isfile(a)]
    if len(files) == 2 and not files[1].lower().endswith((".pds", ".root")):
        source, target = map(printable, files)
        text = f"onecast: {target}: products, as in {source}; --layout columnar makes columns"
        click.echo(text, err=True)


def run(command: list[str]) -> int:
    """Runs the program, which also gets the signals of the terminal and ends by itself."""
    with subprocess.Popen(command) as process:
        return wait(process)


def wait(process: subprocess.Popen) -> int:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait() if process.returncode is None else process.returncode
    finally:
        signal.signal(signal.SIGINT, before)


def run_with_progress(command: list[str], what: str) -> int:
    reading, writing = os.pipe()
    with (
        subprocess.Popen([*command, "--progress-fd", str(writing)], pass_fds=(writing,)) as process,
        progress(what) as advance,
    ):
        os.close(writing)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            with open(reading) as lines:
                for line in lines:
                    advance(int(line), None)
        finally:
            signal.signal(signal.SIGINT, before)
        return wait(process)
