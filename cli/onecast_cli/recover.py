"""onecast recover"""

from __future__ import annotations

import click

import onecast

from .opening import for_each

DONE = {
    "nothing": "nothing to do: no flush was under way",
    "complete": "nothing to put back; the journal of a flush was removed",
    "unmarked": "it was written for readers (SWMR) and not closed: that mark was cleared",
    "undone": "a flush was half done and is undone: the file is as the flush before it left it",
}


@click.command()
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
def recover(paths: tuple[str, ...]) -> None:
    """Undo an incomplete flush of a program that was killed, so that any HDF5 program can read the
    file again.

    Onecast also undoes such a flush when it opens a file for writing, and ignores its changes when
    it opens a file for reading. Exit code 0: every file can be read, 1: a file could not be
    recovered.
    """
    for_each(paths, lambda path: DONE[onecast.recover(path)])
