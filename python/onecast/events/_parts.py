"""Takes arrays apart into nodes, each with its length and its stored arrays."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ._frames import columns_of_frame, without_pandas
from ._nodes import DEEPEST, OFFSET, PRIMITIVES, TAG, Node, order_of, steps, types_in
from ._optional import require
from ._storage import can_be_name

CHARS = {"string": "char", "bytestring": "byte"}


@dataclass
class Part:
    """A node with its elements. `arrays` maps an attribute to its array. Offsets begin at 0."""

    node: Node
    length: int
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    contents: list[Part] = field(default_factory=list)

    def walk(self, path: str) -> Iterator[tuple[str, Part]]:
        yield path, self
        for step, content in zip(steps(self.node), self.contents, strict=True):
            yield from content.walk(path + step)


def columns_of(data: Any) -> dict[str, Any]:
    """Returns {name: array} for a dict, a record array of awkward, a structured array of numpy, or
    a DataFrame of pandas."""
    if isinstance(data, np.ndarray) and data.dtype.names:
        return {name: data[name] for name in data.dtype.names}
    if isinstance(data, Mapping):
        return dict(data)
    columns = columns_of_frame(data)
    if columns is not None:
        return columns
    names = list(getattr(data, "fields", ()))
    layout: Any = getattr(data, "layout", None)
    if names and getattr(layout, "is_record", False) and not layout.is_tuple:
        return {name: layout.content(name) for name in names}  # ten times as fast as data[name]
    if not names:
        raise TypeError(
            "a dict of arrays, or an array of records, was expected, not " + type(data).__name__
        )
    return {name: data[name] for name in names}


def parts_of(data: Any) -> dict[str, Part]:
    """Returns the columns, which have equal lengths. Raises TypeError and ValueError that name the
    column."""
    parts: dict[str, Part] = {}
    for name, array in columns_of(data).items():
        require_text(name)
        try:
            parts[name] = part_of(array)
        except (TypeError, ValueError, RuntimeError) as error:
            kind = ValueError if isinstance(error, UnicodeError) else type(error)
            raise kind(f"column {name}: {error}") from error
        require_names(name, parts[name])
    first = next(iter(parts), "")
    for name, part in parts.items():
        if part.length != parts[first].length:
            raise ValueError(
                f"column {name} has {part.length} events, {first} has {parts[first].length}"
            )
    return parts


def require_text(name: Any) -> None:
    """Raises unless the name of a column is a valid text."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a column is a text, not {name!r}")
    if not name:
        raise ValueError("the name of a column is empty")


def require_names(column: str, part: Part) -> None:
    """Checks the names of columns and fields, which become parts of names of datasets."""
    for path, _ in part.walk(column):
        if not can_be_name(path):
            raise ValueError(
                f"column {column!r}: the name {path!r} cannot be stored: UTF-8 without zeros was "
                "expected"
            )


def part_of(array: Any) -> Part:
    array = without_pandas(array)
    is_one = isinstance(array, np.ndarray) and array.ndim == 0
    is_no_list = isinstance(array, str | bytes | set | frozenset)
    if is_one or is_no_list or not isinstance(array, Iterable):
        raise TypeError(f"{_EACH}, not one {type(array).__name__}")
    if isinstance(array, np.ndarray) and array.dtype.kind in "OT":
        array = array.tolist()  # texts and lists
    if isinstance(array, np.ma.MaskedArray) and array.dtype.names:
        below = [part_of(array[name]) for name in array.dtype.names]
        return _record(below, array.dtype.names, len(array))
    if isinstance(array, np.ndarray) and not isinstance(array, np.ma.MaskedArray):
        return _of_numpy(array)
    ak = sys.modules.get("awkward") or require("awkward")
    if not isinstance(array, ak.contents.Content):
        array = (array if isinstance(array, ak.Array) else _of_python(ak, array)).layout
    plain = _of_plain(ak, array)
    if plain is not None:
        return plain
    _require_few_levels(array)
    return _of_layout(ak, ak.to_packed(array, highlevel=False))


_EACH = "an array with one element for each event was expected"


def _of_python(ak: Any, array: Any) -> Any:
    """Returns an array of awkward. awkward's own errors would mention arguments that no program
    passed."""
    if isinstance(array, np.ma.MaskedArray):
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
    try:
        return ak.Array(array)
    except (TypeError, ValueError, RuntimeError) as error:
        # RuntimeError comes from C++, for a number that is too large.
        why = "" if isinstance(error, RuntimeError) else str(error).partition("\n")[0]
        raise TypeError(
            f"{_EACH}: numbers of at most 64 bits (of Python: int64), texts, None, lists and dicts "
            "of them" + (f" ({why})" if why else "")
        ) from error


def _require_few_levels(layout: Any) -> None:
    """Limits the number of levels before awkward packs the array, which takes quadratic time in
    it."""
    levels, number = [layout], 0
    while levels:
        if number > DEEPEST:
            raise ValueError(f"more than {DEEPEST} levels")
        number += 1
        levels = [below for above in levels for below in _contents_of(above)]


def _contents_of(layout: Any) -> list[Any]:
    if layout.is_record or layout.is_union:
        return list(layout.contents)
    return [layout.content] if layout.is_list or layout.is_option or layout.is_indexed else []


def fitted(part: Part, node: Node) -> Part:
    """Returns the part as the file has it, with fields and types in the order of `node`. If `node`
    is an option, elements that all exist become options; if it is a union, they become elements of
    some of its types."""
    if part.node == node:
        return part
    if part.node.kind == "unknown":
        return _none_of(node)
    if node.kind == "option" and part.node.kind not in ("option", "union"):
        content = fitted(part, node.contents[0])
        index = np.arange(part.length, dtype=OFFSET)
        return _below(node, part.length, {"index": index}, [content])
    if node.kind == "regular" and part.node.inner_shape[:1] == (node.size,):
        content = _numbers(part.arrays["data"].reshape(-1, *part.node.inner_shape[1:]))
        return _below(node, part.length, {}, [fitted(content, node.contents[0])])
    if node.kind == "union":
        return _as_union(part, node) or part
    order = order_of(node, part.node)
    if not part.contents or order is None:
        return part
    contents = [
        fitted(part.contents[n], content) for n, content in zip(order, node.contents, strict=True)
    ]
    return _below(replace(part.node, fields=node.fields), part.length, part.arrays, contents)


def _below(node: Node, length: int, arrays: dict[str, np.ndarray], contents: list[Part]) -> Part:
    """Returns a part like `node` with these contents."""
    above = replace(node, contents=tuple(content.node for content in contents), key="")
    return Part(above, length, arrays, contents)


def _as_union(part: Part, node: Node) -> Part | None:
    """Returns the part as this union; None if it has a type that the union lacks."""
    types = types_in(part.node, node)
    if types is None:
        return None
    is_union = part.node.kind == "union"
    has = part.contents if is_union else [part]
    contents = [
        fitted(has[types.index(n)], content) if n in types else _none_of(content)
        for n, content in enumerate(node.contents)
    ]
    if not is_union:
        tags = np.full(part.length, types[0], TAG)
    elif types == list(range(len(types))):
        tags = part.arrays["tags"]
    else:
        tags = np.array(types, TAG)[part.arrays["tags"]]
    return _union(tags, contents, node.parameters)


def _union(tags: np.ndarray, contents: list[Part], parameters: dict[str, Any]) -> Part:
    """Returns a union with ordered elements of each type. Missing elements belong to the first
    type, so that the bytes do not depend on the rank that has them."""
    if all(content.node.kind == "option" for content in contents):
        places = np.empty(len(tags), OFFSET)
        for n, content in enumerate(contents):
            places[tags == n] = content.arrays["index"]
        tags = np.where(places < 0, TAG.type(0), tags)
        contents = [
            Part(content.node, int(is_of.sum()), {"index": places[is_of]}, content.contents)
            for content, is_of in ((content, tags == n) for n, content in enumerate(contents))
        ]
    index = np.empty(len(tags), OFFSET)
    for n, content in enumerate(contents):
        index[tags == n] = np.arange(content.length)
    node = Node("union", tuple(content.node for content in contents), parameters=parameters)
    return Part(node, len(tags), {"tags": tags, "index": index}, contents)


def _none_of(node: Node) -> Part:
    """Returns a part without elements."""
    arrays = {
        name: np.zeros(1 if name == "offsets" else (0, *node.inner_shape), dtype)
        for name, dtype in node.stored().items()
    }
    return Part(node, 0, arrays, [_none_of(content) for content in node.contents])


def _numbers(array: np.ndarray, parameters: dict[str, Any] | None = None) -> Part:
    array = np.ascontiguousarray(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind in "mM":
        raise TypeError(
            f'elements of {array.dtype} cannot be stored; their numbers can: .astype("i8")'
        )
    if array.dtype.name not in PRIMITIVES:
        raise TypeError(
            f"elements of {array.dtype} cannot be stored; numbers of at most 64 bits, complex ones "
            "of 128, bool, or texts were expected"
        )
    node = Node(
        "numbers", dtype=array.dtype, inner_shape=array.shape[1:], parameters=parameters or {}
    )
    return Part(node, len(array), {"data": array})


def _of_numpy(array: np.ndarray) -> Part:
    if array.dtype.names:
        return _record(
            [_of_numpy(array[name]) for name in array.dtype.names], array.dtype.names, len(array)
        )
    if array.dtype.kind in "US" and array.ndim > 1:
        inner = _of_numpy(array.reshape(-1, *array.shape[2:]))
        node = Node("regular", (inner.node,), size=array.shape[1])
        return Part(node, len(array), {}, [inner])
    if array.dtype.kind in "US":
        is_text = array.dtype.kind == "U"
        texts = [text.encode() if is_text else bytes(text) for text in array.tolist()]
        chars = np.frombuffer(b"".join(texts), np.uint8)
        kind = "string" if is_text else "bytestring"
        content = _numbers(chars, {"__array__": CHARS[kind]})
        offsets = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(text) for text in texts], out=offsets[1:])
        node = Node("list", (content.node,), parameters={"__array__": kind})
        return Part(node, len(texts), {"offsets": offsets}, [content])
    return _numbers(array)


def _record(contents: list[Part], fields: Any, length: int, parameters: Any = None) -> Part:
    node = Node(
        "record",
        tuple(content.node for content in contents),
        fields=None if fields is None else tuple(fields),
        parameters=parameters or {},
    )
    return Part(node, length, {}, contents)


def _of_plain(ak: Any, layout: Any) -> Part | None:
    """Returns the part for numbers and lists of numbers, which most columns are, since awkward
    would take much longer to pack them. None for anything else, and for data that was not read
    yet."""

    def is_plain(layout: Any) -> bool:
        # awkward packs further dimensions as lists of one size.
        is_numbers = isinstance(layout, ak.contents.NumpyArray)
        return is_numbers and type(layout.data) is np.ndarray and layout.data.ndim == 1

    if is_plain(layout):
        return _numbers(layout.data, dict(layout.parameters))
    if not isinstance(layout, ak.contents.ListOffsetArray) or not is_plain(layout.content):
        return None
    offsets, content = layout.offsets.data, layout.content
    if type(offsets) is not np.ndarray or (offsets[1:] < offsets[:-1]).any():
        return None
    first, last = int(offsets[0]), int(offsets[-1])
    if first < 0 or last > len(content.data):
        return None
    below = _numbers(content.data[first:last], dict(content.parameters))
    offsets = offsets.astype(OFFSET, copy=False)
    node = Node("list", (below.node,), parameters=dict(layout.parameters))
    return Part(node, len(offsets) - 1, {"offsets": offsets - first if first else offsets}, [below])


def _of_layout(ak: Any, layout: Any) -> Part:
    """Returns the part for a packed layout of awkward."""
    contents, parameters = ak.contents, dict(layout.parameters)
    if parameters.get("__array__") == "categorical":
        parameters.pop("__array__")
    if layout.is_numpy:
        return _numbers(np.asarray(layout.data), parameters)
    if layout.is_unknown:
        return Part(Node("unknown"), 0)
    if layout.is_record:
        below = [_of_layout(ak, c[: layout.length]) for c in layout.contents]
        return _record(below, None if layout.is_tuple else layout.fields, layout.length, parameters)
    if layout.is_union:
        tags = np.asarray(layout.tags.data)
        index = np.asarray(layout.index.data)[: len(tags)]
        below = [
            _of_layout(ak, content[index[tags == n]].to_packed())
            for n, content in enumerate(layout.contents)
        ]
        return _union(tags, below, parameters)
    if layout.is_option:
        layout = layout.to_IndexedOptionArray64().to_packed()
        content = _of_layout(ak, layout.content.to_packed())
        node = Node("option", (content.node,), parameters=parameters)
        return Part(node, layout.length, {"index": np.asarray(layout.index.data)}, [content])
    if layout.is_indexed:
        return _of_layout(ak, layout.project().to_packed())
    if isinstance(layout, contents.RegularArray):
        inner = layout.content[: layout.length * layout.size].to_packed()
        content = _of_layout(ak, inner)
        node = Node("regular", (content.node,), size=layout.size, parameters=parameters)
        return Part(node, layout.length, {}, [content])
    layout = layout.to_ListOffsetArray64(start_at_zero=True)
    offsets = np.asarray(layout.offsets.data)
    content = _of_layout(ak, layout.content[: offsets[-1]].to_packed())
    node = Node("list", (content.node,), parameters=parameters)
    return Part(node, layout.length, {"offsets": offsets}, [content])


# --- appending to what the file has --------------------------------------------------------------
def moved_offsets(offsets: np.ndarray, by: int) -> np.ndarray:
    return offsets + by if by else offsets


def moved_index(node: Node, part: Part | None, index: np.ndarray, places: list[int]) -> np.ndarray:
    """Shifts the index. `places` has the start of each of the part's contents in the file's
    contents."""
    if part is None or not any(places):
        return index
    if node.kind == "option":
        return np.where(index >= 0, index + places[0], index)
    return index + np.asarray(places)[part.arrays["tags"]]
