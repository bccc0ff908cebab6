"""onecast cgns"""

import re

import h5py
import pytest
from cgns_damage import DAMAGES, damaged_file
from cgns_lists import assert_equal, sample

from onecast import cgns


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file.cgns"
    tree = sample()
    values = cgns.find(tree, "/Base/Values")
    values[2] = values[2][:1]
    values[2].append(["Link", None, [], ""])
    cgns.save(path, tree, links=[("/Base/Values/Link", "other.cgns", "/A")])
    return path


def test_ls(onecast, path):
    result = onecast("cgns", "ls", path)
    assert (result.code, result.err) == (0, "")
    assert result.lines == [
        "CGNSTree  CGNSTree_t",
        "  CGNSLibraryVersion  CGNSLibraryVersion_t  R4  1",
        "  Base  CGNSBase_t  I4  2",
        "    Zone  Zone_t  I4  3 × 3  (4 × 3 × 2 vertices, 3 × 2 × 1 cells)",
        "      ZoneType  ZoneType_t  C1  10",
        "      GridCoordinates  GridCoordinates_t",
        "        CoordinateX  DataArray_t  R8  4 × 3 × 2",
        "    Values  UserDefinedData_t",
        "      Real  DataArray_t  R8  4 × 3 × 2",
        "      Link  -> other.cgns:/A",
    ]
    part = onecast("cgns", "ls", "-d", "1", f"{path}/Base/Values")
    assert part.lines == [
        "Values  UserDefinedData_t",
        "  Real  DataArray_t  R8  4 × 3 × 2",
        "  Link  -> other.cgns:/A",
    ]
    missing = onecast("cgns", "ls", f"{path}/Nothing")
    assert missing.code == 1
    assert "has no node 'Nothing'" in missing.err


def test_check(onecast, path, tmp_path):
    result = onecast("cgns", "check", path)
    assert result.code == 1
    assert result.lines == [
        f"{path}: /Base/Values/Link: the link /Base/Values/Link leads to nothing: other.cgns/A"
    ]
    cgns.save(tmp_path / "good.cgns", cgns.load(path, follow_links=False))
    with h5py.File(tmp_path / "good.cgns", "r+") as file:
        del file["Base/Values/Link"]
    good = onecast("cgns", "check", tmp_path / "good.cgns")
    assert (good.code, good.out) == (0, f"{tmp_path}/good.cgns: no violation\n")
    none = onecast("cgns", "check", tmp_path / "good.cgns", tmp_path / "none.cgns")
    assert none.code == 2
    assert none.err.startswith(f"onecast: {tmp_path}/none.cgns: ")


def test_compact(onecast, path, tmp_path):
    out = tmp_path / "out.cgns"
    before = cgns.load(path, follow_links=False)
    result = onecast("cgns", "compact", path, out)
    assert result.code == 0 and f"{out.stat().st_size} bytes" in result.out
    assert_equal(cgns.load(out, follow_links=False), before)
    assert cgns.links(out) == cgns.links(path)
    again = onecast("cgns", "compact", path, out)
    assert again.code == 1 and "exists" in again.err
    assert onecast("cgns", "compact", "--force", path, out).code == 0


def test_compact_in_place(onecast, path, tmp_path):
    before, size = cgns.load(path, follow_links=False), path.stat().st_size
    link = tmp_path / "link.cgns"
    link.symlink_to(path.name)
    for out in (path, link):
        result = onecast("cgns", "compact", path, out)
        assert result.code == 0
        assert result.out == f"{out}: {path.stat().st_size} bytes; it had {size}\n"
        size = path.stat().st_size
    assert link.is_symlink()
    assert_equal(cgns.load(path, follow_links=False), before)
    missing = onecast("cgns", "compact", tmp_path / "none", tmp_path / "none")
    assert (missing.code, missing.err) == (
        1,
        f"onecast: {tmp_path}/none: No such file or directory\n",
    )


@pytest.mark.parametrize("command", ["ls", "check", "compact", "adopt"])
def test_names_of_files_stand_once(onecast, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "adf.cgns").write_bytes(b"@(#)ADF Database Version A02011>" + bytes(4096))
    h5py.File(tmp_path / "plain.h5", "w").close()
    out = ["new.cgns"] if command == "compact" else []
    for name in ("adf.cgns", "plain.h5"):
        text = onecast("cgns", command, name, *out).err
        assert re.match(rf"onecast: {name}:? is ", text), text
    for name in ("none.cgns", "folder/none.cgns"):
        text = onecast("cgns", command, name, *out).err
        assert text.endswith("No such file or directory\n") and text.count("none.cgns") == 1, text
        assert text.startswith(f"onecast: {name}: ")


def test_adopt(onecast, path, tmp_path):
    before = cgns.load(path, follow_links=False)
    with h5py.File(path, "r+") as file:  # as older libraries store it
        zone = file["Base/Zone"]
        sizes = zone[" data"][()]
        del zone[" data"]
        zone.create_dataset(" data", data=sizes)
    result = onecast("cgns", "adopt", path)
    assert result.code == 0
    assert result.out == f"{path}: 1 values moved into headers; page list added\n"
    assert_equal(cgns.load(path, follow_links=False), before)
    (tmp_path / "text").write_text("no HDF5")
    failed = onecast("cgns", "adopt", tmp_path / "text", path)
    assert failed.code == 1
    assert failed.err.startswith(f"onecast: {tmp_path}/text: ")
    assert failed.out == f"{path}: 0 values moved into headers; the page list was valid\n"


def test_adopt_leaves_values_without_elements(onecast, path):
    with h5py.File(path, "r+") as file:
        zone = file["Base/Zone"]
        group = zone.create_group("Empty")
        for name in zone.attrs:
            group.attrs[name] = zone.attrs[name]
        group.create_dataset(" data", (0, 3), "i4")
    result = onecast("cgns", "adopt", path)
    assert result.code == 0, result.err
    with h5py.File(path) as file:
        assert file["Base/Zone/Empty/ data"].shape == (0, 3)


@pytest.mark.parametrize("name", DAMAGES, ids=lambda name: name.replace(" ", "-"))
def test_damaged_files_give_an_error(onecast, tmp_path, name):
    path = tmp_path / "file.cgns"
    damaged_file(path, name)
    shown = onecast("cgns", "ls", path)
    assert shown.code in (0, 1)
    assert shown.code == 0 or shown.err.startswith("onecast: ")
    checked = onecast("cgns", "check", path)
    assert checked.code == 1, checked.err
