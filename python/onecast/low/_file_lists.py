"""Property lists for creating and opening files."""

from __future__ import annotations

from typing import Any, ClassVar

from .._file_words import LIBVER_NAMES, set_access_list
from ._property_lists import PropList, PropOCID

_STRATEGIES = ("fsm", "page", "aggregate", "none")


class PropFCID(PropOCID):
    """File creation properties."""

    defaults: ClassVar = {
        "userblock": 0,
        "link_creation_order": 0,
        "file_space_strategy": (0, False, 1),
        "file_space_page_size": 4096,
        "sizes": (8, 8),
        "sym_k": (16, 4),
        "istore_k": 32,
    }

    def _words(self) -> dict[str, Any]:
        """Returns the properties as keyword arguments of File."""
        given: dict[str, Any] = {}
        if "userblock" in self._values:
            given["userblock_size"] = self._values["userblock"]
        if "link_creation_order" in self._values:
            given["track_order"] = bool(self._values["link_creation_order"])
        if "obj_track_times" in self._values:
            given["track_times"] = self._values["obj_track_times"]
        if "file_space_strategy" in self._values:
            strategy, persist, threshold = self._values["file_space_strategy"]
            given["fs_strategy"] = _STRATEGIES[strategy]
            given |= {"fs_persist": persist, "fs_threshold": threshold}
        if "file_space_page_size" in self._values:
            given["fs_page_size"] = self._values["file_space_page_size"]
        return given


class PropFAID(PropList):
    """File access properties."""

    defaults: ClassVar = {
        "driver": "sec2",
        "libver_bounds": (0, 5),
        "cache": (0, 8191, 8 << 20, 0.75),
        "alignment": (1, 1),
        "file_locking": (1, 1),
        "meta_block_size": 2048,
        "page_buffer_size": (0, 0, 0),
        "fclose_degree": 3,
        "sieve_buf_size": 65536,
        "evict_on_close": False,
        "fapl_core": (1 << 16, 1),
        "fapl_mpio": (None, None),
        "all_coll_metadata_ops": False,
        "coll_metadata_write": False,
        "mdc_config": None,
        "file_image": None,
        "fileobj": None,
    }

    def get_mdc_config(self) -> Any:
        """Returns an empty configuration: Onecast has no metadata cache to configure."""
        return self._get("mdc_config") or CacheConfig()

    def set_fapl_sec2(self) -> None:
        self._values["driver"] = "sec2"

    def set_fapl_stdio(self) -> None:
        self._values["driver"] = "stdio"

    def set_fapl_core(self, block_size: int = 1 << 16, backing_store: Any = 1) -> None:
        self._values |= {"driver": "core", "fapl_core": (block_size, backing_store)}

    def set_fapl_mpio(self, comm: Any, info: Any = None) -> None:
        self._values |= {"driver": "mpio", "fapl_mpio": (comm, info)}

    def set_fileobj_driver(self, driver: Any, fileobj: Any = None) -> None:
        self._values |= {"driver": "fileobj", "fileobj": driver if fileobj is None else fileobj}

    def _words(self) -> dict[str, Any]:
        """Returns the properties as keyword arguments of File."""
        given: dict[str, Any] = {}
        driver = self._get("driver")
        if "driver" in self._values:
            given["driver"] = driver
        if driver == "core":
            block, store = self._get("fapl_core")
            given |= {"block_size": block, "backing_store": bool(store)}
        if driver == "mpio":
            given |= dict(zip(("comm", "info"), self._get("fapl_mpio"), strict=True))
        if "libver_bounds" in self._values:
            given["libver"] = tuple(LIBVER_NAMES[b] for b in self._values["libver_bounds"])
        if "cache" in self._values:
            _, slots, size, w0 = self._values["cache"]
            given |= {"rdcc_nslots": slots, "rdcc_nbytes": size, "rdcc_w0": w0}
        if "alignment" in self._values:
            threshold, interval = self._values["alignment"]
            given |= {"alignment_threshold": threshold, "alignment_interval": interval}
        if "file_locking" in self._values:
            on, if_possible = self._values["file_locking"]
            given["locking"] = ("best-effort" if if_possible else True) if on else False
        return given


class CacheConfig:
    """The configuration of h5py's metadata cache. Onecast has no such cache."""


set_access_list(PropFAID)
