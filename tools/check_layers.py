"""Reads the #includes and fails on any edge between the folders that the design forbids, and on a
circle of units in one of them.

Which layer may use which stands in CMakeLists.txt (onecast_layer(NAME USES ...)), in one place for
the linker and for this check; what a layer uses, it uses with all that lies below. So circles can
only be within a layer. A unit is a header with the source of its name. A public header is a unit
of its own: private units use it, and the source that makes it work uses them.

A layer's private names are in its own namespace, which sees those of the layers below through
src/base/namespaces.hpp. What is public, and src/base, is in onecast itself. A private unit that
declares a name of another layer uses that layer, as one that includes its header does.
"""

import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

# These folders see public headers only.
OUTSIDE = ("cgns", "events", "plugins", "python", "cli", "bench", "examples", "lab")
# Only the length of files is checked in these folders.
FREE = ("tests", "fuzz", "tools")
# Headers of other libraries, and the only places that may include them.
RESTRICTED = {
    r"mpi\.h": (
        "src/comm/mpi/mpi_linked_mpi.cpp",
        "include/onecast/comm/mpi.hpp",
        "include/onecast/onecast_mpi.h",
        "cgns/include/pcgnslib.h",
        "events/program/",
        "bench/",
        "examples/",
        "lab/examples/",
    ),
    r"fuse\w*\.h": ("lab/",),
    r"(hdf5|H5\w+)\.h": ("bench/",),
    r"nanobind/.*": ("python/", "cgns/python/", "events/python/"),
    r"xxhash\.h": ("src/pages/",),
    r"lzma\.h": ("events/src/compression/",),
    r"(tbb|oneapi)/.*": ("events/src/execution/",),
    r"CLI/.*": ("events/program/",),
    r"nlohmann/.*": ("events/program/", "events/src/hdf5/column_form.cpp"),
}
RESTRICTED |= {
    re.escape(header): ("src/filters/", "events/src/compression/")
    for header in re.findall(
        r"^onecast_codec\((\S+)",
        (Path(__file__).parents[1] / "cmake/Dependencies.cmake").read_text(),
        re.MULTILINE,
    )
}
MAX_LINES = 500
MAX_UNITS = 40  # in a folder of these
ROOMY = ("src", "include", "cgns", "events", "plugins", "python/src", "cli")
SOURCES = (".cpp", ".hpp", ".c", ".h", ".py")
# A file that a tool writes from a table says so at its beginning, and may be long.
MADE = re.compile(r"Made by tools/\w+\.py from ")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
OPENED = re.compile(r"^namespace onecast::(\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
ANNOUNCED = re.compile(r"(?:\s*(?:class|struct) \w+;)+\s*")
NAMESPACES = "src/base/namespaces.hpp"
DOMAIN = re.compile(r"^onecast_domain\((\w+) ROOMS\s*([\w\s]*)\)", re.MULTILINE)
LAYER = re.compile(r"^onecast_(?:layer|headers)\(([\w/]+) USES\s*([\w\s/]*)\)", re.MULTILINE)


def read_namespaces(root: Path) -> dict[str, set[str]]:
    """Returns, for the namespace of each layer, the namespaces that it must see: those of the
    layers it uses."""
    used: dict[str, set[str]] = {}
    for name, uses in LAYER.findall((root / "CMakeLists.txt").read_text()):
        seen = {layer.rpartition("/")[2] for layer in uses.split()} - {"base"}
        if "objects" in seen:  # its headers are public and stand for the layers that it uses
            seen = seen - {"objects"} | used["objects"]
        used[name.rpartition("/")[2]] = seen
    return {name: seen for name, seen in used.items() if name not in ("base", "objects", "capi")}


def read_layers(root: Path) -> dict[str, set[str]]:
    """Returns, for each layer, all layers that it may include: itself, those it uses, those below
    them."""
    below: dict[str, set[str]] = {}
    for name, uses in LAYER.findall((root / "CMakeLists.txt").read_text()):
        below[name] = {name}
        for used in uses.split():
            if used not in below:
                raise SystemExit(f"CMakeLists.txt: {name} uses {used}, which is not below it")
            below[name] |= below[used]
    return below


def read_rooms(root: Path) -> dict[str, list[str]]:
    """Returns, for each domain with rooms, the rooms from the bottom up."""
    files = sorted((root / "cmake").glob("*.cmake"))
    found = DOMAIN.findall("\n".join(file.read_text() for file in files))
    return {name: rooms.split() for name, rooms in found}


class Checker:
    def __init__(self, root: Path):
        self.root = root
        self.below = read_layers(root)
        self.rooms = read_rooms(root)
        self.top = list(self.below)[-1]
        self.complaints: list[str] = []
        self.used_units: dict[str, list[str]] = {}

    def layer_of(self, path: str) -> str | None:
        """Returns the layer of a file of src/ or include/, None for any other file."""
        if path.startswith("include/") and path.count("/") <= 2:
            return self.top  # headers over all layers, such as the C interface
        found = re.match(r"(?:src|include/onecast)/((\w+)/(?:\w+(?=/))?)", path)
        if not found:
            return None
        return found[1] if found[1] in self.below else found[2]

    def has_layer(self, path: str) -> bool:
        layer = self.layer_of(path)
        has_rooms = any(name.startswith(f"{layer}/") for name in self.below)
        return layer in self.below and not (has_rooms and path.startswith("src/"))

    def resolve(self, file: Path, name: str) -> str | None:
        """Returns the path of the header that `file` includes as `name`; None for a foreign
        header."""
        for folder in (file.parent, self.root / "src", self.root / "include"):
            target = (folder / name).resolve()
            if target.is_file() and target.is_relative_to(self.root):
                return target.relative_to(self.root).as_posix()
        # A header that does not exist yet has a layer all the same.
        parts = name.split("/")
        if parts[0] == "onecast":
            return f"include/{name}"
        return f"src/{name}" if parts[0] in self.below and len(parts) > 1 else None

    def wrong(self, path: str, file: Path, name: str) -> str | None:
        """Returns why the file at `path` may not include `name`."""
        for pattern, allowed in RESTRICTED.items():
            if re.fullmatch(pattern, name) and not path.startswith(allowed):
                return f"only for {', '.join(allowed)}"
        if reason := self.wrong_room(path, name):
            return reason
        target = self.resolve(file, name)
        if target is None:
            return None
        if path.startswith(("src/", "include/")):
            layer, used = self.layer_of(path), self.layer_of(target)
            if path.startswith("include/") and target.startswith("src/"):
                return "a public header may not include a private one"
            if used not in self.below[layer]:
                return f"{layer} may not use {used or target}"
        elif target.startswith("src/"):
            return f"{path.split('/')[0]} may use public headers only"
        return None

    def wrong_room(self, path: str, name: str) -> str | None:
        """Returns why a source in a room of a domain may not include a header of another room."""
        domain, _, inside = path.partition("/src/")
        rooms = self.rooms.get(domain, [])
        own, used = inside.partition("/")[0], name.partition("/")[0]
        if own in rooms and used in rooms and rooms.index(used) > rooms.index(own):
            return f"the room {own} may not use {used}"
        return None

    def unit_of(self, path: str) -> str:
        """Returns the unit of a header or source; x_mpi.cpp belongs to x in a build with MPI."""
        unit = path.rpartition(".")[0]
        without_mpi = unit.removesuffix("_mpi")
        return without_mpi if (self.root / f"{without_mpi}.hpp").is_file() else unit

    def note_use(self, path: str, target: str | None) -> None:
        """Notes that `path` includes `target`."""
        if target is None or not (self.root / target).is_file():
            return
        unit, used = self.unit_of(path), self.unit_of(target)
        if unit != used:
            self.used_units.setdefault(unit, []).append(used)

    def check_folders(self) -> None:
        """Checks that no folder has too many units."""
        units: dict[str, set[str]] = {}
        for top in ROOMY:
            for file in (self.root / top).rglob("*"):
                path = file.relative_to(self.root).as_posix()
                if file.suffix in SOURCES:
                    units.setdefault(path.rpartition("/")[0], set()).add(self.unit_of(path))
        for folder, found in sorted(units.items()):
            if len(found) > MAX_UNITS:
                self.complaints.append(f"{folder}: {len(found)} units, more than {MAX_UNITS}")

    def check_cycles(self) -> None:
        try:
            TopologicalSorter(self.used_units).prepare()
        except CycleError as error:
            # The sorter names a unit after the units that it includes.
            circle = " -> ".join(reversed(error.args[1]))
            self.complaints.append(f"units include each other in a circle: {circle}")

    def check_namespaces(self) -> None:
        """Checks that NAMESPACES agrees with CMakeLists.txt."""
        file = self.root / NAMESPACES
        if not file.is_file():
            return
        written = {
            name: set(re.findall(r"using namespace (\w+);", body))
            for name, body in re.findall(r"namespace (\w+) \{([^{}]*)\}", file.read_text())
        }
        expected = read_namespaces(self.root)
        for name in sorted(written.keys() | expected.keys()):
            if written.get(name) != expected.get(name):
                uses = " ".join(sorted(expected.get(name, ())))
                self.complaints.append(f"{NAMESPACES}: {name} is to use {uses or 'nothing'}")

    def check_namespace(self, path: str, text: str) -> None:
        """Checks that a file defines names of its own layer only; it may declare those of the
        layers that it uses."""
        layer = self.layer_of(path) or ""
        below = {used.rpartition("/")[2] for used in self.below[layer]}
        for name, body in OPENED.findall(text):
            if name == layer.rpartition("/")[2]:
                continue
            if not ANNOUNCED.fullmatch(body):
                self.complaints.append(f"{path}: namespace onecast::{name} is of another layer")
            elif name not in below:
                self.complaints.append(f"{path}: {layer} may not declare names of {name}")

    def check(self, file: Path) -> None:
        path = file.relative_to(self.root).as_posix()
        lines = file.read_text(errors="replace").splitlines()
        if len(lines) > MAX_LINES and not MADE.search("\n".join(lines[:6])):
            self.complaints.append(f"{path}: {len(lines)} lines, more than {MAX_LINES}")
        if path.startswith(FREE) or file.suffix == ".py":
            return
        if path.startswith(("src/", "include/")) and not self.has_layer(path):
            self.complaints.append(f"{path}: its folder is no layer of CMakeLists.txt")
            return
        if path.startswith("src/"):
            self.check_namespace(path, "\n".join(lines))
        for number, line in enumerate(lines, 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            reason = self.wrong(path, file, found[1])
            if reason:
                self.complaints.append(f"{path}:{number}: {found[1]}: {reason}")
            elif path.startswith(("src/", "include/")):
                self.note_use(path, self.resolve(file, found[1]))


def check(root: Path) -> list[str]:
    checker = Checker(root.resolve())
    for folder in ("src", "include", *OUTSIDE, *FREE):
        for file in sorted((checker.root / folder).rglob("*")):
            if file.suffix in SOURCES and file.is_file():
                checker.check(file)
    checker.check_folders()
    checker.check_cycles()
    checker.check_namespaces()
    return checker.complaints


def main() -> int:
    complaints = check(Path(__file__).parents[1])
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
