"""Trees of CGNS files, in the form that programs for CGNS exchange: a node is a list
`[name, value, children, label]`, the root `["CGNSTree", None, children, "CGNSTree_t"]`.

    tree = onecast.cgns.load("mesh.cgns")
    base = onecast.cgns.load("mesh.cgns", "/Base", depth=1)
    onecast.cgns.save("copy.cgns", tree)

Values are numpy arrays in Fortran order, with the first index of CGNS first; texts are arrays of
"S1"; None means no value. The `value` of a node to save may also be a str, a number, a list, or any
array: it gets the type that CGNS requires for the label. Lists and arrays of texts become arrays of
"S1" whose first dimension contains the characters, padded with blanks: as many as CGNS requires for
the node (32 for FlowSolutionPointers), otherwise as many as the longest text has.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ._cgns_arrays import DTYPES, LazyArray, SlicedArray, memory, room, slice_of, sliced
from ._cgns_slices import require_one_array_each
from ._core import UnsupportedError
from ._file import File
from ._mpi import core_communicator
from ._ranks import replacing

try:
    from . import _cgns
    from ._cgns_writing import Link, Node, Writer, check_tree, links_by_path
except ImportError as missing:
    raise ImportError("this Onecast was built without its CGNS layer") from missing

if TYPE_CHECKING:
    from os import PathLike

    from mpi4py import MPI

CgnsError = _cgns.CgnsError
__all__ = [
    "CgnsError",
    "LazyArray",
    "Link",
    "SlicedArray",
    "Violation",
    "adopt",
    "check",
    "compact",
    "find",
    "links",
    "load",
    "save",
    "slice_of",
    "sliced",
]

READ, WRITE, MODIFY = 0, 1, 2
VALUES = ("whole", "slices", "lazy", "none")
# These values are read in slices below a zone.
SLICED = ("DataArray_t", "IndexArray_t")
ZONES = ("Zone_t", "ParticleZone_t")


class Violation(NamedTuple):
    """A violation of the grammar of CGNS."""

    path: str
    rule: str


@contextmanager
def _open(path: str | PathLike[str], mode: int, comm: MPI.Intracomm | None) -> Iterator[_cgns.File]:
    """Opens a file. A failure on one rank is raised on all, so that no rank waits."""
    file = _cgns.File(os.fsdecode(path), mode, core_communicator(comm))
    try:
        yield file
    except BaseException as error:
        file.abandon(f"{type(error).__name__}: {error}")
        raise


def load(
    path: str | PathLike[str],
    at: str = "/",
    depth: int | None = None,
    *,
    values: str = "whole",
    follow_links: bool = True,
    comm: MPI.Intracomm | None = None,
) -> Node:
    """Returns the node at a path, with what lies below it down to `depth` levels (default:
    everything).

    `values`: "whole" returns arrays; "lazy" returns LazyArrays, and the file stays open as long as
    one of them exists; "none" returns None; with "slices" each rank of `comm` gets a SlicedArray,
    an equal slice along the last dimension, for arrays of label DataArray_t and IndexArray_t below
    a zone, and texts and all other values whole. Links are followed, or else are nodes without
    value and children. All values are read in one collective call. A value without elements is an
    array of that shape, or None if the file has no shape. @collective over `comm`, @same arguments

    Raises ValueError, TypeError (`depth` or `values`), KeyError (no node at that path), CgnsError
    (not a CGNS file, or a damaged one), and what opening a file raises.
    """
    if values not in VALUES:
        raise ValueError(f"values: one of {', '.join(VALUES)} was expected, not {values!r}")
    _require_depth(depth)
    with _open(path, READ, comm) as file:
        reader = _Reader(file, values, follow_links, comm)
        node, in_zone = _at(file.root(), at)
        tree = reader.tree(node, depth, in_zone)
        reader.read()
        if values != "lazy":
            file.close()
    return tree


def _require_depth(depth: int | None) -> None:
    try:
        levels = 0 if depth is None else operator.index(depth)
    except TypeError:
        raise TypeError(f"depth: a whole number or None was expected, not {depth!r:.40}") from None
    if levels < 0:
        raise ValueError(f"depth: 0, a larger number or None was expected, not {depth}")


def _at(node: _cgns.Node, path: str) -> tuple[_cgns.Node, bool]:
    """Returns the node at a path, and True if it lies below a zone."""
    in_zone = False
    for name in path.split("/"):
        if not name:
            continue
        in_zone = in_zone or node.describe()[1] in ZONES
        found = node.find(name)
        if found is None:
            raise KeyError(f"{node.path()} has no node {name!r}")
        node = found
    return node, in_zone


class _Reader:
    """Makes lists of nodes, and notes the values that must be read into their arrays."""

    def __init__(self, file: _cgns.File, values: str, follow: bool, comm: MPI.Intracomm | None):
        self.file, self.values, self.follow = file, values, follow
        self.comm = comm
        self.rank, self.ranks = (comm.rank, comm.size) if comm is not None else (0, 1)
        self.wanted: list[tuple[_cgns.Node, np.ndarray, tuple[int, int] | None]] = []

    def tree(self, start: _cgns.Node, depth: int | None, in_zone: bool) -> Node:
        """Reads a tree. Pending nodes are in a list instead of the stack, since trees may be
        deep."""
        top: list[Node] = []
        waiting = [(start, top, depth, in_zone)]
        while waiting:
            node, siblings, levels, inside = waiting.pop()
            name, label, kind, dims, link = node.describe()
            made: Node = [name, None, [], label]
            siblings.append(made)
            if node is start and name == "":
                made[0], made[3] = "CGNSTree", "CGNSTree_t"
            if link is not None and (kind == "LK" or not self.follow):
                if self.follow:
                    raise CgnsError(f"the link {node.path()} leads to nothing: {''.join(link)}")
                continue
            if dims:
                made[1] = self.value(node, kind, dims, inside and label in SLICED)
            if levels == 0:
                continue
            inside = inside or label in ZONES
            below = None if levels is None else levels - 1
            # The last node is taken first, so that each list is filled in order.
            waiting += [(child, made[2], below, inside) for child in reversed(node.children())]
        return top[0]

    def value(self, node: _cgns.Node, kind: str, dims: tuple[int, ...], is_large: bool) -> object:
        if self.values == "none":
            return None
        if kind not in DTYPES:
            raise CgnsError(f"{node.path()}: a value of type {kind}")
        if self.values == "lazy":
            return LazyArray(dims, kind, lambda a, b: self.rows(node, kind, dims, a, b))
        if self.values == "whole" or not is_large or kind == "C1":
            array = room(dims, kind)
            self.wanted.append((node, memory(array), None))
            return array
        start, stop = slice_of(dims[-1], self.rank, self.ranks)
        array = room((*dims[:-1], stop - start), kind)
        self.wanted.append((node, memory(array), (start, stop - start)))
        return sliced(array, dims, start)

    def rows(
        self, node: _cgns.Node, kind: str, dims: tuple[int, ...], start: int, stop: int
    ) -> np.ndarray:
        array = room((*dims[:-1], stop - start), kind)
        if array.size:
            self.file.read_alone([(node, memory(array), (start, stop - start))])
        return array

    def read(self) -> None:
        if self.comm is not None:
            self.file.read(self.wanted)
        else:
            self.file.read_alone(self.wanted)


def save(
    path: str | PathLike[str],
    tree: Node,
    *,
    links: Iterable[Link] = (),
    comm: MPI.Intracomm | None = None,
) -> None:
    """Writes a tree to a file. A file at `path` is replaced when everything is written. Nodes at
    the paths of `links` become links.

    The root has the label CGNSTree_t. Numbers get the type that CGNS requires for their label, if
    this changes no value: base dimensions become I4, the version R4. If it requires none, they keep
    their type, as in UserDefinedData_t. Integers of 8 and 16 bits become I4, except the unsigned
    bytes of CGNS. Arrays without elements are stored as no value.

    With `comm`, all ranks pass the same tree. For arrays that are SlicedArrays each rank has its
    own slice, and each index is in exactly one slice. The version in the file is that of the tree;
    otherwise 3.40, which every CGNS library since 3.4 opens, or 4.00 if a section has offsets.
    @collective over `comm`

    Raises CgnsError (a name or label that cannot be stored, duplicate names), TypeError and
    ValueError (values that CGNS or the label does not allow, a version that Onecast does not open,
    a node that is not a list of four, a wrong root, names with blanks at their ends,
    slices that overlap or leave gaps), KeyError (a link without a place in the tree). The text
    names the path.
    """
    with replacing(path, comm) as beside, _open(beside, WRITE, comm) as file:
        slices = None
        try:
            check_tree(tree)
            writer = Writer(file, links_by_path(links), on_ranks=comm is not None)
            writer.tree(tree)
            slices = writer.slices_by_path
        finally:
            if comm is not None:
                require_one_array_each(comm, slices)
        if comm is not None:
            file.write(writer.slices)
        file.close()


def find(tree: Node, path: str) -> Node:
    """Returns the node of a tree at a path from its root. Raises KeyError. @independent"""
    node = tree
    for name in path.split("/"):
        if name:
            found = next((child for child in node[2] or () if child[0] == name), None)
            if found is None:
                raise KeyError(f"{node[0]} has no node {name!r}")
            node = found
    return node


def links(path: str | PathLike[str]) -> list[Link]:
    """Returns the links of a file for save(links=...), in the order of the tree. Links behind links
    are not listed. @independent"""
    found = []
    with _open(path, READ, None) as file:
        waiting = [file.root()]
        while waiting:
            node = waiting.pop()
            link = node.describe()[4]
            if link is not None:
                found.append(Link(node.path(), *link))
            else:
                waiting += reversed(node.children())
        file.close()
    return found


def check(path: str | PathLike[str]) -> list[Violation]:
    """Compares a file with the grammar of CGNS: labels, names, children, types, dimensions, values,
    extents of arrays, links. Targets of links are not checked. @independent"""
    with _open(path, READ, None) as file:
        found = [Violation(*violation) for violation in file.check()]
        file.close()
    return found


def compact(path: str | PathLike[str], out: str | PathLike[str]) -> None:
    """Copies all nodes to a new file, without the space of deleted nodes, and with small values in
    the headers, which an open brings to all ranks. Links stay links. A file at `out`, which may be
    `path`, is replaced when everything is written. Raises UnsupportedError for a file with a user
    block, which would be lost; `onecast.repack` keeps it. @independent"""
    with _open(path, READ, None) as file:
        with File(path, "r", load_policy="lazy") as plain:
            if plain.userblock_size:
                raise UnsupportedError(
                    f"{os.fsdecode(path)}: not supported: a user block, of {plain.userblock_size} "
                    "bytes; onecast repack keeps it"
                )
        with replacing(out, None) as beside, _open(beside, WRITE, None) as copy:
            file.copy_to(copy)
            copy.close()
        file.close()


def adopt(path: str | PathLike[str]) -> tuple[int, bool]:
    """Makes a file of another program fast to open, in place: small values move into the headers of
    their nodes, and a list of the metadata is added. No value changes. Returns the number of small
    values, and whether the list is new. @independent"""
    with _open(path, MODIFY, None) as file:
        done = file.adopt()
        file.close()
    return done
