"""Files of many programs: h5py reads and changes with the plug-in what it does without."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from .test_writing import check, contents, findings

pytest.importorskip("h5py")
ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("ONECAST_CORPUS", ROOT.parent / "shared" / "corpus"))
FOLDERS = sorted(path.name for path in CORPUS.iterdir() if path.is_dir()) if CORPUS.is_dir() else []
# The library notices the damage when it opens a dataset, Onecast when it reads the fill value.
DAMAGED = {"tCVE_2018_11206_fill_new.h5", "tCVE_2018_11206_fill_old.h5"}
# All attributes have one number in the order of creation: the library lists them as they are
# stored, Onecast by name.
WITHOUT_ORDER = {
    "test_attribute_with_creation_order.hdf5",
    "utf8-fixed-length.hdf5",
    "var-length-strings-reused.hdf5",
}
# The library's copies of attributes have null references.
WITH_REFERENCES = {"test_attribute_earliest.hdf5", "test_attribute_latest.hdf5"}
# The native library dies of these, or may: with the plug-in, when it reads their shadow.
KILL_THE_LIBRARY = {"cve-2024-32608.h5"}


def agrees(ours, native):
    """True if both read the same. Where the library cannot read, Onecast may, or may fail in
    another way."""
    if isinstance(ours, dict) and isinstance(native, dict):
        return ours.keys() == native.keys() and all(agrees(ours[k], native[k]) for k in ours)
    if isinstance(ours, list) and isinstance(native, list):
        return len(ours) == len(native) and all(map(agrees, ours, native))
    return ours == native or (isinstance(native, str) and native.startswith("raises "))


@pytest.mark.long
@pytest.mark.skipif(not FOLDERS, reason="ONECAST_CORPUS names no files")
@pytest.mark.parametrize("folder", [name for name in FOLDERS if name != "hostile"])
def test_the_same_is_read(dropin, folder):
    files = sorted(path for path in (CORPUS / folder).rglob("*") if path.is_file())
    with_plugin = dropin.describe("h5py", *files)
    without = dropin.describe("h5py", *files, plugin=False)
    different = [
        file.name
        for file, a, b in zip(files, with_plugin, without, strict=True)
        # Some files of the library's own tests make it loop.
        if b is not None and (a is None or not agrees(json.loads(a), json.loads(b)))
    ]
    assert sorted(set(different) - DAMAGED - WITHOUT_ORDER) == []


def changed(dropin, folder, files, plugin):
    """Changes copies of files. Returns what was said of each; None if the process died."""
    copies = []
    for number, file in enumerate(files):
        copies.append(folder / f"{number}.h5")
        shutil.copyfile(file, copies[-1])
    return [line for line, _ in dropin.of_each_file(["change.py"], copies, plugin=plugin)]


@pytest.mark.long
@pytest.mark.skipif(not FOLDERS, reason="ONECAST_CORPUS names no files")
@pytest.mark.parametrize("folder", [name for name in FOLDERS if name != "hostile"])
def test_the_same_is_changed(dropin, folder):
    with tempfile.TemporaryDirectory() as scratch:
        compare_changes(dropin, folder, Path(scratch))


def compare_changes(dropin, folder, scratch):
    files = sorted(path for path in (CORPUS / folder).rglob("*") if path.is_file())
    folders = [scratch / "with", scratch / "without"]
    for place in folders:
        place.mkdir()
    ours = changed(dropin, folders[0], files, plugin=True)
    native = changed(dropin, folders[1], files, plugin=False)
    different = []
    for number, file in enumerate(files):
        # Where the library fails, or dies, Onecast may succeed.
        if native[number] is None or ":" in native[number]:
            continue
        mine, stock = (place / f"{number}.h5" for place in folders)
        if ours[number] != native[number]:
            different.append((file.name, ours[number], native[number]))
        elif not agrees(contents(dropin, mine), contents(dropin, stock)):
            different.append((file.name, "other contents"))
        elif not findings(stock):
            check(mine)
    assert [each for each in different if each[0] not in WITH_REFERENCES] == []


@pytest.mark.long
@pytest.mark.skipif("hostile" not in FOLDERS, reason="ONECAST_CORPUS names no files")
def test_hostile_files_are_errors(dropin):
    """No file kills the process, unless the native library dies of what its shadow reads."""
    files = sorted(path for path in (CORPUS / "hostile").rglob("*") if path.is_file())
    described = zip(files, dropin.describe("h5py", *files), strict=True)
    killed = {file.name for file, line in described if line is None}
    assert killed <= KILL_THE_LIBRARY
