"""The lock that programs written for h5py hold."""

from __future__ import annotations

import os
import threading

from . import _core


class Phil:
    """h5py's lock, with its name. It is reentrant, and free in a forked process. It guards nothing
    here, since Onecast has its own locks; programs hold it around several calls."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._lock.acquire,
                after_in_parent=self._lock.release,
                after_in_child=self._lock.release,
            )

    def acquire(self, blocking: bool = True) -> bool:
        return self._lock.acquire(blocking)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> bool:
        return self._lock.__enter__()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


phil = Phil()

# A forked process has only the thread that forked, so data that other threads lock must be
# consistent.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_core.before_fork, after_in_parent=_core.after_fork_in_parent)
