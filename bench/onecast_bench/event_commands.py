"""The commands of `onecast bench` for events of high-energy physics."""

import click

from onecast_bench.command_options import (
    count_option,
    directory_option,
    file_option,
    out_option,
    repeats_option,
)
from onecast_bench.programs import BenchError
from onecast_cli.numbers import POSITIVE, NumberList


@click.command()
@click.option("--mb", type=POSITIVE, default=200, show_default=True)
@file_option("A NanoAOD file whose events are repeated (default: generated events).")
@click.option(
    "--compression",
    type=click.Choice(["zstd:3", "lz4", "gzip:6", "none"]),
    default="zstd:3",
    show_default=True,
    help="The compression of both files.",
)
@click.option("-c", "--column", "columns", multiple=True, help="A column to read; may be repeated.")
@repeats_option
@out_option("The folder for the JSON and the picture.")
@directory_option
def columnar(**options) -> None:
    """Read columns of events, compared with uproot and a ROOT file; needs uproot and awkward."""
    try:
        from onecast_bench.columnar import run_columnar_bench
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"the package {missing.name} is not installed") from missing

    if not run_columnar_bench(**options):
        raise click.exceptions.Exit(1)


@click.command()
@count_option("--count", 3000, "The number of events.")
@file_option("A file of which 100 events are repeated (default: see above).", "--events")
@click.option(
    "--compression",
    "compressions",
    default="none,lz4:9,zstd:3,lzma:4",
    show_default=True,
    help="The codecs, with levels.",
)
@click.option("--threads", type=NumberList(), default="1,2", show_default=True)
@click.option("--ranks", type=NumberList(), default="1,2,4", show_default=True)
@click.option("--reads/--no-reads", default=True, help="Measure reading, too.")
@repeats_option
@out_option("The folder for the JSON and the pictures.")
@directory_option
def events(compressions, **options) -> None:
    """Write and read events of high-energy physics, compared with plain writes, h5py, and ROOT if
    its components are built. By default, the events are top quark pairs if build/ttbar.pds or
    PYTHIA is available, otherwise random numbers. After Ctrl-C the results so far are shown and
    saved."""
    from onecast_bench.events import run_events_bench

    try:
        run_events_bench(compressions=compressions.split(","), **options)
    except BenchError as error:
        raise click.ClickException(str(error)) from error
