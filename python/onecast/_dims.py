"""Dimensions of datasets: labels and scales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _core
from ._errors import MissingError, as_h5py
from ._interfaces import ScaledDataset


class DimensionProxy:
    """A dimension of a dataset: a sequence, and a mapping by name, of its scales.

    >>> f = onecast.File("scales.h5", "w")
    >>> t, d = f.create_dataset("t", data=[0.0, 0.5]), f.create_dataset("d", (2, 3))
    >>> t.make_scale("time")
    >>> d.dims[0].label = "t"
    >>> d.dims[0].attach_scale(t)
    >>> d.dims[0].label, d.dims[0].keys(), d.dims[0]["time"][:], len(d.dims[1])
    ('t', ['time'], array([0. , 0.5]), 0)
    >>> f.close()
    """

    def __init__(self, dataset: ScaledDataset, dimension: int) -> None:
        self._dataset = dataset
        self._dimension = dimension

    @property
    def label(self) -> str:
        """The label, or an empty text. Reading it is @independent, setting it @replicated."""
        return _core.dimension_label(self._dataset._object, self._dimension)

    @label.setter
    def label(self, value: str) -> None:
        with as_h5py:
            text = text_of(value, "label")
            _core.set_dimension_label(self._dataset._object, self._dimension, text)

    def _scales(self) -> list[Any]:
        found = _core.scales_of(self._dataset._object, self._dimension)
        return [self._dataset._beside(scale) for scale in found]

    def values(self) -> list[Any]:
        """The scales, in the order in which they were attached. @independent"""
        return self._scales()

    def keys(self) -> list[str]:
        """The names of the scales. @independent"""
        return [_core.scale_name(scale._object) for scale in self._scales()]

    def items(self) -> list[tuple[str, Any]]:
        """Pairs of names and scales. @independent"""
        return [(_core.scale_name(scale._object), scale) for scale in self._scales()]

    def __getitem__(self, which: int | str) -> Any:
        """The scale with this number or name. Raises IndexError and KeyError, and, as h5py does,
        RuntimeError if there are no scales. @independent"""
        if isinstance(which, int):
            scales = self._scales()
            if not scales:
                raise RuntimeError(f"the dimension has no scale {which}")
            return scales[which]
        for name, scale in self.items():
            if name == which:
                return scale
        raise MissingError(which)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._scales())

    def attach_scale(self, dset: ScaledDataset) -> None:
        """Adds a scale. A dataset that is not a scale becomes one. Raises ValueError, which is a
        RuntimeError, too, if this dataset is itself a scale. @replicated"""
        with as_h5py:
            _core.attach_scale(self._dataset._object, self._dimension, dset._object)

    def detach_scale(self, dset: ScaledDataset) -> None:
        """Removes a scale. Raises KeyError, which is a RuntimeError, too, if the dimension does not
        have it. @replicated"""
        with as_h5py:
            _core.detach_scale(self._dataset._object, self._dimension, dset._object)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DimensionProxy):
            return NotImplemented
        mine, others = (self._dataset, self._dimension), (other._dataset, other._dimension)
        return mine == others

    def __hash__(self) -> int:
        return hash((self._dataset, self._dimension))

    def __repr__(self) -> str:
        if not self._dataset:
            return "<Dimension of closed HDF5 dataset>"
        return f'<"{self.label}" dimension {self._dimension} of HDF5 dataset>'


class DimensionManager:
    """The dimensions of a dataset."""

    def __init__(self, dataset: ScaledDataset) -> None:
        self._dataset = dataset

    def __getitem__(self, index: int) -> DimensionProxy:
        if not 0 <= index < len(self):
            raise IndexError("Index out of range")
        return DimensionProxy(self._dataset, index)

    def __len__(self) -> int:
        return self._dataset.ndim

    def __iter__(self) -> Iterator[DimensionProxy]:
        return (self[index] for index in range(len(self)))

    def create_scale(self, dset: ScaledDataset, name: str = "") -> None:
        """Makes the dataset a scale, like dset.make_scale(name). @replicated"""
        dset.make_scale(name)

    def __repr__(self) -> str:
        if not self._dataset:
            return "<Dimensions of closed HDF5 dataset>"
        return f"<Dimensions of HDF5 object at {id(self._dataset)}>"


def text_of(text: Any, what: str) -> str | bytes:
    """Returns the text. Raises TypeError, which names its purpose, for anything else."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"{what}: str or bytes was expected, not {type(text).__name__}")
    return text
