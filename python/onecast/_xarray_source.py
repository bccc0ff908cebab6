"""The sources that xarray reads: paths, URLs, bytes, file objects."""

from __future__ import annotations

import io
import os
import threading
from typing import TYPE_CHECKING, Any

from xarray.core.utils import is_remote_uri

from ._core import FormatError
from ._file import File
from ._opening import is_file_object

if TYPE_CHECKING:
    from mpi4py import MPI


class Source:
    """A file that is open while it is used. On one process, it is opened again after it was closed,
    or in another process that got it by pickle.

    of_url: storage_options and open_kwargs, for fsspec. Raises TypeError for what is not a source,
    ValueError for what is not HDF5, and what File raises. @collective with `comm`"""

    def __init__(
        self, name: Any, comm: MPI.Intracomm | None, options: dict[str, Any], of_url: dict[str, Any]
    ) -> None:
        self._comm, self._options, self._of_url = comm, options, of_url
        self._name: Any = io.BytesIO(name) if isinstance(name, bytes | memoryview) else name
        if is_file_object(self._name):
            self.shown = repr(self._name)
        else:
            self._name = self.shown = _place_of(self._name)
        self._lock = threading.Lock()
        self._file: File | None = None
        self._file = self._open()

    @property
    def file(self) -> File:
        """Returns the open file. Raises ValueError if it was closed on a communicator.
        @independent"""
        with self._lock:
            if self._file is None or not (self._file or self._comm):
                self._file = self._open()
            return self._file

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()

    def _open(self) -> File:
        target = self._name
        if isinstance(target, str) and is_remote_uri(target):
            target = self._fetched(target)
        try:
            return File(target, "r", comm=self._comm, **self._options)
        except FormatError as error:
            if "not an HDF5 file" not in str(error):
                raise
            text = f"{self.shown}: is not an HDF5 file; netCDF-3 files need another engine"
            raise ValueError(text) from error

    def _fetched(self, url: str) -> Any:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url, **(self._of_url.get("storage_options") or {}))
        return system.open(path, "rb", **(self._of_url.get("open_kwargs") or {}))

    def __getstate__(self) -> dict[str, Any]:
        if self._comm is not None:
            raise TypeError(f"{self.shown}: what a communicator has open cannot be pickled")
        return {k: v for k, v in self.__dict__.items() if k not in ("_lock", "_file")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock, self._file = threading.Lock(), None


def _place_of(name: Any) -> str:
    place = os.fspath(name)
    return place if is_remote_uri(place) else os.path.abspath(os.path.expanduser(place))
