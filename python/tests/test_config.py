"""Settings of the process: get_config()"""

import numpy as np
import pytest

import onecast


@pytest.fixture
def config(lib):
    found = lib.get_config()
    before = found.complex_names
    yield found
    found.complex_names = before  # h5py cannot go back to other names of bool


def test_complex_names(lib, file, config):
    file["real"] = np.array([(1, 2), (3, 4)], [("real", "f4"), ("imag", "f4")])
    file["r"] = np.array([1j])
    file.attrs["r"] = np.array([1j])
    file.attrs["real"] = file["real"][:]
    held = file["real"]
    assert held[0]["imag"] == 2 and held.dtype.names == ("real", "imag")
    config.complex_names = ("real", "imag")
    assert config.complex_names == ("real", "imag")
    assert file["real"].dtype == "c8" and file["real"][:].tolist() == [1 + 2j, 3 + 4j]
    assert file.attrs["real"].tolist() == [1 + 2j, 3 + 4j]
    assert file["r"].dtype.names == ("r", "i") == file.attrs["r"].dtype.names
    file["real"][1] = 5 - 1j
    file["new"] = [1j]
    assert file["new"].id.get_type().get_member_name(1) == b"imag"
    assert lib.__name__ == "h5py" or held[0] == 1 + 2j
    config.complex_names = ("r", "i")
    assert file["new"].dtype.names == ("real", "imag")
    assert file["real"][1].tolist() == (5, -1) and file["r"][0] == 1j


def test_bool_names(path):
    """With h5py 3.16 they can be set, but then nothing can be written with them."""
    config = onecast.get_config()
    before = config.bool_names
    try:
        with onecast.File(path, "w") as f:
            f["old"] = [True]
            assert f["old"][0] is np.True_
            config.bool_names = (b"NO", "YES")
            assert config.bool_names == ("NO", "YES")
            assert onecast.check_enum_dtype(f["old"].dtype) == {"FALSE": 0, "TRUE": 1}
            assert f["old"][:].tolist() == [1]
            f["new"], f.attrs["new"] = [False, True], True
            assert f["new"].dtype == bool and f["new"][:].tolist() == [False, True]
            assert f.attrs["new"] is np.True_
            config.bool_names = before
            assert onecast.check_enum_dtype(f["new"].dtype) == {"NO": 0, "YES": 1}
            assert f["old"].dtype == bool and f["old"][0] is np.True_
    finally:
        config.bool_names = before


@pytest.mark.parametrize("name", ["complex_names", "bool_names"])
@pytest.mark.parametrize("names", [("a",), None, 5])
def test_what_are_no_names(config, name, names):
    before = getattr(config, name)
    with pytest.raises(TypeError):
        setattr(config, name, names)
    assert getattr(config, name) == before


@pytest.mark.parametrize("name", ["nonsense", "complex_name", "mpi", "ros3"])
def test_what_cannot_be_set(config, name):
    with pytest.raises(AttributeError):
        setattr(config, name, True)


def test_the_default_mode_stays():
    config = onecast.get_config()
    with pytest.raises(ValueError):
        config.default_file_mode = "a"
    assert config.default_file_mode == "r"
