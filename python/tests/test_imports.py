"""The modules of the package import each other in one direction."""

import ast
import graphlib
from pathlib import Path

import onecast

PACKAGE = Path(onecast.__file__).parent
COMPILED = (["_core"], ["_cgns"], ["_events"])


def name_of(file):
    """Returns the name of a module within the package: `_file`, `low.h5d`, `low`; "" for the
    package."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(file, package=()):
    """Yields the modules of the package that `file` imports anywhere, even in functions, and for
    type checkers only. `package` has the folders in which it lies."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = ("onecast", *package)[: len(package) + 2 - node.level] if node.level else ()
            base = ".".join((*above, *filter(None, [node.module])))
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, *parts = name.split(".")
            if first != "onecast":
                continue
            # The longest part that is a module counts; names in the module follow it.
            while parts and not is_module(parts):
                parts.pop()
            if parts not in COMPILED:
                yield ".".join(parts)


def is_module(parts):
    path = PACKAGE.joinpath(*parts)
    return parts in COMPILED or path.with_suffix(".py").exists() or path.is_dir()


def test_there_is_no_circle():
    files = list(PACKAGE.rglob("*.py"))
    graph = {name_of(f): set(imported(f, f.relative_to(PACKAGE).parts[:-1])) for f in files}
    assert len(graph) > 50
    assert "_group" in graph["_file"] and "low._identifiers" in graph["low.h5d"]
    # A module is not part of what its folder imports, and the reverse.
    for name, others in graph.items():
        others.discard(name.rpartition(".")[0] if "." in name else None)
    # It raises CycleError, which names the modules.
    list(graphlib.TopologicalSorter(graph).static_order())
    # No module imports what programs import: the package, and its module for CGNS.
    assert not {"", "cgns"} & set().union(*graph.values())


def test_all_kinds_of_imports_are_seen(tmp_path):
    file = tmp_path / "a.py"
    file.write_text(
        "import onecast._file\n"
        "from . import _core, _links\n"
        "if TYPE_CHECKING:\n"
        "    from ._group import Group\n"
        "def f():\n"
        "    from onecast import File\n"
        "    from onecast._types import to_dtype\n"
        "    import numpy\n"
    )
    assert sorted(imported(file)) == ["", "_file", "_group", "_links", "_types"]
    file.write_text("from .. import _core, _file\nfrom . import h5s\nfrom .h5t import x\n")
    assert sorted(imported(file, ("low",))) == ["_file", "low.h5s", "low.h5t"]
