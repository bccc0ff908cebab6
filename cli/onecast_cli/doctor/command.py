"""onecast doctor"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from onecast_model.machine import Machine
from onecast_model.nodes import OnNodes
from onecast_model.stored import stored_model

from ..explain import NUMBER, Size
from ..opening import FAILURES, blaming, open_file, printable, reason
from .costs import Costs, open_and_read
from .facts import facts_of
from .findings import findings_of
from .here import Here
from .measure import measure
from .report import Report
from .show import show


def machine_of(ctx: click.Context, param: click.Parameter, name: str) -> Machine:
    machines = stored_model(with_checks=False).machines
    if name not in machines:
        raise click.BadParameter(f"{name!r} is none of {', '.join(machines)}")
    return machines[name]


@click.command()
@click.option(
    "--ranks", type=NUMBER, default=1024, show_default=True, help="Ranks on the model's machine."
)
@click.option(
    "--machine",
    default="Edison",
    show_default=True,
    callback=machine_of,
    help="The machine for which the model predicts: see `onecast model`.",
)
@click.option("--osts", type=NUMBER, default=64, show_default=True, help="Storage servers.")
@click.option(
    "--ranks-per-node", type=NUMBER, default=128, show_default=True, help="Ranks of a node."
)
@click.option("--stripe-size", type=Size(), default=1 << 20, show_default=True)
@click.option(
    "--measure", "measuring", is_flag=True, help="Try the remedies on copies in TMPDIR, with times."
)
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as JSON.")
@click.argument("path", metavar="FILE")
def doctor(
    path: str,
    ranks: int,
    machine: Machine,
    osts: int,
    ranks_per_node: int,
    stripe_size: int,
    measuring: bool,
    as_json: bool,
) -> None:
    """Say why a file is slow to open or to read, or larger than necessary.

    Each finding comes with a remedy and its savings: for one process of this machine, measured in
    about a second, and for many ranks of another machine, predicted by the scale model
    (docs/reference/model.md).

    The file is not changed. Samples are copied to TMPDIR.
    """
    costs = Costs(machine, ranks, osts, ranks_per_node)
    options: dict[str, Any] = {"load_policy": "eager", "stripe_size": stripe_size}
    with open_file(path, **options) as file:
        facts = facts_of(file, path, stripe_size)
        findings = findings_of(facts, costs)
    report = Report(facts, costs, findings, open_and_read(facts, costs))
    with TemporaryDirectory(prefix="onecast-doctor-") as folder:
        predict_here(report, Path(folder))
        if measuring:
            report.measured = measured_pairs(report, Path(folder))
    if as_json:
        click.echo(json.dumps(document(report), indent=2))
    else:
        show(report)


def predict_here(report: Report, folder: Path) -> None:
    try:
        here = Here(report.facts, folder)
        report.here = [here.predict(found) for found in report.findings]
        report.ways_here = here.open_and_read()
    except FAILURES as error:
        path = report.facts.path
        text = f"this machine cannot be measured: {reason(error, path)}"
        click.echo(f"onecast: {printable(path)}: {text}", err=True)


def measured_pairs(report: Report, folder: Path) -> list:
    with blaming(report.facts.path):
        return measure(report.facts.path, report.findings, folder)


def node_document(found: OnNodes) -> dict[str, float]:
    return {
        "ranks": found.ranks_here,
        "memory": found.memory,
        "memory if pages are not shared": found.memory_of_copies,
        "messages": found.messages,
        "bytes sent": found.bytes_sent,
    }


def document(report: Report) -> dict[str, Any]:
    listed = []
    for number, found in enumerate(report.findings):
        one = asdict(found)
        del one["parts"]
        one["here"] = report.here[number]
        if report.measured:
            one["measured"] = [asdict(side) for side in report.measured[number]]
        listed.append(one)
    facts, costs = report.facts, report.costs
    return {
        "file": facts.path,
        "groups": facts.groups,
        "datasets": len(facts.datasets),
        "metadata": facts.report,
        "machine": {"name": costs.machine.name, "ranks": costs.ranks},
        "node": node_document(costs.on_nodes(facts)),
        "findings": listed,
        "open and read": report.ways,
        "open and read here": report.ways_here,
    }
