"""Shows the findings in words and one picture."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from math import log10

import click

from onecast_model.looks import seconds_text
from onecast_model.nodes import MIB

from ..opening import printable
from ..terminal import columns
from .costs import Costs
from .findings import Finding
from .measure import Measured
from .report import Report

WIDTH = 40  # of a bar
MOST_OPTIONS = 16  # words; --json has all


def show(report: Report) -> None:
    facts, findings = report.facts, report.findings
    count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
    click.echo(
        f"{printable(facts.path)}: {facts.groups:,} groups, {len(facts.datasets):,} datasets, "
        f"{facts.report['file_size']:,} bytes: {count if findings else 'nothing makes it slow'}"
    )
    for number, found in enumerate(findings):
        click.echo(f"\n{number + 1}. {found.name}")
        for line in textwrap.wrap(printable(found.words), columns(93) - 3):
            click.echo(f"   {line}")
        click.echo(f"   remedy:    {command(facts.path, [found])}")
        for line in numbers_of(report, number):
            click.echo(f"   {line}")
    repacked = [found for found in findings if found.remedy == "repack"]
    if len(repacked) > 1:
        click.echo(f"\nIn one new file: {command(facts.path, repacked)}")
    for ways, where in ((report.ways_here, HERE), (report.ways, elsewhere(report.costs))):
        if ways:
            click.echo(f"\nOpen the file and look at everything but large data, on {where}:")
            for line in bars(ways):
                click.echo(line)
    click.echo(f"\n{node_text(report)}")


def node_text(report: Report) -> str:
    found = report.costs.on_nodes(report.facts)
    ranks = f"{found.ranks_here:,} rank{'' if found.ranks_here == 1 else 's'}"
    return (
        f"Memory of a node with {ranks} that read everything: {found.memory / MIB:,.0f} MiB, of "
        f"which the metadata, once, {found.pages / MIB:.1f} MiB (model)"
    )


HERE = "one process of this machine"


def elsewhere(costs: Costs) -> str:
    ranks = f"{costs.ranks:,} rank{'' if costs.ranks == 1 else 's'}"
    return f"{ranks} of {costs.machine.name} (model)"


def numbers_of(report: Report, number: int) -> Iterator[str]:
    """Yields predicted and measured numbers, each with its machine."""
    found, here = report.findings[number], report.here[number]
    if found.task is None:
        yield f"predicted: {found.before:,} → {found.after:,} bytes"
        if report.measured:
            before, after = report.measured[number]
            yield f"measured:  {before.file_bytes:,} → {after.file_bytes:,} bytes"
        return
    if here is not None:
        yield f"predicted: {found.task}: {change(*here)}, {HERE}"
    yield f"predicted: {found.task}: {change(found.before, found.after)}, {elsewhere(report.costs)}"
    if report.measured:
        yield f"measured:  {found.task}: {measured_text(*report.measured[number])}"


def command(path: str, findings: Sequence[Finding]) -> str:
    verb = findings[0].remedy
    options = [option for found in findings for option in found.options]
    more = ["..."] if len(options) > MOST_OPTIONS else []
    new = ["NEW"] if verb == "repack" else []
    words = [verb, *options[:MOST_OPTIONS], *more, path, *new]
    return printable(" ".join(["onecast", *map(shlex.quote, words)]))


def change(before: float, after: float) -> str:
    return f"{seconds(before)} → {seconds(after)}"


def seconds(value: float) -> str:
    return seconds_text(value).replace(". ", " ")


def measured_text(before: Measured, after: Measured) -> str:
    return (
        f"{change(before.seconds, after.seconds)}, {before.reads:,} → {after.reads:,} reads, "
        f"file {before.file_bytes:,} → {after.file_bytes:,} bytes, {HERE}"
    )


def bars(ways: Mapping[str, float]) -> list[str]:
    """Draws logarithmic bars: ten times as long is a fixed length more."""
    least = min(ways.values()) / 2
    most = max(ways.values())
    return [
        f"  {name:<10} {'█' * max(1, round(WIDTH * log10(s / least) / log10(most / least)))} "
        f"{seconds(s)}"
        for name, s in ways.items()
    ]
