"""Datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import numpy as np

from . import _core
from ._chunks import iter_chunks
from ._config import get_config
from ._conversions import require_kind
from ._dataset_info import DatasetInfo
from ._dataset_reading import Read, plan_as, plan_read, read_as, read_into, read_texts
from ._dataset_writing import plan_write
from ._device import host_array, host_values, is_of_device
from ._dims import DimensionManager, text_of
from ._errors import as_h5py
from ._interfaces import OpenFile
from ._options import sharing_of
from ._pending import Pending, words_of
from ._values import fill_array
from ._views import AsStrView, AsTypeView, FastReader, Fields, refuse_no_copy

Outcome = TypeVar("Outcome")


class Dataset(DatasetInfo):
    """A typed array in a file, as in h5py.

    `dataset[...]` is @independent: any rank may use it at any time. `read_all` and `write_all` are
    @collective: all ranks call them, each with its own selection, which may be empty (`0:0`); they
    succeed on all ranks or raise on all. `with dataset.collective:` makes the brackets collective.

    Selections are numbers, slices with positive steps, `...`, MultiBlockSlice, masks of the whole
    shape, references to regions of the dataset, and in one dimension a list of ascending numbers or
    a mask; for compound types also names of members. Written values are broadcast. Arrays of
    numbers are converted to the stored type as HDF5 does, out of range to the nearest value; arrays
    of another kind, such as complex numbers for real ones or numbers for texts, raise OSError or
    TypeError. numpy converts lists and scalars. Members of compound values are matched by name.
    Stored members that the value lacks, or that are not selected, keep their values; a write reads
    them first.

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

    _collective = False
    _access: dict[str, Any] | None = None  # h5py's access properties that were given

    def _of_identifier(self, identifier: Any) -> tuple[Any, OpenFile, str | None]:
        found = super()._of_identifier(identifier)
        self._access = identifier._hl._access
        return found

    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            kind = "scalar" if shape == () else "empty"
            raise TypeError(f"Attempt to take len() of {kind} dataset")
        return shape[0]

    def len(self) -> int:
        """The extent of the first dimension, as len(). @independent"""
        return self.__len__()

    def __iter__(self) -> Iterator[Any]:
        """Along the first dimension, one read each. @independent"""
        if not self.shape:
            raise TypeError("Can't iterate over a scalar dataset")
        return (self[row] for row in range(len(self)))

    def iter_chunks(self, sel: Any = None) -> Iterator[tuple[slice, ...]]:
        """Yields the part of a selection in each chunk, as slices and numbers for the brackets;
        without `sel`, of the whole dataset. Raises TypeError if the dataset is not chunked.
        @independent"""
        if self.chunks is None:
            raise TypeError("Chunked dataset required")
        return iter_chunks(self.shape or (), self.chunks, sel)

    def flush(self) -> None:
        """Flushes the file, like File.flush. @collective"""
        self.file.flush()

    def refresh(self) -> None:
        """Shows what another program has written to this dataset since the file was opened with
        swmr=True or follow=True, or since the last refresh: its shape, its attributes and its
        elements. Costs the object header; elements read later bring the parts of the index that
        lead to them. Does nothing for other files, as nobody else can write them. Raises OSError,
        FormatError. @independent"""
        self._object.refresh()

    @property
    def dims(self) -> DimensionManager:
        """The dimensions: `dims[0].label`, `dims[0].attach_scale(scale)`, `dims[0][0]`.
        @independent"""
        return DimensionManager(self)

    def make_scale(self, name: str = "") -> None:
        """Makes the dataset a dimension scale, for `dims[n].attach_scale`. @replicated"""
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

    # --- elements --------------------------------------------------------------------------------
    def __getitem__(self, args: Any) -> Any:
        """Reads the selected elements: an array or a numpy scalar.

        Raises IndexError, ValueError or TypeError as h5py does, UnsupportedError for filters and
        types that cannot be read. @independent (see `collective`)
        """
        if self._collective:
            return self.read_all(args)
        core = self._object
        array = core.read_brackets(args)
        return plan_read(self, args).alone(core) if array is NotImplemented else array

    def __setitem__(self, args: Any, value: Any) -> None:
        """Writes the selected elements. Other ranks see elements of a compact dataset only after
        the next flush, or in a `read_all`.

        Raises TypeError if the shapes do not fit, the exceptions of reading, and ValueError if the
        file is open for reading only. @independent (see `collective`)
        """
        if self._collective:
            self.write_all(args, value)
        else:
            plan_write(self, args, value).alone(self._object)

    @property
    def collective(self) -> AbstractContextManager[None]:
        """Within `with dataset.collective:` the brackets of this object read and write
        collectively. As in h5py, this applies to this object alone: `file[name]`, looked up again,
        is another one. @independent"""
        return self._collectively()

    @contextmanager
    def _collectively(self) -> Iterator[None]:
        self._collective = True
        try:
            yield
        finally:
            self._collective = False

    def read_all(
        self, args: Any = (), *, out: np.ndarray | None = None, sharing: str | None = None
    ) -> Any:
        """Reads the selected elements in one collective call. A part that all ranks want is read
        once and broadcast. `sharing` overrides the option of File for this call. Raises what the
        brackets raise, and DivergedError with "verify".

        out: the array to read into and to return; it must have the shape of the selection, else
            TypeError. It may be in memory of a GPU. @collective @local
        """
        return self._read_together(lambda: plan_read(self, args, out), sharing)

    def _read_together(self, plan: Callable[[], Read | None], sharing: str | None) -> Any:
        """Makes the read that plan() returns; None: makes none, and returns None. @collective"""
        core, how = self._object, sharing_of(sharing)
        try:
            read = plan()
        except Exception as error:
            self._fail(error, lambda why: core.fail_read_all(why, how))
            raise
        return None if read is None else read.together(core, how)

    def write_all(self, args: Any, value: Any) -> None:
        """Writes the selected elements in one collective call. @collective @local"""
        core = self._object
        try:
            write = plan_write(self, args, value)
        except Exception as error:
            self._fail(error, core.fail_write_all)
            raise
        core.write_all(*write)

    def _fail(self, error: Exception, fail: Callable[[str], Outcome]) -> Outcome | None:
        """Takes part in a collective call by fail(why), so that all ranks raise and none waits.
        Returns None if there is no call, because there are no elements, or if it fails, too."""
        with suppress(Exception):  # the first exception says more
            if self.shape is not None:
                return fail(f"{self.name}: {words_of(error)}")
        return None

    def write_equal(self, args: Any, value: Any, *, sharing: str | None = None) -> None:
        """Writes elements that are equal on all ranks. One rank writes them to the file, and the
        next flush compares them. `sharing` overrides the option of File for this call.
        @replicated"""
        how = sharing_of(sharing)
        self._object.write_equal(*plan_write(self, args, value), sharing=how)

    def read_direct(self, dest: np.ndarray, source_sel: Any = (), dest_sel: Any = ()) -> None:
        """Reads `source_sel` of the dataset into `dest_sel` of an array, and converts to its dtype.

        The array may be in memory of a GPU (see the guide); then both selections have one shape.
        Raises TypeError if their shapes do not fit. @independent (see `collective`)
        """
        if self.shape is None:
            raise TypeError("an empty dataset has no elements to read")
        if is_of_device(dest):
            if self._collective and dest_sel in ((), ...):
                self.read_all(source_sel, out=dest)
            else:
                read_into(self, dest, source_sel, dest_sel)
            return
        dest = host_array(dest)
        refuse_other_order(dest)
        if not np.asarray(dest).flags.writeable:
            raise TypeError("dest: an array was expected that can be written to")
        if not self._collective and read_into(self, dest, source_sel, dest_sel):
            return
        require_kind(self.dtype, dest.dtype)
        index = dest_sel if dest_sel != () else ...
        dest[index] = fill_array(self[source_sel], dest.dtype, np.shape(dest[index]))

    def write_direct(self, source: np.ndarray, source_sel: Any = (), dest_sel: Any = ()) -> None:
        """Writes `source_sel` of an array to `dest_sel` of the dataset. The array may be in memory
        of a GPU. @independent (see `collective`)"""
        if self.shape is None:
            raise TypeError("an empty dataset has no elements to write")
        if is_of_device(source):
            self[dest_sel] = source if source_sel in ((), ...) else source[source_sel]
            return
        source = host_values(source)
        refuse_other_order(source)
        self[dest_sel] = source[source_sel]

    def fields(self, names: str | list[str]) -> Fields:
        """A view that reads only these members of a compound type: `dataset.fields("x")[2:5]`.

        Raises ValueError if the type has no such members. @independent
        """
        return Fields(self, names)

    def asstr(self, encoding: str | None = None, errors: str = "strict") -> AsStrView:
        """A view that reads strings as str: `dataset.asstr()[2:5]`. Raises TypeError if the
        elements are not strings.
        @independent"""
        return AsStrView(self, encoding, errors)

    def astype(self, dtype: Any) -> AsTypeView:
        """A view that converts numbers, out of range to the nearest value:
        `dataset.astype("i2")[:]`.
        @independent"""
        return AsTypeView(self, dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = True) -> np.ndarray:
        refuse_no_copy(copy)
        return np.asarray(self[()], dtype=dtype)

    @property
    def _fast_reader(self) -> FastReader:
        return FastReader(self)

    def _read_as(self, args: Any, dtype: np.dtype) -> Any:
        return None if self._collective else read_as(self, args, dtype)

    def _read_all_as(self, args: Any, dtype: np.dtype, sharing: str | None) -> Any:
        return self._read_together(lambda: plan_as(self, args, dtype), sharing)

    def _read_texts(self, args: Any, errors: str) -> Any:
        return None if self._collective else read_texts(self, args, errors)

    # --- in the background -----------------------------------------------------------------------
    def read_async(self, args: Any = (), out: Any = None, *, stream: Any = None) -> Pending:
        """Begins a read like that of the brackets; `wait()` returns the array. See `Pending`.

        out: the array to read into and to return; it must have the shape of the selection, else
            TypeError. No copy is made if it is C-contiguous and of the stored dtype.
        stream: of a GPU, if `out` is in its memory: elements are copied after the work that the
            stream has now, and wait for nothing else (see the guide). @independent
        """
        return self._begun(plan_read(self, args, out, stream), self._object.read_async)

    def read_all_async(
        self, args: Any = (), out: Any = None, *, sharing: str | None = None, stream: Any = None
    ) -> Pending:
        """Begins `read_all`: see `Pending` and `read_async`. `wait()` raises all errors, including
        those of the arguments. @collective @local"""
        core, how = self._object, sharing_of(sharing)
        try:
            read = plan_read(self, args, out, stream)
        except Exception as error:
            return self._failing(error, lambda why: core.fail_read_all_async(why, how))
        return self._begun(read, partial(core.read_all_async, sharing=how))

    def write_async(self, args: Any, value: Any, *, stream: Any = None) -> Pending:
        """Begins a write like that of the brackets. An array of the stored dtype is not copied, and
        must not change before `wait()` returns: see `Pending`. `stream`: see `read_async`.
        @independent"""
        return Pending(self._object.write_async(*plan_write(self, args, value, stream)))

    def write_all_async(self, args: Any, value: Any, *, stream: Any = None) -> Pending:
        """Begins `write_all`: see `Pending` and `write_async`. `wait()` raises all errors,
        including those of the arguments. @collective @local"""
        core = self._object
        try:
            write = plan_write(self, args, value, stream)
        except Exception as error:
            return self._failing(error, core.fail_write_all_async)
        return Pending(core.write_all_async(*write))

    def _begun(self, read: Read, begin: Callable[..., _core.Pending]) -> Pending:
        nothing = read.array is None
        call = _core.Pending() if nothing else begin(read.array, read.part, read.form)
        reading = Pending(call, read.finish)
        return reading._complete() if self._refers_elsewhere else reading

    def _failing(self, error: Exception, fail: Callable[[str], _core.Pending]) -> Pending:
        call = self._fail(error, fail)
        if call is None:
            raise error  # on all ranks
        return Pending(call, error=error)

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 dataset>"
        try:
            dtype = self.dtype.str
        except _core.UnsupportedError:
            dtype = str(self.datatype)
        return f'<HDF5 dataset {self._short_name()}: shape {self.shape}, type "{dtype}">'


def refuse_other_order(array: Any) -> None:
    """Raises the exception that h5py raises for an array that is not C-contiguous."""
    if get_config()._as_h5py and not np.asarray(array).flags.c_contiguous:
        raise TypeError("Array must be C-contiguous")
