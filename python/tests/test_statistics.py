"""Counts and reports"""

import numpy as np
import pytest

import onecast


@pytest.fixture
def written(path):
    with onecast.File(path, "w") as f:
        for i in range(50):
            f[f"group {i}/x"] = np.arange(10)
        f["large"] = np.zeros(100_000)
    return path


def test_an_unmodified_file_is_not_written_to(written):
    before = written.read_bytes()
    f = onecast.File(written, "r+")
    assert f["group 3/x"][5] == 5
    f.close()
    assert f.io_stats().writes == 0
    assert written.read_bytes() == before


def test_eager_open_needs_no_more_reads(written):
    with onecast.File(written, load_policy="eager") as f:
        reads = f.io_stats().reads
        assert f.metadata_report().complete
        assert f.metadata_report().reads_to_open == reads
        for i in range(50):
            assert f[f"group {i}/x"][9] == 9
        assert f.io_stats().reads == reads


def test_lazy_and_prefetch(written):
    with onecast.File(written, load_policy="lazy") as f:
        f.prefetch_all("/group 7")
        assert f["group 7/x"][9] == 9
        f.prefetch_all()
        reads = f.io_stats().reads
        for i in range(50):
            assert f[f"group {i}/x"][9] == 9
        assert f.io_stats().reads == reads


def test_records(written):
    with onecast.File(written) as f:
        stats = f.io_stats()
        assert stats.opens == 1
        assert list(stats._asdict())[:3] == ["opens", "reads", "bytes_read"]
        assert repr(stats).startswith("IoStats{'opens': 1")
        assert stats == f.io_stats() and stats != 1 and stats != None  # noqa: E711
        report = f.metadata_report()
        assert report.file_size == written.stat().st_size
        assert report.pages >= 1
        assert report.page_size == 4096
        assert not report.page_list_stale
        with pytest.raises(AttributeError):
            stats.reads = 0


@pytest.mark.parametrize("page_size", [4096, 1 << 16, 1 << 20])
def test_page_size(path, page_size):
    with onecast.File(path, "w", page_size=page_size) as f:
        f["x"] = 1
    assert path.stat().st_size % page_size == 0
    with onecast.File(path) as f:
        assert f.metadata_report().page_size == page_size


def test_compact_limit(path):
    with onecast.File(path, "w", compact_limit=100) as f:
        assert f.create_dataset("a", data=np.zeros(10)).layout == "compact"
        assert f.create_dataset("b", data=np.zeros(20)).layout == "contiguous"
        assert f.create_dataset("c", data=np.zeros(20), compact=True).layout == "compact"
        assert f.create_dataset("d", data=np.zeros(10), compact=False).layout == "contiguous"
        with pytest.raises(ValueError):
            f.create_dataset("e", data=np.zeros(20_000), compact=True)


def test_same_program_same_bytes(tmp_path):
    files = [tmp_path / "a.h5", tmp_path / "b.h5"]
    for file in files:
        with onecast.File(file, "w") as f:
            f["x"] = np.arange(10)
            f.attrs["a"] = "text"
    assert files[0].read_bytes() == files[1].read_bytes()


def test_pages_of_removed_objects_are_not_read(path):
    count, kept = 10_000, 50
    with onecast.File(path, "w") as f:
        for i in range(count):
            f.create_dataset(f"g/{i:05d}", data=np.arange(4)).attrs["a"] = i
    with onecast.File(path, load_policy="eager") as f:
        all_of_them = f.io_stats().bytes_read
    with onecast.File(path, "r+") as f:
        for i in range(kept, count):
            del f[f"g/{i:05d}"]
    with onecast.File(path, load_policy="eager") as f:
        assert len(f["g"]) == kept
        # The first block of the file is always read.
        first = 1 << 20
        assert all_of_them > 2 * first
        assert f.io_stats().bytes_read < first + all_of_them // 20
