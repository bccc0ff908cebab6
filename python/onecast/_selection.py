"""What stands between the brackets of `dataset[...]` -> a part of the array."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from ._core import Hyperslab, UnsupportedError


@dataclass(frozen=True)
class Selection:
    part: Hyperslab | None
    """None: all elements."""
    shape: tuple[int, ...]
    """Of what is read or written: without the dimensions indexed by a number."""
    fields: tuple[str, ...]
    """Members of a compound type that were named."""
    keeps_array: bool
    """Of a scalar dataset: [...] gives an array without dimensions, [()] its element."""


def select(shape: tuple[int, ...], args: Any) -> Selection:
    """Raises what h5py raises: IndexError, ValueError, TypeError; UnsupportedError for lists and
    masks.

    >>> select((10, 20), (slice(2, 10, 4), 3)).shape
    (2,)
    >>> select((10,), 10)
    Traceback (most recent call last):
    IndexError: Index (10) out of range for (0-9)
    """
    args = args if isinstance(args, tuple) else (args,)
    fields = tuple(arg for arg in args if isinstance(arg, str))
    args = tuple(arg for arg in args if not isinstance(arg, str))
    if not shape:
        if args not in ((), (Ellipsis,)):
            raise ValueError("Illegal slicing argument for scalar dataspace")
        return Selection(None, (), fields, keeps_array=bool(args))

    args = _expand(args, len(shape))
    start, count, stride, result = [], [], [], []
    for arg, extent in zip(args, shape, strict=True):
        if isinstance(arg, slice):
            first, number, step = _slice(arg, extent)
            result.append(number)
        else:
            first, number, step = _index(arg, extent), 1, 1
        start.append(first)
        count.append(number)
        stride.append(step)
    everything = count == list(shape)
    part = None if everything else Hyperslab(start, count, stride)
    return Selection(part, tuple(result), fields, keeps_array=False)


def _expand(args: tuple[Any, ...], rank: int) -> tuple[Any, ...]:
    """One index for each dimension."""
    dots = [position for position, arg in enumerate(args) if arg is Ellipsis]
    if len(dots) > 1:
        raise ValueError("Only one ellipsis may be used.")
    if len(args) - len(dots) > rank:
        raise ValueError(f"{len(args) - len(dots)} indexing arguments for {rank} dimensions")
    at = dots[0] if dots else len(args)
    missing = rank - (len(args) - len(dots))
    return (*args[:at], *[slice(None)] * missing, *args[at + 1 :])


def _slice(arg: slice, extent: int) -> tuple[int, int, int]:
    first, stop, step = arg.indices(extent)
    if step < 1:
        raise ValueError(f"Step must be >= 1 (got {step})")
    number = max(0, -(-(stop - first) // step))
    return (first, number, step) if number else (0, 0, 1)


def _index(arg: Any, extent: int) -> int:
    if arg is None:
        raise TypeError("Indexing with None (or np.newaxis) is not supported")
    try:
        index = operator.index(arg)
    except TypeError:
        if isinstance(arg, list) or hasattr(arg, "__array__"):
            raise UnsupportedError("selections by lists and masks are not supported") from None
        raise TypeError(f"Selection can't process {arg!r}") from None
    if index < 0:
        index += extent
    if not 0 <= index < extent:
        raise IndexError(f"Index ({index}) out of range for (0-{extent - 1})")
    return index


def no_selection(shape: tuple[int, ...]) -> Hyperslab:
    """A part that fits no array of this shape; see Dataset._together."""
    one_more = [1] * (len(shape) + 1)
    return Hyperslab([0] * len(one_more), one_more, one_more)
