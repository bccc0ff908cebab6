"""Computes the workload's contents without any HDF5, as a third opinion on every digest.

bench/metadata/README.md defines both the workload and the digest.
"""

import struct
from collections.abc import Iterator

MASK = (1 << 64) - 1
INTEGER, STRING = 0, 3


def fnv1a(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def item(path: str, kind: str) -> bytes:
    return path.encode() + b"\0" + kind.encode()


def typed(type_class: int, size: int, shape: tuple[int, ...], value: bytes) -> bytes:
    head = struct.pack("<BIB", type_class, size, len(shape))
    return head + struct.pack(f"<{len(shape)}Q", *shape) + value


class Contents:
    """What a program reports as `contents`, added item by item."""

    def __init__(self) -> None:
        self.digest = self.groups = self.datasets = self.attributes = self.value_bytes = 0

    def add(self, data: bytes) -> None:
        self.digest = (self.digest + fnv1a(data)) & MASK

    def add_group(self, path: str) -> None:
        self.groups += 1
        self.add(item(path, "G"))

    def add_node(self, path: str, label: str, type_name: str) -> None:
        """Adds a group with the three attributes of a CGNS node."""
        self.add_group(path)
        texts = {
            "name": (path.rpartition("/")[2], 33),
            "label": (label, 33),
            "type": (type_name, 3),
        }
        for name, (text, size) in texts.items():
            self.attributes += 1
            self.value_bytes += size
            value = typed(STRING, size, (), text.encode().ljust(size, b"\0"))
            self.add(item(path, "A") + name.encode() + b"\0" + value)

    def add_data(self, group: str, size: int, shape: tuple[int, ...], value: bytes) -> None:
        self.datasets += 1
        self.value_bytes += len(value)
        self.add(item(f"{group}/ data", "D") + typed(INTEGER, size, shape, value))


def zone_values(base: int, zone: int, zones: int) -> Iterator[int]:
    first = (base * zones + zone) * 9
    return iter(range(first, first + 9))


def expected_contents(bases: int, zones: int) -> dict:
    contents = Contents()
    contents.add_group("")
    for base in range(bases):
        base_path = f"Base{base + 1}"
        contents.add_node(base_path, "CGNSBase_t", "I4")
        contents.add_data(base_path, 4, (2,), struct.pack("<2i", 3, 3))
        for zone in range(zones):
            zone_path = f"{base_path}/Zone{zone + 1}"
            contents.add_node(zone_path, "Zone_t", "I8")
            values = struct.pack("<9q", *zone_values(base, zone, zones))
            contents.add_data(zone_path, 8, (3, 3), values)
            contents.add_node(f"{zone_path}/ZoneType", "ZoneType_t", "C1")
            contents.add_data(f"{zone_path}/ZoneType", 1, (10,), b"Structured")
    return {
        "digest": f"{contents.digest:016x}",
        "groups": contents.groups,
        "datasets": contents.datasets,
        "attributes": contents.attributes,
        "value_bytes": contents.value_bytes,
    }
