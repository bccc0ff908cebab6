"""onecast drop-in"""

import subprocess
import sys

import pytest

from onecast_cli import dropin


@pytest.fixture(scope="module", autouse=True)
def plugin():
    try:
        dropin.plugin_folder()
    except Exception as error:
        pytest.skip(str(error))


def test_the_environment_is_for_the_shell(onecast, monkeypatch):
    monkeypatch.setenv("HDF5_PLUGIN_PATH", "/of/others")
    program = 'eval "$0"; echo "$HDF5_PLUGIN_PATH $HDF5_VOL_CONNECTOR"'
    done = subprocess.run(
        ["bash", "-c", program, onecast("drop-in").out], capture_output=True, text=True
    )
    assert done.stdout == f"{dropin.plugin_folder()}:/of/others onecast\n"


@pytest.mark.parametrize("module", ["h5py", "tables", "netCDF4"])
def test_a_module_whose_library_can_load_it(onecast, module):
    pytest.importorskip(module)
    done = onecast("drop-in", "--check", module)
    assert done.code == 0, done.err
    assert ": yes" in done.out


def test_what_uses_no_hdf5(onecast):
    done = onecast("drop-in", "--check", "bash")
    assert done.code == 1
    assert "bash: uses no HDF5" in done.err


def test_what_is_neither_program_nor_module(onecast):
    done = onecast("drop-in", "--check", "no_such_thing")
    assert done.code == 1
    assert "no_such_thing: neither a program nor a module" in done.err


def test_a_program_with_the_plugin_and_without(onecast, tmp_path, monkeypatch):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["x"] = [1, 2]
    program = (
        "import h5py, os, sys; f = h5py.File('a.h5'); print(f['x'][:]); h5py.File('b.h5', 'w');"
        "h5py.File('c.h5', 'w', driver='core');"
        "print('said', file=sys.stderr); sys.exit(3 if 'HDF5_VOL_CONNECTOR' in os.environ else 0)"
    )
    monkeypatch.chdir(tmp_path)
    done = onecast("drop-in", "run", sys.executable, "-c", program)
    assert done.out.count("[1 2]") == 2 and done.err == "said\nsaid\n"
    numbers = {line[:-20].strip(): line.split()[-1] for line in done.lines if line.strip()}
    assert numbers["files that Onecast served"] == "2"
    assert numbers["files given to the HDF5 library"] == "1"
    assert numbers["reads by Onecast"] != "0"
    assert "1  file: it is opened with a driver of its own" in done.out
    assert "exit code: 0 without, 3 with" in done.out and done.code == 3


def test_a_program_that_is_not_there(onecast):
    done = onecast("drop-in", "run", "./no_such_program")
    assert done.code == 1
    assert "./no_such_program: No such file or directory" in done.err
