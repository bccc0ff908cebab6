"""HDF5 libraries of several versions as readers beside a writer (SWMR), by ctypes.

They have a small part of h5py's interface: datasets of integers, and their attributes.

As a program, `hdf5_by_ctypes.py VERSION` opens each file that a line of its input names, and prints
its contents as a line of JSON. Two HDF5 libraries in one process could conflict.
"""

import ctypes
import importlib.util
import json
import subprocess
import sys
from ctypes import byref
from pathlib import Path

import numpy as np
import swmr_model

VERSIONS = ("1.10", "2.2")
READ_BESIDE_A_WRITER = 0x40


def place(version: str) -> str:
    """Returns the library of "1.10" (Debian's, which hdf5-tools needs) or "2.2" (in the wheel of
    netCDF4)."""
    if version == "1.10":
        return "libhdf5_serial.so.103"
    found = importlib.util.find_spec("netCDF4")
    folder = Path(found.origin).parents[1] / "netcdf4.libs" if found else Path()
    return str(next(folder.glob("libhdf5-*.so*"), "no netCDF4"))


def find(version: str) -> ctypes.CDLL:
    """Throws OSError if the library of that version is not here."""
    library = ctypes.CDLL(place(version))
    library.H5open()
    numbers = [ctypes.c_uint() for _ in range(3)]
    library.H5get_libversion(*map(byref, numbers))
    found = ".".join(str(n.value) for n in numbers[:2])
    if found != version:
        raise OSError(f"{place(version)} is HDF5 {found}")
    return library


def is_here(version: str) -> bool:
    probe = f"import hdf5_by_ctypes; hdf5_by_ctypes.find({version!r})"
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=Path(__file__).parent, capture_output=True
    )
    return done.returncode == 0


class File:
    def __init__(self, library: ctypes.CDLL, path: str):
        self._library = library
        self.integer = ctypes.c_int64.in_dll(library, "H5T_NATIVE_LLONG_g")
        self._open: list[tuple[str, ctypes.c_int64]] = []
        file = self.call("H5Fopen", path.encode(), READ_BESIDE_A_WRITER, 0)
        self.id = self.closed_by("H5Fclose", file)

    def call(self, name: str, *arguments):
        """Returns the result. Throws OSError if it is negative."""
        function = getattr(self._library, name)
        function.restype = ctypes.c_int64
        result = function(*arguments)
        # Functions that return 32 bits leave the others as they were.
        narrow = name.startswith(("H5Dre", "H5Are", "H5Sselect", "H5Sget_simple", "H5Aget_num"))
        result = ctypes.c_int32(result).value if narrow else result
        if result < 0:
            raise OSError(f"{name} failed")
        return result

    def closed_by(self, function: str, identifier: int) -> ctypes.c_int64:
        self._open.append((function, ctypes.c_int64(identifier)))
        return self._open[-1][1]

    def __getitem__(self, name: str) -> "Dataset":
        found = self.call("H5Dopen2", self.id, name.encode(), ctypes.c_int64(0))
        return Dataset(self, self.closed_by("H5Dclose", found))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        while self._open:
            function, identifier = self._open.pop()
            getattr(self._library, function)(identifier)


class Dataset:
    def __init__(self, file: File, identifier: ctypes.c_int64):
        self._file, self._id = file, identifier

    def refresh(self) -> None:
        self._file.call("H5Drefresh", self._id)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape_of(self._space())

    def _space(self) -> ctypes.c_int64:
        return ctypes.c_int64(self._file.call("H5Dget_space", self._id))

    def _shape_of(self, space: ctypes.c_int64) -> tuple[int, ...]:
        shape = (ctypes.c_uint64 * 32)()
        rank = self._file.call("H5Sget_simple_extent_dims", space, shape, None)
        return tuple(shape[:rank])

    def __getitem__(self, part) -> np.ndarray:
        """`part` is `...`, or a slice of the first dimension."""
        call, integer = self._file.call, self._file.integer
        in_file = self._space()
        shape = self._shape_of(in_file)
        first = 0 if part is Ellipsis else part.indices(shape[0])[0]
        wanted = (shape[0] - first, *shape[1:])
        out = np.zeros(wanted, "i8")
        numbers = ctypes.c_uint64 * len(shape)
        start, count = numbers(first, *[0] * (len(shape) - 1)), numbers(*wanted)
        in_memory = ctypes.c_int64(call("H5Screate_simple", len(shape), count, None))
        if out.size:
            call("H5Sselect_hyperslab", in_file, 0, start, None, count, None)
            to = out.ctypes.data_as(ctypes.c_void_p)
            call("H5Dread", self._id, integer, in_memory, in_file, ctypes.c_int64(0), to)
        for space in (in_file, in_memory):
            self._file.call("H5Sclose", space)
        return out

    @property
    def attrs(self) -> dict[str, int]:
        call, integer = self._file.call, self._file.integer
        found = {}
        for n in range(call("H5Aget_num_attrs", self._id)):
            by_name, rising = 0, 0
            identifier = ctypes.c_int64(
                call(
                    "H5Aopen_by_idx",
                    self._id,
                    b".",
                    by_name,
                    rising,
                    ctypes.c_uint64(n),
                    ctypes.c_int64(0),
                    ctypes.c_int64(0),
                )
            )
            name, value = ctypes.create_string_buffer(100), ctypes.c_int64()
            call("H5Aget_name", identifier, ctypes.c_size_t(len(name)), name)
            call("H5Aread", identifier, integer, byref(value))
            call("H5Aclose", identifier)
            found[name.value.decode()] = value.value
        return found


class Elsewhere:
    """A library in a process of its own."""

    def __init__(self, version: str):
        self._process = subprocess.Popen(
            [sys.executable, __file__, version],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def contents_of(self, path) -> swmr_model.Contents:
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        found = json.loads(self._process.stdout.readline())
        return {n: (np.array(v, "i8").reshape(shape), a) for n, (shape, v, a) in found.items()}

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def main(version: str) -> None:

    library = find(version)
    for line in sys.stdin:
        with File(library, line.rstrip("\n")) as f:
            found = swmr_model.contents_of(f)
        print(json.dumps({n: (v.shape, v.ravel().tolist(), a) for n, (v, a) in found.items()}))
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
