"""Files of other programs are read as h5py reads them, or refused by name, and nothing else."""

import os
from contextlib import suppress
from functools import partial
from operator import getitem as get
from pathlib import Path

import h5py
import pytest
from same_values import assert_same

import onecast

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("ONECAST_CORPUS", ROOT / ".." / "shared" / "corpus"))
FOLDERS = ["jhdf", "h5dump", "cgns"]
LARGE = 20_000_000

FILES = [
    file
    for folder in FOLDERS
    for file in sorted((CORPUS / folder).glob("*"))
    if file.suffix in (".h5", ".hdf5", ".cgns") and file.stat().st_size < LARGE
]
HOSTILE = sorted((CORPUS / "hostile").glob("*"))
REFUSALS = (onecast.UnsupportedError, onecast.FormatError)


def test_there_is_a_corpus(corpus):
    assert FILES
    assert HOSTILE


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_as_h5py_reads_it(file):
    try:
        theirs = h5py.File(file)
    except OSError:  # damaged, or only marked as open for writing
        look_at(file)
        return
    with theirs:
        try:
            ours = onecast.File(file)
        except onecast.UnsupportedError as error:
            pytest.skip(f"refused: {error}")
        with ours:
            compare_objects(ours, theirs, set())


def compare_objects(ours, theirs, seen):
    if theirs.id in seen:
        return
    seen.add(theirs.id)
    try:
        names = list(theirs.attrs)
    except RuntimeError:  # damaged
        return
    for name in names:
        where = f"{ours.name}@{name}"
        compare_values(partial(get, ours.attrs, name), partial(get, theirs.attrs, name), where)
    assert len(ours.attrs) == len(names)
    if isinstance(theirs, h5py.Group):
        assert set(ours) == set(theirs)
        for name in theirs:
            mine = ours.get(name, getlink=True)
            try:
                link = theirs.get(name, getlink=True)
            except TypeError:
                assert isinstance(mine, onecast.UserDefinedLink)
                continue
            assert type(mine).__name__ == type(link).__name__
            if isinstance(link, h5py.HardLink):
                try:
                    member = theirs[name]
                except (KeyError, OSError):
                    continue
                compare_objects(ours[name], member, seen)
    elif isinstance(theirs, h5py.Dataset):
        assert ours.shape == theirs.shape
        assert ours.chunks == theirs.chunks
        assert ours.external == theirs.external
        if (theirs.size or 0) < 1_000_000:
            compare_values(partial(get, ours, ()), partial(get, theirs, ()), ours.name)


def compare_values(ours, theirs, where):
    """Expects equal values, or a refusal, or values that h5py cannot read."""
    try:
        mine = ours()
    except REFUSALS:
        return
    except FileNotFoundError:  # raw data in a file that is missing
        with pytest.raises(OSError, match="external"):
            theirs()
        return
    try:
        expected = theirs()
    except Exception:
        return
    assert_same(mine, expected)


def look_at(path):
    """Looks at everything as far as possible."""
    with (
        suppress(*REFUSALS, OSError, ValueError, KeyError, MemoryError),
        onecast.File(path) as file,
    ):
        found = []
        file.visititems(lambda name, item: found.append(item))
        for item in [file, *found]:
            for name in item.attrs:
                with suppress(*REFUSALS, ValueError):
                    item.attrs[name]
            if isinstance(item, onecast.Dataset) and (item.size or 0) < 1_000_000:
                with suppress(*REFUSALS, ValueError):
                    item[()]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("file", HOSTILE, ids=lambda file: file.name)
def test_hostile_files_end_in_an_error_or_none(file):
    look_at(file)
