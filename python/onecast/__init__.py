"""HDF5 for MPI with the interface of h5py. Metadata costs one read, one broadcast, one write.

>>> import onecast
>>> with onecast.File("mesh.h5", "w") as f:
...     zone = f.create_group("base/zone 1")
...     zone.attrs["cells"] = 3
...     zone["x"] = [0.0, 0.5, 1.0]
>>> with onecast.File("mesh.h5") as f:
...     f["base/zone 1/x"][1:]
array([0.5, 1. ])

Every function is *collective* (all ranks of the file's communicator call it, in one order),
*replicated* (all ranks call it with equal arguments; it sends no message, and the next collective
call compares) or *independent* (any rank may call it at any time; it does not communicate). Its
docstring says which.
"""

from importlib import import_module
from types import ModuleType

from . import filters, low, version
from ._as_h5py import add_modules, enable_ipython_completer, install_as_h5py
from ._asarray import asarray
from ._attributes import AttributeManager
from ._config import get_config
from ._core import (
    DivergedError,
    FormatError,
    IoStats,
    MetadataReport,
    NameTakenError,
    Reference,
    RegionReference,
    StateError,
    StoredType,
    UnsupportedError,
    __version__,
    have_mpi,
)
from ._dataset import Dataset
from ._datatype import Datatype
from ._dtypes import (
    Empty,
    check_complex_dtype,
    check_dtype,
    check_enum_dtype,
    check_opaque_dtype,
    check_ref_dtype,
    check_string_dtype,
    check_vlen_dtype,
    complex_compat_dtype,
    enum_dtype,
    opaque_dtype,
    ref_dtype,
    regionref_dtype,
    revised_ref_dtype,
    special_dtype,
    string_dtype,
    string_info,
    vlen_dtype,
)
from ._file import File
from ._file_options import FILE_OPTIONS, FileOption, FileOptions
from ._file_words import register_driver, registered_drivers, unregister_driver
from ._filters import (
    FilterParameter,
    KnownFilter,
    known_filters,
    load_filter_plugins,
    register_filter,
    unregister_filter,
)
from ._group import Group
from ._links import ExternalLink, HardLink, SoftLink, UserDefinedLink
from ._objects import HLObject
from ._opening import is_hdf5
from ._pending import Pending
from ._recover import adopt, recover
from ._repack import StorageChange, repack
from ._selection import MultiBlockSlice
from ._stored_chunks import read_stored_chunks
from ._virtual import UNLIMITED, VirtualLayout, VirtualSource
from ._warnings import UnclosedFileWarning
from .inspect import check
from .low import (
    h5,
    h5a,
    h5ac,
    h5d,
    h5ds,
    h5f,
    h5fd,
    h5g,
    h5i,
    h5l,
    h5o,
    h5p,
    h5pl,
    h5r,
    h5s,
    h5t,
    h5z,
)

__all__ = [
    "FILE_OPTIONS",
    "UNLIMITED",
    "AttributeManager",
    "Dataset",
    "Datatype",
    "DivergedError",
    "Empty",
    "ExternalLink",
    "File",
    "FileOption",
    "FileOptions",
    "FilterParameter",
    "FormatError",
    "Group",
    "HLObject",
    "HardLink",
    "IoStats",
    "KnownFilter",
    "MetadataReport",
    "MultiBlockSlice",
    "NameTakenError",
    "Pending",
    "Reference",
    "RegionReference",
    "SoftLink",
    "StateError",
    "StorageChange",
    "StoredType",
    "UnclosedFileWarning",
    "UnsupportedError",
    "UserDefinedLink",
    "VirtualLayout",
    "VirtualSource",
    "__version__",
    "adopt",
    "asarray",
    "check",
    "check_complex_dtype",
    "check_dtype",
    "check_enum_dtype",
    "check_opaque_dtype",
    "check_ref_dtype",
    "check_string_dtype",
    "check_vlen_dtype",
    "complex_compat_dtype",
    "enable_ipython_completer",
    "enum_dtype",
    "filters",
    "get_config",
    "h5",
    "h5a",
    "h5ac",
    "h5d",
    "h5ds",
    "h5f",
    "h5fd",
    "h5g",
    "h5i",
    "h5l",
    "h5o",
    "h5p",
    "h5pl",
    "h5r",
    "h5s",
    "h5t",
    "h5z",
    "have_mpi",
    "install_as_h5py",
    "is_hdf5",
    "known_filters",
    "load_filter_plugins",
    "low",
    "opaque_dtype",
    "read_stored_chunks",
    "recover",
    "ref_dtype",
    "regionref_dtype",
    "register_driver",
    "register_filter",
    "registered_drivers",
    "repack",
    "revised_ref_dtype",
    "special_dtype",
    "string_dtype",
    "string_info",
    "unregister_driver",
    "unregister_filter",
    "version",
    "vlen_dtype",
]

add_modules()
del add_modules

_IMPORTED_LATER = ("cgns", "events")


def __getattr__(name: str) -> ModuleType:
    """`onecast.events` is imported when it is first used."""
    if name not in _IMPORTED_LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
