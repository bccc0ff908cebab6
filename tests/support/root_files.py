"""ROOT files that uproot does not write: made by uproot, and changed byte by byte"""

import struct
from pathlib import Path

import numpy as np
import uproot

BRANCH = ">iiiiq"  # fCompress, fBasketSize, fEntryOffsetLen, fWriteBasket, fEntryNumber
ENTRIES = ">qq"  # fEntries, fFirstEntry


def write_tree(path, columns, name="Events", batches=1, title=""):
    """Writes a tree. Only baskets are compressed, and each of `batches` gives each branch one
    basket."""
    types = {column: values.dtype for column, values in columns.items()}
    with uproot.recreate(path, compression=None) as file:
        tree = file.mktree(name, types, title)
        tree.compression = uproot.ZLIB(1)
        for part in range(batches):
            tree.extend({c: np.array_split(v, batches)[part] for c, v in columns.items()})


def rename(path, old, new):
    """Renames a branch and its leaf. The names have equal lengths, and occur nowhere else."""
    assert len(old) == len(new)
    data = Path(path).read_bytes()
    assert old.encode() in data
    Path(path).write_bytes(data.replace(old.encode(), new.encode()))


def branch_of(path, branch, tree="Events"):
    with uproot.open({str(path): None}) as file:
        found = file.key(tree).get()[branch]
        names = (
            "fCompress fBasketSize fEntryOffsetLen fWriteBasket fEntryNumber fEntries fFirstEntry "
            "fBasketSeek fBasketBytes"
        )
        return {name: found.member(name) for name in names.split()}


def shorten(path, branch):
    """Makes the last basket of a branch one that was never filled."""
    data = bytearray(Path(path).read_bytes())
    known = branch_of(path, branch)
    begin = data.index(text(branch) + bytes([len(branch) + 2]) + branch.encode() + b"/")
    numbers = [known[name] for name in list(known)[:5]]
    entries = known["fEntries"] * (known["fWriteBasket"] - 1) // known["fWriteBasket"]
    at = data.index(struct.pack(BRANCH, *numbers), begin)
    struct.pack_into(BRANCH, data, at, *numbers[:3], numbers[3] - 1, entries)
    at = data.index(struct.pack(ENTRIES, known["fEntries"], known["fFirstEntry"]), at)
    struct.pack_into(ENTRIES, data, at, entries, known["fFirstEntry"])
    Path(path).write_bytes(data)
    return entries


def damage_basket(path, branch, number):
    """Sets the compressed bytes of a basket to zeros."""
    known = branch_of(path, branch)
    begin, size = int(known["fBasketSeek"][number]), int(known["fBasketBytes"][number])
    data = bytearray(Path(path).read_bytes())
    key = struct.unpack_from(">h", data, begin + 14)[0]  # the length of its key
    data[begin + key : begin + size] = bytes(size - key)
    Path(path).write_bytes(data)


def misplace_basket(path, branch, number):
    """Moves a basket behind the end of the file."""
    data = bytearray(Path(path).read_bytes())
    seeks = [int(seek) for seek in branch_of(path, branch)["fBasketSeek"]]
    at = data.index(struct.pack(f">{len(seeks)}q", *seeks))
    struct.pack_into(">q", data, at + 8 * number, 10 * len(data))
    Path(path).write_bytes(data)


# --- classes that are trees ----------------------------------------------------------------------
def text(value):
    return bytes([len(value)]) + value.encode()


def counted(version, body):
    return struct.pack(">IH", 0x40000000 | (len(body) + 2), version) + body


def any_object(kind, body):
    named = b"\xff\xff\xff\xff" + kind.encode() + b"\0" + body
    return struct.pack(">I", 0x40000000 | len(named)) + named


OBJECT = struct.pack(">HII", 1, 0, 0x03000000)


def element(name, number, size, kind):
    named = counted(1, OBJECT + text(name) + text(""))
    return counted(4, named + struct.pack(">9i", number, size, *[0] * 7) + text(kind))


def class_over(kind, base, base_version, version=2):
    """Returns the file's description of a class with one base and one number, fNvar."""
    elements = [
        any_object(
            "TStreamerBase",
            counted(3, element(base, 0, 0, "BASE") + struct.pack(">i", base_version)),
        ),
        any_object("TStreamerBasicType", counted(2, element("fNvar", 3, 4, "int"))),
    ]
    listed = OBJECT + text("") + struct.pack(">ii", len(elements), 0) + b"".join(elements)
    about = counted(1, OBJECT + text(kind) + text("")) + struct.pack(">Ii", 1, version)
    info = any_object(
        "TStreamerInfo", counted(9, about + any_object("TObjArray", counted(3, listed)))
    )
    return uproot.writing._cascade.RawStreamerInfo(None, info + b"\0", kind, version)


def write_subclasses(path, columns, *kinds):
    """Writes a tree "of KIND" for each class, as ROOT writes a TNtuple. Each class is based on the
    previous one, the first on TTree."""
    title = "t" * 100
    plain = path.with_name(path.name[:-1] + "_")  # as long as the name in the file
    write_tree(plain, columns, title=title)
    with uproot.open(plain) as file:
        key = file.key("Events")
        chunk, cursor = key.get_uncompressed_chunk_cursor()
        body = bytes(chunk.raw_data)[cursor.index - chunk.start :]
    with uproot.recreate(path, compression=None) as file:
        tree = file.mktree("Events", {c: values.dtype for c, values in columns.items()}, title)
        tree.compression = uproot.ZLIB(1)
        tree.extend(columns)
        base, version = "TTree", 20
        for depth, kind in enumerate(kinds, 1):
            body = counted(2, body + struct.pack(">i", len(columns)))
            name = f"of {kind}"
            # Offsets within the tree count from the beginning of its key.
            longer = len("TTreeEvents")
            shown = title[len(kind) + len(name) - longer + 6 * depth :]
            cascading, sink = file._cascading, file._file.sink
            cascading.add_object(sink, kind, name, shown, body, len(body))
            about = class_over(kind, base, version)
            file._file._cascading.streamers.update_streamers(sink, [about])
            base, version = kind, 2
