"""Writes what the fuzz programs start from: small files by h5py, and parts of them.

python fuzz/make_seeds.py FOLDER      # FOLDER/PROGRAM/..., for each program
"""

import sys
import zlib
from pathlib import Path

import h5py
import numpy as np

# The programs whose input is a file.
OF_FILES = (
    "superblock_fuzz",
    "object_header_fuzz",
    "btree_v1_fuzz",
    "btree_v2_fuzz",
    "fractal_heap_fuzz",
    "heaps_fuzz",
    "open_walk_read_fuzz",
)
COMPOUND = np.dtype([("a", "<i4"), ("b", ">f8"), ("c", "S5"), ("d", "<i2", (2, 3))])
TYPES = {
    "int": np.dtype("<i4"),
    "big": np.dtype(">u8"),
    "float": np.dtype("<f4"),
    "string": np.dtype("S7"),
    "compound": COMPOUND,
    "array": np.dtype(("<i4", (2, 3))),
    "enum": h5py.enum_dtype({"red": 0, "green": 1}, basetype="i1"),
    "bool": np.dtype(bool),
    "text": h5py.string_dtype(),
    "sequence": h5py.vlen_dtype(np.dtype("<i2")),
    "reference": h5py.ref_dtype,
    "region": h5py.regionref_dtype,
    "opaque": h5py.opaque_dtype(np.dtype("V3")),
    "nested": np.dtype([("x", COMPOUND), ("y", COMPOUND, (2,))]),
}


def few(file):
    file.attrs["n"] = np.int32(7)
    file.attrs["text"] = "variable"
    file["small"] = np.arange(6, dtype="<i4").reshape(2, 3)
    file["words"] = np.array([b"one", b"three"])
    file["texts"] = ["one", "", "three"]


def links(file):
    group = file.create_group("group")
    for name in ("b", "a", "much longer than the others"):
        group.create_group(name).attrs["name"] = np.bytes_(name)
    group["again"] = group
    group["soft"] = h5py.SoftLink("/group/a")
    group["loop"] = h5py.SoftLink("loop")
    group["dangling"] = h5py.SoftLink("/nowhere")
    group["outside"] = h5py.ExternalLink("other.h5", "/x")


def many(file):
    group = file.create_group("group")
    for i in range(40):
        group.attrs[f"attribute {i}"] = np.int32(i)
        group.create_group(f"member {i}")


def chunks(file):
    values = np.arange(60, dtype="<i4").reshape(6, 10)
    file.create_dataset("plain", data=values, chunks=(2, 4), fillvalue=7)
    file.create_dataset("deflate", data=values, chunks=(2, 4), compression=4, shuffle=True)
    file.create_dataset("fletcher", data=values, chunks=(2, 4), fletcher32=True)
    file.create_dataset("sparse", (100, 100), "<i4", chunks=(10, 10), fillvalue=3)[45, 45] = 1
    file.create_dataset("texts", data=["a", "b"] * 3, chunks=(2,), maxshape=(None,))


def types(file):
    for name, dtype in TYPES.items():
        file.create_dataset(name, (2,), dtype)
        stored = h5py.h5t.py_create(dtype, logical=True)
        h5py.h5a.create(file.id, name.encode(), stored, h5py.h5s.create_simple((1,)))
    file["committed"] = COMPOUND
    file.create_dataset("of committed", (1,), file["committed"])
    file["empty"] = h5py.Empty("f4")


def ordered(file):
    group = file.create_group("group", track_order=True)
    for i in range(12):
        group.attrs[f"{i}"] = np.zeros(i, "i1")
        group[f"{12 - i}"] = i


CONTENTS = (few, links, many, chunks, types, ordered)
VERSIONS = (("earliest", "v108"), ("v108", "v108"), ("v110", "v110"), ("latest", "latest"))


def write_files(folder: Path) -> list[Path]:
    """Each content in each version of the format; some behind a user block."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for content in CONTENTS:
        for version in VERSIONS:
            block = 512 if content is few and version[0] in ("earliest", "latest") else 0
            written.append(folder / f"{content.__name__}-{version[0]}.h5")
            with h5py.File(written[-1], "w", libver=version, userblock_size=block) as file:
                content(file)
    return written


def save(folder: Path, name: str, parts: dict[str, bytes]) -> None:
    (folder / name).mkdir(parents=True, exist_ok=True)
    for part, content in parts.items():
        (folder / name / part).write_bytes(content)


def datatypes() -> dict[str, bytes]:
    """Encoded as in a Datatype message; before it H5Tencode puts two bytes of its own."""
    return {
        name: h5py.h5t.py_create(dtype, logical=True).encode()[2:] for name, dtype in TYPES.items()
    }


def version_2_messages(content: bytes) -> dict[str, bytes]:
    """Messages of version 2 object headers: number of the type, 0 (8-byte sizes), the message."""
    found = {}
    at = content.find(b"OHDR")
    while at >= 0:
        flags = content[at + 5]
        place = at + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
        width = 1 << (flags & 3)
        end = place + width + int.from_bytes(content[place : place + width], "little")
        place += width
        while place + 4 <= end:
            number, size = content[place], int.from_bytes(content[place + 1 : place + 3], "little")
            place += 4 + (2 if flags & 4 else 0)
            if 1 <= number <= 24:
                found[f"{number:02}-{at}-{place}"] = (
                    bytes([number - 1, 0]) + content[place : place + size]
                )
            place += size
        at = content.find(b"OHDR", at + 1)
    return found


def pipelines() -> dict[str, bytes]:
    """See filters_fuzz.cpp."""
    plain = bytes(range(64)) * 4
    shuffled = np.frombuffer(plain, "u1").reshape(-1, 4).T.tobytes()
    size = len(plain).to_bytes(2, "little")
    return {
        "deflate": bytes([1, 1, 6, 0]) + size + zlib.compress(plain),
        "shuffle": bytes([1, 2, 4, 0]) + size + shuffled,
        "both": bytes([2, 2, 4, 1, 6, 0]) + size + zlib.compress(shuffled),
        "fletcher32": bytes([1, 3, 0, 0]) + size + bytes(len(plain) + 4),
        "masked": bytes([1, 1, 6, 1]) + size + plain,
    }


def main(target: str) -> None:
    folder = Path(target)
    files = {path.name: path.read_bytes() for path in write_files(folder / "files")}
    for program in OF_FILES:
        save(folder, program, files)
    save(folder, "datatype_fuzz", datatypes())
    # One name for each content is enough.
    messages = {
        body: f"{name}-{part}"
        for name, content in files.items()
        for part, body in version_2_messages(content).items()
    }
    save(folder, "messages_fuzz", {name: body for body, name in messages.items()})
    save(folder, "filters_fuzz", pipelines())


if __name__ == "__main__":
    main(sys.argv[1])
