"""What programs in C do and h5py does not: no room for results, own lists, printed errors."""

import pytest

h5py = pytest.importorskip("h5py")

PROGRAM = """
import ctypes
import sys

import h5py

maps = open("/proc/self/maps").read().split()
lib = ctypes.CDLL(next(each for each in maps if "/libhdf5-" in each or "/libhdf5.so" in each))
lib.H5Fopen.restype = lib.H5Dopen2.restype = lib.H5Tcopy.restype = ctypes.c_int64
lib.H5Pcreate.restype = lib.H5Gopen2.restype = ctypes.c_int64
lib.H5Fget_obj_count.restype = ctypes.c_ssize_t


def number(name):
    return ctypes.c_int64.in_dll(lib, name).value


def ident(value):
    return ctypes.c_int64(value)


ALL, DEFAULT = ident(0), ident(0)
# h5py has turned the printing of errors off.
lib.H5Eset_auto2(DEFAULT, ctypes.cast(lib.H5Eprint2, ctypes.c_void_p), None)
file = ident(lib.H5Fopen(b"c.h5", 0, DEFAULT))
assert lib.H5Lget_info2(file, b"x", None, DEFAULT) == 0
assert lib.H5Gget_objinfo(file, b"x", 1, None) == 0
transient = ident(lib.H5Tcopy(ident(number("H5T_NATIVE_DOUBLE_g"))))
assert lib.H5Fget_obj_count(file, 0x1F) == 1
data = ident(lib.H5Dopen2(file, b"x", DEFAULT))
double, int32 = (ident(number(f"H5T_NATIVE_{name}_g")) for name in ("DOUBLE", "INT32"))
own = ident(lib.H5Pcreate(ident(number("H5P_CLS_DATASET_XFER_ID_g"))))
values = (ctypes.c_double * 2)()
assert lib.H5Dread(data, double, ALL, ALL, own, values) == 0
assert list(values) == [1.5, 1e300]


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64,
                  ctypes.c_void_p, ctypes.POINTER(ctypes.c_int32), ctypes.c_void_p)
def replace(what, source, target, from_, to, data):
    to[0] = 77
    return 1


assert lib.H5Pset_type_conv_cb(own, replace, None) == 0
integers = (ctypes.c_int32 * 2)()
assert lib.H5Dread(data, int32, ALL, ALL, own, integers) == 0
assert integers[1] == 77, list(integers)
sys.stdout.flush()
lib.H5Eset_auto2(DEFAULT, None, None)
assert lib.H5Dread(data, double, ALL, ALL, DEFAULT, None) < 0
other = ident(lib.H5Fopen(b"other.h5", 0, DEFAULT))
mounted = lib.H5Fmount(file, b"g", other, DEFAULT)
inner = ident(lib.H5Dopen2(file, b"g/inner", DEFAULT))
assert inner.value >= 0
lib.H5Dclose(inner)
assert lib.H5Funmount(file, b"g") == 0
print("mounted" if mounted == 0 else "not mounted")
lib.H5Dclose(data)
lib.H5Fclose(other)
lib.H5Fclose(file)
"""


@pytest.mark.parametrize("plugin", [True, False], ids=["plug-in", "native"])
def test_a_program_in_c(dropin, plugin):
    with h5py.File(dropin.folder / "c.h5", "w") as file:
        file["x"] = [1.5, 1e300]
        file.create_group("g")
    with h5py.File(dropin.folder / "other.h5", "w") as file:
        file["inner"] = 3
    done = dropin.run(PROGRAM, plugin=plugin)
    assert done.stderr == ""
    assert done.stdout.split("\n")[0] == "mounted"
