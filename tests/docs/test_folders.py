"""Every folder of the core describes its contents."""

import re

import pytest
from doc_pages import ROOT

SOURCES = (".cpp", ".hpp")
FOLDERS = sorted(
    {path.parent for path in (ROOT / "src").rglob("*") if path.suffix in SOURCES},
)
MOST_UNITS = 40


def files(folder):
    return {path.stem for path in folder.iterdir() if path.suffix in SOURCES}


def units(folder):
    names = files(folder)
    # x_mpi.cpp is the unit x in a build with MPI.
    return {name for name in names if name.removesuffix("_mpi") not in names - {name}}


def named(text):
    """Returns the named units; `family_*` stands for all units of a table that names them."""
    words = re.findall(r"\w+\*?", text)
    return {word for word in words if not word.endswith("_*")}, [
        word[:-1] for word in words if re.fullmatch(r"[a-z]{4,}_\*", word)
    ]


def readme_of(folder):
    while not (folder / "README.md").exists():
        folder = folder.parent
    return (folder / "README.md").read_text()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_the_readme_names_every_unit(folder):
    words, families = named(readme_of(folder))
    rest = units(folder) - words
    assert {name for name in rest if not name.startswith(tuple(families))} == set()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_no_folder_is_a_hall(folder):
    assert len(files(folder)) <= MOST_UNITS
