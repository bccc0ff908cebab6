"""Packages that only some calls need."""

from __future__ import annotations

import importlib
from types import ModuleType

NEEDED_FOR = {
    "awkward": "arrays of lists, records, strings and options",
    "uproot": "reading ROOT files",
}


def require(name: str) -> ModuleType:
    """Imports a package. Raises ImportError that says what the package is for."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(
            f"{NEEDED_FOR[name]} needs the package {name}: pip install onecast[events]"
        ) from None
