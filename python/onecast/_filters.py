"""Filters of the user's own."""

from collections.abc import Callable

from . import _core

Decode = Callable[[bytes, tuple[int, ...]], bytes]
Encode = Callable[[bytes, tuple[int, ...]], bytes | None]


def register_filter(id: int, name: str, decode: Decode, encode: Encode | None = None) -> None:
    """Lets this process read chunks of the filter `id`, and write them if there is `encode`.

    @independent

    `decode(data, client_data)` is given the filtered bytes of one chunk and the filter's parameters
    as the file has them, and returns what they were made of: bytes, or anything with a buffer.
    Whatever it raises becomes a FormatError that names file, chunk and filter. It is called on any
    thread, and must not use Onecast itself.

    `encode(data, client_data)` is given the bytes of a chunk and returns what to store, always the
    same for the same bytes. A chunk for which it returns None, or raises, is stored without the
    filter, as those are that HDF5's own filters fail on. On several ranks, register on all that
    read or write. `create_dataset` takes the number as `compression`, and as `compression_opts` a
    tuple of the filter's parameters.

    Numbers below 256 and those of Onecast's own filters are refused (ValueError); a number
    registered before gets the new function. `name` serves messages.

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


def unregister_filter(id: int) -> bool:
    """Takes a registration back; returns whether there was one. @independent"""
    return 0 <= id <= 0xFFFF and _core.unregister_filter(id)
