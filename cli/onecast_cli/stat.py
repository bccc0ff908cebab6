"""onecast stat"""

from __future__ import annotations

import json
from typing import Any

import click

import onecast

from .opening import open_file, printable
from .progress import progress

# The fields of the report, and their meanings.
ROWS = {
    "file_size": "bytes of the file",
    "metadata_bytes": "bytes of metadata",
    "small_data_bytes": "bytes of small datasets that come with it",
    "pieces": "separate stretches of metadata",
    "stripes_touched": "stripes that hold metadata",
    "page_size": "bytes of a metadata page (0: no page list)",
    "pages": "metadata pages",
    "page_runs": "runs of adjacent pages",
    "extents": "stretches of metadata outside of pages",
    "page_list_stale": "page list is stale: another program changed the file",
    "reads_to_open": "reads that an open needs, by one process",
    "complete": "all metadata was looked at",
}
USAGE_ROWS = {
    "user_block": "bytes of user block",
    "raw_data_bytes": "bytes of raw data",
    "compact_bytes": "bytes of raw data in headers",
    "free_bytes": "bytes that the file knows to be free",
    "unaccounted_bytes": "bytes that no structure uses",
}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--stripe-size",
    type=click.IntRange(min=1),
    default=1 << 20,
    show_default=True,
    help="The bytes of a stripe of the file system.",
)
@click.argument("path", metavar="FILE")
def stat(path: str, as_json: bool, stripe_size: int) -> None:
    """Show where the metadata of a file lies, the cost of opening it, and the use of its bytes."""
    with open_file(path, load_policy="eager", stripe_size=stripe_size) as file:
        report: dict[str, Any] = file.metadata_report()._asdict()
        with progress("looking at all objects") as advance:
            usage = onecast.check(path, limit=0, progress=advance)
    kept = ("user_block", "superblock_version", "objects", "structures", "filters", "damaged")
    report["usage"] = {field: usage[field] for field in (*kept, *USAGE_ROWS)}
    if as_json:
        click.echo(json.dumps({"file": path, "stripe_size": stripe_size} | report, indent=2))
    else:
        show(path, report)


def show(path: str, report: dict[str, Any]) -> None:
    from rich.console import Console

    usage = report["usage"]
    console = Console()
    summary = [(report[field], meaning) for field, meaning in ROWS.items()]
    summary += [(usage[field], meaning) for field, meaning in USAGE_ROWS.items()]
    console.print(table(printable(path), (), summary))
    console.print(table("objects", (), [(n, name) for name, n in usage["objects"].items()]))
    structures = [(s["count"], s["bytes"], s["structure"], s["use"]) for s in usage["structures"]]
    console.print(table("bytes", ("number", "bytes", "structure", "for"), structures))
    if usage["filters"]:
        columns = ("datasets", "chunks", "stored bytes", "ratio", "filters")
        console.print(table("chunks", columns, [filter_row(f) for f in usage["filters"]]))
    if usage["damaged"]:
        console.print("The file is damaged: see `onecast check`.")


def table(title: str, columns: tuple[str, ...], rows: list[tuple]) -> Any:
    from rich.table import Table
    from rich.text import Text

    made = Table(title=Text(title), title_justify="left", show_header=bool(columns))
    for number, cell in enumerate(rows[0] if rows else ()):
        name = columns[number] if columns else ""
        made.add_column(name, justify="left" if isinstance(cell, str) else "right")
    for row in rows:
        made.add_row(*(Text(cell_text(cell)) for cell in row))
    return made


def filter_row(filters: dict[str, Any]) -> tuple:
    stored, plain = filters["stored_bytes"], filters["plain_bytes"]
    ratio = plain / stored if stored else 0.0
    return filters["datasets"], filters["chunks"], stored, ratio, filters["filters"] or "none"


def cell_text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
