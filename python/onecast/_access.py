"""h5py's keywords for how a dataset is accessed."""

from __future__ import annotations

import os
from typing import Any

_CACHE = {"rdcc_nslots": 8191, "rdcc_nbytes": 8 << 20, "rdcc_w0": 0.75}
_PREFIXES = "efile_prefix", "virtual_prefix"
_ORIGIN = "${ORIGIN}"


def access_words(options: dict[str, Any], filename: str) -> dict[str, Any] | None:
    """Removes the keywords from the options and returns them as the low level shows them; None if
    there are none. The caches have no effect, since a file has one cache, `chunk_cache_bytes`."""
    words: dict[str, Any] = {}
    cache = [options.pop(name, None) for name in _CACHE]
    if any(value is not None for value in cache):
        pairs = zip(cache, _CACHE.values(), strict=True)
        words["chunk_cache"] = tuple(own if value is None else value for value, own in pairs)
    folder = os.path.dirname(os.path.abspath(filename))
    for name in _PREFIXES:
        value = options.pop(name, None)
        if value is not None:
            words[name] = os.fsencode(os.fsdecode(value).replace(_ORIGIN, folder))
    return words or None


def set_access(dataset: Any, words: dict[str, Any] | None) -> None:
    """Lets a dataset that was opened or created be accessed as the words say."""
    dataset._access = words
    prefixes = [(words or {}).get(name) or b"" for name in _PREFIXES]
    if any(prefixes):
        dataset._object.set_prefixes(*prefixes)
