"""Copies made by many ranks have equal bytes."""

import hashlib

import h5py
import numpy as np
import pytest

import onecast

COPY = """
change = onecast.StorageChange
with onecast.File(sys.argv[2], comm=comm) as old, onecast.File(sys.argv[1], "w", comm=comm) as f:
    f.copy(old["g"], "copy")
    if size > 1:
        texts = same_everywhere(lambda: f.copy("copy", "early"), ValueError)
        assert "cannot be copied by several ranks before the next flush" in texts[0]
    f.flush()
    f.copy("copy", "twice")
    old.copy("g/chunked", f, name="again")
    f.flush()
    f.copy("twice/filtered", "of the file")
onecast.repack(sys.argv[1], sys.argv[1] + ".repacked", comm=comm, storage={
    "copy/chunked": change(filters=[("gzip", 1)]),
    "copy/filtered": change(chunks=(50, 4)),
    "twice/filtered": change(filters=[]),
    "twice/chunked": change("contiguous"),
    "copy/large": change(chunks=(100, 100), filters=[("shuffle",)]),
    "twice/large": change(chunks=(100, 70)),
})
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.h5"
    values = np.arange(12345 * 4).reshape(-1, 4)
    with h5py.File(path, "w") as f:
        g = f.create_group("g")
        g.attrs["text"] = "variable"
        g["small"] = [1, 2, 3]
        g["large"] = np.arange(300 * 300).reshape(300, 300)
        g.create_dataset("chunked", data=values, chunks=(1000, 3), fillvalue=3)
        g.create_dataset("filtered", data=values, chunks=(1000, 4), compression="gzip")
        sparse = g.create_dataset("sparse", (10**6,), "f4", chunks=(1000,), compression="lzf")
        sparse[5000:6000] = 1
        g["texts"] = [f"text {i}" for i in range(5000)]
        g["refers"] = np.array([g["large"].ref, g["small"].ref], h5py.ref_dtype)
    return path


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_bytes_do_not_depend_on_the_number_of_ranks(mpirun, source, path, ranks):
    one = path.with_name("one.h5")
    mpirun(1, COPY, one, source)
    mpirun(ranks, COPY, path, source)
    for end in ("", ".repacked"):
        files = [file.with_name(file.name + end) for file in (one, path)]
        digests = {hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
        assert len(digests) == 1, end
        assert not onecast.check(files[0], data=True)["damaged"]
        with h5py.File(source) as old, h5py.File(files[0]) as new:
            for copy in ("copy", "twice"):
                for name in ("small", "large", "chunked", "filtered", "sparse", "texts"):
                    np.testing.assert_array_equal(new[copy][name][()], old["g"][name][()])
                assert new[new[copy]["refers"][0]] == new[copy]["large"]
            np.testing.assert_array_equal(new["again"][()], old["g/chunked"][()])
            np.testing.assert_array_equal(new["of the file"][()], old["g/filtered"][()])
