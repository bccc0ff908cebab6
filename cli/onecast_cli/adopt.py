"""onecast adopt"""

from __future__ import annotations

import click

import onecast

from .opening import for_each


@click.command()
@click.option(
    "--page-size",
    type=click.IntRange(min=0),
    default=0,
    help="Bytes of the added pages (a power of two; the default follows from the file's size).",
)
@click.option("--durable", is_flag=True, help="Wait until the bytes are on stable storage.")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
def adopt(paths: tuple[str, ...], page_size: int, durable: bool) -> None:
    """Add a list of where its metadata lies to an HDF5 file that another program wrote, or renew
    the list after another program changed the file: the next open in parallel needs no walk over
    all objects.

    The file is changed in place; if the program is killed, the change is undone (see recover). No
    object changes; a file of superblock version 0 or 1 gets version 2, which HDF5 reads since 1.8.
    A file whose list is valid is not written. Exit code 0: every file has a list, 1: a file could
    not be adopted.
    """
    for_each(paths, lambda path: adopt_one(path, page_size, durable))


def adopt_one(path: str, page_size: int, durable: bool) -> str:
    with onecast.File(path, "r+", page_size=page_size, durable=durable) as file:
        was_stale = file.metadata_report().page_list_stale
        if not file.adopt():
            return "nothing to do: the page list is valid"
        file.flush()
        report = file.metadata_report()
    done = "renewed" if was_stale else "added"
    return (
        f"page list {done}: {report.extents} stretches of metadata, "
        f"and {report.pages} pages of {report.page_size} bytes"
    )
