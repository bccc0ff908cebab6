"""Values of the attribute lustre.lov, which request or describe a striping"""

import struct

MAGIC, MAGIC_POOL, MAGIC_COMPOSITE = 0x0BD10BD0, 0x0BD30BD0, 0x0BD60BD0
HEADER = struct.Struct("<II16sIHH")
COMPOSITE = struct.Struct("<IIIHH16s")
ENTRY = struct.Struct("<IIQQII16s")
OBJECT = struct.Struct("<16sII")
INITIALISED = 0x10
ALL = (1 << 64) - 1
MIB = 1 << 20


def plain(size: int, count: int, first: int = 0xFFFF, pool: str = "") -> bytes:
    magic = MAGIC_POOL if pool else MAGIC
    name = pool.encode().ljust(16, b"\0") if pool else b""
    return HEADER.pack(magic, 1, b"", size, count, first) + name


def composite(*parts: tuple[int, bytes]) -> bytes:
    """Returns a composite layout of parts (end, layout)."""
    at = COMPOSITE.size + ENTRY.size * len(parts)
    start, entries = 0, b""
    for number, (end, layout) in enumerate(parts):
        entries += ENTRY.pack(number + 1, 0, start, end, at, len(layout), b"")
        start, at = end, at + len(layout)
    layouts = b"".join(layout for _, layout in parts)
    return COMPOSITE.pack(MAGIC_COMPOSITE, at, 1, 0, len(parts), b"") + entries + layouts


# Sites use such layouts: few targets for small files, more for large ones.
PROGRESSIVE = composite(
    (2 * MIB, plain(MIB, 1)), (10 * MIB, plain(MIB, 2)), (ALL, plain(2 * MIB, 4, pool="flash"))
)
POOL = plain(512 << 10, 3, pool="flash")


def told(value: bytes) -> list[tuple]:
    """Returns (begin, end, stripe size, stripe count, pool, OSTs or None if it does not exist yet)
    for each part."""
    if struct.unpack_from("<I", value)[0] != MAGIC_COMPOSITE:
        return [(0, ALL, *_one(value))]
    _, size, _, _, count, _ = COMPOSITE.unpack_from(value)
    assert size == len(value)
    parts = []
    for number in range(count):
        place = COMPOSITE.size + ENTRY.size * number
        _, flags, begin, end, at, length, _ = ENTRY.unpack_from(value, place)
        size, stripes, pool, osts = _one(value[at : at + length])
        assert bool(flags & INITIALISED) == bool(osts)
        parts.append((begin, end, size, stripes, pool, osts or None))
    return parts


def _one(value: bytes) -> tuple[int, int, str, list[int]]:
    magic, pattern, _, size, count, _ = HEADER.unpack_from(value)
    assert magic in (MAGIC, MAGIC_POOL) and pattern == 1
    at = HEADER.size
    pool = ""
    if magic == MAGIC_POOL:
        pool = value[at : at + 16].rstrip(b"\0").decode()
        at += 16
    assert (len(value) - at) % OBJECT.size == 0
    return size, count, pool, [OBJECT.unpack_from(value, i)[2] for i in range(at, len(value), 24)]
