"""The plug-in's declarations of HDF5's binary interface are those of the headers of HDF5."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
VERSIONS = {"1.14.4": "0.9.0", "1.14.5": "0.9.4", "2.0.0": "0.10.1", "2.2.0": "0.10.4"}
# What the configuration of a library with 64-bit addresses says, as far as headers read it.
CONFIGURATION = """
#define H5_HAVE_STDBOOL_H 1
#define H5_SIZEOF_SSIZE_T 8
#define H5_SIZEOF_SIZE_T 8
#define H5_SIZEOF_OFF_T 8
#define H5_SIZEOF_LONG 8
#define H5_SIZEOF_LONG_LONG 8
#define H5_SIZEOF_INT64_T 8
#define H5_SIZEOF_UINT64_T 8
#define H5_HAVE_SYS_TYPES_H 1
"""


def headers(version):
    folder = CACHE / "onecast" / "hdf5-sources" / f"hdf5-metno-src-{VERSIONS[version]}"
    folder = folder / "ext" / "hdf5" / "src"
    if not folder.is_dir():
        pytest.skip(f"the sources of HDF5 {version} are not there: tools/setup.sh hdf5")
    return folder


@pytest.mark.parametrize("version", VERSIONS)
def test_sizes_offsets_and_values(version, tmp_path):
    source = headers(version)
    (tmp_path / "H5pubconf.h").write_text(CONFIGURATION)
    done = subprocess.run(
        [
            os.environ.get("CXX", "g++"),
            "-std=c++20",
            "-fsyntax-only",
            f"-I{tmp_path}",
            f"-I{source}",
            f"-I{source / 'H5FDsubfiling'}",
            f"-I{ROOT / 'plugins' / 'hdf5'}",
            str(Path(__file__).parent / "compare_abi.cpp"),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
