"""Lets the checkout's package `onecast` find its compiled module in the build tree.

Loaded at start by .venv (see tools/setup.sh). ONECAST_BUILD_DIR, as set by tools/env.sh, names
the build tree; without it the default one is taken.
"""

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULE = "onecast._core"


class CoreFinder:
    """Finds `onecast._core` in BUILD/python/onecast, and nothing else."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != MODULE:
            return None
        build = Path(os.environ.get("ONECAST_BUILD_DIR") or ROOT / "build" / "release-openmpi")
        for suffix in importlib.machinery.EXTENSION_SUFFIXES:
            file = build / "python" / "onecast" / f"_core{suffix}"
            if file.exists():
                return importlib.util.spec_from_file_location(name, file)
        return None


sys.meta_path.append(CoreFinder)
