"""Values of variable length, which the HDF5 library converts, and asks the plug-in for."""

import pytest

pytest.importorskip("h5py")


def is_all_served(done):
    """True if no call of a traced program was left to the HDF5 library."""
    words = "by the shadow: ", "by the native library: "
    return "calls served" in done.stderr and not any(each in done.stderr for each in words)


GROWTH = """
import ctypes, h5py, numpy as np, sys
if not hasattr(ctypes.CDLL(None), "mallinfo2"):
    print("unknown")
    sys.exit()
class Allocated(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "a b c d e f g bytes i j".split()]
count = ctypes.CDLL(None).mallinfo2
count.restype = Allocated
def in_memory():
    allocated = count()
    return allocated.bytes + allocated.e  # with large blocks
text = h5py.string_dtype()
with h5py.File(sys.argv[1], "w") as file:
    file.attrs["text"] = "text"
    file["texts"] = ["a", "bc"]
    file.create_dataset("rows", (2,), h5py.vlen_dtype("i4"))[0] = [1, 2]
    file.create_dataset("mixed", (2,), np.dtype([("text", text), ("of", h5py.ref_dtype)]))
    file["mixed"][0] = ("text", file["texts"].ref)
reading, writing = h5py.File(sys.argv[1]), h5py.File(sys.argv[2], "w")
writing["texts"] = ["a", "bc"]
def open_and_read():
    with h5py.File(sys.argv[1]) as file:
        file.attrs["text"], file["mixed"][:]
calls = {
    "attribute read": lambda: reading.attrs["text"],
    "dataset read": lambda: [reading[name][:] for name in ("texts", "rows", "mixed")],
    "dataset read while it is written": lambda: writing["texts"][:],
    "dataset write": lambda: writing["texts"].__setitem__(0, "other"),
    "opened, read and closed": open_and_read,
}
for name, call in calls.items():
    for _ in range(100):
        call()
    before = in_memory()
    for _ in range(500):
        call()
    print(f"{name}: {(in_memory() - before) // 500}")
"""


def test_conversions_are_kept_once(dropin, tmp_path):
    """The library keeps each conversion that it has found: no call may add one."""
    done = dropin.run(GROWTH, tmp_path / "a.h5", tmp_path / "b.h5")
    if done.stdout == "unknown\n":
        pytest.skip("the C library does not count bytes")
    growth = dict(line.split(": ") for line in done.stdout.splitlines())
    assert len(growth) == 5
    assert all(int(bytes_of_call) < 300 for bytes_of_call in growth.values()), growth


NESTED = """
import h5py, numpy as np, sys
text = h5py.string_dtype()
paths = sys.argv[1:3]
for i, path in enumerate(paths):
    with h5py.File(path, "w") as file:
        file["texts"] = [f"text {i}"] * 3
        rows = file.create_dataset("rows", (2,), h5py.vlen_dtype("i4"))
        rows[1] = [i] * 3
        file["refers"] = file["texts"].ref
        file.attrs["text"] = f"attribute {i}"
files = [h5py.File(path, "r+") for path in paths]
for _ in range(2):
    for file in files:
        print(file["texts"][:], file["rows"][1], file.attrs["text"])
        print(file[file["refers"][()]][0], file[file["refers"][()]].file.filename == file.filename)
    files[0]["texts"][1] = files[1]["texts"][2]
    files[1].attrs["text"] = files[0].attrs["text"]
    files[1]["rows"][0] = files[0]["rows"][1]
print(files[0]["texts"][:], files[1].attrs["text"], files[1]["rows"][:])
"""


def test_each_file_has_its_own_values(dropin, tmp_path):
    with_plugin = dropin.run(NESTED, tmp_path / "a.h5", tmp_path / "b.h5", trace=True)
    stock = dropin.run(NESTED, tmp_path / "c.h5", tmp_path / "d.h5", plugin=False)
    assert with_plugin.stdout == stock.stdout
    assert is_all_served(with_plugin), with_plugin.stderr


DAMAGED = """
import h5py, numpy as np, signal, sys
signal.alarm(60)  # the library goes round and round in such a heap
with h5py.File(sys.argv[1], "r+") as file:
    for read in (
        lambda: file["rows"][()],
        lambda: file["texts"][1:],
        lambda: file["texts"].attrs["text"],
        lambda: file["mixed"]["text"],
        lambda: file["mixed"].write_direct(np.zeros(1, [("n", "i4")])),
    ):
        try:
            print("done:", read())
        except Exception as error:
            print(type(error).__name__, error)
"""


@pytest.mark.leaves_damage
@pytest.mark.parametrize("damage", ["its objects", "its version"])
def test_a_damaged_heap_is_an_error_and_not_given_to_the_library(dropin, tmp_path, damage):
    import h5py
    import numpy as np

    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("rows", (3,), h5py.vlen_dtype("i4"))[0] = [1, 2, 3]
        file["texts"] = ["a", "bc"]
        file["texts"].attrs["text"] = "text"
        text = np.dtype([("n", "i4"), ("text", h5py.string_dtype())])
        file["mixed"] = np.array([(1, "hello")], text)
    data = bytearray(path.read_bytes())
    heap = data.index(b"GCOL")
    while heap >= 0:
        if damage == "its version":
            data[heap + 4] = 0
        else:
            data[heap + 16 : heap + 200] = bytes(184)
        heap = data.find(b"GCOL", heap + 1)
    path.write_bytes(data)
    done = dropin.run(DAMAGED, path, trace=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 5
    assert not [line for line in lines if line.startswith("done:")], done.stdout
    assert all(str(path) in line for line in lines), done.stdout
    assert is_all_served(done), done.stderr


BESIDE_A_NATIVE_FILE = """
import h5py, sys
with h5py.File("native.h5", "w", driver="stdio"), h5py.File(sys.argv[1]) as file:
    for path in "numbers", "group/numbers", "/numbers":
        try:
            print("read:", file[path][()])
        except Exception as error:
            print(type(error).__name__, error)
"""


@pytest.mark.leaves_damage
def test_damage_is_an_error_while_the_library_writes_other_files(dropin, tmp_path):
    import h5py

    path = tmp_path / "a.h5"
    with h5py.File(path, "w", libver="latest") as file:
        file["numbers"] = [1, 2, 3]
        file["group/numbers"] = file["numbers"]
        place = h5py.h5o.get_info(file["numbers"].id).addr
    data = bytearray(path.read_bytes())
    data[place + 20] ^= 0xFF  # the checksum says so
    path.write_bytes(data)
    done = dropin.run(BESIDE_A_NATIVE_FILE, path, trace=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 3 and all(str(path) in line for line in lines), done.stdout
    assert "by the shadow: " not in done.stderr, done.stderr
