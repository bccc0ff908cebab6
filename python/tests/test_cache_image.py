"""Files that the HDF5 library closed with an image of its metadata cache"""

import contextlib
import ctypes
import struct
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast

LIBVERS = {"v108": h5py.h5f.LIBVER_V18, "v110": h5py.h5f.LIBVER_V110}
GROUPS, MANY_GROUPS = 3, 12  # the library cannot read its own image of dense groups


class ImageConfig(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_int),
        ("generate_image", ctypes.c_bool),
        ("save_resize_status", ctypes.c_bool),
        ("entry_ageout", ctypes.c_int),
    ]


def set_image_config(plist):
    library = next(
        (Path(h5py.__file__).parents[1] / "h5py.libs").glob("libhdf5-*"),
        None,
    )
    if library is None:
        pytest.skip("this h5py has no libhdf5 of its own")
    set_config = ctypes.CDLL(str(library)).H5Pset_mdc_image_config
    set_config.argtypes = [ctypes.c_int64, ctypes.POINTER(ImageConfig)]
    assert set_config(plist.id, ctypes.byref(ImageConfig(1, True, False, -1))) >= 0


def fill(f, groups):
    """Writes groups, attributes, chunks, and values of variable length."""
    for i in range(groups):
        g = f.create_group(f"group {i}")
        g.attrs["number"] = i
        g["numbers"] = np.arange(i + 3)
        g["text"] = f"text {i}"
    f["texts"] = [f"line {i}" * (i % 7) for i in range(300)]
    f.create_dataset("chunks", data=np.arange(500), chunks=(10,), compression="gzip")
    for i in range(4 * groups - 8):
        f.attrs[f"attribute {i}"] = np.arange(i)


def make(path, low, groups):
    plist = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    plist.set_libver_bounds(LIBVERS[low], LIBVERS["v110"])
    set_image_config(plist)
    created = h5py.h5f.create(bytes(path), h5py.h5f.ACC_TRUNC, fapl=plist)
    with h5py.File(created) as f:
        fill(f, groups)
    assert b"MDCI" in path.read_bytes()
    return path


@pytest.fixture(params=LIBVERS)
def image(request, path):
    """Returns a file with an image, which alone has the metadata."""
    return make(path, request.param, GROUPS)


@pytest.fixture(params=LIBVERS)
def dense_image(request, path):
    return make(path, request.param, MANY_GROUPS)


def contents(f):
    found = {"attrs": {k: np.asarray(v).tolist() for k, v in f.attrs.items()}}

    def visit(name, thing):
        found[name] = {k: np.asarray(v).tolist() for k, v in thing.attrs.items()}
        if hasattr(thing, "shape"):
            found[f"{name}, data"] = np.asarray(thing[()]).tolist()

    f.visititems(visit)
    return found


def expected(tmp_path, groups):
    with h5py.File(tmp_path / "plain.h5", "w") as f:
        fill(f, groups)
        return contents(f)


@pytest.mark.parametrize("policy", ["automatic", "eager", "lazy"])
def test_is_read(image, tmp_path, policy):
    with onecast.File(image, load_policy=policy) as f:
        assert contents(f) == expected(tmp_path, GROUPS)
    with h5py.File(image) as f:
        assert contents(f) == expected(tmp_path, GROUPS)  # the oracle agrees


@pytest.mark.parametrize("policy", ["eager", "lazy"])
def test_dense_structures_are_read(dense_image, tmp_path, policy):
    with onecast.File(dense_image, load_policy=policy) as f:
        assert contents(f) == expected(tmp_path, MANY_GROUPS)


ON_RANKS = """
import json
for policy in ("automatic", "eager", "lazy"):
    for budget in (1 << 28, 4096):
        with onecast.File(sys.argv[1], comm=comm, load_policy=policy, metadata_budget=budget) as f:
            for i in range(12):
                g = f[f"group {i}"]
                assert g.attrs["number"] == i
                assert list(g["numbers"]) == list(range(i + 3))
                assert list(g["numbers"].read_all()) == list(range(i + 3))
                assert g["text"][()] == b"text %d" % i
            assert f["texts"][299] == b"line 299" * 5
            assert list(f["texts"].read_all()[:2]) == [b"", b"line 1"]
            assert list(f["chunks"][495:]) == [495, 496, 497, 498, 499]
            assert len(f.attrs) == 40
            assert len(f) == 14
"""


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_is_read_on_ranks(dense_image, mpirun, ranks):
    mpirun(ranks, ON_RANKS, dense_image)


def test_is_checked(dense_image):
    report = onecast.check(dense_image, data=True)
    assert not report["damaged"], report["findings"]


def test_writing_names_the_remedy(image, tmp_path):
    before = image.read_bytes()
    with pytest.raises(onecast.UnsupportedError, match=r"metadata cache image.*h5py.File\(name"):
        onecast.File(image, "r+")
    assert image.read_bytes() == before
    h5py.File(image, "r+").close()
    with onecast.File(image, "r+") as f:
        f["new"] = 1
    with h5py.File(image) as f:
        assert f["new"][()] == 1
        assert f["group 2/numbers"][:].tolist() == [0, 1, 2, 3, 4]


# --- wrong images --------------------------------------------------------------------------------


class Block:
    """The image of a file, which is changed and written back with a matching checksum."""

    def __init__(self, path):
        self.path = path
        self.bytes = bytearray(path.read_bytes())
        self.at = self.bytes.index(b"MDCI")
        (self.size,) = struct.unpack_from("<Q", self.bytes, self.at + 6)

    def entries(self):
        """Yields the position of each entry's fields."""
        (count,) = struct.unpack_from("<I", self.bytes, self.at + 14)
        at = self.at + 18
        for _ in range(count):
            yield at
            (parents,) = struct.unpack_from("<H", self.bytes, at + 8)
            (length,) = struct.unpack_from("<Q", self.bytes, at + 22)
            at += 30 + 8 * parents + length

    def put(self, at, form, *values):
        struct.pack_into(form, self.bytes, at, *values)

    def write(self):
        end = self.at + self.size - 4
        self.put(end, "<I", lookup3(bytes(self.bytes[self.at : end])))
        self.path.write_bytes(self.bytes)


def lookup3(data):
    """Jenkins' hash, written from its description"""
    a = b = c = 0xDEADBEEF + len(data)

    def rot(x, k):
        x &= 0xFFFFFFFF
        return x << k | x >> (32 - k)

    def masked():
        return a & 0xFFFFFFFF, b & 0xFFFFFFFF, c & 0xFFFFFFFF

    while len(data) > 12:
        x, y, z = struct.unpack_from("<III", data)
        a, b, c = a + x, b + y, c + z
        for k in (4, 6, 8, 16, 19, 4):
            a, b, c = masked()
            a, c = (a - c) ^ rot(c, k), c + b
            a, b, c = b, c, a  # the next step does the same with the next of them
        data = data[12:]
    if data:
        x, y, z = struct.unpack("<III", data.ljust(12, b"\0"))
        a, b, c = a + x, b + y, c + z
        for k in (14, 11, 25, 16, 4, 14, 24):
            a, b, c = masked()
            c = (c ^ b) - rot(b, k)
            a, b, c = b, c, a
        a, b, c = c, a, b
    return c & 0xFFFFFFFF


def opened(path):
    with onecast.File(path) as f:
        contents(f)


def test_the_checksum_of_these_tests(image):
    block = Block(image)
    before = bytes(block.bytes)
    block.write()
    assert image.read_bytes() == before


@pytest.mark.leaves_damage
def test_a_damaged_image(image):
    block = Block(image)
    block.bytes[block.at + 100] ^= 1
    image.write_bytes(block.bytes)
    with pytest.raises(onecast.FormatError, match="Metadata Cache Image Block: Checksum"):
        opened(image)


@pytest.mark.leaves_damage
@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda b, e: b.put(b.at + 14, "<I", 0xFFFFFFFF), "Entries"),
        (lambda b, e: b.put(b.at + 6, "<Q", b.size - 1), "Image Data Length"),
        (lambda b, e: b.put(b.at + 4, "<B", 1), "Version"),
        (lambda b, e: b.put(e[0] + 22, "<Q", 1 << 62), "Entry"),
        (lambda b, e: b.put(e[0] + 22, "<Q", 0), "Entry Length"),
        (lambda b, e: b.put(e[0] + 8, "<H", 0xFFFF), "Flush Dependency Parent"),
        (lambda b, e: b.put(e[0] + 14, "<Q", 1 << 40), "leaves the file"),
        (lambda b, e: b.put(e[0] + 14, "<Q", (1 << 64) - 1), "leaves the file"),
        (lambda b, e: b.put(e[0] + 14, "<Q", 0), "overlaps the superblock"),
        (lambda b, e: b.put(e[0] + 14, "<Q", b.at + 30), "overlaps the superblock, its ext"),
        (
            lambda b, e: b.put(e[0] + 14, "<Q", struct.unpack_from("<Q", b.bytes, e[1] + 14)[0]),
            "overlaps another entry",
        ),
    ],
)
def test_an_image_that_lies(image, change, text):
    block = Block(image)
    change(block, list(block.entries()))
    block.write()
    with pytest.raises((onecast.FormatError, onecast.UnsupportedError), match=text):
        opened(image)


@pytest.mark.long
@pytest.mark.leaves_damage
def test_any_byte_may_be_wrong(image):
    """The file is read or refused: no crash, no endless loop."""
    block = Block(image)
    whole = bytes(block.bytes)
    for at in range(block.at, block.at + min(block.size, 4000), 13):
        block.bytes[:] = whole
        block.bytes[at] ^= 0xFF
        block.write()
        with contextlib.suppress(
            OSError, ValueError, KeyError, onecast.FormatError, onecast.UnsupportedError
        ):
            opened(image)


@pytest.mark.leaves_damage
def test_a_truncated_file(image):
    block = Block(image)
    image.write_bytes(block.bytes[: block.at + block.size // 2])
    with pytest.raises(onecast.FormatError):
        opened(image)
