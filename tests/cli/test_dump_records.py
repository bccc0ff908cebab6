"""onecast dump --format records"""

import re
import struct

import h5py
import numpy as np
import pytest

import onecast as python_package

ADDRESS = re.compile(r"  (0x[0-9a-f]+): (.+), (\d+) bytes")
FIELD = re.compile(r"    (0x[0-9a-f]+) +(\d+)  (.+?)(?: = (.*))?")


def parsed(text):
    """Returns (name of the object, its records) for each object. A record is (title, address, size,
    fields), a field (name, address, size, value)."""
    objects = []
    for line in text.splitlines():
        if found := ADDRESS.fullmatch(line):
            objects[-1][1].append((found[2], int(found[1], 16), int(found[3]), []))
        elif found := FIELD.fullmatch(line):
            row = (found[3], int(found[1], 16), int(found[2]), found[4])
            objects[-1][1][-1][3].append(row)
        else:
            objects.append((line, []))
    return objects


@pytest.fixture(params=["earliest", "latest"])
def some(request, path):
    """Writes with stock HDF5 every kind of message that h5py can write."""
    with h5py.File(path, "w", libver=request.param) as f:
        f["plain"] = np.arange(6, dtype="<i4").reshape(2, 3)
        f.create_dataset(
            "chunked",
            (100, 100),
            "<f8",
            chunks=(10, 10),
            maxshape=(None, 100),
            compression="gzip",
            fillvalue=1.5,
        )
        f["plain"].attrs["text"] = "a\nb"
        f["plain"].attrs["numbers"] = [1.5, 2.5]
        f["kind"] = np.dtype([("a", "<i2"), ("b", "S3", (2,))])
        f.create_dataset("typed", (3,), f["kind"])
        f.create_dataset("outside", (4,), "u1", external=[("raw", 0, 4)])
        f.create_group("group").create_group("inner")
        f["group"].attrs["x"] = 1
        f["soft"] = h5py.SoftLink("/group/inner")
    return path


def records_of(onecast, path, *names):
    result = onecast("dump", "--format", "records", path, *names)
    assert result.code == 0, result.err
    return dict(parsed(result.out))


NAMES = ("/", "/plain", "/chunked", "/kind", "/typed", "/outside", "/group", "/group/inner")


def test_fields_cover_each_record(onecast, some):
    for records in records_of(onecast, some, *NAMES).values():
        assert len(records) > 2
        for title, address, size, fields in records:
            at = address
            for name, where, length, _ in fields:
                assert where == at, (title, name)
                at += length
            assert at == address + size, title


def test_addresses_are_those_of_the_file(onecast, some):
    data = some.read_bytes()
    with h5py.File(some) as f:
        for name, records in records_of(onecast, some, *NAMES).items():
            title, address, _, _ = records[0]
            assert address == h5py.h5o.get_info(f[name].id).addr
            assert "Object Header" in title
            for title, _, _, fields in records:
                for field, at, size, value in fields:
                    stored = data[at : at + size]
                    if field == "Signature":
                        assert stored == value.encode()
                    elif field in ("Version", "Flags", "Size of Header Message Data"):
                        assert int.from_bytes(stored, "little") == int(value), (title, field)


def values_of(records, title):
    (found,) = [fields for t, _, _, fields in records if t == title]
    return {name: value for name, _, _, value in found}


def test_values_are_what_h5py_says(onecast, some):
    records = records_of(onecast, some, "/plain", "/chunked")
    space = next(fields for t, *_, fields in records["/chunked"] if t == "Dataspace Message")
    sizes = [value for name, _, _, value in space if "Dimension" in name and "Size" in name]
    assert sizes[:2] == ["100", "100"]
    with h5py.File(some) as f:
        layout = values_of(records["/plain"], "Data Layout Message")
        offset = f["plain"].id.get_offset()
        assert f"{offset:#x}" in layout.values()
        assert str(f["plain"].nbytes) in layout.values()
    filters = values_of(records["/chunked"], "Filter Pipeline Message")
    assert "4" in [v for n, v in filters.items() if "Client Data" in n]  # gzip's level
    data = [f for t, _, _, f in records["/plain"] if t == "Attribute Message"]
    shown = [value for fields in data for name, _, _, value in fields if name == "Data"]
    assert struct.pack("<2d", 1.5, 2.5).hex() in shown


def test_a_message_that_is_damaged(onecast, path):
    with h5py.File(path, "w", libver="earliest") as f:
        f["x"] = [1, 2, 3]
        address = h5py.h5o.get_info(f["x"].id).addr
    records = records_of(onecast, path, "/x")["/x"]
    (space,) = [r for r in records if r[0] == "Fill Value Message"]
    data = bytearray(path.read_bytes())
    data[space[1]] = 77  # its version; a header of version 1 has no checksum
    path.write_bytes(data)
    result = onecast("dump", "--format", "records", path, "/x")
    assert result.code == 1
    assert f"{address:#x}: Version 1 Object Header" in result.out
    assert (result.code, result.err) == (1, "")
    (problem,) = [line for line in result.out.splitlines() if "problem: " in line]
    assert "Fill Value Message: Version" in problem and "file.h5" in problem
    assert "Data Layout Message" in result.out


def test_every_byte_of_a_header_may_be_wrong(path):
    """For any value the answer is records or an error, and nothing else."""
    with h5py.File(path, "w", libver="earliest") as f:
        f.create_dataset("x", (4, 4), "<f4", chunks=(2, 2), compression="gzip").attrs["a"] = 1
        address = h5py.h5o.get_info(f["x"].id).addr
    with python_package.File(path) as f:
        records = python_package.inspect.header(f["x"])
    end = max(r["address"] + r["size"] for r in records)
    sound = path.read_bytes()
    shown = 0
    for at in range(address, min(end, address + 600), 3):
        for byte in (0, 0xFF, sound[at] ^ 1):
            data = bytearray(sound)
            data[at] = byte
            path.write_bytes(data)
            try:
                with python_package.File(path, load_policy="lazy") as f:
                    shown += len(python_package.inspect.header(f["x"])) > 0
            except (OSError, KeyError, NotImplementedError):
                pass
    assert shown > 10


def test_text_is_escaped_and_nil_shown(onecast, some):
    records = records_of(onecast, some, "/plain")["/plain"]
    titles = [title for title, *_ in records]
    assert "Attribute Message" in titles
    assert titles[0].startswith("Version ")
    assert all(title != "" for title in titles)


def test_an_object_that_is_not_in_the_file_yet(path):
    with python_package.File(path, "w") as f:
        group = f.create_group("new")
        with pytest.raises(ValueError, match="next flush"):
            python_package.inspect.header(group)
        f.flush()
        assert python_package.inspect.header(group)[0]["title"] == "Version 2 Object Header"


def test_usage(onecast, some):
    assert onecast("dump", "--format", "records", some, "/nothing").code == 1
    assert onecast("dump", "--format", "record", some).code == 2
