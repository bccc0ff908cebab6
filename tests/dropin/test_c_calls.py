"""What programs in C do and h5py does not: no room for results, own lists, printed errors."""

import pytest

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")

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


REGISTERED = """
import ctypes
import h5py
import numpy as np
import sys

maps = open("/proc/self/maps").read().split()
lib = ctypes.CDLL(next(each for each in maps if "/libhdf5-" in each or "/libhdf5.so" in each))


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t,
                  ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p,
                  ctypes.c_int64)
def sevens(source, target, data, count, stride, other, elements, background, transfer):
    # The command of a conversion is the first field of its data: 1 converts.
    if ctypes.cast(data, ctypes.POINTER(ctypes.c_int))[0] == 1:
        for i in range(count):
            ctypes.c_int64.from_address(elements + i * (stride or 8)).value = 7
    return 0


def types(*names):
    return [ctypes.c_int64.in_dll(lib, f"H5T_{name}_g") for name in names]


large, real = types("STD_I64LE", "IEEE_F64LE")
with h5py.File(sys.argv[1], "r") as file:
    def read(name, wanted):
        print(file[name].astype(wanted)[:3].tolist())
    for name in ("few", "many", "pairs"):
        read(name, file[name].dtype)
    read("many", "f8")
    hard = 0
    assert lib.H5Tregister(hard, b"sevens", large, real, sevens) >= 0
    bits = {float(x) for x in np.array([7], "i8").view("f8")}
    for name in ("few", "many"):
        out = np.zeros(file[name].shape)
        file[name].read_direct(out)
        print(set(out.tolist()) == bits)
    out = np.zeros(100, [("n", "f8")])
    file["pairs"].read_direct(out)
    print(set(out["n"].tolist()) == bits)
    value = np.zeros(2)
    file["few"].attrs.get_id("a").read(value)
    print(set(value.tolist()) == bits)
    # The library calls the function at its end, when Python has gone.
    assert lib.H5Tunregister(hard, b"sevens", large, real, sevens) >= 0
"""


def test_conversions_that_the_program_registers(dropin):
    with h5py.File(dropin.folder / "numbers.h5", "w") as file:
        file["few"] = [1, 2, 3]
        file["few"].attrs["a"] = [1, 2]
        file["many"] = list(range(1000))
        file["pairs"] = np.ones(100, [("n", "i8"), ("x", "i4")])
    done = dropin.run(REGISTERED, "numbers.h5")
    assert done.stdout == dropin.run(REGISTERED, "numbers.h5", plugin=False).stdout
    assert done.stdout.endswith("True\n" * 4)


LEFT_OPEN = """
import ctypes
import h5py

maps = open("/proc/self/maps").read().split()
lib = ctypes.CDLL(next(each for each in maps if "/libhdf5-" in each or "/libhdf5.so" in each))
for name in "H5Fopen", "H5Dopen2", "H5Iget_file_id":
    getattr(lib, name).restype = ctypes.c_int64
files = [ctypes.c_int64(lib.H5Fopen(b"open.h5", flags, ctypes.c_int64(0))) for flags in (0, 0)]
for file in files:
    data = lib.H5Dopen2(file, b"x", ctypes.c_int64(0))
    assert lib.H5Iget_file_id(ctypes.c_int64(data)) > 0
print(len(files))
"""


@pytest.mark.parametrize("plugin", [True, False], ids=["plug-in", "native"])
def test_the_library_ends_with_files_left_open(dropin, plugin):
    with h5py.File(dropin.folder / "open.h5", "w") as file:
        file["x"] = [1, 2]
    done = dropin.run(LEFT_OPEN, plugin=plugin)
    assert (done.stdout, done.stderr) == ("2\n", "")
