"""Lets the checkout's package `onecast` find its compiled modules in the build tree.

Loaded at start by .venv (see tools/setup.sh). ONECAST_BUILD_DIR, as set by tools/env.sh, names
the build tree; without it the default one is taken.
"""

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("onecast._core", "onecast._cgns", "onecast._events")


class CoreFinder:
    """Finds these modules in BUILD/python/onecast, and no others."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in MODULES:
            return None
        build = Path(os.environ.get("ONECAST_BUILD_DIR") or ROOT / "build" / "release-openmpi")
        for suffix in importlib.machinery.EXTENSION_SUFFIXES:
            file = build / "python" / "onecast" / f"{name.rpartition('.')[2]}{suffix}"
            if file.exists():
                return importlib.util.spec_from_file_location(name, file)
        return None


sys.meta_path.append(CoreFinder)
