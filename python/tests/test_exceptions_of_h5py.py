"""`except` clauses written for h5py catch what Onecast raises."""

import pickle

import numpy as np
import pytest

import onecast

DATASET = np.arange(6).reshape(2, 3)


def rename(h5, f, old):
    h5.h5a.rename(f.id, old, b"new")


def set_item(h5, f, name, value):
    f[name] = value


def set_attribute(h5, f):
    f.attrs["new"] = 1


def replace_attribute(h5, f):
    f.attrs["attribute"] = 2


def remove(h5, f, name):
    del f[name]


def remove_attribute(h5, f):
    del f.attrs["attribute"]


def set_element(h5, f):
    f["d"][0] = 1


def set_label(h5, f, label):
    f["d"].dims[0].label = label


def read_into_fixed(h5, f):
    array = np.zeros((2, 3), int)
    array.setflags(write=False)
    f["d"].read_direct(array)


WRITABLE = {
    "dataset of a name that is taken": (OSError, lambda h5, f: set_item(h5, f, "one", 2)),
    "soft link": (OSError, lambda h5, f: set_item(h5, f, "one", h5.SoftLink("x"))),
    "external link": (
        RuntimeError,
        lambda h5, f: set_item(h5, f, "one", h5.ExternalLink("x", "y")),
    ),
    "hard link": (OSError, lambda h5, f: set_item(h5, f, "one", f["d"])),
    "in a dataset": (OSError, lambda h5, f: set_item(h5, f, "d/x", 1)),
    "a link in a dataset": (OSError, lambda h5, f: set_item(h5, f, "d/x", h5.SoftLink("q"))),
    "group": (ValueError, lambda h5, f: f.create_group("one")),
    "create_dataset": (ValueError, lambda h5, f: f.create_dataset("one", data=1)),
    "group in a dataset": (ValueError, lambda h5, f: f.create_group("d/x")),
    "move nothing": (ValueError, lambda h5, f: f.move("nope", "x")),
    "move to a name that is taken": (ValueError, lambda h5, f: f.move("one", "d")),
    "move into a dataset": (ValueError, lambda h5, f: f.move("one", "d/x")),
    "copy nothing": (RuntimeError, lambda h5, f: f.copy("nope", "x")),
    "copy to a name that is taken": (RuntimeError, lambda h5, f: f.copy("one", "d")),
    "copy into a dataset": (RuntimeError, lambda h5, f: f.copy("one", "d/x")),
    "remove nothing": (KeyError, lambda h5, f: remove(h5, f, "nope")),
    "resize beyond maxshape": (RuntimeError, lambda h5, f: f["d"].resize((3, 6))),
    "resize of another rank": (TypeError, lambda h5, f: f["d"].resize((3,))),
    "resize by a number": (TypeError, lambda h5, f: f["d"].resize(3)),
    "resize below 0": (OverflowError, lambda h5, f: f["d"].resize((-1, 3))),
    "resize of an axis below 0": (OverflowError, lambda h5, f: f["d"].resize(-1, axis=0)),
    "negative shape": (OverflowError, lambda h5, f: f.create_dataset("n", (-1,), "f4")),
    "negative extent": (OverflowError, lambda h5, f: f.create_dataset("n", -1, "f4")),
    "negative maxshape": (
        OverflowError,
        lambda h5, f: f.create_dataset("n", (3,), "f4", maxshape=(-1,)),
    ),
    "negative chunk": (
        OverflowError,
        lambda h5, f: f.create_dataset("n", (3,), "f4", chunks=(-1,)),
    ),
    "shape of text": (TypeError, lambda h5, f: f.create_dataset("n", ("a",), "f4")),
    "shape of digits": (TypeError, lambda h5, f: f.create_dataset("n", ("3",), "f4")),
    "shape that is None": (TypeError, lambda h5, f: f.create_dataset("n", (None,), "f4")),
    "maxshape of text": (
        TypeError,
        lambda h5, f: f.create_dataset("n", (1,), "f4", maxshape=("a",)),
    ),
    "scale number": (IndexError, lambda h5, f: f["d"].dims[1][5]),
    "scale of none": (RuntimeError, lambda h5, f: f["d"].dims[0][5]),
    "scale name of none": (RuntimeError, lambda h5, f: f["d"].dims[0]["x"]),
    "detach": (RuntimeError, lambda h5, f: f["d"].dims[0].detach_scale(f["scale"])),
    "attach itself": (RuntimeError, lambda h5, f: f["d"].dims[0].attach_scale(f["d"])),
    "label": (TypeError, lambda h5, f: set_label(h5, f, 5)),
    "scale's name": (TypeError, lambda h5, f: f["one"].make_scale(5)),
    "new axis": (TypeError, lambda h5, f: f["one"][None]),
    "new axis after dots": (TypeError, lambda h5, f: f["one"][..., None]),
    "fixed array": (TypeError, read_into_fixed),
    "rename nothing": (RuntimeError, lambda h5, f: rename(h5, f, b"nope")),
}

READ_ONLY = {
    "dataset": (ValueError, lambda h5, f: set_item(h5, f, "n", 1)),
    "soft link": (OSError, lambda h5, f: set_item(h5, f, "n", h5.SoftLink("x"))),
    "hard link": (OSError, lambda h5, f: set_item(h5, f, "n", f["d"])),
    "group": (ValueError, lambda h5, f: f.create_group("n")),
    "attribute": (OSError, set_attribute),
    "attrs.create": (OSError, lambda h5, f: f.attrs.create("n", 1)),
    "attrs.modify": (OSError, lambda h5, f: f.attrs.modify("attribute", 2)),
    "remove an attribute": (KeyError, remove_attribute),
    "pop": (KeyError, lambda h5, f: f.attrs.pop("attribute")),
    "remove": (KeyError, lambda h5, f: remove(h5, f, "d")),
    "move": (ValueError, lambda h5, f: f.move("d", "e")),
    "element": (OSError, set_element),
    "write_direct": (OSError, lambda h5, f: f["d"].write_direct(np.zeros((2, 3), int))),
    "resize": (RuntimeError, lambda h5, f: f["d"].resize((1, 3))),
    "make_scale": (RuntimeError, lambda h5, f: f["one"].make_scale("x")),
    "label": (RuntimeError, lambda h5, f: set_label(h5, f, "x")),
    "detach": (RuntimeError, lambda h5, f: f["d"].dims[1].detach_scale(f["scale"])),
    "rename": (RuntimeError, lambda h5, f: rename(h5, f, b"attribute")),
}


@pytest.fixture
def filled(lib, path):
    with lib.File(path, "w") as f:
        f["one"] = 1
        f.create_dataset("d", data=DATASET, maxshape=(None, 5), chunks=(1, 3))
        f["scale"] = [1.0, 2.0, 3.0]
        f["scale"].make_scale("n")
        f["d"].dims[1].attach_scale(f["scale"])
        f.attrs["attribute"] = 1
    return path


@pytest.mark.parametrize("what", WRITABLE)
def test_of_a_file_that_is_open_for_writing(lib, filled, what):
    expected, call = WRITABLE[what]
    with lib.File(filled, "r+") as f, pytest.raises(expected):
        call(lib, f)


@pytest.mark.parametrize("what", READ_ONLY)
def test_of_a_file_that_is_open_for_reading(lib, filled, what):
    expected, call = READ_ONLY[what]
    with lib.File(filled, "r") as f, pytest.raises(expected):
        call(lib, f)


def test_they_are_still_those_of_the_table(path):
    with onecast.File(path, "w") as f:
        f["d"] = DATASET
        for name in ("d", "d/x"):
            with pytest.raises(ValueError, match="/"):
                f[name] = 1
        with pytest.raises(KeyError, match="nope"):
            f.move("nope", "x")
        with pytest.raises(ValueError, match="shape"):
            f.create_dataset("n", (-1,))


def test_texts_name_the_argument(path):
    with onecast.File(path, "w") as f:
        for shape in (("a",), "a", 2.5):
            with pytest.raises(TypeError, match=r"^shape: .*(a|2\.5)"):
                f.create_dataset("n", shape)
        f["d"] = DATASET
        with pytest.raises(TypeError, match=r"^label: .* int$"):
            f["d"].dims[0].label = 5
        with pytest.raises(TypeError, match=r"^name: .* NoneType$"):
            f["d"].make_scale(None)


def test_texts_are_no_reprs(path):
    with onecast.File(path, "w") as f:
        with pytest.raises(KeyError) as caught:
            f.move("nope", "x")
        assert str(caught.value) == f'{path}: /: no object at "nope"'


def test_they_can_be_pickled(path):
    with onecast.File(path, "w") as f:
        f["d"] = DATASET
        for name in ("d", "d/x"):
            with pytest.raises(ValueError) as caught:
                f[name] = 1
            again = pickle.loads(pickle.dumps(caught.value))
            assert (type(again), str(again)) == (type(caught.value), str(caught.value))


def test_a_file_open_for_reading_says_so_before_it_looks_at_values(lib, path):
    with lib.File(path, "w") as f:
        f["x"] = 1
    no_text = b"a\0b"
    with lib.File(path, "r") as f:
        for call in (
            lambda: f.attrs.__setitem__("new", no_text),
            lambda: f.attrs.create("new", no_text),
            lambda: f.attrs.modify("new", no_text),
        ):
            with pytest.raises(OSError):
                call()
        with pytest.raises(ValueError, match=r"no write intent|for reading only"):
            f.create_dataset("new", data=no_text)


def test_a_name_that_is_taken_has_the_words_of_h5py(lib, file):
    """Libraries look for these words."""
    file["a/b"] = 1
    for call in (
        lambda: file.create_group("a"),
        lambda: file.create_dataset("a/b", (2,), "i4"),
        lambda: file.__setitem__("a/b", lib.SoftLink("/")),
    ):
        with pytest.raises((OSError, ValueError), match="name already exists"):
            call()
