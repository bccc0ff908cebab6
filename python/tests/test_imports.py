"""The modules of the package import each other in one direction."""

import ast
import graphlib
from pathlib import Path

import onecast

PACKAGE = Path(onecast.__file__).parent


def imported(file):
    """Modules of the package that `file` imports, wherever the line stands: also in functions, and
    for type checkers only."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(filter(None, ("onecast" if node.level else "", node.module)))
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            package, *parts = name.split(".")
            if package != "onecast":
                continue
            is_module = bool(parts) and (PACKAGE / f"{parts[0]}.py").exists()
            if is_module:
                yield parts[0]
            elif not parts or parts[0] not in ("_core", "_cgns"):
                yield "__init__"


def test_there_is_no_circle():
    graph = {file.stem: set(imported(file)) for file in PACKAGE.glob("*.py")}
    assert len(graph) > 20
    assert "_group" in graph["_file"]
    # Raises CycleError, which names the modules.
    list(graphlib.TopologicalSorter(graph).static_order())
    # Nothing stands on what programs import: the package, and the part of it for CGNS.
    assert not {"__init__", "cgns"} & set().union(*graph.values())


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
    assert sorted(imported(file)) == ["__init__", "_file", "_group", "_links", "_types"]
