"""Committed datatypes."""

from __future__ import annotations

import numpy as np

from . import _core
from ._objects import HLObject
from ._types import to_dtype


class Datatype(HLObject):
    """A committed (named) datatype: a name and attributes."""

    @property
    def datatype(self) -> _core.StoredType:
        """The stored type. @independent"""
        return _core.details(self._object)["type"]

    @property
    def dtype(self) -> np.dtype:
        """The type as a numpy dtype. @independent"""
        return to_dtype(self.datatype, self._where)

    def __repr__(self) -> str:
        return self._describe("named type", self._short_name())
