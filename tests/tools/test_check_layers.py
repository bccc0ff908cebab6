"""The layer check finds what it should find."""

import importlib.util
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("check_layers", ROOT / "tools/check_layers.py")
check_layers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_layers)


def copy_layers(tmp_path: Path) -> None:
    """Copies the files that say which layer may use which."""
    for path in ("CMakeLists.txt", "cmake/Cgns.cmake", "cmake/Events.cmake"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text((ROOT / path).read_text())


def complaints(tmp_path: Path, path: str, text: str) -> list[str]:
    copy_layers(tmp_path)
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return check_layers.check(tmp_path)


@pytest.mark.parametrize(
    ("path", "included"),
    [
        ("src/base/a.cpp", "format/superblock.hpp"),
        ("src/format/a.cpp", "onecast/transport/transport.hpp"),
        ("src/space/a.hpp", "filters/deflate.hpp"),
        ("src/collective/a.cpp", "pages/store.hpp"),
        ("src/structures/a.cpp", "comm/communicator.hpp"),
        ("src/objects/copy/a.cpp", "onecast/onecast.h"),
        ("src/objects/nodes/a.cpp", "objects/elements/raw_data.hpp"),
        ("src/objects/chunks/a.cpp", "objects/contiguous/unfilled.hpp"),
        ("src/pages/a.cpp", "collective/method.hpp"),
        ("src/objects/a.cpp", "vector"),
        ("include/onecast/objects/file.hpp", "objects/copy/impl.hpp"),
        ("src/pages/a.cpp", "mpi.h"),
        ("include/onecast/comm/communicator.hpp", "mpi.h"),
        ("include/onecast/onecast.h", "mpi.h"),
        ("include/onecast/objects/file.hpp", "onecast/capi/file.h"),
        ("src/objects/copy/a.cpp", "hdf5.h"),
        ("cgns/a.cpp", "objects/copy/impl.hpp"),
        ("cgns/src/tree/a.cpp", "session/session.hpp"),
        ("cgns/src/api/a.cpp", "mpi.h"),
        ("python/src/a.cpp", "../../src/objects/copy/impl.hpp"),
        ("src/unheard_of/a.cpp", "vector"),
    ],
)
def test_forbidden_edge_is_found(tmp_path, path, included):
    (tmp_path / "src/objects/copy").mkdir(parents=True)
    (tmp_path / "src/objects/copy/impl.hpp").touch()
    found = complaints(tmp_path, path, f"#pragma once\n#include <{included}>\n")
    assert len(found) == 1
    assert path in found[0]


@pytest.mark.parametrize(
    ("path", "included"),
    [
        ("src/format/a.cpp", "base/reader.hpp"),
        ("src/objects/copy/a.cpp", "onecast/base/error.hpp"),
        ("src/objects/chunks/a.cpp", "objects/nodes/node.hpp"),
        ("src/pages/a.cpp", "structures/btree.hpp"),
        ("src/capi/a.cpp", "onecast/onecast.h"),
        ("src/comm/mpi/mpi_linked_mpi.cpp", "mpi.h"),
        ("include/onecast/comm/mpi.hpp", "mpi.h"),
        ("include/onecast/onecast_mpi.h", "mpi.h"),
        ("src/capi/a.cpp", "onecast/capi/file.h"),
        ("bench/metadata/stock.c", "hdf5.h"),
        ("cgns/a.cpp", "onecast/objects/file.hpp"),
        ("cgns/src/api/a.cpp", "tree/tree.hpp"),
        ("tests/format/a_test.cpp", "format/superblock.hpp"),
    ],
)
def test_allowed_edge_is_not(tmp_path, path, included):
    assert complaints(tmp_path, path, f'#include "{included}"\n') == []


def test_long_file_is_found(tmp_path):
    found = complaints(tmp_path, "src/base/a.cpp", "\n" * (check_layers.MAX_LINES + 1))
    assert found == ["src/base/a.cpp: 501 lines, more than 500"]


def check_units(tmp_path: Path, units: dict[str, list[str]]) -> list[str]:
    copy_layers(tmp_path)
    for path, included in units.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f'#include "{name}"\n' for name in included))
    return check_layers.check(tmp_path)


@pytest.mark.parametrize(
    ("units", "circle"),
    [
        pytest.param(
            {"src/base/a.hpp": ["base/b.hpp"], "src/base/b.hpp": ["base/a.hpp"]},
            {"src/base/a", "src/base/b"},
            id="headers",
        ),
        pytest.param(
            {
                "src/pages/a.hpp": ["pages/b.hpp"],
                "src/pages/b.hpp": ["pages/c.hpp"],
                "src/pages/c.hpp": [],
                "src/pages/c.cpp": ["pages/c.hpp", "pages/a.hpp"],
                "src/pages/d.cpp": ["pages/a.hpp"],
            },
            {"src/pages/a", "src/pages/b", "src/pages/c"},
            id="a source and headers",
        ),
        pytest.param(
            {
                "src/objects/flush/a.hpp": [],
                "src/objects/flush/a.cpp": ["objects/flush/a.hpp", "b.hpp"],
                "src/objects/flush/b.hpp": [],
                "src/objects/flush/b.cpp": ["objects/flush/b.hpp", "objects/flush/a.hpp"],
            },
            {"src/objects/flush/a", "src/objects/flush/b"},
            id="sources",
        ),
        pytest.param(
            {
                "src/comm/a.hpp": [],
                "src/comm/a_mpi.cpp": ["comm/a.hpp", "comm/b.hpp"],
                "src/comm/b.hpp": ["comm/a.hpp"],
            },
            {"src/comm/a", "src/comm/b"},
            id="a source with MPI",
        ),
        pytest.param(
            {
                "include/onecast/space/a.hpp": ["onecast/space/b.hpp"],
                "include/onecast/space/b.hpp": ["onecast/space/a.hpp"],
            },
            {"include/onecast/space/a", "include/onecast/space/b"},
            id="public headers",
        ),
    ],
)
def test_circle_of_units_is_found(tmp_path, units, circle):
    (found,) = check_units(tmp_path, units)
    named = found.removeprefix("units include each other in a circle: ").split(" -> ")
    assert named[0] == named[-1]
    assert sorted(named[1:]) == sorted(circle)


def test_circle_goes_from_a_unit_to_what_it_includes(tmp_path):
    ring = {f"src/base/{a}.hpp": [f"base/{b}.hpp"] for a, b in ("ab", "bc", "ca")}
    (found,) = check_units(tmp_path, ring)
    assert "src/base/a -> src/base/b" in found or "src/base/b -> src/base/c" in found


def test_units_that_share_another_are_no_circle(tmp_path):
    units = {
        "src/base/a.hpp": ["base/c.hpp"],
        "src/base/a.cpp": ["base/a.hpp", "base/b.hpp"],
        "src/base/b.hpp": ["base/c.hpp"],
        "src/base/b.cpp": ["base/b.hpp"],
        "src/base/c.hpp": [],
    }
    assert check_units(tmp_path, units) == []


# --- namespaces ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("namespace onecast::files {\nstruct A {\n};\n}\n", []),
        ("namespace onecast {\nvoid File::close() {\n}\n}\n", []),
        ("namespace onecast::nodes {\nclass A;\nstruct B;\n}\n", []),
        ("namespace onecast::nodes {\nstruct A {\n};\n}\n", ["is of another layer"]),
        ("namespace onecast::codec {\nvoid f() {\n}\n}\n", ["is of another layer"]),
        ("namespace onecast::chunks {\nclass A;\n}\n", ["may not declare names of chunks"]),
    ],
)
def test_a_layer_defines_its_own_names_and_declares_those_below(tmp_path, text, wrong):
    found = complaints(tmp_path, "src/objects/files/a.cpp", text)
    assert len(found) == len(wrong)
    assert all(part in complaint for part, complaint in zip(wrong, found, strict=True))


@pytest.mark.parametrize("folder", ["src/base", "cgns/src/tree", "cli/onecast_cli"])
def test_folder_of_too_many_units_is_found(tmp_path, folder):
    units = {f"{folder}/unit{i}.hpp": [] for i in range(check_layers.MAX_UNITS)}
    assert check_units(tmp_path, units) == []
    (found,) = check_units(tmp_path, {f"{folder}/more.cpp": []})
    assert found == f"{folder}: {check_layers.MAX_UNITS + 1} units, more than 40"


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("using namespace structures;", "", "pages"),
        ("namespace format {}", "namespace format {\nusing namespace types;\n}", "format"),
        ("namespace comm {}", "", "comm"),
        ("namespace comm {}", "namespace comm {}\nnamespace other {}", "other"),
    ],
)
def test_namespaces_follow_the_layers(tmp_path, before, after, named):
    text = (ROOT / check_layers.NAMESPACES).read_text()
    assert complaints(tmp_path, check_layers.NAMESPACES, text) == []
    (found,) = complaints(tmp_path, check_layers.NAMESPACES, text.replace(before, after, 1))
    assert f": {named} is to use " in found


# --- uses that no #include shows -----------------------------------------------------------------

BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))


def symbols(objects: list[Path], kinds: str) -> set[str]:
    done = subprocess.run(["nm", "-P", *objects], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    words = (line.split() for line in done.stdout.splitlines())
    return {word[0] for word in words if len(word) > 1 and word[1] in kinds}


def source_in(unit: Path) -> Path:
    """Returns a source of the unit: itself, or one of a CMake batch, which has only one layer."""
    batch = re.search(r'^#include "(.+\.cpp)"', unit.read_text(), re.MULTILINE)
    return Path(batch[1]) if unit.suffix == ".cxx" and batch else unit


def test_a_layer_calls_only_what_is_below():
    commands = BUILD / "compile_commands.json"
    if not commands.exists():
        pytest.skip(f"nothing built in {BUILD}")
    checker = check_layers.Checker(ROOT)
    below = checker.below
    objects = {}
    for entry in json.loads(commands.read_text()):
        path = source_in(Path(entry["file"])).relative_to(ROOT).as_posix()
        if path.startswith("src/"):
            made = BUILD / entry["output"]
            objects.setdefault(checker.layer_of(path), []).append(made)
    # Weak symbols are in every object that uses them.
    defined = {layer: symbols(found, "TDBR") for layer, found in objects.items()}
    assert sum(map(len, defined.values())) > 1000
    wrong = {}
    for layer, found in objects.items():
        needed = symbols(found, "U")
        for other, there in defined.items():
            if other not in below[layer] and needed & there:
                wrong[f"{layer} calls {other}"] = sorted(needed & there)
    assert wrong == {}
