"""The common part of the tests of events"""

import awkward as ak
import h5py
import pytest

from onecast import events


def read_plainly(path, columns=None, name="Events"):
    """Reads with h5py and awkward alone, as docs/reference/events_columnar.md describes."""
    pytest.importorskip("hdf5plugin")
    with h5py.File(path) as file:
        group = file[name]
        form = ak.forms.from_json(group.attrs["form"])
        if columns is not None:
            form = form.select_columns(columns)
        arrays = {key: group[key][...] for key in form.expected_from_buffers()}
        return ak.from_buffers(form, int(group.attrs["length"]), arrays)


@pytest.fixture
def plainly():
    return read_plainly


def makers(target, source):
    """Returns the calls that make a file at `target`. `source` is a file of events."""
    return (
        lambda: events.create(target),
        lambda: events.write(target, {"x": [1]}),
        lambda: events.convert(source, target),
    )


@pytest.fixture
def calls_that_make():
    return makers


@pytest.fixture
def nano(corpus):
    pytest.importorskip("uproot")
    return corpus / "hep" / "nanoAOD_2015_CMS_Open_Data_ttbar.root"
