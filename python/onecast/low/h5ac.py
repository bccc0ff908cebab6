"""The configuration of the metadata cache, which Onecast does not have."""

from __future__ import annotations

from ._file_lists import CacheConfig
from ._identifiers import absent

__all__ = ["CacheConfig"]
__getattr__ = absent(__name__, {})
