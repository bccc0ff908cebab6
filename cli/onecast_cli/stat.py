"""onecast stat"""

from __future__ import annotations

import json

import click

from .opening import open_file, printable

# Field of the report -> what it means.
ROWS = {
    "file_size": "bytes of the file",
    "metadata_bytes": "bytes of metadata",
    "small_data_bytes": "bytes of small datasets that come with it",
    "pieces": "separate stretches of metadata",
    "stripes_touched": "stripes that hold metadata",
    "page_size": "bytes of a metadata page (0: no page list)",
    "pages": "metadata pages",
    "page_runs": "runs of adjacent pages",
    "page_list_stale": "page list is stale: another program changed the file",
    "reads_to_open": "reads that an open needs, by one process",
    "complete": "all metadata was looked at",
}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON instead of a table.")
@click.option(
    "--stripe-size",
    type=click.IntRange(min=1),
    default=1 << 20,
    show_default=True,
    help="Bytes of a stripe of the file system.",
)
@click.argument("path", metavar="FILE")
def stat(path: str, as_json: bool, stripe_size: int) -> None:
    """How the metadata of a file lies, and what opening it costs."""
    with open_file(path, load_policy="eager", stripe_size=stripe_size) as file:
        report = file.metadata_report()._asdict()
    if as_json:
        click.echo(json.dumps({"file": path, "stripe_size": stripe_size} | report, indent=2))
        return

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(printable(path)), show_header=False)
    table.add_column(justify="right")
    table.add_column()
    for field, meaning in ROWS.items():
        value = report[field]
        shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value:,}"
        table.add_row(shown, meaning)
    Console().print(table)
