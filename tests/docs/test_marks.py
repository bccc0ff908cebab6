"""Every public call says which ranks make it: @collective, @replicated or @independent."""

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
from call_marks import calls, marks
from doc_pages import ROOT

HEADERS = sorted((ROOT / "include" / "onecast").rglob("*.h*"))


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_headers(header):
    found = list(calls(header.read_text(), is_c=header.suffix == ".h"))
    assert [name for name, marked in found if not marked] == []


def test_calls_are_found():
    found = [name for header in HEADERS for name, _ in calls(header.read_text(), False)]
    assert {"File::flush", "Dataset::read_all", "allocate_chunks"} <= set(found)
    assert "onecast_dataset_read_all" in [
        name for header in HEADERS for name, _ in calls(header.read_text(), True)
    ]


def test_call_without_a_mark():
    header = """
/// A class. Its functions are @independent.
class Thing {
 public:
  /// Is marked. @collective
  void first();
  void like_the_first();
  /// Is marked with the class.
  int second() const { return 2; }

 private:
  void hidden();
};

/// Is not marked.
void alone(int a,
           int b = f());
"""
    assert list(calls(header, is_c=False)) == [
        ("Thing::first", {"collective"}),
        ("Thing::like_the_first", {"collective"}),
        ("Thing::second", {"independent"}),
        ("alone", set()),
    ]


def named(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        module, _, last = name.rpartition(".")
        return getattr(named(module), last)


def described() -> Iterator[tuple[str, Any]]:
    """Yields the classes and functions that the reference of Python describes."""
    page = (ROOT / "docs" / "reference" / "python.md").read_text()
    for name in re.findall(r"^::: (\S+)", page, re.MULTILINE):
        found = named(name)
        if not inspect.ismodule(found):
            yield name, found
            continue
        for member in getattr(found, "__all__", None) or vars(found):
            value = getattr(found, member)
            if not member.startswith("_") and getattr(value, "__module__", "") == name:
                yield f"{name}.{member}", value


def is_own(found: type, member: str) -> bool:
    """True unless the class inherits the member from another package."""
    maker = next(base for base in found.__mro__ if member in vars(base))
    return maker.__module__.startswith("onecast")


def unmarked(name: str, found: Any) -> Iterator[str]:
    """Yields the described calls that have no mark. A call of a class may have that of the
    class."""
    if not inspect.isclass(found):
        if callable(found) and not marks(found.__doc__ or ""):
            yield name
        return
    for member in dir(found):
        if member.startswith("_") or not is_own(found, member):
            continue
        value = inspect.getattr_static(found, member)
        text = inspect.getdoc(value)
        if not text or not callable(getattr(value, "fget", value)):
            continue
        if not marks(text) and len(marks(found.__doc__ or "")) != 1:
            yield f"{name}.{member}"


def test_python():
    pytest.importorskip("onecast.cgns", reason="built without CGNS", exc_type=ImportError)
    assert [call for name, found in described() for call in unmarked(name, found)] == []
