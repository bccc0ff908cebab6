"""Committed datatypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._core import UnsupportedError
from ._interfaces import OpenFile
from ._objects import HLObject
from ._types import to_dtype


class Datatype(HLObject):
    """A committed (named) datatype, with a name and attributes. Made from a low-level identifier
    that is not committed, it is a type for create_dataset."""

    def __init__(self, handle: Any, file: OpenFile | None = None, name: str | None = None) -> None:
        stored = getattr(handle, "_stored", None)
        if stored is None or handle.committed():
            super().__init__(handle, file, name)
        else:
            super().__init__(None)
        self._stored: Any = stored

    @property
    def datatype(self) -> _core.StoredType:
        """The stored type. @independent"""
        if self._handle is None:
            return self._stored
        return _core.details(self._object)["type"]

    @property
    def dtype(self) -> np.dtype:
        """The type as a numpy dtype. @independent"""
        return to_dtype(self.datatype, "a datatype" if self._handle is None else self._where)

    def __bool__(self) -> bool:
        return self._handle is None or super().__bool__()

    def __repr__(self) -> str:
        if self._handle is None:
            return f"<HDF5 type {self._stored}>"
        if not self:
            return "<Closed HDF5 named type>"
        try:
            dtype = self.dtype.str
        except UnsupportedError:
            dtype = str(self.datatype)
        return f"<HDF5 named type {self._short_name()} (dtype {dtype})>"
