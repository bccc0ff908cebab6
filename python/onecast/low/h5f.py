"""Files."""

from __future__ import annotations

import io
from typing import Any

from .. import _core, _opening
from .._file import File
from .._file_words import LIBVER_NAMES
from .._opened import open_objects
from ._file_lists import CacheConfig, PropFAID, PropFCID
from ._identifiers import absent, raw, text
from .h5g import GroupID

ACC_RDONLY, ACC_RDWR, ACC_TRUNC, ACC_EXCL = 0, 1, 2, 4
ACC_SWMR_WRITE, ACC_SWMR_READ = 32, 64
SCOPE_LOCAL, SCOPE_GLOBAL = 0, 1
CLOSE_DEFAULT, CLOSE_WEAK, CLOSE_SEMI, CLOSE_STRONG = 0, 1, 2, 3
OBJ_FILE, OBJ_DATASET, OBJ_GROUP, OBJ_DATATYPE, OBJ_ATTR = 1, 2, 4, 8, 16
OBJ_ALL, OBJ_LOCAL = 31, 32
UNLIMITED = 2**64 - 1
LIBVER_EARLIEST, LIBVER_V18, LIBVER_V110, LIBVER_V112, LIBVER_V114, LIBVER_V200 = range(6)
LIBVER_LATEST = LIBVER_V200
FSPACE_STRATEGY_FSM_AGGR, FSPACE_STRATEGY_PAGE, FSPACE_STRATEGY_AGGR, FSPACE_STRATEGY_NONE = range(
    4
)
FILE_IMAGE_OPEN_RW = 1


class FileID(GroupID):
    """An open file and its root group."""

    @property
    def name(self) -> bytes:
        return raw(self._hl.filename)

    def close(self) -> None:
        """Closes the file. @collective if it is open for writing"""
        self._held.close()

    _close = _close_file = close

    def get_intent(self) -> int:
        return ACC_RDWR if self._hl.mode == "r+" else ACC_RDONLY

    def get_filesize(self) -> int:
        """Returns the size in bytes at the last flush."""
        return self._hl._core_file.metadata_report().file_size

    def get_freespace(self) -> int:
        """Returns the bytes of free space that the page list knows."""
        return self._hl._core_file.metadata_report().free_bytes

    def get_file_image(self) -> bytes:
        """Flushes the file and returns its bytes. @collective"""
        return self._hl._image()

    def get_create_plist(self) -> PropFCID:
        held = self._hl
        words = held._words
        strategy = 1 if words.get("fs_strategy") == "page" else 0
        known = (strategy, bool(words.get("fs_persist")), words.get("fs_threshold") or 1)
        root = held._object
        return PropFCID(
            userblock=held.userblock_size,
            link_creation_order=3 if root.tracks_links else 0,
            attr_creation_order=3 if root.tracks_attributes else 0,
            obj_track_times=root.tracks_times,
            file_space_strategy=known,
            file_space_page_size=held._core_file.metadata_report().page_size,
        )

    def get_access_plist(self) -> PropFAID:
        held = self._hl
        words = held._words
        bounds = tuple(LIBVER_NAMES.index(name) for name in held.libver)
        locking = {False: (0, 0), "off": (0, 0), "best-effort": (1, 1), "best_effort": (1, 1)}
        slots, size, w0 = (words.get(f"rdcc_{n}") for n in ("nslots", "nbytes", "w0"))
        cache = PropFAID().get_cache()
        given = (0, slots or cache[1], size or cache[2], cache[3] if w0 is None else w0)
        return PropFAID(
            driver=held.driver,
            libver_bounds=bounds,
            cache=given,
            alignment=(
                words.get("alignment_threshold") or 1,
                words.get("alignment_interval") or 1,
            ),
            file_locking=locking.get(words.get("locking"), (1, 0)),
            meta_block_size=held.meta_block_size,
            page_buffer_size=_page_buffer(held),
        )

    def get_vfd_handle(self, fapl: Any = None) -> int:
        raise absent_of_file("get_vfd_handle", "open the file with os.open")

    def get_mdc_config(self) -> CacheConfig:
        """Returns an empty configuration: Onecast has no such cache."""
        return CacheConfig()

    def set_mdc_config(self, config: CacheConfig) -> None:
        """Does nothing: Onecast has no such cache."""

    def get_mdc_hit_rate(self) -> float:
        return 0.0

    def reset_mdc_hit_rate_stats(self) -> None:
        """Does nothing: Onecast has no such cache."""

    def get_mdc_size(self) -> tuple[int, int, int, int]:
        """Returns the memory of metadata: (highest, clean minimum, now) in bytes, and objects."""
        report = self._hl._core_file.metadata_report()
        return (report.most_memory_bytes, 0, report.memory_bytes, report.objects_in_memory)

    def start_swmr_write(self) -> None:
        self._hl.swmr_mode = True


def _page_buffer(held: Any) -> tuple[int, int, int]:
    """Returns the page buffer's size as requested, in whole pages; 0 for a file without pages."""
    words = held._words
    size = words.get("page_buf_size") or 0
    if held.profile != "latest" or not size:
        return (0, 0, 0)
    page = held._core_file.metadata_report().page_size
    whole = max(size - size % page, page) if page else size
    return (whole, words.get("min_meta_keep", 0), words.get("min_raw_keep", 0))


def absent_of_file(name: str, alternative: str) -> _core.UnsupportedError:
    return _core.UnsupportedError(f"FileID.{name} is not supported: {alternative}")


def _target(name: bytes, words: dict[str, Any], fapl: PropFAID | None) -> Any:
    if fapl is not None and words.get("driver") == "fileobj":
        return fapl.get_fileobj()
    return text(name)


def open(name: bytes, flags: int = ACC_RDWR, fapl: PropFAID | None = None) -> FileID:
    """Opens a file. @collective with driver "mpio" """
    words = {} if fapl is None else fapl._words()
    mode = "r+" if flags & ACC_RDWR else "r"
    image = None if fapl is None else fapl.get_file_image()
    if image is not None:
        return open_file_image(image, flags & ACC_RDWR)
    return File(_target(name, words, fapl), mode, **words).id


def create(
    name: bytes, flags: int = ACC_TRUNC, fcpl: PropFCID | None = None, fapl: PropFAID | None = None
) -> FileID:
    """Creates a file. @collective with driver "mpio" """
    words = {} if fapl is None else fapl._words()
    words |= {} if fcpl is None else fcpl._words()
    return File(_target(name, words, fapl), "x" if flags & ACC_EXCL else "w", **words).id


def open_file_image(image: bytes, flags: int = 0) -> FileID:
    """Opens these bytes as a file in memory."""
    return File(io.BytesIO(bytes(image)), "r+" if flags & FILE_IMAGE_OPEN_RW else "r").id


def flush(obj: Any, scope: int = SCOPE_LOCAL) -> None:
    """Flushes the file of `obj`. @collective"""
    obj._hl.file.flush()


def is_hdf5(name: bytes) -> bool:
    return bool(_opening.is_hdf5(name))


def get_name(obj: Any) -> bytes:
    return raw(obj._hl.file.filename)


def get_obj_count(where: Any = OBJ_ALL, types: int = OBJ_ALL) -> int:
    """Returns the number of open objects of the high level."""
    return len(_open(where, types))


def get_obj_ids(where: Any = OBJ_ALL, types: int = OBJ_ALL) -> list[Any]:
    return [held.id for held in _open(where, types)]


def _open(where: Any, types: int) -> list[Any]:
    kinds = {"File": OBJ_FILE, "Dataset": OBJ_DATASET, "Group": OBJ_GROUP, "Datatype": OBJ_DATATYPE}
    found = [held for held in open_objects() if types & kinds.get(type(held).__name__, 0)]
    if isinstance(where, int):
        return found
    return [held for held in found if held.file == where._hl.file]


__getattr__ = absent(
    __name__, {"mount": "an external link", "unmount": "an external link", "reopen": "File"}
)
