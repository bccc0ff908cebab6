"""onecast repack"""

import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast as oc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "interop"))
from compare import examine
from small_disks import small_file_system

FOLDERS = ("h5dump", "jhdf", "cgns")
# Files of the corpus that cannot be repacked -> the reason in the message
REFUSED = {
    "err_attr_dspace.h5": "Shared Message: Version: not supported",
    "globalheaps_test.hdf5": "A Global Heap Collection: Address: is used twice",  # damaged
    "tCVE-2021-37501_attr_decode.h5": "Dimension #n Maximum Size: is below the size",  # damaged
    "tCVE_2018_11206_fill_new.h5": "Fill Value: needs 8388608 bytes, 0 are left",  # damaged
    "tCVE_2018_11206_fill_old.h5": "Fill Value: needs 8388612 bytes, 4 are left",  # damaged
    "tfilters.h5": 'external file "ext1.bin": not found',  # belongs to the file, and is missing
    "tlonglinks.h5": "not supported: a link name of 66560 bytes",
}
# References that refer to nothing still refer to nothing in the copy, but are not equal.
DIFFERENT = {"trefer_obj_del.h5": "reference"}


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.h5"


@pytest.fixture
def some(path):
    """Writes a file with a dataset of each layout."""
    with h5py.File(path, "w") as f:
        f["contiguous"] = np.arange(5000).reshape(50, 100)
        f["small"] = np.arange(10)
        f.create_dataset(
            "chunked", data=np.arange(5000).reshape(50, 100), chunks=(7, 30), compression="gzip"
        )
        f["texts"] = ["variable", "length"]
        f["scalar"] = 1
    return path


def storage(path, name):
    with oc.File(path) as f:
        d = oc.inspect.storage(f[name])
        return d["layout"], f[name].chunks, [x["name"] for x in d["filters"]]


def test_equal_and_in_pages(onecast, some, out):
    result = onecast("repack", some, out)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert onecast("diff", some, out).code == 0
    assert onecast("check", "--data", out).code == 0
    with oc.File(out) as f:
        report = f.metadata_report()
    assert report.page_size == 4096
    assert not report.page_list_stale
    assert storage(out, "small")[0] == "compact"
    assert storage(out, "contiguous")[0] == "contiguous"
    assert storage(out, "chunked") == ("chunked", (7, 30), ["deflate"])


def test_storage_of_one_and_of_all(onecast, some, out):
    result = onecast(
        "repack", "--filter", "shuffle,gzip=9", "--filter", "chunked:none",
        "--layout", "/small:contiguous", "--layout", "contiguous:chunked:10x50",
        "--page-size", 65536, some, out,
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    assert onecast("diff", some, out).code == 0
    assert storage(out, "chunked") == ("chunked", (7, 30), [])
    assert storage(out, "contiguous") == ("chunked", (10, 50), ["shuffle", "deflate"])
    assert storage(out, "small")[0] == "contiguous"
    assert storage(out, "scalar")[0] == "compact"
    with oc.File(out) as f:
        assert f.metadata_report().page_size == 65536


def test_filters_of_all_make_chunks(onecast, some, out):
    assert onecast("repack", "--filter", "shuffle,gzip=9", some, out).code == 0
    assert onecast("diff", some, out).code == 0
    assert storage(out, "contiguous") == ("chunked", (50, 100), ["shuffle", "deflate"])
    assert storage(out, "chunked") == ("chunked", (7, 30), ["shuffle", "deflate"])
    assert storage(out, "small") == ("compact", None, [])


def test_compact_limit(onecast, some, out):
    assert onecast("repack", "--compact-limit", 0, some, out).code == 0
    assert storage(out, "small")[0] == "contiguous"
    assert onecast("repack", "--compact-limit", 60000, "--force", some, out).code == 0
    assert storage(out, "contiguous")[0] == "compact"
    assert onecast("diff", some, out).code == 0


def test_profile_and_page_size(onecast, some, out):
    for profile, index in (("latest", "fixed array"), ("compatible", "v1 B-tree")):
        options = ["--profile", profile, "--page-size", 16384, "--force"]
        assert onecast("repack", *options, some, out).code == 0
        with oc.File(out) as f:
            assert (f.profile, f.metadata_report().page_size) == (profile, 16384)
            assert oc.inspect.storage(f["chunked"])["chunk_index"] == index
        assert onecast("diff", some, out).code == 0
        assert onecast("check", "--data", out).code == 0


def test_alignment(onecast, some, out):
    options = ["--compact-limit", 0, "--alignment-interval", 3000, "--alignment-threshold", 1]
    assert onecast("repack", *options, some, out).code == 0
    with h5py.File(out) as f:
        assert f["contiguous"].id.get_offset() % 3000 == f["small"].id.get_offset() % 3000 == 0
        chunked = f["chunked"].id
        for i in range(chunked.get_num_chunks()):
            assert chunked.get_chunk_info(i).byte_offset % 3000 == 0
    assert onecast("repack", "--force", "--stripe-size", 32768, some, out).code == 0
    with h5py.File(out) as f:
        assert f["contiguous"].id.get_offset() % 32768 == 0
    assert onecast("diff", some, out).code == 0
    assert onecast("check", "--data", out).code == 0


def test_does_not_overwrite(onecast, some, out):
    out.write_bytes(b"something")
    result = onecast("repack", some, out)
    assert (result.code, result.err) == (1, f"onecast: {out}: exists\n")
    assert out.read_bytes() == b"something"
    assert onecast("repack", "--force", some, out).code == 0
    assert onecast("diff", some, out).code == 0
    # The file may be repacked in place.
    assert onecast("repack", "--force", out, out).code == 0
    assert onecast("diff", some, out).code == 0


def test_where_a_symbolic_link_leads(onecast, some, out):
    folder = out.parent / "elsewhere"
    folder.mkdir()
    real = folder / "real.h5"
    real.write_bytes(some.read_bytes())
    real.chmod(0o640)
    out.symlink_to("elsewhere/real.h5")
    assert onecast("repack", some, out).code == 1
    for source in (some, out):
        assert onecast("repack", "--force", source, out).code == 0
        assert out.is_symlink()
        assert [p.name for p in folder.iterdir()] == ["real.h5"]
        assert real.stat().st_mode & 0o777 == 0o640
        assert onecast("diff", some, real).code == 0
        with oc.File(real) as f:
            assert f.metadata_report().page_size > 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--layout", "nothing:compact"), 1, 'no dataset "nothing"'),
        (("--layout", "contiguous:chunked:1x2x3"), 1, "2 dimensions expected, 3 given"),
        (("--layout", "contiguous:compact", "--compact-limit", 0), 0, ""),
        (("--layout", "chunked:51x100"), 0, ""),  # no dataset takes these
        (("--layout", f"contiguous:chunked:{1 << 64}x1"), 1, "chunks: numbers from 0 to 2^64 - 1"),
        (
            ("--filter", f"gzip={1 << 32}"),
            1,
            "filter gzip: numbers from 0 to 2^32 - 1 were expected",
        ),
        (("--filter", f"{1 << 40}"), 1, "filter: numbers from 0 to 2^16 - 1 were expected"),
        (("--layout", "contiguous:chunked:51x100"), 1, "chunk: is 51 in dimension 0, the dataset"),
        (("--layout", "chunked:chunked:7x1000"), 1, "chunk: is 1000 in dimension 1, the dataset"),
        (("--layout", "chunk"), 2, "--layout chunk: expected"),
        (("--layout", "compact", "--layout", "/:contiguous"), 2, "the second one for all"),
        (("--filter", "small:lzf", "--filter", "/small:lz4"), 2, "the second one for small"),
        (("--filter", "bitshuffle=0,2"), 2, "2 would be a filter by its number: parameters are"),
        (("--filter", "gzip="), 2, "--filter gzip=: expected"),
        (("--filter", "zap"), 1, "unknown filter 'zap'"),
        (("--filter", "contiguous:gzip=44"), 1, "level 44: expected 0 to 9"),
        (("--filter", "gzip=44"), 1, "level 44: expected 0 to 9"),
        (("--filter", "szip=32/3"), 1, "an odd number of pixels"),
        (("--page-size", "5"), 1, "page_size"),
    ],
)
def test_a_failure_leaves_nothing(onecast, some, out, arguments, code, message):
    result = onecast("repack", *arguments, some, out)
    assert result.code == code
    assert message in result.err
    if code == 1:
        assert result.err.startswith("onecast: ")
        assert result.err.count("\n") == 1
    assert sorted(p.name for p in out.parent.iterdir()) == sorted(
        ["file.h5"] + ["out.h5"] * (code == 0)
    )


def test_a_failure_of_the_output_names_it(onecast, some, out):
    for path in (out.parent / "none" / "x.h5", out.parent / ("a" * 300)):
        result = onecast("repack", some, path)
        assert result.code == 1
        assert result.err.startswith(f"onecast: {path}: ")


def test_an_output_that_does_not_fit(onecast, some, out):
    """It is named, not the file beside it; an error of the input names the input."""
    with h5py.File(some, "a") as f:
        f["large"] = np.arange(1 << 17)
    with small_file_system(out.parent / "disk", "200k") as folder:
        full = folder / "full.h5"
        result = onecast("repack", some, full)
        assert (result.code, list(folder.iterdir())) == (1, [])
        assert result.err.startswith(f"onecast: {full}: ")
        assert "No space left" in result.err and ".part" not in result.err
        with pytest.raises(OSError, match="No space left") as caught:
            oc.repack(some, full)
        assert caught.value.filename == str(full)
    missing = out.parent / "missing.h5"
    result = onecast("repack", missing, out)
    assert result.err == f"onecast: {missing}: open: No such file or directory\n"


@pytest.mark.leaves_damage
def test_damaged_input_leaves_nothing(onecast, path, out):
    with h5py.File(path, "w") as f:
        f.create_dataset("x", data=np.arange(1000), chunks=(100,), fletcher32=True)
        offset = f["x"].id.get_chunk_info(3).byte_offset
    data = bytearray(path.read_bytes())
    data[offset] ^= 1
    path.write_bytes(data)
    # Chunks are copied as they are stored, unless they are filtered anew.
    result = onecast("repack", "--filter", "gzip=1", path, out)
    assert result.code == 1
    assert "fletcher32" in result.err
    assert [p.name for p in out.parent.iterdir()] == ["file.h5"]


def test_filters_that_onecast_lacks(onecast, corpus, out):
    """Such chunks are copied as they are stored."""
    path = corpus / "h5dump" / "tudfilter.h5"
    assert onecast("repack", "--filter", "gzip=1", "--layout", "contiguous", path, out).code == 0
    with h5py.File(path) as f, h5py.File(out) as copy:
        old, new = f["dynlibud"].id, copy["dynlibud"].id
        for i in range(old.get_num_chunks()):
            at = old.get_chunk_info(i).chunk_offset
            assert new.read_direct_chunk(at) == old.read_direct_chunk(at)
    result = onecast("repack", "--force", "--layout", "dynlibud:contiguous", path, out)
    assert result.code == 1
    assert "not supported: filter 300 (dynlibud)" in result.err


def corpus_files(corpus):
    return [p for folder in FOLDERS for p in sorted((corpus / folder).iterdir()) if p.is_file()]


@pytest.mark.parametrize("profile", ["compatible", "latest"])
def test_corpus(onecast, corpus, out, profile):
    """Every file that Onecast reads stays equal and sound, and h5py reads it as before."""
    refused, wrong = {}, {}
    for path in corpus_files(corpus):
        try:
            oc.File(path).close()
        except (OSError, oc.UnsupportedError):
            continue
        result = onecast("repack", "--force", "--profile", profile, path, out)
        if result.code != 0:
            refused[path.name] = result.err
            continue
        # Exit code 2 names what cannot be read in either file.
        difference = onecast("diff", path, out)
        if difference.code == 1 or difference.out:
            wrong[path.name] = difference.out
        elif oc.check(out, data=True)["damaged"]:
            wrong[path.name] = "damaged"
        elif found := examine(out).differences:
            wrong[path.name] = found[:3]
    assert wrong.keys() == DIFFERENT.keys()
    for name, what in DIFFERENT.items():
        assert what in wrong[name]
    assert refused.keys() == REFUSED.keys()
    for name, reason in REFUSED.items():
        assert reason in refused[name]
