"""h5py's low-level interface, as far as libraries use it: thin classes over the package's own.

An identifier stands for an object of the high level. A name of h5py that is missing here raises
UnsupportedError, which says what to use instead.
"""

from .._attributes import AttributeManager
from .._dataset import Dataset
from .._datatype import Datatype
from .._file import File
from .._group import Group
from .._identifiers import set_makers
from . import h5, h5a, h5ac, h5d, h5ds, h5f, h5fd, h5g, h5i, h5l, h5o, h5p, h5pl, h5r, h5s, h5t, h5z

MODULES = (h5, h5a, h5ac, h5d, h5ds, h5f, h5fd, h5g, h5i, h5l, h5o, h5p, h5pl, h5r, h5s, h5t, h5z)


def _type_of(held: Datatype) -> h5t.TypeID:
    committed = held._handle is not None
    return h5t.type_id(held.datatype, held if committed else None)


set_makers(
    {
        File: h5f.FileID,
        Group: h5g.GroupID,
        Dataset: h5d.DatasetID,
        Datatype: _type_of,
        AttributeManager: h5a.AttrID,
    }
)
