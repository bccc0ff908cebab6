"""What was found, in words and one picture."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence
from math import log10

import click

from onecast_model.looks import seconds_text

from ..opening import printable
from .costs import Costs
from .facts import FileFacts
from .findings import Finding
from .measure import Measured

WIDTH = 40
MOST_OPTIONS = 16  # words; --json has all


def show(
    facts: FileFacts,
    costs: Costs,
    findings: Sequence[Finding],
    ways: dict[str, float],
    measured: Sequence[tuple[Measured, Measured]] | None,
) -> None:
    count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
    click.echo(
        f"{printable(facts.path)}: {facts.groups:,} groups, {len(facts.datasets):,} datasets, "
        f"{facts.report['file_size']:,} bytes: {count if findings else 'nothing makes it slow'}"
    )
    for number, found in enumerate(findings):
        click.echo(f"\n{number + 1}. {found.name}")
        for line in textwrap.wrap(printable(found.words), 90):
            click.echo(f"   {line}")
        click.echo(f"   remedy:    {command(facts.path, [found])}")
        click.echo(f"   predicted: {found.task}: {change(found.before, found.after)}")
        if measured:
            click.echo(f"   measured:  {found.task}: {measured_text(*measured[number])}")
    repacked = [found for found in findings if found.remedy == "repack"]
    if len(repacked) > 1:
        click.echo(f"\nIn one new file: {command(facts.path, repacked)}")
    click.echo(
        f"\nOpen the file and look at everything but large data, {costs.ranks:,} ranks of "
        f"{costs.machine.name}, predicted:"
    )
    for line in bars(ways):
        click.echo(line)


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
        f"file {before.file_bytes:,} → {after.file_bytes:,} bytes, one process"
    )


def bars(ways: dict[str, float]) -> list[str]:
    """Logarithmic: ten times as long is a fixed length more."""
    least = min(ways.values()) / 2
    most = max(ways.values())
    return [
        f"  {name:<10} {'█' * max(1, round(WIDTH * log10(s / least) / log10(most / least)))} "
        f"{seconds(s)}"
        for name, s in ways.items()
    ]
