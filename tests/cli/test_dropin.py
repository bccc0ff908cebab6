"""onecast drop-in"""

import subprocess

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
