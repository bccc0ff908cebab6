"""Arrays of strings in attributes keep their kind."""

import numpy as np
import pytest

import onecast


def is_variable(lib, dtype):
    return tuple(lib.check_string_dtype(dtype) or ()) == ("utf-8", None)


@pytest.fixture
def texts(lib, file):
    file.attrs["texts"] = ["a", "bb"]
    file.attrs.create("none", [], shape=(0,), dtype=lib.string_dtype())
    file.attrs.create("ascii", [b"a"], dtype=lib.string_dtype("ascii"))
    return file.attrs


def test_dtype(lib, texts):
    assert is_variable(lib, texts["texts"].dtype) and is_variable(lib, texts["none"].dtype)
    assert tuple(lib.check_string_dtype(texts["ascii"].dtype)) == ("ascii", None)
    assert texts["texts"].tolist() == ["a", "bb"] and texts["none"].shape == (0,)


@pytest.mark.parametrize("name", ["texts", "none"])
def test_what_is_made_of_them(lib, file, texts, name):
    values = texts[name]
    texts["copy"] = values
    file["one"] = values
    file.create_dataset("two", data=values, dtype=values.dtype)
    assert all(is_variable(lib, file[made].dtype) for made in ("one", "two"))
    assert is_variable(lib, texts["copy"].dtype)
    assert file["one"].asstr()[:].tolist() == file["two"].asstr()[:].tolist() == values.tolist()


def test_of_fixed_length(path):
    """h5py reads these as bytes."""
    with onecast.File(path, "w") as f:
        f.attrs.create("fixed", np.empty(0, "S3"), dtype=onecast.string_dtype("utf-8", 3))
        f.attrs["copy"] = f.attrs["fixed"]
        assert is_variable(onecast, f.attrs["copy"].dtype)
        assert f.attrs.get_type("copy").type_class.name == "variable_string"


def test_a_list_of_one_for_one_element(lib, file):
    texts = file.create_dataset("x", (3,), lib.string_dtype())
    texts[1] = ["one"]
    texts[2:] = [["two"]]
    assert texts.asstr()[:].tolist() == ["", "one", "two"]
    with pytest.raises(TypeError):
        texts[0] = ["one", "two"]


def test_a_group_is_no_reference(lib, file):
    file["group/x"] = 1
    references = file.create_dataset("r", (3,), lib.ref_dtype)
    with pytest.raises(TypeError):
        references[0] = file["group"]
    assert not references[0]


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="numpy 2 has it")
@pytest.mark.parametrize("missing", [None, np.nan, float("nan")])
def test_a_missing_text_is_stored_as_an_empty_one(lib, file, missing):
    kind = np.dtypes.StringDType(na_object=missing)
    texts = np.array(["a", missing, "ccc"], kind)
    file["x"] = texts
    file.create_dataset("y", data=texts.reshape(3, 1), chunks=(1, 1))
    file.create_dataset("z", data=texts, dtype=kind)
    assert file["x"].asstr()[:].tolist() == file["z"].asstr()[:].tolist() == ["a", "", "ccc"]
    assert file["y"].asstr()[:].tolist() == [["a"], [""], ["ccc"]]
    assert file["x"].astype("T")[:].tolist() == ["a", "", "ccc"]


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="numpy 2 has it")
def test_missing_texts_in_attributes_and_writes(path):
    """h5py refuses these."""
    with onecast.File(path, "w") as file:
        check_missing_texts(file)


def check_missing_texts(file):
    for missing in (None, np.nan, ""):
        kind = np.dtypes.StringDType(na_object=missing)
        texts = np.array(["a", missing, "ccc"], kind)
        file.attrs["x"] = texts
        data = file.create_dataset(None, (3,), kind)
        data[:] = texts
        data[1:2] = texts[1:2]
        assert list(file.attrs["x"]) == data.asstr()[:].tolist() == ["a", "", "ccc"]
    kind = np.dtypes.StringDType(na_object="NA")  # numpy takes it for that text
    data = file.create_dataset(None, data=np.array(["a", "NA"], kind))
    assert data.asstr()[:].tolist() == ["a", "NA"]
