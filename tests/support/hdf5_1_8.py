"""HDF5 1.8.18, an old stock library that many programs are still linked with, by ctypes.

It comes from the wheel of an old h5py, for a Python that nobody has any more. As a program, it
prints the contents of a file as JSON, `{path: values, path@attribute: values}`.
"""

import ctypes
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CACHE = Path(__file__).resolve().parents[2] / "build" / "hdf5-1.8"
H5T_INTEGER, H5T_FLOAT, H5T_STRING = 0, 1, 3
GROUP, DATASET = 0, 1


def library_file() -> Path:
    """Downloads the library once. Skips the test if that is impossible."""
    found = list(CACHE.glob("h5py/.libs/libhdf5-*.so*"))
    if not found:
        CACHE.mkdir(parents=True, exist_ok=True)
        fetch = [
            "download",
            "-q",
            "--no-deps",
            "--only-binary=:all:",
            "--python-version",
            "36",
            "--abi",
            "cp36m",
        ]
        fetch += ["--platform", "manylinux1_x86_64", "-d", str(CACHE), "h5py==2.7.1"]
        try:
            pip = [sys.executable, "-m", "pip", *fetch]
            subprocess.run(pip, check=True, capture_output=True, timeout=120)
            for fetched in CACHE.glob("h5py-*.whl"):
                zipfile.ZipFile(fetched).extractall(CACHE)
            found = list(CACHE.glob("h5py/.libs/libhdf5-*.so*"))
            ctypes.CDLL(str(found[0]))
        except (subprocess.SubprocessError, OSError, IndexError) as error:
            pytest.skip(f"HDF5 1.8 cannot be had here: {error}")
    return found[0]


def read(path) -> dict:
    """Returns what HDF5 1.8 finds in the file, in another process: two HDF5 in one could
    conflict."""
    command = [sys.executable, __file__, str(library_file()), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Reader:
    def __init__(self, library: str, path: str):
        self.h5 = ctypes.CDLL(library)
        self.h5.H5Sget_simple_extent_npoints.restype = ctypes.c_longlong
        self.h5.H5Tget_size.restype = ctypes.c_size_t
        self.contents = {}
        file = self.good(self.h5.H5Fopen(path.encode(), 0, 0))
        self.group(file, b"/")
        self.h5.H5Fclose(file)

    @staticmethod
    def good(result: int) -> int:
        if result < 0:
            raise SystemExit("HDF5 1.8 refuses that")
        return result

    def group(self, file: int, path: bytes):
        group = self.good(self.h5.H5Gopen2(file, path, 0))
        self.attributes(group, path)
        count = ctypes.c_ulonglong()
        self.good(self.h5.H5Gget_num_objs(group, ctypes.byref(count)))
        for i in map(ctypes.c_ulonglong, range(count.value)):
            name = ctypes.create_string_buffer(1000)
            self.good(self.h5.H5Gget_objname_by_idx(group, i, name, ctypes.c_size_t(1000)))
            below = path.rstrip(b"/") + b"/" + name.value
            kind = self.good(self.h5.H5Gget_objtype_by_idx(group, i))
            if kind == GROUP:
                self.group(file, below)
            elif kind == DATASET:
                self.dataset(file, below)
        self.h5.H5Gclose(group)

    def dataset(self, file: int, path: bytes):
        dataset = self.good(self.h5.H5Dopen2(file, path, 0))
        self.attributes(dataset, path)
        space, stored = self.h5.H5Dget_space(dataset), self.h5.H5Dget_type(dataset)
        self.contents[path.decode()] = self.values(
            space, stored, lambda memory, out: self.h5.H5Dread(dataset, memory, 0, 0, 0, out)
        )
        self.h5.H5Dclose(dataset)

    def attributes(self, thing: int, path: bytes):
        for i in range(self.good(self.h5.H5Aget_num_attrs(thing))):
            attribute = self.good(self.h5.H5Aopen_idx(thing, i))
            name = ctypes.create_string_buffer(1000)
            self.h5.H5Aget_name(attribute, ctypes.c_size_t(1000), name)
            space, stored = self.h5.H5Aget_space(attribute), self.h5.H5Aget_type(attribute)
            self.contents[f"{path.decode()}@{name.value.decode()}"] = self.values(
                space, stored, lambda memory, out, a=attribute: self.h5.H5Aread(a, memory, out)
            )
            self.h5.H5Aclose(attribute)

    def values(self, space: int, stored: int, read) -> list:
        count = self.good(self.h5.H5Sget_simple_extent_npoints(space))
        kind = self.good(self.h5.H5Tget_class(stored))
        if kind == H5T_STRING and not self.h5.H5Tis_variable_str(stored):
            out = (ctypes.c_char * self.h5.H5Tget_size(stored) * count)()
            self.good(read(stored, out))
            return [text.value.decode() for text in out]
        if kind == H5T_STRING:
            out = (ctypes.c_char_p * count)()
            self.good(read(stored, out))
            return [(text or b"").decode() for text in out]
        native = {H5T_INTEGER: "H5T_NATIVE_LLONG_g", H5T_FLOAT: "H5T_NATIVE_DOUBLE_g"}[kind]
        element = ctypes.c_longlong if kind == H5T_INTEGER else ctypes.c_double
        out = (element * count)()
        self.good(read(ctypes.c_int.in_dll(self.h5, native).value, out))
        return list(out)


if __name__ == "__main__":
    print(json.dumps(Reader(*sys.argv[1:]).contents))
