"""Checks the arguments of a writer, which must be equal on all ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .._mpi import require_communicator
from .._ranks import for_other_ranks, raise_alike
from ._nodes import Node, compact_json, to_form, words
from ._storage import can_be_name

if TYPE_CHECKING:
    from mpi4py import MPI


def group_name(name: Any) -> str:
    """Returns the name. Raises TypeError, ValueError."""
    if not isinstance(name, str):
        raise TypeError(f"name: the name of one group was expected, not {name!r}")
    if not can_be_name(name) or name in ("", ".") or "/" in name:
        raise ValueError(f"name: the name of one group was expected, not {name!r}")
    return name


def texts(given: Any, argument: str) -> dict[str, str]:
    """Returns the texts of columns. Raises TypeError that names the argument."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{argument}: a dict of columns and texts was expected, not {given!r}")
    found = dict(given or {})
    for column, text in found.items():
        if not isinstance(text, str):
            raise TypeError(f"{argument}: column {column}: a text was expected, not {text!r}")
    return found


class Value(NamedTuple):
    """The value of an argument: in full, and as an error shows it."""

    shown: str
    whole: str


class Given(NamedTuple):
    """The arguments of some adjacent ranks: those of the first rank, and the first error."""

    rank: int
    values: dict[str, Value]
    error: Exception | None


def alike_arguments(
    comm: MPI.Intracomm | None, work: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Returns the arguments that `work` returns by name, which must look equal on all ranks. All
    ranks raise the error of the first rank that fails, or a ValueError that names the argument that
    differs, and its values. @collective"""
    if comm is None:
        return work()
    require_communicator(comm)
    found: dict[str, Any] = {}
    mine = first = None
    try:
        found = work()
    except Exception as error:
        mine, first = error, for_other_ranks(error)
    given = comm.allreduce(Given(comm.rank, _values(found), first), op=_compared)
    raise_alike(mine, given.error)
    return found


def _values(arguments: dict[str, Any]) -> dict[str, Value]:
    """Returns the values of arguments, with each entry of a dict as one."""
    found: dict[str, Value] = {}
    for name, value in arguments.items():
        if not isinstance(value, Mapping):
            found[name] = Value(repr(value), repr(value))
            continue
        for key, below in value.items():
            found[f"{name}[{key!r}]"] = _value(below)
        if any(isinstance(below, Node) for below in value.values()):
            order = ", ".join(value)  # the order of the columns in the file
            found[f"order of {name}"] = Value(order, order)
    return found


def _value(entry: Any) -> Value:
    if isinstance(entry, Node):
        return Value(words(entry), compact_json(to_form(entry)))
    return Value(repr(entry), repr(entry))


def _compared(a: Given, b: Given) -> Given:
    """Compares adjacent groups of ranks."""
    error = a.error or b.error
    if error is None and a.values != b.values:
        names = [*a.values, *b.values]
        name = next(name for name in names if a.values.get(name) != b.values.get(name))
        nothing = Value("nothing", "")
        here, there = (given.values.get(name, nothing) for given in (a, b))
        if here.shown == there.shown:
            here, there = Value(here.whole, ""), Value(there.whole, "")
        error = ValueError(
            f"ranks were given different arguments: {name}: {here.shown} on rank "
            f"{a.rank}, {there.shown} on rank {b.rank}"
        )
    return Given(a.rank, a.values, error)
