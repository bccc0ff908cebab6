"""Texts given as str and as bytes, as numpy's texts, or as objects of other libraries"""

import subprocess
import sys

import numpy as np
import pytest


class Texts:
    """An array of objects that is not a numpy array, as in pandas"""

    def __array__(self, dtype=None, copy=None):
        return np.array(["a", "bc"], object)


@pytest.mark.parametrize("dtype", ["utf-8", "ascii"])
def test_str_and_bytes_in_strings_of_fixed_length(lib, file, dtype):
    texts = file.create_dataset("x", (3,), lib.string_dtype(dtype, 5))
    texts[:] = ["ab", "cdef", b"xyz"]
    assert texts[:].tolist() == [b"ab", b"cdef", b"xyz"]
    made = file.create_dataset("y", data=["ab", b"c"], dtype=lib.string_dtype(dtype, 4))
    assert made[:].tolist() == [b"ab", b"c"]


def test_they_are_no_type(file):
    for mixed in (["ab", b"c"], np.array(["ab", b"c"], object)):
        with pytest.raises(TypeError):
            file["x"] = mixed
        with pytest.raises(TypeError):
            file.attrs["x"] = mixed
    assert list(file) == list(file.attrs) == []


def test_ascii_refuses_other_characters(lib, file):
    texts = file.create_dataset("x", (2,), lib.string_dtype("ascii", 5))
    with pytest.raises(UnicodeEncodeError):
        texts[:] = ["ü", b"x"]


def test_one_text_in_a_list(lib, file):
    texts = file.create_dataset("x", (2,), lib.string_dtype())
    texts[0] = ["one"]
    assert texts[0] == b"one"


def test_objects_of_other_libraries_have_no_type(file):
    with pytest.raises(TypeError, match="Object dtype"):
        file["x"] = Texts()
    with pytest.raises(TypeError, match="Object dtype"):
        file.attrs["x"] = Texts()
    file.create_dataset("x", data=Texts(), dtype="S3")
    assert file["x"][:].tolist() == [b"a", b"bc"]


PROGRAM = """
import sys
import numpy as np
if sys.argv[1] == "onecast":
    import onecast
    onecast.install_as_h5py()
import h5py
with h5py.File("f.h5", "w") as f:
    for value in (np.str_("abc"), [np.str_("abc")], np.array(["abc"])):
        for target in (f, f.attrs):
            try:
                target["x"] = value
            except TypeError as error:
                assert str(error).startswith("No conversion path for dtype"), error
            else:
                raise AssertionError(value)
    f.attrs.create("text", np.str_("abc"), dtype=h5py.string_dtype())
    assert f.attrs["text"] == "abc"
    f.attrs.create("fixed", np.str_("abc"), dtype="S3")
    assert f.attrs["fixed"] == b"abc"
"""


@pytest.mark.parametrize("which", ["h5py", "onecast"])
def test_numpy_texts_in_the_place_of_h5py(tmp_path, which):
    command = [sys.executable, "-c", PROGRAM, which]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
