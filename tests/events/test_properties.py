"""Events of any sizes, through every format and compression."""

import tempfile
from pathlib import Path

import pytest
from event_files import as_in_pds, convert, events_of, write_pds
from hypothesis import given, settings
from hypothesis import strategies as st

SIZE = st.one_of(st.just(0), st.integers(1, 9), st.integers(0, 5000))
IDENTITY = st.tuples(
    st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1)
)


@st.composite
def event_lists(draw):
    products = draw(st.integers(0, 5))
    identities = draw(st.lists(IDENTITY, max_size=12))
    fill = draw(st.binary(min_size=1, max_size=7))
    return [
        (*identity, {f"p{i}": (fill * 5000)[: draw(SIZE)] for i in range(products)})
        for identity in identities
    ]


FORMATS = ["PDS=", "PDS=:compression=zstd"] + [
    f"HDF5{layout}={options}"
    for layout, unit in (("Product", "product"), ("Event", "event"), ("Batch", "both"))
    for options in (
        ":batch=3",
        ":batch=1",
        *(f":batch=4:compression={codec}:unit={unit}" for codec in ("lz4", "zstd", "lzma")),
    )
]
FORMATS += [
    "HDF5Product=:batch=5:chunk=1k:compression=zstd:unit=chunk",
    "HDF5Event=:batch=2:chunk=64:compression=lz4:unit=chunk",
    "HDF5Event=:batch=2:compression=lz4:unit=product",
    "HDF5Batch=:batch=2:compression=zstd:unit=event",
    "HDF5Columnar=:batch=3:compression=lz4:chunk=1k",
]


def round_trip(events, form, folder):
    name, _, options = form.partition("=")
    start = folder / "a.pds"
    write_pds(start, events, {f"p{i}": f"C{i % 2}" for i in range(5)})
    convert(f"PDS={start}", f"{name}={folder}/out{options}", "-t", 2, "-l", 3)
    kind = "PDS" if name == "PDS" else "HDF5"
    assert events_of(f"{kind}={folder}/out", "-t", 2) == as_in_pds(events)


@pytest.mark.long
@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=15, deadline=None)
@given(events=event_lists())
def test_any_events_come_back(form, events):
    with tempfile.TemporaryDirectory() as folder:
        round_trip(events, form, Path(folder))


@pytest.mark.parametrize("form", FORMATS[::3])
def test_runs_lumis_and_sizes_change(tmp_path, form):
    sizes = [(0, 0), (1, 8), (0, 70_000), (300_000, 1), (5, 5), (0, 0), (4, 4)]
    numbers = [(1, 1, 1), (1, 2, 2), (2, 1, 2**32), (2, 1, 2**64 - 1), (1, 1, 3), (9, 9, 9)]
    numbers.append((2**32 - 1, 0, 0))
    events = [
        (*number, {"p0": b"ab" * (a // 2), "p1": bytes(b)})
        for number, (a, b) in zip(numbers, sizes, strict=True)
    ]
    round_trip(events, form, tmp_path)


@pytest.mark.parametrize("form", FORMATS)
def test_batches_without_bytes(tmp_path, form):
    """Around one with bytes: where chunks are filtered, each batch with bytes begins a chunk."""
    sizes = [0] * 9 + [4] + [0] * 6 + [2000] + [0] * 5
    events = [(1, 1, n, {"p0": bytes(size)}) for n, size in enumerate(sizes)]
    round_trip(events, form, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("form", ["PDS=", "HDF5Event=", "HDF5Product=:compression=lz4:unit=chunk"])
def test_huge_products(tmp_path, form):
    events = [(1, 1, n, {"p0": bytes(40_000_000 * n), "p1": b"x" * 4}) for n in (1, 2)]
    name, _, options = form.partition("=")
    write_pds(tmp_path / "a.pds", events, {"p0": "A", "p1": "B"})
    convert(f"PDS={tmp_path}/a.pds", f"{name}={tmp_path}/out{options}")
    kind = "PDS" if name == "PDS" else "HDF5"
    convert(f"{kind}={tmp_path}/out", f"PDS={tmp_path}/b.pds")
    assert (tmp_path / "a.pds").read_bytes() == (tmp_path / "b.pds").read_bytes()
