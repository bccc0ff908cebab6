"""Writes the stubs of the compiled modules, which say what types their functions take and return.

python tools/stubs.py            writes python/onecast/_*.pyi anew, from what is built
python tools/stubs.py --check    says which of them are not as what is built
"""

from __future__ import annotations

import importlib
import re
import sys
from types import ModuleType

from made_files import make
from nanobind.stubgen import ReplacePattern, StubGen

MODULES = ("onecast._core", "onecast._cgns", "onecast._events")
MADE = "# Made by tools/stubs.py from what is built: change the bindings."
# nanobind leaves the first out, and writes values of this build for the others.
PLAIN = {
    "__version__": "str",
    "usual_identities": "list[list[str]]",
}


def patterns(module: ModuleType) -> list[ReplacePattern]:
    """Returns what replaces nanobind's text for some names. Exceptions are classes of the module,
    also if they name another."""
    lines = {name: [f"{name}: {kind}"] for name, kind in PLAIN.items() if hasattr(module, name)}
    for name, found in vars(module).items():
        if isinstance(found, type) and issubclass(found, BaseException):
            bases = ", ".join(base.__name__ for base in found.__bases__)
            lines[name] = [f"class {name}({bases}): ...", ""]
    prefix = re.escape(module.__name__)
    return [
        ReplacePattern(re.compile(rf"^{prefix}\.{name}$"), text, 0) for name, text in lines.items()
    ]


def stub(name: str) -> str:
    module = importlib.import_module(name)
    generator = StubGen(
        module=module,
        include_docstrings=False,
        include_private=True,
        patterns=patterns(module),
        quiet=True,
    )
    generator.put(module)
    return f"{MADE}\n\n{generator.get()}"


def main(arguments: list[str]) -> int:
    files = {f"python/{name.replace('.', '/')}.pyi": stub(name) for name in MODULES}
    return make(files, arguments, "tools/stubs.py", "is built")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
