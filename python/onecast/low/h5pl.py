"""Plug-ins: Onecast brings its filters, and takes others by onecast.register_filter."""

from __future__ import annotations

from ._identifiers import absent

_USE = "onecast.register_filter; known_filters() lists those that are there"

__getattr__ = absent(
    __name__,
    dict.fromkeys(("append", "prepend", "replace", "insert", "remove", "get", "size"), _USE),
)
