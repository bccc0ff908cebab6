"""Filters: Onecast's own and registered ones."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import NamedTuple

from . import _core

Decode = Callable[[bytes, tuple[int, ...]], bytes]
Encode = Callable[[bytes, tuple[int, ...]], bytes | None]


class FilterParameter(NamedTuple):
    """A parameter of a filter, at `position` of its values, in the range from `least` to `most`,
    with the default `otherwise`."""

    name: str
    position: int
    otherwise: int
    least: int
    most: int


class KnownFilter(NamedTuple):
    """A filter that this process can decode if `decodes`, and encode if `encodes`. `decodes` is
    False for a filter of Onecast whose library was missing when Onecast was built. `h5py_name` is
    None if h5py has no other name for it."""

    id: int
    name: str
    h5py_name: str | None
    decodes: bool
    encodes: bool
    parameters: tuple[FilterParameter, ...]


def known_filters() -> list[KnownFilter]:
    """Lists Onecast's own filters by number, then those registered in this process, with those of
    hdf5plugin if it is imported. @independent

    >>> zstd = next(known for known in onecast.known_filters() if known.name == "zstd")
    >>> zstd.id, zstd.parameters[0].name, zstd.parameters[0].otherwise
    (32015, 'level', 3)
    """
    load_imported_plugins()
    return [
        KnownFilter(*known[:5], tuple(FilterParameter(*p) for p in known[5]))
        for known in _core.known_filters()
    ]


def register_filter(id: int, name: str, decode: Decode, encode: Encode | None = None) -> None:
    """Registers a filter in this process: `decode` reads chunks of filter `id`, `encode`, if given,
    writes them.

    @independent

    `decode(data, client_data)` takes the filtered bytes of one chunk and the filter's parameters in
    the file, and returns the decoded bytes or any object with a buffer. An exception becomes a
    FormatError that names file, chunk and filter. The function is called on any thread, and must
    not use Onecast itself.

    `encode(data, client_data)` takes the bytes of a chunk and returns the bytes to store; equal
    bytes must always be encoded equally. A chunk for which it returns None or raises is stored
    without the filter, as with HDF5's optional filters. With several ranks, register on all that
    read or write. `create_dataset` takes the number as `compression`, and as `compression_opts` a
    tuple of the filter's parameters.

    Numbers below 256 and those of Onecast's own filters are refused (ValueError); a second
    registration of a number replaces the first. `name` is used in messages.

    >>> import zlib
    >>> register_filter(40000, "raw deflate", lambda data, _: zlib.decompress(data, wbits=-15),
    ...                 lambda data, _: zlib.compress(data, wbits=-15))
    >>> unregister_filter(40000)
    True
    """
    if not callable(decode):
        raise TypeError("decode: a function was expected")
    if encode is not None and not callable(encode):
        raise TypeError("encode: a function was expected")
    if not 0 <= id <= 0xFFFF:
        raise ValueError(f"register_filter: id {id}: a number from 256 to 65535 was expected")
    _core.register_filter(id, name, decode, encode)


def load_filter_plugins(path: str | os.PathLike) -> int:
    """Registers the filters of plug-ins of the HDF5 library, from a shared library or from all of a
    folder, such as `hdf5plugin.PLUGIN_PATH`. Known filters are left as they are. Returns the number
    of registered filters.

    Plug-ins that the HDF5 library sets up for each dataset (Blosc2, ZFP, SZ3 ...) can only read;
    the others can write, too. Loading a library runs its code, and its decoder gets the bytes of
    files, so load only what you trust. Without this call Onecast takes the plug-ins of hdf5plugin
    if the program has imported it. For an unknown filter it also searches the folders in the
    environment variable HDF5_PLUGIN_PATH.

    Raises OSError if the path does not exist, ValueError if a named library is not a plug-in with a
    filter; in a folder such libraries are skipped. @independent"""
    return _core.load_filter_plugins(os.fsencode(path))


_loaded: ModuleType | None = None  # the module hdf5plugin, once its plug-ins are registered


def load_imported_plugins() -> None:
    """Registers the plug-ins of hdf5plugin if it is imported, even partly: programs import it for
    nothing else. It is fast, since it is called before each dataset is opened."""
    global _loaded
    package = sys.modules.get("hdf5plugin")
    if package is _loaded or package is None:
        return
    _loaded = package
    with suppress(OSError):
        load_filter_plugins(os.path.join(os.path.dirname(package.__file__ or ""), "plugins"))


def unregister_filter(id: int) -> bool:
    """Removes a registration; returns whether there was one. @independent"""
    return 0 <= id <= 0xFFFF and _core.unregister_filter(id)
