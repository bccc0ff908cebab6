"""onecast repack keeps the user block."""

import shutil
import subprocess

import h5py
import pytest
from cgns_lists import sample

import onecast as oc
from onecast import cgns

BLOCK = 2048


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.h5"


@pytest.fixture
def with_block(path):
    with h5py.File(path, "w", userblock_size=BLOCK) as f:
        f["x"] = [1, 2, 3]
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM" + bytes(range(256)) * 7)
    return path


def block(path):
    with h5py.File(path) as f:
        assert list(f["x"]) == [1, 2, 3]
        assert f.userblock_size == BLOCK
    return path.read_bytes()[:BLOCK]


def test_the_user_block(onecast, with_block, out):
    expected = block(with_block)
    assert onecast("repack", with_block, out).code == 0
    assert block(out) == expected
    assert onecast("repack", "--force", with_block, with_block).code == 0
    assert block(with_block) == expected
    assert not oc.check(out)["damaged"]


def test_a_user_block_of_another_size(with_block, out):
    expected = block(with_block)
    oc.repack(with_block, out, userblock_size=2 * BLOCK)
    with h5py.File(out) as f:
        assert f.userblock_size == 2 * BLOCK
    assert out.read_bytes()[: 2 * BLOCK] == expected + bytes(BLOCK)
    oc.repack(with_block, out, userblock_size=0, force=True)
    with h5py.File(out) as f:
        assert f.userblock_size == 0
    before = out.read_bytes()
    with pytest.raises(ValueError, match="userblock_size: 512 bytes do not hold the user block of"):
        oc.repack(with_block, out, userblock_size=512, force=True)
    assert out.read_bytes() == before
    assert sorted(p.name for p in out.parent.iterdir()) == ["file.h5", "out.h5"]


def test_cgns_compact_refuses_it(onecast, tmp_path):
    a, b = tmp_path / "a.cgns", tmp_path / "b.cgns"
    cgns.save(a, sample())
    oc.repack(a, b, userblock_size=512)
    whole = b.read_bytes()
    for out in (b, tmp_path / "c.cgns"):
        result = onecast("cgns", "compact", b, out)
        assert result.code == 1
        assert "a user block, of 512 bytes; onecast repack keeps it" in result.err
    assert b.read_bytes() == whole
    assert onecast("cgns", "compact", a, a).code == 0


@pytest.mark.skipif(shutil.which("h5repack") is None, reason="no hdf5-tools")
def test_as_h5repack(onecast, with_block, out, tmp_path):
    """h5repack keeps user blocks, too."""
    other = tmp_path / "other.h5"
    subprocess.run(["h5repack", with_block, other], check=True, capture_output=True)
    assert onecast("repack", with_block, out).code == 0
    assert block(out) == block(other)
