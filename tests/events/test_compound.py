"""With `numeric=compound` h5py reads products of numbers as numbers and structured arrays."""

import h5py
import hdf5plugin  # noqa: F401
import numpy as np
import pytest
from event_files import convert, events_of, events_program, write_version_2_product

NUMBERS = "TestProducts:events=50:products=4:size=400:types=both"


def test_h5py_reads_numbers(tmp_path):
    path = tmp_path / "a.h5"
    convert(NUMBERS, f"HDF5Product={path}:numeric=compound:batch=7", "-t", 2)
    expected = events_of(NUMBERS)
    assert events_of(f"HDF5={path}") == expected
    with h5py.File(path) as file:
        ends = file["Events/Offsets"][...]
        for p, (name, kind) in enumerate([("product00", "<i4"), ("product01", "<f4")]):
            numbers = file["Events/Data"][name]
            assert numbers.dtype == kind
            begin = 0
            for event, end in zip(expected, ends[:, p], strict=True):
                found = numbers[begin // 4 : int(end) // 4]
                assert found.tobytes() == event[3][name]
                begin = int(end)


LEAVES = {
    "hits": ("x/F:y/F:id/s", np.dtype([("x", "<f4"), ("y", "<f4"), ("id", "<u2")])),
    "count": ("Int_t", np.dtype("<i4")),
    "wide": ("ULong64_t[3]", np.dtype("<u8")),
    "other": ("MyClass", np.dtype("u1")),
}


def hit_events(count=23):
    random = np.random.default_rng(1)
    events = []
    for i in range(count):
        products = {
            name: random.integers(0, 250, kind.itemsize * (1 if name == "count" else i % 5), "u1")
            for name, (_, kind) in LEAVES.items()
        }
        events.append((1, 1, i + 1, {name: data.tobytes() for name, data in products.items()}))
    return events


@pytest.mark.parametrize("options", ["", ":compression=zstd:unit=chunk:chunk=64"])
@pytest.mark.parametrize("ranks", [None, 3])
def test_h5py_reads_structured_arrays(tmp_path, options, ranks):
    events = hit_events()
    classes = {name: row[0] for name, row in LEAVES.items()}
    write_version_2_product(tmp_path / "in.h5", events, classes, "ROOT")
    path = tmp_path / "a.h5"
    convert(
        f"HDF5={tmp_path}/in.h5",
        f"HDF5Product={path}:numeric=compound:batch=4{options}",
        ranks=ranks,
    )
    assert events_of(f"HDF5={path}") == events
    assert "no problem" in events_program("check", path)
    with h5py.File(path) as file:
        ends, batches = file["Events/Offsets"][...], file["Events/Batches"][...]
        firsts = {int(row[0]): row[1:] for row in batches}
        for p, (name, (_, kind)) in enumerate(LEAVES.items()):
            data = file["Events/Data"][name]
            assert data.dtype == kind
            begin = 0
            for i, event in enumerate(events):
                begin = int(firsts[i][p]) if i in firsts else begin
                found = data[begin // kind.itemsize : int(ends[i, p]) // kind.itemsize]
                assert found.tobytes() == event[3][name]
                begin = int(ends[i, p])


def test_files_are_joined(tmp_path):
    path = tmp_path / "a.h5"
    convert(NUMBERS, f"HDF5Product={path}:numeric=compound")
    events_program("cat", tmp_path / "b.h5", path, path)
    assert events_of(f"HDF5={tmp_path}/b.h5") == 2 * events_of(NUMBERS)
    with h5py.File(tmp_path / "b.h5") as file:
        assert file["Events/Data/product01"].dtype == "<f4"
    convert(NUMBERS, f"HDF5Product={tmp_path}/c.h5")
    error = events_program("cat", tmp_path / "d.h5", path, tmp_path / "c.h5", fails=True)
    assert "differ in the types of products" in error


def test_what_does_not_fit_is_named(tmp_path):
    path = tmp_path / "a.h5"
    events = [(1, 1, 7, {"count": b"12345"})]
    write_version_2_product(tmp_path / "in.h5", events, {"count": "Int_t"}, "ROOT")
    error = convert(f"HDF5={tmp_path}/in.h5", f"HDF5Product={path}:numeric=compound", fails=True)
    assert "event 7: product count: 5 bytes are no elements of 4 bytes" in error
    with_zstd = f"HDF5Product={path}:numeric=compound:compression=zstd:unit=product"
    assert "needs unit=chunk" in convert(NUMBERS, with_zstd, fails=True)
    convert(NUMBERS, f"HDF5Product={path}:numeric=compound")
    with h5py.File(path, "r+") as file:
        file["Events/Offsets"][-1, 1] -= 1
    assert "are no elements of 4 bytes" in events_program("check", path, fails=True)
