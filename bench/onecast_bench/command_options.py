"""Options that several commands of `onecast bench` share."""

import dataclasses
import functools
from pathlib import Path

import click

from onecast_bench.programs import BenchError
from onecast_cli.numbers import POSITIVE, NumberList

# All benchmarks have this option.
repeats_option = click.option("--repeats", type=click.IntRange(1), default=3, show_default=True)
case_option = click.option(
    "--case",
    "cases",
    multiple=True,
    help="A case, by its name in the table; may be repeated (default: all).",
)
directory_option = click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the measured files (default: --out).",
)


def count_option(name: str, default: int, what: str, least: int = 1):
    kind = click.IntRange(least)
    return click.option(name, type=kind, default=default, show_default=True, help=what)


def out_option(what: str):
    folder = click.Path(file_okay=False, path_type=Path)
    return click.option("--out", type=folder, default="bench-results", show_default=True, help=what)


def file_option(what: str, name: str = "--file"):
    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.option(name, type=file, help=what)


def lab_options(osts: int) -> list:
    return [
        click.option(
            "--lab",
            is_flag=True,
            help="Run on the emulated striped file system; see lab/README.md.",
        ),
        click.option("--nodes", type=click.IntRange(1), default=8, show_default=True),
        click.option("--osts", type=click.IntRange(1), default=osts, show_default=True),
        click.option("--stripe-size", default="1M", show_default=True, help="Stripes of the lab."),
    ]


def with_lab(command, osts: int = 4):
    """Adds the options of the lab. The command gets them as one `lab`, a Lab or None."""

    @functools.wraps(command)
    def run(lab, nodes, osts, stripe_size, **given):
        from onecast_bench.lab import Lab

        return command(lab=Lab(nodes, osts, stripe_size) if lab else None, **given)

    for option in reversed(lab_options(osts)):
        run = option(run)
    return run


def transfer_options(ranks: str, steps: int | None, osts: int = 4):
    """Adds the options that all benchmarks of transfers have, with these defaults. The command gets
    them as one `settings`. `steps` is None if there is always one step."""
    options = [
        click.option(
            "--ranks", type=NumberList(), default=ranks, show_default=True, help="Ranks to run on."
        ),
        repeats_option,
        out_option("The folder for the JSON and the picture."),
        directory_option,
        click.option("--stock/--no-stock", default=True, help="Compare with stock HDF5."),
        click.option(
            "--mpi-io",
            default="own",
            show_default=True,
            help="Implementations of MPI-IO in Open MPI to compare: own,ompio,romio341.",
        ),
        functools.partial(with_lab, osts=osts),
        click.option(
            "--timeout", type=POSITIVE, default=3600, show_default=True, help="Seconds per run."
        ),
    ]

    if steps is not None:
        several = click.option(
            "--steps",
            type=click.IntRange(1, 10_000),
            default=steps,
            show_default=True,
            help="Each step writes all bytes again.",
        )
        options.insert(1, several)

    def decorate(command):
        @functools.wraps(command)
        def run(mpi_io, lab, steps=1, **given):
            from onecast_bench.cases import Settings

            named = {field.name for field in dataclasses.fields(Settings)}
            own = {name: value for name, value in given.items() if name not in named}
            common = {name: value for name, value in given.items() if name in named}
            common |= {"mpi_io": mpi_io.split(","), "lab": lab, "steps": steps}
            try:
                command(settings=Settings(**common), **own)
            except BenchError as error:
                raise click.ClickException(str(error)) from error

        for option in reversed(options):
            run = option(run)
        return run

    return decorate
