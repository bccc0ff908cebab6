"""Onecast in h5py's place, for libraries that import h5py."""

from __future__ import annotations

import os
import sys
import types
from typing import Any

from . import filters, low, version
from ._attributes import AttributeManager
from ._config import get_config
from ._dataset import Dataset
from ._dataset_info import VDSmap
from ._datatype import Datatype
from ._dims import DimensionManager, DimensionProxy
from ._dtypes import Empty
from ._file import File
from ._file_words import LIBVER_NAMES, register_driver, registered_drivers, unregister_driver
from ._group import Group
from ._links import ExternalLink, HardLink, SoftLink
from ._lock import phil
from ._new_values import find_item_type, guess_dtype
from ._objects import HLObject
from ._opening import is_hdf5
from ._selection import MultiBlockSlice
from ._views import AsStrView, AsTypeView, FastReader
from ._virtual import VirtualLayout, VirtualSource
from ._warnings import H5pyDeprecationWarning, H5pyWarning
from .low import selections
from .low._identifiers import ObjectID, with_phil


def install_as_h5py() -> None:
    """Makes `import h5py` find Onecast in this process, also in libraries that are imported later.
    Call it before anything imports h5py; otherwise it raises RuntimeError.

    The version becomes h5py's, and so do h5py's defaults: groups list their members by name unless
    `track_order` says otherwise, no dataset is compact unless `compact_limit` of File says so,
    UTF-8 strings of fixed length in attributes are bytes, arrays of numpy's U are refused,
    `filename` of a file object is its repr, and `check_vlen_dtype` knows strings. @independent"""
    there = sys.modules.get("h5py")
    if there is not None and not hasattr(there, "_is_onecast"):
        raise RuntimeError("install_as_h5py: h5py is imported already")
    if there is not None:
        return
    get_config().track_order = False
    get_config()._as_h5py = True
    onecast = sys.modules[__package__]
    names = {name: getattr(onecast, name) for name in onecast.__all__}
    given = names | {"__version__": version.version, "_is_onecast": True, "run_tests": _run_tests}
    package = _module("h5py", onecast.__doc__, given)
    package.__path__ = []
    for module in (*low.MODULES, filters, version):
        name = module.__name__.rpartition(".")[2]
        setattr(package, name, module)
        sys.modules[f"h5py.{name}"] = module
        _rename(module.__dict__, module.__name__, f"h5py.{name}")
    for name, contents in _inner_modules().items():
        _rename(contents, "onecast.", _add("h5py", name, contents).__name__)
    _add_filters("h5py")


def add_modules() -> None:
    """Adds modules for programs with `import onecast as h5py`: `import onecast.h5d`,
    `onecast._hl.base`."""
    for module in low.MODULES:
        name = module.__name__.rpartition(".")[2]
        sys.modules[f"{__package__}.{name}"] = module
    for name, contents in _inner_modules().items():
        if name.partition(".")[0] == "_hl":  # all others are names of Onecast's own modules
            _add(__package__, name, contents)
    _add_filters(__package__)


def _add(package: str, name: str, contents: dict[str, Any]) -> types.ModuleType:
    made = _module(f"{package}.{name}", None, contents)
    parent, _, last = made.__name__.rpartition(".")
    setattr(sys.modules[parent], last, made)
    return made


def _add_filters(package: str) -> None:
    inner: Any = sys.modules[f"{package}._hl"]
    inner.__path__ = []
    sys.modules[f"{package}._hl.filters"] = inner.filters = filters


def _rename(contents: dict[str, Any], prefix: str, name: str) -> None:
    """Sets `__module__` of classes, which libraries look up in objects."""
    for thing in contents.values():
        if isinstance(thing, type) and thing.__module__.startswith(prefix):
            thing.__module__ = name


def _module(name: str, doc: str | None, contents: dict[str, Any]) -> types.ModuleType:
    module = types.ModuleType(name, doc)
    module.__dict__.update(
        {n: v for n, v in contents.items() if not n.startswith("__") or n == "__version__"}
    )
    sys.modules[name] = module
    return module


def _inner_modules() -> dict[str, dict[str, Any]]:
    """Returns what libraries take from h5py's own modules. Each parent stands before its
    children."""
    # h5py's high-level modules import these, and libraries take them from there.
    lower = {module.__name__.rpartition(".")[2]: module for module in low.MODULES}
    found = _inner_names()
    high = {name: lower | names for name, names in found.items() if name.startswith("_hl.")}
    return found | high


def _inner_names() -> dict[str, dict[str, Any]]:
    return {
        "_hl": {},
        "_hl.base": {
            "Empty": Empty,
            "HLObject": HLObject,
            "default_lapl": _nothing,
            "default_lcpl": _default_lcpl,
            "find_item_type": find_item_type,
            "guess_dtype": guess_dtype,
            "is_empty_dataspace": _is_empty_dataspace,
            "is_hdf5": is_hdf5,
            "phil": phil,
            "product": _product,
            "with_phil": with_phil,
        },
        "_hl.files": {
            "File": File,
            "_drivers": _DRIVERS,
            "direct_vfd": False,
            "libver_dict": {name: number for number, name in enumerate(LIBVER_NAMES)},
            "make_fapl": _make_fapl,
            "make_fid": _make_fid,
            "mpi": get_config().mpi,
            "register_driver": register_driver,
            "registered_drivers": registered_drivers,
            "ros3": False,
            "unregister_driver": unregister_driver,
        },
        "_hl.group": {
            "ExternalLink": ExternalLink,
            "Group": Group,
            "HardLink": HardLink,
            "SoftLink": SoftLink,
        },
        "_hl.dataset": {
            "AsStrView": AsStrView,
            "AsTypeView": AsTypeView,
            "Dataset": Dataset,
            "VDSmap": VDSmap,
            "_LEGACY_GZIP_COMPRESSION_VALS": frozenset(range(10)),
        },
        "_hl.selections": vars(selections),
        "_hl.selections2": vars(selections),
        "_hl.attrs": {"AttributeManager": AttributeManager},
        "_hl.datatype": {"Datatype": Datatype},
        "_hl.dims": {"DimensionManager": DimensionManager, "DimensionProxy": DimensionProxy},
        "_hl.vds": {
            "VDSmap": VDSmap,
            "VirtualLayout": VirtualLayout,
            "VirtualSource": VirtualSource,
            "vds_support": True,
        },
        "_hl.compat": {"filename_encode": _filename_encode, "filename_decode": _filename_decode},
        "_objects": {"ObjectID": ObjectID, "phil": phil, "with_phil": with_phil},
        "_selector": {
            "MultiBlockSlice": MultiBlockSlice,
            "Reader": FastReader,
            "Selector": selections.Selector,
        },
        "_errors": {"silence_errors": _nothing, "unsilence_errors": _nothing},
        "defs": {},  # h5py's defs have names for C only
        "utils": {},
        "ipy_completer": {"load_ipython_extension": _no_extension},
        "h5py_warnings": {
            "H5pyDeprecationWarning": H5pyDeprecationWarning,
            "H5pyWarning": H5pyWarning,
        },
    }


_DRIVERS: dict[str, Any] = {
    "sec2": lambda plist, **_: plist.set_fapl_sec2(),
    "stdio": lambda plist, **_: plist.set_fapl_stdio(),
    "core": lambda plist, **given: plist.set_fapl_core(**given),
    "fileobj": lambda plist, **given: plist.set_fileobj_driver(given.get("fileobj")),
    "mpio": lambda plist, **given: plist.set_fapl_mpio(**given),
}


def _make_fapl(driver: str | None, libver: Any = None, *cache: Any, **others: Any) -> Any:
    plist = low.h5p.create(low.h5p.FILE_ACCESS)
    if driver is not None:
        _DRIVERS[driver](plist)
    return plist


def _make_fid(
    name: bytes,
    mode: str,
    userblock_size: int | None,
    fapl: Any,
    fcpl: Any = None,
    swmr: bool = False,
) -> Any:
    h5f = low.h5f
    if userblock_size is not None:
        if mode in ("r", "r+"):
            raise ValueError("User block may only be specified when creating a file")
        fcpl = low.h5p.create(low.h5p.FILE_CREATE) if fcpl is None else fcpl
        fcpl.set_userblock(int(userblock_size))
    match mode:
        case "r":
            return h5f.open(name, h5f.ACC_RDONLY | (h5f.ACC_SWMR_READ if swmr else 0), fapl)
        case "r+":
            return h5f.open(name, h5f.ACC_RDWR, fapl)
        case "w":
            return h5f.create(name, h5f.ACC_TRUNC, fcpl, fapl)
        case "w-" | "x":
            return h5f.create(name, h5f.ACC_EXCL, fcpl, fapl)
        case "a":
            try:
                return h5f.open(name, h5f.ACC_RDWR, fapl)
            except FileNotFoundError:
                return h5f.create(name, h5f.ACC_EXCL, fcpl, fapl)
    raise ValueError("Invalid mode; must be one of r, r+, w, w-, x, a")


def _default_lcpl() -> Any:
    plist = low.h5p.create(low.h5p.LINK_CREATE)
    plist.set_create_intermediate_group(True)
    return plist


def _is_empty_dataspace(identifier: Any) -> bool:
    return identifier.get_space().get_simple_extent_type() == low.h5s.NULL


def _product(numbers: Any) -> int:
    result = 1
    for number in numbers:
        result *= int(number)
    return result


def _filename_encode(name: Any) -> bytes:
    return os.fsencode(name)


def _filename_decode(name: Any) -> str:
    return os.fsdecode(name)


def _nothing() -> None:
    """Does nothing: there is no list to return and nothing to silence, as errors are exceptions."""


def _no_extension(ip: Any = None) -> None:
    """Does nothing, since IPython completes names by itself."""


def _run_tests(args: str = "") -> int:
    raise NotImplementedError("run_tests: h5py's tests come with h5py")


def enable_ipython_completer() -> None:
    """Does nothing: IPython completes names of members and attributes by itself. @independent"""
