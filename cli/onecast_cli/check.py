"""onecast check"""

from __future__ import annotations

import json
from typing import Any

import click

import onecast

from .opening import each, printable
from .output import Answering
from .progress import progress


@click.command(cls=Answering)
@click.option("--data", is_flag=True, help="Also decode all chunks and values of variable length.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object for each file, each on a line."
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="List at most this number of findings per file.",
)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
def check(paths: tuple[str, ...], data: bool, as_json: bool, limit: int) -> None:
    """Verify files: checksums, addresses, that no two structures share bytes, and that everything
    can be decoded.

    The check continues after damage. Exit code 0: no damage, 1: damage, 2: a file could not be
    checked at all.
    """

    def one(path: str) -> int:
        with progress(printable(path)) as advance:
            report = onecast.check(path, data=data, limit=limit, progress=advance)
        click.echo(
            json.dumps({"file": path} | report) if as_json else "\n".join(lines(path, report))
        )
        return 1 if report["damaged"] else 0 if report["walked"] else 2

    each(paths, one)


def lines(path: str, report: dict[str, Any]) -> list[str]:
    shown = [line_of(finding) for finding in report["findings"]]
    counts = report["finding_counts"]
    left_out = sum(counts.values()) - len(shown)
    if left_out:
        shown.append(f"  ... and {left_out} more")
    return [f"{printable(path)}: {summary(report)}", *shown]


def summary(report: dict[str, Any]) -> str:
    found = [f"{count} {kind}" for kind, count in report["finding_counts"].items() if count]
    objects = report["objects"]
    looked_at = sum(objects.get(kind, 0) for kind in ("groups", "datasets", "committed datatypes"))
    state = "damaged" if report["damaged"] else "sound" if report["walked"] else "not checked"
    return ", ".join([state, f"{looked_at} objects", *found])


def line_of(finding: dict[str, Any]) -> str:
    where = printable(finding["path"]) or "file"
    parts = [f"  {finding['kind']}: {where}"]
    if finding["address"] is not None:
        parts.append(f"address {finding['address']:#x}")
    parts += [finding[part] for part in ("structure", "field") if finding[part]]
    return ": ".join([*parts, printable(finding["what"])])
