"""Writing the elements of a dataset."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._conversions import require_conversion
from ._dataset_info import DatasetInfo
from ._dataset_reading import plan_selected
from ._device import device_array, host_values, is_of_device
from ._members import assign, covers, structured
from ._new_members import members_given
from ._selection import RegionSelection, Selection
from ._values import broadcast, encode, fill_array, new_values


class Write(NamedTuple):
    """A write that is ready to begin."""

    data: Any
    part: _core.Selection
    form: _core.StoredType | _core.NewValues | None
    """None if the data is in stored form; a type to convert from; the object that keeps values of
    variable length."""

    def alone(self, core: _core.Dataset) -> None:
        """@independent"""
        if np.size(self.data):
            core.write(*self)


def plan_write(dataset: DatasetInfo, args: Any, value: Any, stream: Any = None) -> Write:
    """Returns the write of `dataset[args] = value`; memory of a device is read after the work on
    `stream`. Raises what the brackets raise for their arguments."""
    if dataset.shape is None:
        raise ValueError("an empty dataset has no elements to write")
    selection = dataset._select(args, is_write=True)
    if is_of_device(value):
        return _plan_from_device(dataset, selection, value, stream)
    value = host_values(value, stream)
    if isinstance(selection, RegionSelection):
        selection = selection.for_values(value)
    dtype = dataset.dtype
    form = None if selection.fields else dataset._type_to_convert(value)
    if form is not None:
        array = np.ascontiguousarray(broadcast(value, selection.shape))
        return Write(array, selection.part, form)
    if selection.fields or (dtype.names and structured(value) is not None):
        array = _with_members(dataset, members_given(value, dtype, selection), selection)
    else:
        require_conversion(value, dtype)
        array = fill_array(value, dtype, selection.shape)
    values = new_values(dataset.datatype)
    return Write(encode(array, dataset.datatype, values), selection.part, values)


def _plan_from_device(dataset: DatasetInfo, selection: Selection, value: Any, stream: Any) -> Write:
    array = device_array(value, stream)
    if array.shape != selection.shape or selection.fields:
        raise TypeError(f"Can't broadcast {array.shape} -> {selection.shape} from a device")
    return Write(array.memory, selection.part, array.form(dataset))


def _with_members(dataset: DatasetInfo, given: np.ndarray, selection: Selection) -> np.ndarray:
    """Returns elements with these members; the others have their stored values."""
    if covers(given.dtype, dataset.dtype):
        array = np.zeros(selection.shape, dataset.dtype)
    else:
        whole = replace(selection, fields=(), keeps_array=True)
        array = plan_selected(dataset, whole).alone(dataset._object)
    assign(array, broadcast(given, selection.shape))
    return array
