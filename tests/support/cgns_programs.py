"""Questions to a CGNS library, which all libraries must answer alike.

ask(lib, "cg_family_read", file, 1, 1, give="name int int")    ("Wing", 2, 1)
compare_readers(tmp_path, write, read, expected)                each reads what each wrote
status_of(lib, "cg_base_write", ...)                            what it returns
"""

import ctypes

import numpy as np
from cgns_libraries import KINDS, STOCK, CgnsError, library

LIBRARIES = ("ours", *STOCK)
NUMBERS = {"int": np.int32, "float": np.float32, "double": np.float64}


class _Room:
    """Memory for one result: name, copy (a text that cg_free takes), int, size, float3 ..."""

    def __init__(self, lib, kind):
        self.kind = kind.rstrip("0123456789")
        count = kind[len(self.kind) :]
        self.is_array = bool(count)
        if self.kind == "name":
            self.memory = lib.text(700)
        elif self.kind == "copy":
            self.memory = ctypes.c_char_p()
        else:
            self.memory = np.full(int(count or 1), -7, NUMBERS.get(self.kind, lib.size))
        self.argument = ctypes.byref(self.memory) if self.kind == "copy" else self.memory

    def result(self, lib):
        if self.kind == "name":
            return self.memory.value.decode()
        if self.kind == "copy":
            text = self.memory.value.decode()
            lib.cg_free(self.memory)
            return text
        return self.memory.tolist() if self.is_array else self.memory.tolist()[0]


def ask(lib, function, *arguments, give):
    """Calls a function with memory for its results behind the arguments. Returns the result, or a
    tuple of results."""
    rooms = [_Room(lib, kind) for kind in give.split()]
    getattr(lib, function)(*arguments, *(room.argument for room in rooms))
    results = tuple(room.result(lib) for room in rooms)
    return results[0] if len(results) == 1 else results


def status_of(lib, function, *arguments, give=""):
    """Returns 0, or the number of the error."""
    try:
        ask(lib, function, *arguments, give=give)
    except CgnsError as error:
        return error.status
    return 0


def installed(names):
    return [name for name in names if KINDS[name][0]() is not None]


def compare_readers(tmp_path, write, read, expected, libraries=LIBRARIES):
    """Compares `read(lib, path)` for the files of `write(lib, path)`, for all pairs of libraries.
    Debian's is too old for files of the one in the vtk wheel."""
    for writer in installed(libraries):
        path = tmp_path / f"by-{writer}.cgns"
        write(library(writer), path)
        for reader in installed(libraries):
            if (writer, reader) == ("vtk", "debian"):
                continue
            assert read(library(reader), path) == expected, f"{reader} reads what {writer} wrote"
