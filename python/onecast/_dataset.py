"""Datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import numpy as np

from . import _core
from ._chunks import iter_chunks
from ._dataset_async import BegunTransfers, Transfer
from ._dataset_info import DatasetInfo
from ._dataset_reading import DatasetReading
from ._dataset_writing import DatasetWriting
from ._dims import DimensionManager, text_of
from ._errors import ExtentError, as_h5py
from ._objects import HLObject
from ._pending import words_of


class Dataset(BegunTransfers, DatasetReading, DatasetWriting, DatasetInfo, HLObject):
    """A typed array in a file, as in h5py.

    `dataset[...]` is @independent: any rank may use it at any time. `read_all` and `write_all` are
    @collective: all ranks call them, each with its own selection, which may be empty (`0:0`); they
    succeed on all ranks or raise on all. `with dataset.collective:` makes the brackets collective.

    Selections are numbers, slices with positive steps, `...`, MultiBlockSlice, masks of the whole
    shape, and in one dimension a list of ascending numbers or a mask; for compound types also names
    of members. Written values are broadcast. Arrays of numbers are converted to the stored type as
    HDF5 does, out of range to the nearest value; numpy converts all other values. Members of
    compound values are matched by name. Stored members that the value lacks, or that are not
    selected, keep their values; a write reads them first.

    >>> f = onecast.File("dataset.h5", "w")
    >>> d = f.create_dataset("d", (3, 4), "i4")
    >>> d[0] = [1, 2, 3, 4]
    >>> d[1:, ::2] = 7
    >>> d[...]
    array([[1, 2, 3, 4],
           [7, 0, 7, 0],
           [7, 0, 7, 0]], dtype=int32)
    >>> d[-1, 2]
    np.int32(7)
    >>> f.close()
    """

    _access: dict[str, Any] | None = None  # h5py's access properties that were given

    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            kind = "scalar" if shape == () else "empty"
            raise TypeError(f"Attempt to take len() of {kind} dataset")
        return shape[0]

    @DatasetInfo.shape.setter
    def shape(self, shape: int | tuple[int, ...]) -> None:
        self.resize(shape)

    def len(self) -> int:
        """The extent of the first dimension, as len(). @independent"""
        return self.__len__()

    def __iter__(self) -> Iterator[Any]:
        """Along the first dimension, one read each. @independent"""
        if not self.shape:
            raise TypeError("Can't iterate over a scalar dataset")
        return (self[row] for row in range(len(self)))

    def resize(self, size: int | tuple[int, ...], axis: int | None = None) -> None:
        """Changes the shape, or the extent of one dimension, within `maxshape`. Elements outside of
        a smaller shape are lost; new elements have the fill value.

        Raises TypeError if the dataset is not chunked or has another number of dimensions;
        ValueError beyond `maxshape`, which is a RuntimeError, too, or below 0, which is an
        OverflowError, too. @collective @same; does not communicate
        """
        if self.chunks is None:
            raise TypeError("Only chunked datasets can be resized")
        shape = self.shape
        if axis is not None:
            if not 0 <= axis < len(shape):
                raise ValueError(f"Invalid axis (0 to {len(shape) - 1} allowed)")
            try:
                size = int(size)
            except TypeError:
                raise TypeError("Argument must be a single int if axis is specified") from None
            size = (*shape[:axis], size, *shape[axis + 1 :])
        elif isinstance(size, (int, np.integer)):
            size = (size,)
        try:
            extents = [int(n) for n in size]
        except (TypeError, ValueError):
            raise TypeError(f"size: a tuple of integers was expected, not {size!r}") from None
        if len(extents) != len(shape):
            raise TypeError(f"size: {len(shape)} dimensions expected, {len(extents)} given")
        if any(n < 0 for n in extents):
            raise ExtentError(f"size: numbers from 0 on were expected, not {tuple(extents)}")
        with as_h5py:
            self._object.resize(extents)

    def iter_chunks(self, sel: Any = None) -> Iterator[tuple[slice, ...]]:
        """Yields the part of a selection in each chunk, as slices and numbers for the brackets;
        without `sel`, of the whole dataset. Raises TypeError if the dataset is not chunked.
        @independent"""
        if self.chunks is None:
            raise TypeError("Chunked dataset required")
        return iter_chunks(self.shape, self.chunks, sel)

    def flush(self) -> None:
        """Flushes the file, like File.flush. @collective"""
        self.file.flush()

    def refresh(self) -> None:
        """Does nothing: writes of this file's ranks are visible at once, and changes by other
        programs are visible when the file is opened again. Raises UnsupportedError if the file was
        opened with swmr=True while another program wrote it in SWMR mode. @independent"""
        if self.file._is_followed:
            raise _core.UnsupportedError(
                f"{self._where}: refresh is not supported while another program writes the file in "
                "SWMR mode: open the file again"
            )

    @property
    def dims(self) -> DimensionManager:
        """The dimensions: `dims[0].label`, `dims[0].attach_scale(scale)`, `dims[0][0]`."""
        return DimensionManager(self)

    def make_scale(self, name: str = "") -> None:
        """Makes the dataset a dimension scale, for `dims[n].attach_scale`. @collective @same"""
        with as_h5py:
            _core.make_scale(self._object, text_of(name, "name"))
        if not name:  # h5py writes an empty name, not a missing one
            kind = _core.StoredType.string(
                1, _core.StringPadding.null_terminated, _core.CharacterSet.ascii
            )
            self._object.set_attribute("NAME", kind, _core.Dataspace(()), b"\0", None)

    @property
    def is_scale(self) -> bool:
        """True if the dataset is a dimension scale. @independent"""
        return _core.is_scale(self._object)

    # --- together --------------------------------------------------------------------------------
    @property
    def collective(self) -> AbstractContextManager[None]:
        """Within `with dataset.collective:` the brackets of this object read and write
        collectively. As in h5py, this applies to this object alone: `file[name]`, looked up again,
        is another one."""
        return self._collectively()

    @contextmanager
    def _collectively(self) -> Iterator[None]:
        self._collective = True
        try:
            yield
        finally:
            self._collective = False

    def _together(
        self, work: Callable[[Transfer], Any], transfer: Transfer, fail: Callable[[str], Any]
    ) -> Any:
        """Calls work(transfer). If it fails on this rank before it reaches the transfer, this rank
        calls fail(why), so that all ranks raise and none waits."""
        if self.shape is None:
            return work(transfer)  # no rank will call transfer
        started = False

        def transfer_once(array: np.ndarray, part: _core.Selection, form: Any) -> None:
            nonlocal started
            started = True
            transfer(array, part, form)

        try:
            return work(transfer_once)
        except Exception as error:
            if not started:
                with suppress(Exception):  # the first exception says more
                    fail(f"{self.name}: {words_of(error)}")
            raise

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 dataset>"
        try:
            dtype = self.dtype.str
        except _core.UnsupportedError:
            dtype = str(self.datatype)
        return f'<HDF5 dataset {self._short_name()}: shape {self.shape}, type "{dtype}">'
