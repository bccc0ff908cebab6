"""The library's cache of metadata, which Onecast has not."""

from __future__ import annotations

from ._file_lists import CacheConfig
from ._identifiers import absent

__all__ = ["CacheConfig"]
__getattr__ = absent(__name__, {})
