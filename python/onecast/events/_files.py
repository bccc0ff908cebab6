"""Opens, checks and indexes files of events, whatever their kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._events import Events
from ._kinds import Path, kind_of, split_name, wait_advised
from ._root import RootEvents
from ._settings import alike_arguments

if TYPE_CHECKING:
    from mpi4py import MPI


def open_events(location: Path, *, comm: MPI.Intracomm | None = None, **options: Any) -> Events:
    """Opens a file of events for reading: FILE, or FILE:NAME if it holds several. The kind is
    recognized by the contents; a URL (https, root) leads to a ROOT file, which uproot reads.
    `options`: of onecast.File, or of uproot.open.

    Raises what opening a file raises, FormatError if it holds no events or nothing yet, KeyError if
    none of that name. Names columns of a ROOT file that are left out (UnreadColumnWarning).
    @collective over `comm`, @same arguments
    """
    events = opened(location, comm, **options)
    if isinstance(events, RootEvents):
        events.warn()
    return events


def opened(location: Path, comm: MPI.Intracomm | None = None, **options: Any) -> Events:
    """Opens a file like `open_events`, without the warning, for callers that report unread columns
    themselves. @collective"""

    def arguments() -> dict[str, Any]:
        if "mode" in options:
            raise TypeError("mode: events are opened for reading; `create` and `write` write them")
        return dict(zip(("path", "name"), split_name(location), strict=True))

    given = alike_arguments(comm, arguments)
    path, name = given["path"], given["name"]
    kind = kind_of(path, comm)
    with wait_advised():
        return kind.open(path, name, comm, **options)


def check(location: Path, *, data: bool = False) -> list[str]:
    """Returns the problems of a file of events, a line each: lengths, offsets, the index of
    identities, and with `data` chunks that cannot be read. @independent

    Raises what `open` raises.
    """
    with opened(location) as events:
        return kind_of(events.path).check(events, data)


def index(location: Path, *, identity: Sequence[str] | None = None) -> int | None:
    """Makes the index for `Events.find`, or replaces it, and returns its number of events. This
    also completes a file whose writer was interrupted. Such a file without columns of an identity
    gets no index; then the result is None, with a UserWarning.
    identity: the columns with run, lumi, event, if their names are unusual. @independent

    Raises ValueError for a complete file without such columns, or for a kind that has no index.
    """
    path, name = split_name(location)
    kind = kind_of(path)
    if kind.index is None:
        raise ValueError(f"{path}: a file of kind {kind.name} has no index")
    return kind.index(path, name, identity)
