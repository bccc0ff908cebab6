"""Filters of the plug-ins in the package hdf5plugin"""

import os
import subprocess
import sys

import h5py
import numpy as np
import pytest

import onecast

hdf5plugin = pytest.importorskip("hdf5plugin")

FILTERS = {
    "Blosc2": {},
    "Zfp": {"accuracy": 1e-3},
    "SZ3": {"absolute": 1e-3},
    "SZ": {"absolute": 1e-3},
    "Sperr": {"rate": 8},
}


@pytest.fixture
def filtered(path):
    """Writes a file, and returns {name: what h5py reads}."""
    values = np.sin(np.arange(10_000.0).reshape(100, 100) / 100)
    with h5py.File(path, "w") as f:
        for name, options in FILTERS.items():
            if not hasattr(hdf5plugin, name):
                continue
            how = getattr(hdf5plugin, name)(**options)
            f.create_dataset(name, data=values, chunks=(50, 40), **how)
        return {name: dataset[...] for name, dataset in f.items()}


READ = """
import sys
import numpy as np
import onecast

before, path, expected = sys.argv[1:]
exec(before)
with onecast.File(path) as f:
    for name, values in np.load(expected).items():
        assert np.array_equal(f[name][...], values), name
        assert np.array_equal(f[name][30:60, 7], values[30:60, 7]), name
print("equal")
"""


def read_elsewhere(path, filtered, before="", **environment):
    """Reads in a process that has loaded no plug-in."""
    expected = path.with_suffix(".npz")
    np.savez(expected, **filtered)
    command = [sys.executable, "-c", READ, before, str(path), str(expected)]
    return subprocess.run(
        command, capture_output=True, text=True, env={**clean_environment(), **environment}
    )


def clean_environment():
    return {name: value for name, value in os.environ.items() if name != "HDF5_PLUGIN_PATH"}


def test_without_being_asked_no_plugin_is_loaded(path, filtered):
    done = read_elsewhere(path, filtered)
    assert done.returncode != 0
    assert "UnsupportedError" in done.stderr and "32026 (blosc2)" in done.stderr
    assert "onecast.load_filter_plugins" in done.stderr and "hdf5plugin" in done.stderr


IN_ITS_PLACE = "onecast.install_as_h5py(); import hdf5plugin"


@pytest.mark.parametrize("before", ["import hdf5plugin", IN_ITS_PLACE])
def test_importing_hdf5plugin_is_enough(path, filtered, before):
    done = read_elsewhere(path, filtered, before)
    assert (done.stdout, done.stderr) == ("equal\n", "")


def test_hdf5plugin_is_imported_later(path, filtered):
    """It is imported when the file is already open."""
    program = f"""
import onecast
f = onecast.File({str(path)!r})
import hdf5plugin
assert f["Blosc2"][0, 0] == 0
assert {{32026, 32013}} <= {{known.id for known in onecast.known_filters()}}
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment())
    assert done.returncode == 0, done.stderr


WRITE = """
import onecast
onecast.install_as_h5py()
import h5py, hdf5plugin
with h5py.File("f.h5", "w") as f:
    f.create_dataset("x", data=[1] * 100, **hdf5plugin.Zstd())
    try:
        f.create_dataset("y", data=[1] * 100, **hdf5plugin.Blosc2())
    except ValueError as error:
        print(error)
print(h5py.h5z.filter_avail(hdf5plugin.BLOSC2_ID), len(hdf5plugin.get_config().registered_filters))
"""


def test_writing_in_its_place(tmp_path):
    command = [sys.executable, "-c", WRITE]
    done = subprocess.run(
        command, capture_output=True, text=True, env=clean_environment(), cwd=tmp_path
    )
    refused, known = done.stdout.splitlines()
    assert "32026" in refused and "set itself up" in refused
    assert known == f"True {len(hdf5plugin.FILTERS)}" and done.stderr == ""


def test_loaded(path, filtered):
    before = f"assert onecast.load_filter_plugins({hdf5plugin.PLUGIN_PATH!r}) >= 5"
    done = read_elsewhere(path, filtered, before)
    assert done.stdout == "equal\n", done.stderr


def test_of_the_environment(path, filtered):
    folders = f"/no such folder:{hdf5plugin.PLUGIN_PATH}"
    done = read_elsewhere(path, filtered, HDF5_PLUGIN_PATH=folders)
    assert done.stdout == "equal\n", done.stderr


@pytest.mark.leaves_damage
def test_damaged_chunks_are_errors(path, filtered):
    onecast.load_filter_plugins(hdf5plugin.PLUGIN_PATH)
    with onecast.File(path) as f:
        where = f["Blosc2"].id.get_chunk_info(0)
    content = bytearray(path.read_bytes())
    content[where.byte_offset : where.byte_offset + where.size] = bytes(where.size)
    path.write_bytes(content)
    with onecast.File(path) as f, pytest.raises(onecast.FormatError, match="32026"):
        f["Blosc2"][...]


def test_what_needs_a_set_up_is_not_written(path):
    onecast.load_filter_plugins(hdf5plugin.PLUGIN_PATH)
    known = {one.id: one for one in onecast.known_filters()}
    assert known[32026].encodes is False and known[32013].encodes is False
    with (
        onecast.File(path, "w") as f,
        pytest.raises(ValueError, match=r"32026 \(blosc2\) is only read"),
    ):
        f.create_dataset("x", data=np.arange(100), chunks=(10,), compression=32026)


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        onecast.load_filter_plugins(tmp_path / "missing")
    assert onecast.load_filter_plugins(tmp_path) == 0
    (tmp_path / "no.so").write_bytes(b"no library")
    assert onecast.load_filter_plugins(tmp_path) == 0
    with pytest.raises(ValueError, match=r"no\.so"):
        onecast.load_filter_plugins(tmp_path / "no.so")
