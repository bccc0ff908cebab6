"""Events of any sizes pass through every format and compression."""

import tempfile
from pathlib import Path

import pytest
from event_files import as_in_pds, convert, events_of, write_pds, write_version_2_product
from hypothesis import given, settings
from hypothesis import strategies as st

SIZE = st.one_of(st.just(0), st.integers(1, 9), st.integers(0, 5000))
TINY, HUGE = st.integers(0, 9), st.integers(0, 3_000_000)
IDENTITY = st.tuples(
    st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1)
)
# Any bytes are elements of these classes: columns have texts, lists of numbers, or the bytes.
CLASSES = ["C0", "std::vector<uint8_t>", "vector<C0>", "std::string", "std::vector<char>"]


def products_of(draw, count, fill, size):
    return {f"p{i}": (fill * (n // len(fill) + 1))[:n] for i in range(count) for n in [draw(size)]}


@st.composite
def event_lists(draw, first_size=SIZE, size=SIZE, most=12):
    products = draw(st.integers(0, 5))
    identities = draw(st.lists(IDENTITY, max_size=most))
    fill = draw(st.binary(min_size=1, max_size=7))
    return [
        (*identity, products_of(draw, products, fill, size if n else first_size))
        for n, identity in enumerate(identities)
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
]
COLUMNS = [
    "HDF5Columnar=:batch=3:compression=lz4:chunk=1k",
    "HDF5Columnar=:batch=1:chunk=64",
    "HDF5Columnar=:batch=4:compression=zstd",
]
FORMATS += COLUMNS


def start_file(folder, start, events, classes):
    """Returns the source of a file that Onecast did not write. The writer of HDF5 needs an
    event."""
    if start == "PDS" or not events:
        write_pds(folder / "in", events, classes)
        return f"PDS={folder}/in"
    names = events[0][3]
    kept = {name: kind for name, kind in classes.items() if name in names}
    write_version_2_product(folder / "in", events, kept, "raw")
    return f"HDF5={folder}/in"


def round_trip(events, form, folder, start="HDF5", classes=CLASSES):
    """Sizes in PDS are words of 4 bytes, those in HDF5 bytes."""
    name, _, options = form.partition("=")
    by_name = {f"p{i}": kind for i, kind in enumerate(classes)}
    source = start_file(folder, start, events, by_name)
    convert(source, f"{name}={folder}/out{options}", "-t", 2, "-l", 3)
    kind = "PDS" if name == "PDS" else "HDF5"
    expected = as_in_pds(events) if "PDS" in (start, kind) else events
    assert events_of(f"{kind}={folder}/out", "-t", 2) == expected


@pytest.mark.long
@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=15, deadline=None)
@given(
    events=event_lists(),
    start=st.sampled_from(["HDF5", "HDF5", "PDS"]),
    classes=st.permutations(CLASSES),
)
def test_any_events_come_back(form, events, start, classes):
    with tempfile.TemporaryDirectory() as folder:
        round_trip(events, form, Path(folder), start, classes)


@pytest.mark.long
@pytest.mark.parametrize("form", [form for form in FORMATS if form not in COLUMNS])
@settings(max_examples=8, deadline=None)
@given(events=event_lists(TINY, st.one_of(TINY, HUGE), most=6))
def test_the_first_event_is_tiny(form, events):
    """Unless an option gives the sizes of batches and chunks, they follow from the first event."""
    without_batch = ":".join(part for part in form.split(":") if not part.startswith("batch="))
    with tempfile.TemporaryDirectory() as folder:
        round_trip(events, without_batch, Path(folder))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("start", ["HDF5", "PDS"])
def test_sizes_that_are_no_words(tmp_path, form, start):
    sizes = [(1, 5), (9, 0), (3, 2), (0, 7), (4097, 1), (6, 8), (1, 1)]
    events = [
        (1, 1, n, {"p0": b"abc" * (a // 3) + b"x" * (a % 3), "p1": bytes([n + 1]) * b})
        for n, (a, b) in enumerate(sizes)
    ]
    round_trip(events, form, tmp_path, start)


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
    """They surround a batch with bytes. With filtered chunks, each batch with bytes begins a
    chunk."""
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
