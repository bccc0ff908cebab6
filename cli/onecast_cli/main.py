"""The entry point: finds the subcommand, and turns errors into one line and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from .output import NoAnswer, OutputError, checked_output, fill_standard_files

COMMANDS = {
    "ls": "onecast_cli.ls:ls",
    "dump": "onecast_cli.dump:dump",
    "diff": "onecast_cli.diff:diff",
    "check": "onecast_cli.check:check",
    "stat": "onecast_cli.stat:stat",
    "explain": "onecast_cli.explain:explain",
    "doctor": "onecast_cli.doctor.command:doctor",
    "recover": "onecast_cli.recover:recover",
    "adopt": "onecast_cli.adopt:adopt",
    "repack": "onecast_cli.repack:repack",
    "drop-in": "onecast_cli.dropin:drop_in",
    "cgns": "onecast_cli.cgns:cgns",
    "events": "onecast_cli.events:events",
    "selftest": "onecast_cli.selftest:selftest",
    "bench": "onecast_bench.commands:bench",
    "model": "onecast_model.commands:model",
}


class LazyGroup(click.Group):
    """Imports a subcommand only when it is called, so that each starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            if error.name != module.partition(".")[0]:
                raise
            return None  # the command's part is not installed


def print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    import onecast

    click.echo(f"onecast {onecast.__version__} ({'with' if onecast.have_mpi else 'without'} MPI)")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Show, check and convert HDF5 files, and measure the cost of their metadata."""


def main(args: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0, 1 for a failure, 2 for wrong usage."""
    fill_standard_files()
    try:
        with checked_output():
            return cli.main(args, prog_name="onecast", standalone_mode=False) or 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except NoAnswer as error:
        return max(2, reported(error.failure))
    except click.ClickException as error:
        return reported(error)
    except click.Abort:
        return 130


def reported(error: click.ClickException) -> int:
    """Prints the error, and returns the exit code."""
    if isinstance(error, click.UsageError):
        error.show()
        return 2
    if isinstance(error, OutputError):
        # Python would fail once more at exit without this.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.reader_has_gone:
            return 141
    click.echo(f"onecast: {error.format_message()}", err=True)
    return error.exit_code
