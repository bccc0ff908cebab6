"""Writes trees of lists to CGNS files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _cgns
from ._cgns_arrays import memory
from ._cgns_slices import Slice
from ._cgns_values import stored, text_width

# A node, with everything below it, is a list: name, value, children, label.
Node = list[Any]
T = TypeVar("T")

ROOT_LABEL = "CGNSTree_t"
VERSION, VERSION_LABEL = "CGNSLibraryVersion", "CGNSLibraryVersion_t"
# OLDEST opens with every CGNS library since 3.4. WITH_OFFSETS is necessary for sections with
# offsets.
OLDEST, WITH_OFFSETS = 3.4, 4.0
# The first and the last version of files that can be opened.
FIRST_MAJOR, LAST_MAJOR = 1, 4


class Link(NamedTuple):
    """A node that refers to another node."""

    path: str
    file: str  #: empty: the file of the link
    target: str


def check_tree(tree: Any) -> None:
    """Raises TypeError and ValueError, which name the path, if this is not a tree of nodes."""
    _require_node(tree, "/")
    _require_root(tree)
    # Ancestors are tracked, since a list that contains itself would never end.
    waiting = [(tree[2], "", frozenset({id(tree[2])}))]
    while waiting:
        children, above, around = waiting.pop()
        for node in children or ():
            _require_node(node, f"below {above or '/'}")
            path, below = f"{above}/{node[0]}", node[2]
            if not below:
                continue
            if id(below) in around:
                raise ValueError(f"{path}: the tree contains itself")
            waiting.append((below, path, around | {id(below)}))
    _require_names_of_version(tree)


def _require_node(node: object, where: str) -> None:
    if not isinstance(node, list | tuple) or len(node) != 4:
        raise TypeError(f"{where}: a node is [name, value, children, label], not {node!r:.60}")
    name, _, children, label = node
    if not isinstance(name, str) or not isinstance(label, str):
        raise TypeError(f"{where}: name and label are texts, not {name!r:.40}, {label!r:.40}")
    if name != name.strip(" ") and name.strip(" "):
        raise ValueError(f"{where}: CGNS has no names that begin or end with a blank: {name!r:.40}")
    for text in (name, label):
        if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
            raise ValueError(f"{where}: names and labels are UTF-8 without NUL, not {text!r:.40}")
    if not isinstance(children, list | tuple | type(None)):
        path = f"{where.removeprefix('below ').rstrip('/')}/{name}"
        raise TypeError(f"{path}: children are a list, not {type(children).__name__}")


def _require_root(tree: Node) -> None:
    if tree[3] != ROOT_LABEL:
        raise ValueError(
            f"/: the root has the label {ROOT_LABEL}, not {tree[3]!r:.40}: put bases, with their "
            f'zones, into ["CGNSTree", None, [base], "{ROOT_LABEL}"]'
        )
    if tree[1] is not None:
        raise ValueError(f"/: the root has no value, but {tree[1]!r:.60} was given")


def _require_names_of_version(tree: Node) -> None:
    for name, _, _, label in tree[2] or ():
        if (name == VERSION) != (label == VERSION_LABEL):
            raise ValueError(
                f"/{name}: below the root, the name {VERSION} and the label {VERSION_LABEL} stand "
                "together"
            )


def links_by_path(links: Iterable[Link]) -> dict[str, Link]:
    """Returns the links by path. Raises TypeError if an item is not a link."""
    found = {}
    for link in links:
        are_texts = isinstance(link, list | tuple) and all(isinstance(text, str) for text in link)
        if not are_texts or len(link) != 3:
            raise TypeError(f"links: a link is (path, file, target), not {link!r:.80}")
        found["/" + "/".join(name for name in link[0].split("/") if name)] = Link(*link)
    return found


def _version_for(tree: Node) -> float:
    """Returns the version to write. Sections are on the third level, below bases and zones."""
    level = [tree]
    for _ in range(4):
        level = [child for node in level for child in node[2] or ()]
    return WITH_OFFSETS if any(node[0] == "ElementStartOffset" for node in level) else OLDEST


class Writer:
    """Creates the nodes of a checked tree, and links at some of their paths."""

    def __init__(self, file: _cgns.File, linked: dict[str, Link], on_ranks: bool):
        self.file, self.linked, self.on_ranks = file, linked, on_ranks
        self.made: set[str] = set()
        #: Of arrays that ranks write together.
        self.slices: list[tuple[_cgns.Node, np.ndarray, tuple[int, int] | None]] = []
        self.slices_by_path: list[Slice] = []

    def tree(self, tree: Node) -> None:
        """Creates all nodes. Raises KeyError if a link has a path that the tree lacks."""
        root = self.file.root()
        if not any(child[0] == VERSION for child in tree[2] or ()):
            version = [VERSION, np.array([_version_for(tree)], "f4"), [], VERSION_LABEL]
            self.node(root, f"/{VERSION}", version)
        waiting = [(root, "", tree[2])]
        while waiting:
            parent, above, children = waiting.pop()
            for child in children or ():
                path = f"{above}/{child[0]}"
                created = self.node(parent, path, child)
                if created is not None:
                    waiting.append((created, path, child[2]))
        for missing in self.linked.keys() - self.made:
            raise KeyError(f"links: there is no place for {missing} in the tree")

    def node(self, parent: _cgns.Node, path: str, node: Node) -> _cgns.Node | None:
        """Creates a node; returns None if it is a link, whose children lie elsewhere."""
        name, value, _, label = node
        self.made.add(path)
        link = self.linked.get(path)
        if link is not None:
            _at(path, parent.link, name, link.file, link.target)
            return None
        array: Any
        width = text_width(_cgns.dimensions_of(label, parent.describe()[1], name))
        kind, array = stored(value, label, path, width)
        if path == f"/{VERSION}":
            _require_version(array, value)
        if array is None:
            return _at(path, parent.create, name, label, kind, [], None)
        whole = getattr(array, "whole_shape", None)
        if whole is not None and self.on_ranks:
            created = _at(path, parent.create, name, label, kind, list(whole), None)
            self.slices.append((created, memory(array), (array.start, array.shape[-1])))
            stop = array.start + array.shape[-1]
            self.slices_by_path.append(Slice(path, array.start, stop, whole[-1]))
            return created
        if whole is not None and whole != array.shape:
            raise ValueError(f"{path}: slices of an array are written on a communicator")
        return _at(path, parent.create, name, label, kind, list(array.shape), memory(array))


def _at(path: str, make: Callable[..., T], *arguments: object) -> T:
    """Calls `make`; adds the path of the node to errors of the file."""
    try:
        return make(*arguments)
    except _cgns.CgnsError as error:
        raise _cgns.CgnsError(f"{path}: {str(error).removesuffix(f': {path}')}") from error


def _require_version(array: np.ndarray | None, given: object) -> None:
    if array is None or array.size != 1 or not FIRST_MAJOR <= array.flat[0] < LAST_MAJOR + 1:
        raise ValueError(
            f"/{VERSION}: a version of CGNS from {FIRST_MAJOR} to {LAST_MAJOR} is one number, not "
            f"{given!r:.60}"
        )
