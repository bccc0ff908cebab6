"""Reading the elements of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._conversions import require_kind
from ._dataset_info import DatasetInfo
from ._device import host_array, is_of_device, target_of
from ._dtypes import Empty
from ._selection import Selection, select
from ._values import decode
from ._views import members_of


class Read(NamedTuple):
    """A read that is ready to begin."""

    array: np.ndarray | _core.DeviceArray | None
    """What the core fills; None: there is nothing to read."""
    part: _core.Selection
    form: _core.StoredType | None  # the type of the array; None: elements are read as stored
    finish: Callable[[], Any]  # returns the result when the array is filled

    def alone(self, core: _core.Dataset) -> Any:
        """@independent"""
        if self.array is not None and self.array.size:
            core.read(self.array, self.part, self.form)
        return self.finish()

    def together(self, core: _core.Dataset, sharing: Any = None) -> Any:
        """@collective"""
        if self.array is not None:
            core.read_all(self.array, self.part, self.form, sharing)
        return self.finish()


def plan_read(dataset: DatasetInfo, args: Any, out: Any = None, stream: Any = None) -> Read:
    """Returns the read of `dataset[args]`, into `out` if it is given; memory of a device is written
    after the work on `stream`. Raises what the brackets raise for their arguments."""
    shape = dataset.shape
    if shape is None:
        if args != () and args is not Ellipsis:
            raise ValueError("Empty datasets cannot be sliced")
        return _read_of_nothing(dataset, None)
    selection = dataset._select(args)
    if selection.part.is_none and shape == ():
        return _read_of_nothing(dataset, np.empty(0, "V1"))
    return plan_selected(dataset, selection, out, stream)


def _read_of_nothing(dataset: DatasetInfo, array: np.ndarray | None) -> Read:
    empty = Empty(dataset.dtype)
    return Read(array, _core.Selection.none(), None, lambda: empty)


def plan_selected(
    dataset: DatasetInfo, selection: Selection, out: Any = None, stream: Any = None
) -> Read:
    """Returns the read of a selection. Raises TypeError unless `out` has its shape."""
    if out is not None and is_of_device(out):
        return _plan_into_device(dataset, selection, out, stream)
    if out is not None and (memory := host_array(out, stream)) is not out:
        read = plan_selected(dataset, selection, memory)
        return read._replace(finish=lambda: (read.finish(), out)[1])
    datatype, dtype, plain = dataset.datatype, dataset.dtype, dataset._is_plain
    if out is not None and out.shape != selection.shape:
        raise TypeError(f"out: shape {selection.shape} was expected, not {out.shape}")
    if out is not None and not selection.fields:
        require_kind(dtype, out.dtype)
    if out is not None and takes(out) and not selection.fields:
        form = dataset._type_to_convert(out)
        if form is not None or (plain and out.dtype == dtype):
            return Read(out, selection.part, form, lambda: out)
    if selection.fields:  # a wrong name fails before others wait for this rank
        members_of(np.empty(0, dtype), selection.fields)
    stored = np.empty(selection.shape, dtype if plain else f"V{datatype.size}")

    def finish() -> Any:
        array = stored
        if not plain:
            flat = decode(dataset._object, datatype, dtype, stored.reshape(-1), stored.size)
            array = flat.reshape(selection.shape + flat.shape[1:])
        if selection.fields:
            array = members_of(array, selection.fields)
        if out is not None:
            out[...] = array
            return out
        return _element(array, selection)

    return Read(stored, selection.part, None, finish)


def _plan_into_device(dataset: DatasetInfo, selection: Selection, out: Any, stream: Any) -> Read:
    target = target_of(out, stream)
    if target.shape != selection.shape:
        raise TypeError(f"out: shape {selection.shape} was expected, not {target.shape}")
    if selection.fields:
        raise TypeError("members cannot be read into memory of a device")
    return Read(target.memory, selection.part, target.form(dataset), lambda: out)


def _element(array: np.ndarray, selection: Selection) -> Any:
    """Returns the array, or its only element if a number selected it."""
    return array if array.ndim or selection.keeps_array else array[()]


def takes(out: np.ndarray) -> bool:
    """True if elements can be read into the array without a copy."""
    return out.flags.c_contiguous and out.flags.writeable


def plan_as(dataset: DatasetInfo, args: Any, dtype: np.dtype) -> Read | None:
    """Returns the read of numbers as another dtype, converted while they are read; None for
    anything else."""
    if dataset.shape is None:
        return None
    if dataset._type_to_convert(np.empty(0, dtype)) is None:
        return None
    selection = dataset._select(args)
    if selection.fields:
        return None
    out = np.empty(selection.shape, dtype)
    read = plan_selected(dataset, selection, out)
    return read._replace(finish=lambda: _element(read.finish(), selection))


def read_as(dataset: DatasetInfo, args: Any, dtype: np.dtype) -> Any:
    """Reads what plan_as() plans. @independent"""
    read = plan_as(dataset, args, dtype)
    return None if read is None else read.alone(dataset._object)


def read_texts(dataset: DatasetInfo, args: Any, errors: str) -> Any:
    """Reads many strings of variable length as str, decoded from UTF-8; returns None for anything
    else. @independent"""
    datatype = dataset.datatype
    if not dataset.shape:
        return None
    if datatype.type_class != _core.TypeClass.variable_string:
        return None
    selection = dataset._select(args)
    if not selection.shape or selection.fields:
        return None
    stored = np.empty(selection.shape, f"V{datatype.size}")
    Read(stored, selection.part, None, lambda: None).alone(dataset._object)
    texts = np.empty(selection.shape, object)
    values = _core.VariableValues(dataset._object)
    values.strings(datatype, stored.reshape(-1), texts, errors)
    return texts


def read_into(dataset: DatasetInfo, dest: np.ndarray, source_sel: Any, dest_sel: Any) -> bool:
    """Reads a selection into that of an array, if that takes no copy; else returns False.
    @independent"""
    if dataset.shape is None:
        return False
    if is_of_device(dest):
        return _read_into_device(dataset, dataset.shape, dest, source_sel, dest_sel)
    form = dataset._type_to_convert(dest)
    direct = form is not None or (dataset._is_plain and dest.dtype == dataset.dtype)
    if not (direct and dest.ndim and takes(dest)):
        return False
    source, target = dataset._select(source_sel), select(dest.shape, dest_sel)
    if source.shape != target.shape or source.fields or target.fields:
        return False
    dataset._object.read_into_part(dest, dest.shape, target.part, source.part, form)
    return True


def _read_into_device(
    dataset: DatasetInfo, shape: tuple[int, ...], dest: Any, source_sel: Any, dest_sel: Any
) -> bool:
    array = target_of(dest)
    source, target = dataset._select(source_sel), select(array.shape, dest_sel)
    if source.shape != target.shape or source.fields or target.fields:
        raise TypeError(f"Can't broadcast {source.shape} -> {target.shape} in memory of a device")
    form = array.form(dataset)
    dataset._object.read_into_part(array.memory, array.shape, target.part, source.part, form)
    return True
