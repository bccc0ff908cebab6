"""Virtual datasets: their sources and layout, as in h5py."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._dataset import Dataset
from ._selection import _expand, _side, is_index
from ._storage import whole_numbers

UNLIMITED: int = _core.Dataspace.unlimited
"""In a slice of a VirtualSource or VirtualLayout: as far as the dataset will ever grow."""


class VirtualSource:
    """A source of a virtual dataset: a dataset, or a part that brackets select.

    path_or_dataset: the path of the file with the dataset, or the Dataset itself
    name: its path in that file
    shape: elements in each dimension
    dtype: is kept as an attribute and not used
    maxshape: as in Group.create_dataset
    """

    def __init__(
        self,
        path_or_dataset: str | os.PathLike | Dataset,
        name: str | None = None,
        shape: tuple[int, ...] | int | None = None,
        dtype: DTypeLike | None = None,
        maxshape: tuple[int | None, ...] | None = None,
    ) -> None:
        if isinstance(path_or_dataset, Dataset):
            given = {"name": name, "shape": shape, "dtype": dtype, "maxshape": maxshape}
            if any(value is not None for value in given.values()):
                raise TypeError(f"from a dataset, none of {', '.join(given)} can be given")
            dataset = path_or_dataset
            if dataset.name is None or dataset.shape is None:
                raise ValueError(
                    "a source of a virtual dataset needs a path and elements, and this one has none"
                )
            self.path, self.name = dataset.file.filename, dataset.name
            self.shape, self.maxshape = dataset.shape, dataset.maxshape
            self.dtype: Any = dataset.dtype
        else:
            if name is None or shape is None:
                raise TypeError("name and shape of the source must be given")
            self.path, self.name = os.fspath(path_or_dataset), name
            self.shape = (shape,) if isinstance(shape, int) else whole_numbers(shape, "shape")
            self.dtype = None if dtype is None else np.dtype(dtype)
            maxshape = (maxshape,) if isinstance(maxshape, int) else maxshape
            self.maxshape = self.shape if maxshape is None else tuple(maxshape)
        self._part, _ = part_of(self.shape, ())
        self._is_part = False

    def __getitem__(self, args: Any) -> VirtualSource:
        """Selects a part. Raises what reading a dataset with these brackets raises."""
        if self._is_part:
            raise RuntimeError("a part of a part of a source is not supported")
        part = VirtualSource.__new__(VirtualSource)
        part.__dict__.update(self.__dict__)
        part._is_part = True
        part._part, part.shape = part_of(self.shape, args)
        return part


class VirtualLayout:
    """The layout of a virtual dataset: `layout[part] = source`; see Group.create_virtual_dataset.

    shape, dtype, maxshape: as in Group.create_dataset
    filename: the path of the file for the virtual dataset; if it is given, the dataset can be
        created in no other file

    >>> with onecast.File("part 0.h5", "w") as f:
    ...     f["x"] = [1, 2, 3]
    >>> with onecast.File("part 1.h5", "w") as f:
    ...     f["x"] = [4, 5, 6]
    >>> layout = onecast.VirtualLayout((2, 3), "i8")
    >>> for i in range(2):
    ...     layout[i] = onecast.VirtualSource(f"part {i}.h5", "x", shape=(3,))
    >>> with onecast.File("whole.h5", "w") as f:
    ...     f.create_virtual_dataset("x", layout)[:, 1]
    array([2, 5])
    """

    def __init__(
        self,
        shape: tuple[int, ...] | int,
        dtype: DTypeLike,
        maxshape: tuple[int | None, ...] | None = None,
        filename: str | bytes | os.PathLike | None = None,
    ) -> None:
        self.shape = (shape,) if isinstance(shape, int) else whole_numbers(shape, "shape")
        self.dtype = np.dtype(dtype)
        self.maxshape = maxshape
        self._file = None if filename is None else os.fsdecode(filename)
        self._sources: list[tuple[_core.Selection, str, str, _core.Selection]] = []

    def __setitem__(self, args: Any, source: VirtualSource) -> None:
        """Maps the elements of the source, in order, to the elements of this part."""
        part, _ = part_of(self.shape, args)
        if not (part.is_unlimited or source._part.is_unlimited):
            counts = _count(part), _count(source._part)
            if counts[0] != counts[1]:
                raise ValueError(
                    f"{counts[1]} elements are mapped to {counts[0]}: a different number"
                )
        self._sources.append((part, source.path, source.name, source._part))

    def sources_for(self, file: str) -> list[tuple[_core.Selection, str, str, _core.Selection]]:
        """Returns (mapped, file name, dataset, source) for each source in a virtual dataset of that
        file."""
        here = os.path.abspath(file)
        if self._file is not None and os.path.abspath(self._file) != here:
            raise ValueError(f"the virtual dataset is for the file {self._file}, not {file}")
        return [
            (mapped, "." if os.path.abspath(path) == here else path, name, source)
            for mapped, path, name, source in self._sources
        ]


def part_of(shape: tuple[int, ...], args: Any) -> tuple[_core.Selection, tuple[int, ...]]:
    """Returns a hyperslab of an array, which may be unlimited, or for a scalar everything, and its
    shape without the dimensions that a number indexes.

    >>> part_of((4, 10), (0, slice(0, UNLIMITED)))[0].is_unlimited
    True
    >>> part_of((4, 10), (0, slice(2, None, 2)))[1]
    (4,)
    """
    args = args if isinstance(args, tuple) else (args,)
    if shape == ():
        _expand(args, 0)  # refuses arguments that need a dimension
        return _core.Selection(), ()
    sides: list[Any] = []
    result: list[int] = []
    for arg, extent in zip(_expand(args, len(shape)), shape, strict=True):
        if isinstance(arg, slice) and arg.stop == UNLIMITED:
            sides.append((arg.start or 0, UNLIMITED, arg.step or 1, 1))
            result.append(extent)
            continue
        side = _side(arg, extent)
        sides.append(side)
        if not is_index(arg):
            result.append(side.size if isinstance(side, np.ndarray) else side[1] * side[3])
    if any(isinstance(side, np.ndarray) for side in sides):
        return _core.Selection.product(sides), tuple(result)
    return _core.Selection.hyperslab(*zip(*sides, strict=True)), tuple(result)


def _count(part: _core.Selection) -> int:
    return 1 if part.is_all else part.element_count()
