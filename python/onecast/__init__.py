"""HDF5 for MPI with the interface of h5py. Metadata costs one read, one broadcast, one write.

>>> import onecast
>>> with onecast.File("mesh.h5", "w") as f:
...     zone = f.create_group("base/zone 1")
...     zone.attrs["cells"] = 3
...     zone["x"] = [0.0, 0.5, 1.0]
>>> with onecast.File("mesh.h5") as f:
...     f["base/zone 1/x"][1:]
array([0.5, 1. ])

Every function is *collective* (all ranks of the file's communicator call it, in one order) or
*independent* (any rank may call it at any time; it does not communicate). Its docstring says which.
"""

from ._attributes import AttributeManager
from ._core import (
    DivergedError,
    FormatError,
    IoStats,
    MetadataReport,
    Reference,
    RegionReference,
    StoredType,
    UnsupportedError,
    __version__,
    have_mpi,
)
from ._dataset import Dataset
from ._datatype import Datatype
from ._dtypes import (
    Empty,
    check_enum_dtype,
    check_opaque_dtype,
    check_ref_dtype,
    check_string_dtype,
    check_vlen_dtype,
    enum_dtype,
    opaque_dtype,
    ref_dtype,
    regionref_dtype,
    revised_ref_dtype,
    string_dtype,
    string_info,
    vlen_dtype,
)
from ._file import File, UnclosedFileWarning, adopt, recover
from ._file_options import FILE_OPTIONS, FileOption, FileOptions
from ._filters import (
    FilterParameter,
    KnownFilter,
    known_filters,
    register_filter,
    unregister_filter,
)
from ._group import Group
from ._links import ExternalLink, HardLink, SoftLink, UserDefinedLink
from ._pending import Pending
from ._repack import StorageChange, repack
from ._selection import MultiBlockSlice
from ._virtual import UNLIMITED, VirtualLayout, VirtualSource
from .inspect import check

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
    "HardLink",
    "IoStats",
    "KnownFilter",
    "MetadataReport",
    "MultiBlockSlice",
    "Pending",
    "Reference",
    "RegionReference",
    "SoftLink",
    "StorageChange",
    "StoredType",
    "UnclosedFileWarning",
    "UnsupportedError",
    "UserDefinedLink",
    "VirtualLayout",
    "VirtualSource",
    "__version__",
    "adopt",
    "check",
    "check_enum_dtype",
    "check_opaque_dtype",
    "check_ref_dtype",
    "check_string_dtype",
    "check_vlen_dtype",
    "enum_dtype",
    "have_mpi",
    "known_filters",
    "opaque_dtype",
    "recover",
    "ref_dtype",
    "regionref_dtype",
    "register_filter",
    "repack",
    "revised_ref_dtype",
    "string_dtype",
    "string_info",
    "unregister_filter",
    "vlen_dtype",
]
