"""Writes what the fuzz programs start from: small files by h5py, and parts of them.

python fuzz/make_seeds.py FOLDER      # FOLDER/PROGRAM/..., for each program
"""

import sys
import zlib
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "filters"))
from event_seeds import event_files
from make_oracle import nbit, registered, scaleoffset, szip

# The programs whose input is a file.
OF_FILES = (
    "superblock_fuzz",
    "object_header_fuzz",
    "btree_v1_fuzz",
    "btree_v2_fuzz",
    "chunk_index_fuzz",
    "fractal_heap_fuzz",
    "heaps_fuzz",
    "open_walk_read_fuzz",
    "cgns_fuzz",
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


def indexes(file):
    """Each chunk index, as chunk_index_fuzz.cpp asks for them."""
    for name, options in (("plain", {}), ("filtered", {"compression": 1})):
        for rank in (1, 2, 3):
            shape, most = (40, 30, 9)[:rank], (40, 60, 9)[:rank]
            for kind, limits in (
                ("fixed", most),
                ("extensible", (*most[:-1], None)),
                ("tree", (None,) * rank),
            ):
                if rank == 1 and kind == "tree":
                    continue
                values = np.arange(np.prod(shape), dtype="<i4").reshape(shape)
                chunk = (3,) * rank
                file.create_dataset(
                    f"{kind}-{rank}-{name}", data=values, chunks=chunk, maxshape=limits, **options
                )
        # Its elements lie in pages, some of which are never written.
        long = file.create_dataset(
            f"paged-{name}", (9000,), "<i1", chunks=(3,), maxshape=(9000,), **options
        )
        long[4000] = 1
        long = file.create_dataset(
            f"long-{name}", (90000,), "<i1", chunks=(3,), maxshape=(None,), **options
        )
        long[::20000] = 1


def types(file):
    for name, dtype in TYPES.items():
        file.create_dataset(name, (2,), dtype)
        stored = h5py.h5t.py_create(dtype, logical=True)
        h5py.h5a.create(file.id, name.encode(), stored, h5py.h5s.create_simple((1,)))
    file["committed"] = COMPOUND
    file.create_dataset("of committed", (1,), file["committed"])
    file["empty"] = h5py.Empty("f4")


def virtual(file):
    """Mappings of every kind; also raw data in another file."""
    file["source"] = np.arange(24, dtype="<i4").reshape(4, 6)
    file.create_dataset("grows", data=np.arange(5), maxshape=(None,), chunks=(2,))
    file["block0"] = file["block1"] = np.arange(2)
    layout = h5py.VirtualLayout((8, 6), "<i4")
    layout[::2] = h5py.VirtualSource(".", "source", (4, 6))
    layout[1:3, 2:4] = h5py.VirtualSource(".", "source", (4, 6))[1:4:2, ::3]
    layout[7] = h5py.VirtualSource("other.h5", "a long name of a dataset", (6,))
    layout[5] = h5py.VirtualSource("other.h5", "a long name of a dataset", (6,))
    file.create_virtual_dataset("virtual", layout, fillvalue=-1)
    layout = h5py.VirtualLayout((6,), "<i4")
    layout[...] = h5py.VirtualSource(".", "virtual", (8, 6))[1]
    file.create_virtual_dataset("nested", layout)
    for name, source, unlimited in (("growing", "grows", True), ("blocks", "block%b", False)):
        spaces = []
        for most in (True, unlimited):
            size = h5py.h5s.UNLIMITED if most else 2
            space = h5py.h5s.create_simple((2,), (size,))
            if most and not unlimited:
                space.select_hyperslab((0,), (h5py.h5s.UNLIMITED,), (3,), (2,))
            elif most:
                space.select_hyperslab((0,), (h5py.h5s.UNLIMITED,))
            spaces.append(space)
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_virtual(spaces[0], b".", source.encode(), spaces[1])
        space = h5py.h5s.create_simple((2,), (h5py.h5s.UNLIMITED,))
        h5py.h5d.create(file.id, name.encode(), h5py.h5t.STD_I64LE, space, properties)
    file.create_dataset("external", (4,), "<i4", external=[("a.raw", 0, 8), ("b.raw", 4, 8)])


def ordered(file):
    group = file.create_group("group", track_order=True)
    for i in range(12):
        group.attrs[f"{i}"] = np.zeros(i, "i1")
        group[f"{12 - i}"] = i


def cgns_node(parent, name, label, values=None, kind="MT"):
    node = parent.create_group(name, track_order=True) if name else parent
    for attribute, text, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        stored = h5py.h5t.TypeID.copy(h5py.h5t.C_S1)
        stored.set_size(size)
        space = h5py.h5s.create(h5py.h5s.SCALAR)
        attribute = h5py.h5a.create(node.id, attribute.encode(), stored, space)
        attribute.write(np.array(text.encode(), f"S{size}"))
    if values is not None:
        node.create_dataset(" data", data=values)
    return node


def cgns(file):
    """Coordinates, elements of three kinds, a text, a link."""
    cgns_node(file, "", "Root Node of HDF5 File")
    file[" hdf5version"] = np.frombuffer(b"HDF5 Version 1.8.0".ljust(33, b"\0"), "i1")
    real, int32 = np.float32, np.int32
    cgns_node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t", real([4.0]), "R4")
    base = cgns_node(file, "Base", "CGNSBase_t", int32([3, 3]), "I4")
    cgns_node(base, "About", "Descriptor_t", np.frombuffer(b"text", "i1"), "C1")
    zone = cgns_node(base, "Zone", "Zone_t", int32([[8], [3], [0]]), "I4")
    cgns_node(zone, "ZoneType", "ZoneType_t", np.frombuffer(b"Unstructured", "i1"), "C1")
    grid = cgns_node(zone, "GridCoordinates", "GridCoordinates_t")
    for axis in "XYZ":
        cgns_node(grid, f"Coordinate{axis}", "DataArray_t", np.arange(8.0), "R8")
    hexahedra, polygons, mixed = 17, 22, 20
    for name, kind, first, last, connectivity, offsets in (
        ("Hexahedra", hexahedra, 1, 1, range(1, 9), None),
        ("Polygons", polygons, 2, 3, [1, 2, 3, 4, 5, 6, 7], [0, 3, 7]),
        ("Mixed", mixed, 4, 5, [5, 1, 2, 3, 7, 1, 2, 3, 4], [0, 4, 9]),
    ):
        section = cgns_node(zone, name, "Elements_t", int32([kind, 0]), "I4")
        cgns_node(section, "ElementRange", "IndexRange_t", int32([first, last]), "I4")
        values = int32(list(connectivity))
        cgns_node(section, "ElementConnectivity", "DataArray_t", values, "I4")
        if offsets:
            cgns_node(section, "ElementStartOffset", "DataArray_t", int32(offsets), "I4")
    link = cgns_node(base, "Linked", "", kind="LK")
    link[" link"] = h5py.SoftLink("/Base/Zone")
    link[" path"] = np.frombuffer(b"/Base/Zone\0", "i1")


CONTENTS = (few, links, many, chunks, indexes, types, virtual, ordered, cgns)
VERSIONS = (("earliest", "v108"), ("v108", "v108"), ("v110", "v110"), ("latest", "latest"))


def write_files(folder: Path) -> list[Path]:
    """Each content in each version of the format; some behind a user block."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for content in CONTENTS:
        for version in VERSIONS:
            if content is virtual and version[1] == "v108":  # there were none
                continue
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


def selections() -> dict[str, bytes]:
    """See selection_fuzz.cpp; H5Sencode puts the extents, after their length, before them."""
    space = h5py.h5s.create_simple((10, 20))
    seeds = {}

    def add(name: str) -> None:
        encoded = space.encode()
        at = 7 + int.from_bytes(encoded[3:7], "little")
        extents = np.array([10, 20, 3, 4], "<u2").tobytes()
        seeds[name] = b"\x02" + extents + encoded[at:]

    add("all")
    space.select_none()
    add("none")
    space.select_hyperslab((1, 2), (2, 3), (4, 5), (2, 1))
    add("blocks")
    space.select_hyperslab((0, 0), (1, 1), (1, 1), (1, 20), op=h5py.h5s.SELECT_OR)
    add("union")
    space.select_hyperslab((0, 0), (h5py.h5s.UNLIMITED, 1), (3, 1), (2, 7))
    add("unlimited")
    space.select_elements(np.array([[9, 19], [0, 1], [9, 19]]))
    add("points")
    return seeds


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


def mapping_lists(files: dict[str, bytes]) -> dict[str, bytes]:
    """Of the global heaps; see virtual_mappings_fuzz.cpp."""
    found = {}
    for name, content in files.items():
        if not name.startswith("virtual"):
            continue
        at = content.find(b"GCOL")
        end = at + 4096
        at += 16
        while at + 16 <= end and (index := int.from_bytes(content[at : at + 2], "little")):
            size = int.from_bytes(content[at + 8 : at + 16], "little")
            found[f"{name}-{index}"] = b"\x08\0\x06\0" + content[at + 16 : at + 16 + size]
            at += 16 + (size + 7) // 8 * 8
    return found


def of_one_filter() -> dict[str, dict[str, bytes]]:
    """For each program of one filter its seeds; see one_filter.hpp."""
    seeds: dict[str, dict[str, bytes]] = {}
    for group in (nbit, scaleoffset, szip, registered):
        for name, data, [(_, values)], chunk in group():
            head = bytes([len(values)]) + np.array(values, "<u4").tobytes()
            program = f"filter_{name.split('_')[0]}_fuzz"
            size = len(data).to_bytes(2, "little")
            seeds.setdefault(program, {})[name] = head + size + chunk
    return seeds


def to_encode() -> dict[str, bytes]:
    """See filter_encode_fuzz.cpp."""
    seeds = {}
    for group in (nbit, scaleoffset, szip, registered):
        for name, data, [(number, values)], _ in group():
            head = b"\1" + number.to_bytes(2, "little") + bytes([len(values)])
            seeds[name] = head + np.array(values, "<u4").tobytes() + data
    return seeds


def main(target: str) -> None:
    folder = Path(target)
    files = {path.name: path.read_bytes() for path in write_files(folder / "files")}
    for program in OF_FILES:
        save(folder, program, files)
    save(folder, "datatype_fuzz", datatypes())
    save(folder, "selection_fuzz", selections())
    # One name for each content is enough.
    messages = {
        body: f"{name}-{part}"
        for name, content in files.items()
        for part, body in version_2_messages(content).items()
    }
    save(folder, "messages_fuzz", {name: body for body, name in messages.items()})
    save(folder, "filters_fuzz", pipelines())
    save(folder, "filter_encode_fuzz", to_encode())
    save(folder, "virtual_mappings_fuzz", mapping_lists(files))
    for program, seeds in (of_one_filter() | event_files()).items():
        save(folder, program, seeds)


if __name__ == "__main__":
    main(sys.argv[1])
