"""Writing the elements of a dataset."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._dataset_async import Args, Transfer
from ._dataset_reading import refuse_other_order
from ._members import assign, covers, structured
from ._new_members import members_given
from ._options import sharing_of
from ._selection import Selection, select
from ._values import broadcast, encode, fill_array, new_values


class DatasetWriting:
    """The calls of a Dataset that write elements."""

    _object: _core.Dataset
    _collective = False

    def __setitem__(self, args: Args, value: Any) -> None:
        """Writes the selected elements. Other ranks see elements of a compact dataset only after
        the next flush, or in a `read_all`.

        Raises TypeError if the shapes do not fit, the exceptions of reading, and ValueError if the
        file is open for reading only. @independent (see `collective`)
        """
        if self._collective:
            self.write_all(args, value)
        else:
            self._write(args, value, self._write_alone)

    def write_all(self, args: Args, value: Any) -> None:
        """Writes the selected elements in one collective call. @collective @local"""
        core = self._object
        self._together(
            lambda write: self._write(args, value, write), core.write_all, core.fail_write_all
        )

    def write_equal(self, args: Args, value: Any, *, sharing: str | None = None) -> None:
        """Writes elements that are equal on all ranks. One rank writes them to the file, and the
        next flush compares them. `sharing` overrides the option of File for this call. @collective
        @same; does not communicate"""
        how = sharing_of(sharing)

        def write_equal(data: Any, part: _core.Selection, form: Any) -> None:
            self._object.write_equal(data, part, form, sharing=how)

        self._write(args, value, write_equal)

    def _write_alone(self, data: Any, part: _core.Selection, form: Any) -> None:
        if np.size(data):
            self._object.write(data, part, form)

    def _write(self, args: Args, value: Any, write: Transfer) -> None:
        write(*self._to_write(args, value))

    def _to_write(self, args: Args, value: Any) -> tuple[Any, _core.Selection, Any]:
        """Returns the elements, their selection, and their form: None for stored form, a type to
        convert from, or the object that keeps values of variable length."""
        if self.shape is None:
            raise ValueError("an empty dataset has no elements to write")
        selection = select(self.shape, args)
        dtype = self.dtype
        form = None if selection.fields else self._type_to_convert(value)
        if form is not None:
            array = np.ascontiguousarray(broadcast(value, selection.shape))
            return array, selection.part, form
        if selection.fields or (dtype.names and structured(value) is not None):
            array = self._with_members(members_given(value, dtype, selection), selection)
        else:
            array = fill_array(value, dtype, selection.shape)
        values = new_values(self.datatype)
        return encode(array, self.datatype, values), selection.part, values

    def _with_members(self, given: np.ndarray, selection: Selection) -> np.ndarray:
        """Returns elements with these members; the others have their stored values."""
        dtype = self.dtype
        if covers(given.dtype, dtype):
            array = np.zeros(selection.shape, dtype)
        else:
            whole = replace(selection, fields=(), keeps_array=True)
            array = self._begin_read_of(whole, self._read_alone)()
        assign(array, broadcast(given, selection.shape))
        return array

    def write_direct(self, source: np.ndarray, source_sel: Args = (), dest_sel: Args = ()) -> None:
        """Writes `source_sel` of an array to `dest_sel` of the dataset.
        @independent (see `collective`)"""
        if self.shape is None:
            raise TypeError("an empty dataset has no elements to write")
        refuse_other_order(source)
        self[dest_sel] = source[source_sel]
