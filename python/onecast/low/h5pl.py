"""Plug-ins. Onecast has its own filters; onecast.register_filter adds others."""

from __future__ import annotations

from ._identifiers import absent

_USE = "onecast.register_filter; known_filters() lists those that are there"

__getattr__ = absent(
    __name__,
    dict.fromkeys(("append", "prepend", "replace", "insert", "remove", "get", "size"), _USE),
)
