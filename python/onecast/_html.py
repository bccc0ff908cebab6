"""The HTML tree that Jupyter shows for files, groups and datasets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice
from typing import Any

from . import _core
from ._links import ExternalLink, SoftLink

# A file may have millions of objects. These limit the members shown of one object, the number of
# objects, the depth, and the part of a value that is shown.
MOST_OF_ONE = 50
MOST_IN_ALL = 200
DEEPEST = 4
MOST_ELEMENTS = 8
LONGEST_TEXT = 240

STYLE = (
    "<style>.onecast table{margin-left:1.5em}.onecast td{text-align:left}"
    ".onecast details{margin-left:1em}.onecast summary{cursor:pointer}</style>"
)


def html_of(target: Any) -> str:
    """Returns HTML that shows a file, group or dataset. @independent"""
    if not target:
        return f"<code>{escape(repr(target))}</code>"
    left = iter(range(MOST_IN_ALL))
    body = "".join(_details(target, left, 0))
    return f'<div class="onecast">{STYLE}<code>{escape(repr(target))}</code>{body}</div>'


def _details(target: Any, left: Iterator[int], depth: int) -> Iterator[str]:
    if hasattr(target, "shape"):
        yield _table(_facts(target))
    yield _attributes(target)
    if hasattr(target, "keys"):
        yield from _members(target, left, depth)


def _facts(dataset: Any) -> Iterator[tuple[str, Any]]:
    yield "shape", dataset.shape
    yield "type", _type(dataset)
    if dataset.shape is None:
        return
    if dataset.maxshape != dataset.shape:
        yield "largest shape", dataset.maxshape
    if dataset.chunks:
        yield "chunks", dataset.chunks
    if dataset.compression:
        yield "compression", dataset.compression
    yield "bytes", f"{dataset.nbytes:,}"


def _attributes(target: Any) -> str:
    names = list(target.attrs)
    if not names:
        return ""
    rows = [(name, _value(target.attrs, name)) for name in names[:MOST_OF_ONE]]
    title = f"{len(names)} attribute{'s' if len(names) > 1 else ''}"
    return _fold(title, _table(rows) + _more(len(names)))


def _members(group: Any, left: Iterator[int], depth: int) -> Iterator[str]:
    for name in islice(group, MOST_OF_ONE):
        if next(left, None) is None:
            yield "<div>…</div>"
            return
        yield _member(group, name, left, depth)
    yield _more(len(group))


def _member(group: Any, name: str, left: Iterator[int], depth: int) -> str:
    link = group.get(name, getlink=True)
    if isinstance(link, SoftLink):
        return _line(name, f"→ {link.path}")
    if isinstance(link, ExternalLink):
        return _line(name, f"→ {link.filename}: {link.path}")
    try:
        target = group[name]
        if hasattr(target, "shape"):
            title = _title(name, f"{target.shape} {_type(target)}")
        elif hasattr(target, "keys"):
            title = _title(name, f"group, {len(target)} members")
        else:
            return _line(name, repr(target))
        deeper = "".join(_details(target, left, depth + 1)) if depth < DEEPEST else ""
    except Exception as error:  # damaged files are shown too
        return _line(name, str(error))
    return _fold(title, deeper)


def _value(attributes: Any, name: str) -> str:
    try:
        value = attributes[name]
    except Exception as error:
        return str(error)
    if getattr(value, "size", 0) > MOST_ELEMENTS:
        return f"{value.shape} {value.dtype}"
    return str(value)


def _type(target: Any) -> str:
    try:
        return str(target.dtype)
    except _core.UnsupportedError:
        return str(target.datatype)


def _table(rows: Iterable[tuple[str, Any]]) -> str:
    cells = "".join(f"<tr><td>{_text(k)}</td><td>{_text(v)}</td></tr>" for k, v in rows)
    return f"<table>{cells}</table>"


def _fold(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>{body}</details>"


def _line(name: str, words: str) -> str:
    return f"<div>{_title(name, words)}</div>"


def _title(name: str, words: str) -> str:
    return f"<b>{_text(name)}</b> {_text(words)}"


def _more(count: int) -> str:
    return f"<div>… {count - MOST_OF_ONE:,} more</div>" if count > MOST_OF_ONE else ""


def _text(value: Any) -> str:
    text = str(value)
    return escape(text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…")
