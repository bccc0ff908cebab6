"""onecast events"""

from __future__ import annotations

import base64
import copy
import json
import math
import os
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import pairwise
from typing import Any

import click
from click.core import ParameterSource

from onecast import events as library
from onecast.events import PRODUCT_LAYOUTS

from .events_program import find_program, program, run
from .opening import FAILURES, complain, printable, reason
from .output import Answering
from .progress import progress

PART = re.compile(r"\.[0-9a-f]{8}\.part\b")  # the file that replaces another
column_option = click.option(
    "-c", "--column", "columns", multiple=True, help="A column; may be repeated (default: all)."
)
identity_option = click.option(
    "--identity",
    metavar="RUN,LUMI,EVENT",
    help="The columns with the identity of an event, if their names are unusual.",
)


class ByKind(click.Group):
    """Commands for columns and ROOT files; with files of other kinds, the program's commands."""

    # The program has these commands for its own kinds of files.
    of_program = ("convert", "ls", "dump", "index", "cat")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        is_for = name in self.of_program and is_for_program(name, rest)
        return name, program if is_for else command, rest


def is_file_of_program(path: str) -> bool:
    """True for a file with products."""
    if not os.path.isfile(path):
        return False
    try:
        kinds = (kind.name for kind in library.kinds() if kind.recognizes(path))
        return next(kinds, None) == "products"
    except FAILURES:  # a damaged file: opening it reports the damage
        return False


def is_for_program(name: str, arguments: list[str]) -> bool:
    """Decides by the kinds of the files. If there is no file, the program reports that, unless an
    option is for columns only."""
    if {"columnar", "--layout=columnar", "--mpi"}.intersection(arguments):
        return False
    if name == "convert" and makes_products(arguments):
        return True
    if any("://" in argument for argument in arguments):  # a remote ROOT file
        return False
    words = positional(arguments)
    paths = [path for path, _ in map(library.split_name, words) if os.path.isfile(path)]
    if name == "cat" and paths:  # OUT is the first argument
        return all(map(is_file_of_program, paths[words[0] == paths[0] :]))
    if paths:
        return is_file_of_program(paths[0])
    return not {"--help", "-h", "--layout"}.intersection(arguments)


def positional(arguments: list[str]) -> list[str]:
    """Returns the arguments that are neither options nor their values."""
    words: list[str] = []
    is_value = False
    for number, argument in enumerate(arguments):
        if argument == "--" and not is_value:
            return words + arguments[number + 1 :]
        is_option = argument.startswith("-") and not is_value
        if not is_option and not is_value:
            words.append(argument)
        has_value = "=" in argument or (argument[1:2] != "-" and len(argument) > 2)  # -t2
        is_value = is_option and not has_value and argument not in FLAGS
    return words


FLAGS = ("-h", "--help", "-q", "--quiet", "--mpi", "--raw")
ENDINGS = (".h5", ".hdf5", ".hdf", ".pds", ".root")


def makes_products(arguments: list[str]) -> bool:
    """True if `convert` makes no columns, by its layout, or by the name of OUT, the last file."""
    layouts = {f"--layout={layout}" for layout in PRODUCT_LAYOUTS}
    if layouts.intersection([*arguments, *map("=".join, pairwise(arguments))]):
        return True
    named = [library.split_name(word)[0] for word in positional(arguments)]
    files = [path for path in named if path.lower().endswith(ENDINGS) or os.path.isfile(path)]
    return len(files) > 1 and files[-1].lower().endswith((".pds", ".root"))


@click.group(cls=ByKind)
def events() -> None:
    """Process events of high-energy physics: run jobs, convert files, show them, check them.

    The kind of a file is recognized by its contents. Files of columns and ROOT files are handled by
    onecast.events. For other kinds, and for run, this command starts the program onecast-events,
    which describes its own options: onecast events run --help.
    """


run_program = copy.copy(program)
run_program.short_help = "Process events: source, waiter, outputer, threads, ranks."
events.add_command(run_program, "run")


def in_command(text: str) -> str:
    """Returns the library's text with the names that users of the command know."""
    return PART.sub("", text).replace("`identity`", "`--identity`")


@contextmanager
def told(*locations: str, is_part: bool = False) -> Iterator[None]:
    """Ends the command with one line for an error, which names the first file if the error names
    none. Prints warnings as lines on stderr. If a column that cannot be read is left out, the exit
    code is 1 in the end, unless other columns were requested (`is_part`)."""
    paths = [library.split_name(location)[0] for location in locations]

    def named_in(text: str) -> str:
        return next((path for path in paths if text.startswith(f"{path}: ")), paths[0])

    try:
        with warnings.catch_warnings(record=True, action="always") as caught:
            if is_part:
                warnings.simplefilter("ignore", library.UnreadColumnWarning)
            yield
    except BrokenPipeError:
        raise
    except (*FAILURES, ImportError) as error:
        text = getattr(error, "strerror", None) or str(error.args[0] if error.args else "")
        text = in_command(text)
        if isinstance(error, library.UsageError):
            raise click.UsageError(printable(text)) from error
        where = os.fsdecode(getattr(error, "filename", None) or named_in(text))
        said = in_command(reason(error, where)).removeprefix(f"{where}: ")
        raise click.ClickException(f"{printable(where)}: {said}") from error
    finally:
        for warning in caught:
            if issubclass(warning.category, UserWarning):
                text = str(warning.message)
                where = named_in(text)
                text = text.removeprefix(f"{where}: ")
                click.echo(f"onecast: {printable(where)}: {printable(text)}", err=True)
    if any(warning.category is library.UnreadColumnWarning for warning in caught):
        raise click.exceptions.Exit(1)


def tell_apart() -> None:
    """Warns if ranks of mpiexec do not know of each other, since each of them does all the work."""
    for size, rank in (("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK")):
        count = os.environ.get(size, "1")
        if count != "1" and os.environ.get(rank) == "0":
            text = f"onecast: each of {count} ranks does all of this; --mpi shares it among them"
            click.echo(text, err=True)


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Turns SIGTERM into an exception, so that no part of a file remains."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def names_in(identity: str | None) -> list[str] | None:
    return None if identity is None else identity.split(",")


compression_option = click.option(
    "--compression", help="zstd:3 (the default), lz4, gzip:6, lzf, bzip2:9 or none."
)
batch_option = click.option(
    "--batch", type=click.IntRange(1), help="The number of events in memory at a time."
)
mpi_option = click.option(
    "--mpi", is_flag=True, help="All ranks of mpiexec convert the file together."
)


@events.command()
@click.option(
    "--layout",
    type=click.Choice([kind.name for kind in library.kinds() if kind.create is not None]),
    default="columnar",
    show_default=True,
)
@compression_option
@column_option
@click.option("--start", type=int, default=0, help="The first event.")
@click.option("--stop", type=int, help="The event after the last one.")
@click.option(
    "--pad", type=click.IntRange(1), help="The length to which lists are padded, with a mask."
)
@batch_option
@identity_option
@mpi_option
@click.argument("source", metavar="IN[:NAME]")
@click.argument("target", metavar="OUT")
@click.pass_context
def convert(context: click.Context, /, source: str, target: str, **options: Any) -> None:
    """Write the events of a file to a new file of columns.

    Kinds of files are recognized by their contents: ROOT files (by uproot), columns in HDF5.

    From a file with products (PDS, and their layouts in HDF5), --layout columnar makes columns.
    Without it, the program onecast-events makes another file with products; `onecast events
    convert FILE --help` with such a FILE shows its options.
    """
    is_default = context.get_parameter_source("layout") == ParameterSource.DEFAULT
    if options["mpi"] and is_default and is_file_of_program(source):
        raise click.UsageError(
            f"{printable(source)}: --mpi is for columns, which --layout columnar makes; "
            "without it, all ranks of mpiexec make another file with products"
        )
    write_columns([source], target, **options)


@events.command()
@compression_option
@column_option
@batch_option
@identity_option
@mpi_option
@click.argument("target", metavar="OUT")
@click.argument("sources", metavar="IN[:NAME]...", nargs=-1, required=True)
def cat(target: str, sources: tuple[str, ...], **options: Any) -> None:
    """Join files of events into one.

    Files of columns and ROOT files become one file of columns, which is compressed again. All files
    have equal columns, or -c names the columns to take.

    Files with products of one layout are joined by the program onecast-events, which copies stored
    bytes; `onecast events cat OUT FILE --help` with such a FILE shows its options.
    """
    write_columns(list(sources), target, **options)


def write_columns(
    sources: list[str],
    target: str,
    columns: tuple[str, ...],
    identity: str | None,
    mpi: bool,
    **options: Any,
) -> None:
    comm = None
    if mpi:
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
    else:
        tell_apart()
    ends = ended_by_sigterm() if comm is None else nullcontext()
    with told(*sources, target):
        with ends, progress(f"write {target}") as advance:
            count = library.convert(
                sources,
                target,
                columns=list(columns) or None,
                identity=names_in(identity),
                comm=comm,
                progress=advance,
                **options,
            )
        if comm is None or comm.rank == 0:
            click.echo(f"{printable(target)}: {options.get('layout', 'columnar')}, {count} events")


@events.command()
@click.argument("location", metavar="FILE[:NAME]")
def ls(location: str) -> None:
    """List the columns: name, class, description."""
    with told(location), library.open(location) as opened:
        end = "; its writer was interrupted" if opened.is_unfinished else ""
        click.echo(f"{printable(opened.path)}: {opened.kind}, {len(opened)} events{end}")
        titles = opened.titles
        for name, product in opened.products.items():
            cells = [name, product, titles.get(name, "")]
            click.echo("  ".join(printable(cell) for cell in cells if cell))


WHOLE = re.compile(r"-?[0-9]+")
IDENTITY = re.compile(r"([0-9]+):([0-9]+):([0-9]+)")


def identity_of(text: str) -> tuple[int, ...]:
    found = IDENTITY.fullmatch(text)
    if found is None:
        raise click.UsageError(f"{printable(text)}: RUN:LUMI:EVENT was expected")
    return tuple(map(int, found.groups()))


@events.command()
@click.option("--entry", "entries", multiple=True, type=int, help="The number of an event.")
@click.option("--event", "identities", multiple=True, metavar="RUN:LUMI:EVENT")
@click.option(
    "--find", type=int, nargs=3, metavar="RUN LUMI EVENT", help="The identity of an event."
)
@click.option(
    "-e", "either", multiple=True, help="A number as for --entry, or an identity as for --event."
)
@column_option
@click.argument("location", metavar="FILE[:NAME]")
def dump(
    location: str,
    entries: tuple[int, ...],
    identities: tuple[str, ...],
    find: tuple[int, int, int] | None,
    either: tuple[str, ...],
    columns: tuple[str, ...],
) -> None:
    """Print events.

    Events of columns and ROOT files are printed in JSON, each on a line; by default all of them.

    For files with products (PDS, and their layouts in HDF5) one event is printed, by default the
    first: its identity, then the name, class, size, and first bytes in hexadecimal of each product.
    `onecast events dump FILE --help` with such a FILE shows all options.
    """
    with told(location, is_part=bool(columns)), library.open(location) as opened:
        wanted = [*entries, *(opened.find(*identity_of(text)) for text in identities)]
        wanted += [int(t) if WHOLE.fullmatch(t) else opened.find(*identity_of(t)) for t in either]
        wanted += [opened.find(*find)] if find else []
        names = list(columns) or None
        for number in wanted:
            if not -len(opened) <= number < len(opened):
                raise IndexError(f"event {number} of {len(opened)}")
        at = [n % len(opened) for n in wanted]
        spans: list[tuple[int, int | None]] = [(n, n + 1) for n in at] or [(0, None)]
        for start, stop in spans:
            for batch in opened.batches(None, names, start, stop):
                for record in batch:
                    click.echo(json.dumps(in_json(record.to_list())))


def in_json(value: Any) -> Any:
    """Returns text for what JSON lacks: numbers as `onecast dump` prints them, bytes in base64."""
    if isinstance(value, dict):
        return {name: in_json(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [in_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, complex):
        return {"r": in_json(value.real), "i": in_json(value.imag)}
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    return value


@events.command(cls=Answering)
@click.option("--data", is_flag=True, help="Also read all data.")
@click.argument("locations", metavar="FILE[:NAME]...", nargs=-1, required=True)
def check(locations: tuple[str, ...], data: bool) -> None:
    """Check offsets, lengths, the index of identities, and whether the writer was interrupted. One
    line is printed for each problem.

    Files of other kinds are checked by the program onecast-events, which reads all their data.

    Exit code 0: no problem, 1: problems, 2: a file could not be read.
    """
    code = 0
    for location in locations:
        path = library.split_name(location)[0]
        if is_file_of_program(path):
            sys.stdout.flush()
            code = max(code, run([find_program(), "check", path]))
            continue
        try:
            wrong = library.check(location, data=data)
        except (*FAILURES, ImportError) as error:
            complain(path, error)
            code = 2
            continue
        for line in wrong or ["sound"]:
            click.echo(f"{printable(location)}: {printable(line)}")
        code = max(code, 1 if wrong else 0)
    if code:
        raise click.exceptions.Exit(code)


@events.command()
@identity_option
@click.argument("location", metavar="FILE[:NAME]")
def index(location: str, identity: str | None) -> None:
    """Make the index by which events are found by run, luminosity block and event."""
    with told(location):
        count = library.index(location, identity=names_in(identity))
    if count is not None:
        click.echo(f"{printable(location)}: index of {count} events")
