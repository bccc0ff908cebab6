"""h5py's keywords of File and their meaning in Onecast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ._config import get_config
from ._core import UnsupportedError

LIBVER_NAMES = ("earliest", "v108", "v110", "v112", "v114", "v200")

# h5py's keywords for caches and free space, which Onecast manages by itself.
_WITHOUT_EFFECT = (
    "rdcc_nslots",
    "rdcc_w0",
    "fs_persist",
    "fs_threshold",
    "page_buf_size",
    "min_meta_keep",
    "min_raw_keep",
    "meta_block_size",
)
# h5py's arguments of File that follow `libver` and can be given by position.
_IN_ORDER = (
    "userblock_size",
    "swmr",
    "rdcc_nslots",
    "rdcc_nbytes",
    "rdcc_w0",
    "track_order",
    "fs_strategy",
    "fs_persist",
    "fs_threshold",
    "fs_page_size",
    "page_buf_size",
    "min_meta_keep",
    "min_raw_keep",
    "locking",
    "alignment_threshold",
    "alignment_interval",
    "meta_block_size",
)
_STRATEGIES = ("fsm", "page", "aggregate", "none")
_OF_NEW = ("userblock_size", "fs_strategy", "fs_page_size")

_OF_DRIVERS: dict[str, tuple[str, ...]] = {
    "sec2": (),
    "stdio": (),
    "core": ("block_size", "backing_store"),
    "fileobj": ("fileobj",),
    "mpio": ("comm", "info"),
}
_REFUSED = {
    "split": "metadata lies in pages of its own in one file",
    "family": "one file, which may be of any size",
    "direct": "the page cache of the system",
    "ros3": "a file object, as fsspec makes one: File(fsspec.open(url).open())",
}
_registered: dict[str, Callable[..., Any]] = {}


def register_driver(name: str, set_fapl: Callable[..., Any]) -> None:
    """Makes `driver=name` of File call set_fapl(plist, **keywords), which chooses one of the
    existing drivers with the methods of h5py's h5p.PropFAID. @independent"""
    _registered[name] = set_fapl


def unregister_driver(name: str) -> None:
    """Undoes register_driver. Raises KeyError if the driver is not registered. @independent"""
    del _registered[name]


def registered_drivers() -> frozenset[str]:
    """The names that `driver` of File may have. @independent"""
    return frozenset({*_OF_DRIVERS, *_registered})


def driver_of(driver: str | None, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the driver and its keywords, which are removed from the options. Raises ValueError
    for an unknown driver, UnsupportedError for a driver that Onecast does not have."""
    if driver in _registered:
        return _of_registered(driver, options)
    if driver in _REFUSED:
        raise UnsupportedError(f"driver {driver!r} is not supported: {_REFUSED[driver]}")
    name = "sec2" if driver is None else driver
    if name not in _OF_DRIVERS:
        raise ValueError(f"Unknown driver type {driver!r}")
    return name, {word: options.pop(word) for word in _OF_DRIVERS[name] if word in options}


def _of_registered(driver: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    plist = _new_access_list()
    _registered[driver](plist, **options)
    options.clear()
    options.update(plist._words())
    return driver_of(options.pop("driver", None), options)


_new_access_list: Callable[[], Any]  # set by the module that defines the lists


def set_access_list(make: Callable[[], Any]) -> None:
    global _new_access_list
    _new_access_list = make


def add_in_order(options: dict[str, Any], values: Sequence[Any]) -> None:
    """Adds options given by position. Raises TypeError as a call in Python does."""
    if len(values) > len(_IN_ORDER):
        most = 4 + len(_IN_ORDER)
        raise TypeError(f"File takes {most} arguments by position, {4 + len(values)} were given")
    for name, value in zip(_IN_ORDER, values, strict=False):
        if name in options:
            raise TypeError(f"File got multiple values for argument {name!r}")
        options[name] = value


def own_options(options: dict[str, Any], mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns (Onecast's options, h5py's keywords as given). Raises ValueError, OSError and
    UnsupportedError as File does."""
    own = dict(options)
    words = {name: own[name] for name in own}
    for name in _WITHOUT_EFFECT:
        own.pop(name, None)
    if own.pop("swmr", False):
        if mode == "r":
            own["follow"] = True
        else:
            words.pop("swmr")
    size = own.pop("rdcc_nbytes", None)
    if size is not None:
        own.setdefault("chunk_cache_bytes", size)
    _check_new(words, mode)
    own.pop("fs_strategy", None)
    page_size = own.pop("fs_page_size", None)
    if page_size is not None and mode not in ("r", "r+"):
        own.setdefault("page_size", page_size)
    if words.get("fs_strategy") == "page":  # HDF5 1.8 does not know this strategy
        own.setdefault("profile", "latest")
    if own.get("userblock_size", 0) is None:
        del own["userblock_size"]
    tracks = own.pop("track_order", None)
    tracks = get_config().track_order if tracks is None else tracks
    # An existing file keeps its own setting: the value is only checked.
    if tracks is not None and (mode not in ("r", "r+") or not isinstance(tracks, bool)):
        own["track_order"] = tracks
    if own.get("track_times") is None or mode in ("r", "r+"):
        own.pop("track_times", None)
    if get_config()._as_h5py and mode not in ("r", "r+"):
        own.setdefault("compact_limit", 0)
    for name in ("alignment_threshold", "alignment_interval"):
        if name in own and own[name] is None:
            del own[name]
    return own, words


def _check_new(words: dict[str, Any], mode: str) -> None:
    """Checks keywords that apply only to new files."""
    if mode in ("r", "r+"):
        for name in _OF_NEW:
            if words.get(name):
                raise ValueError(f"{name}: can be given for a new file only")
    strategy = words.get("fs_strategy")
    if strategy is not None and strategy not in _STRATEGIES:
        raise ValueError(
            f"fs_strategy: one of {', '.join(_STRATEGIES)} was expected, not {strategy!r}"
        )
    if words.get("page_buf_size") and mode not in ("r", "r+") and strategy != "page":
        raise OSError('page_buf_size: it needs fs_strategy="page"')
    size = words.get("userblock_size")
    if size is not None and not isinstance(size, int):
        raise ValueError(f"userblock_size: a number of bytes was expected, not {size!r}")


def check_existing(words: dict[str, Any], userblock_size: int) -> None:
    """Raises ValueError if the file existed, in mode "a", and its user block has another size."""
    size = words.get("userblock_size")
    if size is not None and size != userblock_size:
        raise ValueError(f"userblock_size: the file has one of {userblock_size} bytes, not {size}")
    if words.get("fs_strategy") is not None:
        raise ValueError("fs_strategy: can be given for a new file only")


def bounds_of(libver: Any) -> tuple[str, str]:
    """Returns the lowest and the highest version, like h5py's File.libver."""
    newest = LIBVER_NAMES[-1]
    low, high = libver if isinstance(libver, tuple) and len(libver) == 2 else (libver, newest)
    low, high = (newest if v == "latest" else v for v in (low or "earliest", high or newest))
    if low not in LIBVER_NAMES or high not in LIBVER_NAMES:
        raise ValueError(f"libver: a version as in h5py was expected, not {libver!r}")
    return low, high


def profile_of(libver: Any) -> str:
    return "compatible" if LIBVER_NAMES.index(bounds_of(libver)[0]) < 2 else "latest"
