"""The structure of a column: a tree of nodes, each with stored arrays or none. In the file the
trees of all columns are one form of awkward-array, in JSON: docs/reference/events_columnar.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

DEEPEST = 64  # levels of nodes; the limit protects the stack against bad files
OFFSET = np.dtype("i8")
TAG = np.dtype("i1")


@dataclass(frozen=True)
class Kind:
    """A kind of node: its class in the form, and its stored arrays with their types."""

    form: str
    stored: dict[str, np.dtype | None] = field(default_factory=dict)  # None: the node's own type
    of_form: dict[str, str] = field(default_factory=dict)  # the names of these types in the form


KINDS = {
    "numbers": Kind("NumpyArray", {"data": None}),
    "list": Kind("ListOffsetArray", {"offsets": OFFSET}, {"offsets": "i64"}),
    "option": Kind("IndexedOptionArray", {"index": OFFSET}, {"index": "i64"}),
    "union": Kind("UnionArray", {"tags": TAG, "index": OFFSET}, {"tags": "i8", "index": "i64"}),
    "regular": Kind("RegularArray"),
    "record": Kind("RecordArray"),
    "unknown": Kind("EmptyArray"),
}
BY_FORM = {kind.form: name for name, kind in KINDS.items()}


@dataclass(frozen=True)
class Node:
    """A node. `kind` is a key of KINDS. Its stored arrays are named `KEY-ATTRIBUTE`. `contents` is
    one node; a record has one for each of `fields` (None for a tuple), a union one for each
    type."""

    kind: str
    contents: tuple[Node, ...] = ()
    dtype: Any = None  #: numpy's, of numbers
    inner_shape: tuple[int, ...] = ()  #: of each element, of numbers
    size: int = 0  #: of each list, of regular
    fields: tuple[str, ...] | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    key: str = ""

    def stored(self) -> dict[str, np.dtype]:
        """Returns {attribute: type} of the stored arrays."""
        return {name: dtype or self.dtype for name, dtype in KINDS[self.kind].stored.items()}

    @property
    def place(self) -> tuple[str, ...]:
        """The names of its stored arrays. Lists that share offsets have the same place."""
        return tuple(self.name_of(attribute) for attribute in KINDS[self.kind].stored)

    def name_of(self, attribute: str) -> str:
        return f"{self.key}-{attribute}"


def steps(node: Node) -> list[str]:
    """Returns what each of the contents adds to the path of the node."""
    if not node.contents:
        return []
    if node.kind == "record":
        names = node.fields or [str(n) for n in range(len(node.contents))]
        return [f".{name}" for name in names]
    if node.kind == "union":
        return [f"|{n}" for n in range(len(node.contents))]
    return [{"list": "[]", "regular": "[]", "option": "?"}[node.kind]] * len(node.contents)


def walk(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    """Yields (path, node) for a column and all nodes below it, from the top."""
    yield path, node
    for step, content in zip(steps(node), node.contents, strict=True):
        yield from walk(content, path + step)


def nodes_of(columns: dict[str, Node]) -> list[tuple[str, Node]]:
    return [found for name, node in columns.items() for found in walk(node, name)]


def words(node: Node) -> str:
    """Describes a node for a message."""
    if node.kind == "numbers":
        shape = f" of shape {node.inner_shape}" if node.inner_shape else ""
        return f"{node.dtype}{shape}"
    if node.kind == "list" and node.parameters.get("__array__") in ("string", "bytestring"):
        return str(node.parameters["__array__"])
    if node.kind in ("record", "union"):
        below = [words(content) for content in node.contents]
        if node.fields is not None:
            below = [f"{name}: {text}" for name, text in zip(node.fields, below, strict=True)]
        kind = " ".join([node.kind, *_name_of_record(node)])
        return f"{kind} ({', '.join(below)})"
    below = [words(content) for content in node.contents]
    if node.kind == "regular":
        return f"list of {node.size} {below[0]}"
    return " of ".join([node.kind, *below])


def _name_of_record(node: Node) -> list[str]:
    name = node.parameters.get("__record__")
    return [name] if isinstance(name, str) else []


# --- equivalent nodes ----------------------------------------------------------------------------
def order_of(a: Node, b: Node) -> list[int] | None:
    """Returns for each of the contents of `a` the number of the matching one of `b`; fields match
    by name, types of a union by what they can hold. None if the nodes do not match."""
    if _alone(a) != _alone(b):
        return None
    if a.kind == "union":
        types = types_in(b, a)
        return None if types is None else [types.index(n) for n in range(len(types))]
    if a.fields is None or b.fields is None:
        return list(range(len(a.contents)))
    return [b.fields.index(name) for name in a.fields] if set(a.fields) == set(b.fields) else None


def _alone(node: Node) -> tuple[Any, ...]:
    """Returns the properties of a node without its contents."""
    is_named, count = node.fields is not None, len(node.contents)
    return node.kind, node.dtype, node.inner_shape, node.size, node.parameters, is_named, count


def can_be(node: Node, wanted: Node) -> bool:
    """True if an element of `node` can be an element of `wanted`, possibly as an option."""
    if "unknown" in (node.kind, wanted.kind):
        return True
    if wanted.kind == "option" and node.kind != "option":
        # awkward has no option of a union.
        return node.kind != "union" and can_be(node, wanted.contents[0])
    if wanted.kind == "union":
        return types_in(node, wanted) is not None
    order = order_of(wanted, node)
    if order is None:
        return False
    return all(can_be(node.contents[n], c) for n, c in zip(order, wanted.contents, strict=True))


def types_in(node: Node, union: Node) -> list[int] | None:
    """Returns for each type of `node` the number of its type in `union`; None if one has none.
    `node` is a union of at most as many types, or a single type."""
    if node.kind == "union" and node.parameters != union.parameters:
        return None
    types: list[int] = []
    for number, kind in enumerate(node.contents if node.kind == "union" else [node]):
        own_first = sorted(range(len(union.contents)), key=number.__ne__)
        left = [n for n in own_first if n not in types]
        found = next((n for n in left if can_be(kind, union.contents[n])), None)
        if found is None:
            return None
        types.append(found)
    return types


def unify(a: Node, b: Node, path: str) -> Node:
    """Returns one node for both, with fields and types in the order of `a`. What is unknown in one,
    because it was empty, comes from the other. Raises TypeError that names the path."""
    if a == b:
        return a
    if "unknown" in (a.kind, b.kind):
        return b if a.kind == "unknown" else a
    order = order_of(a, b)
    if order is None:
        raise TypeError(f"column {path}: {words(a)} was expected, not {words(b)}")
    contents = tuple(
        unify(content, b.contents[n], path + step)
        for step, content, n in zip(steps(a), a.contents, order, strict=True)
    )
    return replace(a, contents=contents)


def unify_columns(a: dict[str, Node], b: dict[str, Node]) -> dict[str, Node]:
    require_same_names(a, b, "the first batch", "this one")
    return {name: unify(node, b[name], name) for name, node in a.items()}


def require_same_names(a: dict[str, Node], b: dict[str, Node], name_a: str, name_b: str) -> None:
    """Raises TypeError that says which side has a column that the other lacks."""
    if a.keys() != b.keys():
        name = next(name for name in [*a, *b] if not (name in a and name in b))
        has, lacks = (name_a, name_b) if name in a else (name_b, name_a)
        raise TypeError(
            f"column {name}: {has} has it, and {lacks} has not; all batches and ranks must have "
            "the same columns"
        )


def compact_json(what: Any) -> str:
    return json.dumps(what, separators=(",", ":"))


# --- the form ------------------------------------------------------------------------------------
def to_form(node: Node) -> dict[str, Any]:
    kind = KINDS[node.kind]
    form: dict[str, Any] = {"class": kind.form, **kind.of_form}
    if node.kind == "numbers":
        form["primitive"] = node.dtype.name
        if node.inner_shape:
            form["inner_shape"] = list(node.inner_shape)
    elif node.kind == "regular":
        form["size"] = node.size
    elif node.kind == "record":
        form["fields"] = None if node.fields is None else list(node.fields)
    below = [to_form(content) for content in node.contents]
    if node.kind in ("record", "union"):
        form["contents"] = below
    elif below:
        form["content"] = below[0]
    if node.parameters:
        form["parameters"] = node.parameters
    if kind.stored:
        form["form_key"] = node.key
    return form


def record_of(columns: dict[str, Node]) -> Node:
    return Node("record", tuple(columns.values()), fields=tuple(columns))


def from_text(text: Any) -> Node:
    """Returns the node for the form in a file. Raises ValueError that names the place in the
    form."""
    if not isinstance(text, str):
        raise ValueError("a text was expected")
    try:
        form = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {error}") from None
    root = _from_form(form, "form", 0)
    if root.kind != "record" or root.fields is None:
        raise ValueError("form: a RecordArray with fields was expected")
    _check_places(root, (), {})
    return root


def _check_places(node: Node, above: Any, known: dict[tuple[str, ...], Any]) -> None:
    """Raises ValueError unless nodes with one key have equal types and lie below one node, in one
    type of a union: only then do they need the same part of the array."""
    if node.kind == "regular":
        above = id(node)
    elif node.place:
        used = known.setdefault(node.place, (above, node.stored(), node.inner_shape))
        if used != (above, node.stored(), node.inner_shape):
            raise ValueError(f"form: form_key {node.key!r} stands for nodes that differ")
        above = node.place
    for number, content in enumerate(node.contents):
        _check_places(content, (above, number) if node.kind == "union" else above, known)


def _from_form(form: Any, at: str, depth: int) -> Node:
    if depth > DEEPEST:
        raise ValueError(f"{at}: more than {DEEPEST} levels")
    get = _getter(form, at)
    name = get("class", str)
    if name not in BY_FORM:
        raise ValueError(f"{at}: class {name!r}: one of {', '.join(BY_FORM)} was expected")
    kind = KINDS[BY_FORM[name]]
    for attribute, width in kind.of_form.items():
        if get(attribute, str) != width:
            raise ValueError(f"{at}: {attribute}: {width!r} was expected")
    known: dict[str, Any] = {"parameters": get("parameters", dict, {}) or {}}
    if kind.stored:
        known["key"] = get("form_key", str)
    if BY_FORM[name] == "numbers":
        known["dtype"] = _dtype_of(get("primitive", str), at)
        known["inner_shape"] = tuple(get("inner_shape", list, []))
        if not all(type(n) is int and n >= 0 for n in known["inner_shape"]):
            raise ValueError(f"{at}: inner_shape: numbers from 0 on were expected")
    elif BY_FORM[name] == "regular":
        known["size"] = get("size", int)
        if known["size"] < 0:
            raise ValueError(f"{at}: size: a number from 0 on was expected")
    if BY_FORM[name] in ("record", "union"):
        contents = get("contents", list)
        known["fields"] = _fields_of(get, at, len(contents)) if BY_FORM[name] == "record" else None
        named = known["fields"] or range(len(contents))
        below = list(zip(contents, named, strict=True))
    else:
        below = [(get("content", dict), "content")] if kind.form not in LEAVES else []
    return Node(
        BY_FORM[name],
        tuple(_from_form(content, f"{at}.{step}", depth + 1) for content, step in below),
        **known,
    )


LEAVES = ("NumpyArray", "EmptyArray")


def _getter(form: Any, at: str) -> Callable[..., Any]:
    if not isinstance(form, dict):
        raise ValueError(f"{at}: an object was expected, not {form!r:.40}")

    def get(name: str, kind: type, *otherwise: Any) -> Any:
        if otherwise and name not in form:
            return otherwise[0]
        if type(form.get(name)) is not kind and not (otherwise and form[name] is None):
            raise ValueError(f"{at}: {name}: {kind.__name__} was expected")
        return form[name]

    return get


def _fields_of(get: Callable[..., Any], at: str, count: int) -> tuple[str, ...] | None:
    fields = get("fields", list, None)
    if fields is None:
        return None
    if not all(isinstance(name, str) for name in fields) or len(set(fields)) != count:
        raise ValueError(f"{at}: fields: {count} different names were expected")
    return tuple(fields)


def _dtype_of(name: str, at: str) -> np.dtype:
    if name not in PRIMITIVES:
        raise ValueError(f"{at}: primitive: {name!r} is none of {', '.join(PRIMITIVES)}")
    return np.dtype(name)


PRIMITIVES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)
