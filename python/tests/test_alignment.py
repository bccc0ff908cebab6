"""Data that begins at multiples of an interval, as requested or as the file is striped"""

import shutil
import subprocess

import h5py
import numpy as np
import pytest

import onecast
from onecast import inspect

KIB = 1 << 10
SIZES = (5000, 96 * KIB, 7, 64 * KIB, 300 * KIB, 9000, 64 * KIB)


def fill(f) -> None:
    for number, size in enumerate(SIZES):
        f.create_group(f"group {number}").attrs["text"] = "word " * 20 * number
        f.create_dataset(f"x{number}", data=np.full(size, number, "u1"))
        f.flush()
    for name, gzip in (("chunks", None), ("zipped", 1)):
        noise = np.random.default_rng(3).integers(0, 256, (16, 10 * KIB), "u1")
        f.create_dataset(name, data=noise, chunks=(1, 10 * KIB), compression=gzip)


def places(path) -> dict[str, list[tuple[int, int]]]:
    """Returns (offset, size) of contiguous data and chunks, as h5py sees them, after checking
    values."""
    found = {}
    with h5py.File(path) as f:
        for number, size in enumerate(SIZES):
            x = f[f"x{number}"]
            assert (x[:] == number).all() and len(x) == size
            found[x.name] = [(x.id.get_offset(), size)]
        assert (f["chunks"][:] == f["zipped"][:]).all()
        for name in ("chunks", "zipped"):
            x = f[name].id
            infos = [x.get_chunk_info(i) for i in range(x.get_num_chunks())]
            found[f"/{name}"] = [(i.byte_offset, i.size) for i in infos]
    return found


@pytest.mark.parametrize("page_size", [0, 4096, 64 * KIB])
@pytest.mark.parametrize(
    "options, interval, threshold, chunks",
    [
        ({"alignment_interval": 4096, "alignment_threshold": 1}, 4096, 1, True),
        ({"alignment_interval": 64 * KIB}, 64 * KIB, 64 * KIB, True),
        ({"alignment_interval": 1000, "alignment_threshold": 8000}, 1000, 8000, True),
        ({"stripe_size": 64 * KIB}, 64 * KIB, 64 * KIB, False),
        ({"stripe_size": 10 * KIB}, 10 * KIB, 10 * KIB, False),
        ({"hints": {"striping_unit": "131072"}}, 128 * KIB, 128 * KIB, False),
        ({"stripe_size": 64 * KIB, "alignment_threshold": 4097}, 64 * KIB, 4097, False),
    ],
)
def test_where_data_begins(path, page_size, options, interval, threshold, chunks):
    with onecast.File(path, "w", page_size=page_size, compact_limit=0, **options) as f:
        fill(f)
    for name, parts in places(path).items():
        for offset, size in parts:
            whole = interval == 10 * KIB and name == "/chunks"  # each is a stripe
            if size >= threshold and (chunks or name.startswith("/x") or whole):
                assert offset % interval == 0, name
    assert not onecast.check(path, data=True)["damaged"]
    if shutil.which("h5stat"):
        subprocess.run(["h5stat", path], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(path, "r+") as f:
        f["more"] = np.arange(100)
        f["x3"][:] = 3
    with onecast.File(path, "r+", **options) as f:
        f["last"] = np.arange(100000)
        assert inspect.storage(f["last"])["address"] % interval == 0
    places(path)
    assert not onecast.check(path, data=True)["damaged"]


def test_holes_are_used(path):
    with onecast.File(path, "w", stripe_size=1 << 20) as f:
        for step in range(4):
            f.create_dataset(f"large {step}", data=np.zeros(1 << 20, "u1"))
            for number in range(10):
                f.create_dataset(f"small {step} {number}", data=np.zeros(20 * KIB, "u1"))
            f.flush()
    assert path.stat().st_size == 6 << 20  # the first stripe is for metadata
    assert not onecast.check(path, data=True)["damaged"]
    with h5py.File(path) as f:
        assert len(f) == 44


@pytest.mark.parametrize("userblock", [0, 4096])
def test_the_start_is_for_metadata(path, userblock):
    options = {"metadata_reserve": 300_000, "userblock_size": userblock}
    with onecast.File(path, "w", compact_limit=0, **options) as f:
        fill(f)
    parts = [part for parts in places(path).values() for part in parts]
    assert all(offset >= userblock + 300_000 for offset, _ in parts)
    with h5py.File(path) as f:
        assert all(h5py.h5o.get_info(x.id).addr < 300_000 for x in f.values())
    assert not onecast.check(path, data=True)["damaged"]
    size = path.stat().st_size
    with onecast.File(path, "r+") as f:
        for number in range(300):
            f.create_group(f"another {number}").attrs["numbers"] = np.arange(20)
    assert path.stat().st_size == size, "there was room for it"


def test_a_file_of_nothing_but_what_is_reserved(path):
    with onecast.File(path, "w", metadata_reserve=1 << 20) as f:
        f.attrs["a"] = 1
    stored = path.stat()
    assert stored.st_size == 1 << 20 and stored.st_blocks * 512 < 64 * KIB
    with h5py.File(path, "r+") as f:
        assert f.attrs["a"] == 1
        f["b"] = np.arange(1000)
    with onecast.File(path, "r+", metadata_reserve=1 << 30) as f:  # has no effect here
        assert (f["b"][:] == np.arange(1000)).all()
        f["c"] = np.arange(100_000)
    assert path.stat().st_size < 3 << 20
    assert not onecast.check(path, data=True)["damaged"]


def test_no_alignment_if_one_wants_none(path):
    with onecast.File(path, "w", stripe_size=1 << 20, alignment_interval=1) as f:
        f["x"] = np.zeros(1 << 20, "u1")
    assert path.stat().st_size == (1 << 20) + 4096


def test_pages_are_small(mpirun, path):
    """This is so for a file with a communicator and any stripes; an option takes precedence."""
    mpirun(
        2,
        """
path = sys.argv[1]
KIB = 1 << 10
for stripe, page, expected in (
    (256 * KIB, 0, 4 * KIB), (192 * KIB, 0, 4 * KIB), (1000, 0, 4 * KIB),
    (256 * KIB, 8 * KIB, 8 * KIB), (0, 1024 * KIB, 1024 * KIB), (0, 0, 4 * KIB),
):
    with onecast.File(path, "w", comm=comm, stripe_size=stripe, page_size=page) as f:
        assert f.metadata_report().page_size == expected, (stripe, page)
""",
        path,
    )


def test_too_large_an_interval(path):
    with pytest.raises(ValueError, match="alignment_interval"):
        onecast.File(path, "w", alignment_interval=1 << 50)
