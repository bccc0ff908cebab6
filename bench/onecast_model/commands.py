"""The command `onecast model`."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console

from onecast_cli.numbers import NumberList

from .methods import KNOWN_WORK, Work

if TYPE_CHECKING:
    from .report import Model

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_MACHINES = ("Sky Bridge", "Edison")


def chosen_machines(names: tuple[str, ...], known: list[str]) -> list[str]:
    for name in names:
        if name not in known:
            raise click.BadParameter(
                f"{name!r} is none of {', '.join(known)}", param_hint="--machine"
            )
    return list(names or DEFAULT_MACHINES)


def number(
    default: float, what: str, name: str, least: int = 1
) -> Callable[[Decorated], Decorated]:
    kind = click.IntRange(least)
    return click.option(name, type=kind, default=int(default), show_default=True, help=what)


@click.group(invoke_without_command=True)
@click.option(
    "--machine", "machines", multiple=True, help="A machine of the points; may be repeated."
)
@click.option(
    "--ranks",
    type=NumberList(),
    default="1,16,256,1024,4096,16384,100000",
    show_default=True,
    help="The numbers of ranks to predict.",
)
@number(KNOWN_WORK.objects, "Groups and datasets of the file.", "--objects")
@number(KNOWN_WORK.reads, "Small reads.", "--reads")
@number(KNOWN_WORK.read_bytes, "Bytes of each small read.", "--read-bytes")
@number(KNOWN_WORK.bytes_per_rank, "Large writes: bytes of each rank.", "--bytes-per-rank")
@number(KNOWN_WORK.piece, "Interleaved writes: bytes of a piece.", "--piece")
@number(64, "Storage servers (OSTs) of a file.", "--osts")
@number(KNOWN_WORK.stripe, "Bytes of a stripe.", "--stripe-size", 4096)
@number(16, "Ranks of a node, which share its link and its memory.", "--ranks-per-node")
@click.option("--points/--no-points", default=True, help="Check the model against known points.")
@click.option("--json", "json_path", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save a picture: PNG, PDF or SVG.",
)
@click.pass_context
def model(
    ctx: click.Context,
    /,
    machines: tuple[str, ...],
    ranks: list[int],
    points: bool,
    json_path: Path | None,
    picture: Path | None,
    osts: int,
    stripe_size: int,
    **sizes: Any,
) -> None:
    """Predict the times of opening, reading, writing and closing on many ranks.

    The model of stock parallel HDF5 and of Onecast is analytical and fitted to measured times of
    known machines; the output has its error on each of them. docs/reference/model.md has the
    formulas.
    """
    if ctx.invoked_subcommand:
        return
    from . import report, show
    from .stored import stored_model

    found = stored_model(points)
    names = chosen_machines(machines, list(found.machines))
    work = Work(servers=osts, stripe=stripe_size, **sizes)
    predictions = report.predictions_of(found, names, ranks, work)
    console = Console()
    show.print_model(console, found, names)
    show.print_predictions(console, predictions, ranks)
    show.print_nodes(console, ranks, work)
    if points:
        show.print_cgns(console, found)
    if json_path:
        document = report.document(found, predictions, ranks, work)
        json_path.write_text(json.dumps(document, indent=1) + "\n")
        console.print(f"Saved {json_path}")
    if picture:
        draw_picture(found, names, work, picture, console)


def draw_picture(found: Model, names: list[str], work: Work, path: Path, console: Console) -> None:
    from .draw import draw

    try:
        draw(found, names, work, path)
        console.print(f"Saved {path}")
    except ImportError:
        console.print("No picture: matplotlib is not installed.", style="yellow")
    except ValueError as error:  # an extension that matplotlib does not know
        raise click.ClickException(f"{path}: {error}") from error


# The wheel contains the fitted numbers, not the fit.
if find_spec(f"{__package__}.fit"):

    @model.command()
    def fit() -> None:
        """Fit the model to the known points again, and store the result."""
        from .fit import fitted_model
        from .stored import save

        try:
            save(fitted_model())
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "scipy":
                raise
            raise click.ClickException("the fit needs scipy: make setup") from error
