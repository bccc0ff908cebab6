"""onecast doctor"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from onecast_model.machine import Machine
from onecast_model.stored import stored_model

from ..explain import NUMBER, Size
from ..opening import open_file, printable, reason
from .costs import Costs, open_and_read
from .facts import FileFacts, facts_of
from .findings import Finding, findings_of
from .measure import Measured, measure
from .show import show

Pairs = list[tuple[Measured, Measured]]


def machine_of(ctx: click.Context, param: click.Parameter, name: str) -> Machine:
    machines = stored_model(with_checks=False).machines
    if name not in machines:
        raise click.BadParameter(f"{name!r} is none of {', '.join(machines)}")
    return machines[name]


@click.command()
@click.option("--ranks", type=NUMBER, default=1024, show_default=True, help="To predict for.")
@click.option(
    "--machine",
    default="Edison",
    show_default=True,
    callback=machine_of,
    help="One that the model knows: see `onecast model`.",
)
@click.option("--osts", type=NUMBER, default=64, show_default=True, help="Storage servers.")
@click.option("--stripe-size", type=Size(), default=1 << 20, show_default=True)
@click.option(
    "--measure", "measuring", is_flag=True, help="Try the remedies on copies in TMPDIR, and time."
)
@click.option("--json", "as_json", is_flag=True, help="All numbers.")
@click.argument("path", metavar="FILE")
def doctor(
    path: str,
    ranks: int,
    machine: Machine,
    osts: int,
    stripe_size: int,
    measuring: bool,
    as_json: bool,
) -> None:
    """Why a file is slow to open or to read on many ranks, and what each remedy would save.

    The file is not changed. Seconds are predicted by the scale model (docs/reference/model.md);
    those of decoding compressed data are measured here.
    """
    costs = Costs(machine, ranks, osts)
    options: dict[str, Any] = {"load_policy": "eager", "stripe_size": stripe_size}
    with open_file(path, **options) as file:
        facts = facts_of(file, path, stripe_size)
        findings = findings_of(facts, costs)
    ways = open_and_read(facts, costs)
    measured = measured_pairs(path, findings) if measuring else None
    if as_json:
        click.echo(json.dumps(document(facts, findings, ways, measured), indent=2))
    else:
        show(facts, costs, findings, ways, measured)


def measured_pairs(path: str, findings: list[Finding]) -> Pairs:
    try:
        return measure(path, findings)
    except (OSError, ValueError, NotImplementedError, RuntimeError) as error:
        raise click.ClickException(f"{printable(path)}: {reason(error, path)}") from error


def document(
    facts: FileFacts, findings: list[Finding], ways: dict[str, float], measured: Pairs | None
) -> dict[str, Any]:
    listed = []
    for number, found in enumerate(findings):
        one = asdict(found)
        if measured:
            one["measured"] = [asdict(side) for side in measured[number]]
        listed.append(one)
    return {
        "file": facts.path,
        "groups": facts.groups,
        "datasets": len(facts.datasets),
        "metadata": facts.report,
        "findings": listed,
        "open and read": ways,
    }
