"""The layer check finds what it is there to find."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("check_layers", ROOT / "tools/check_layers.py")
check_layers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_layers)


def complaints(tmp_path: Path, path: str, text: str) -> list[str]:
    (tmp_path / "CMakeLists.txt").write_text((ROOT / "CMakeLists.txt").read_text())
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
        ("src/objects/a.cpp", "onecast/onecast.h"),
        ("include/onecast/objects/file.hpp", "objects/impl.hpp"),
        ("src/pages/a.cpp", "mpi.h"),
        ("include/onecast/comm/communicator.hpp", "mpi.h"),
        ("include/onecast/onecast.h", "mpi.h"),
        ("include/onecast/objects/file.hpp", "onecast/capi/file.h"),
        ("src/objects/a.cpp", "hdf5.h"),
        ("cgns/a.cpp", "objects/impl.hpp"),
        ("python/src/a.cpp", "../../src/objects/impl.hpp"),
        ("src/unheard_of/a.cpp", "vector"),
    ],
)
def test_forbidden_edge_is_found(tmp_path, path, included):
    (tmp_path / "src/objects").mkdir(parents=True)
    (tmp_path / "src/objects/impl.hpp").touch()
    found = complaints(tmp_path, path, f"#pragma once\n#include <{included}>\n")
    assert len(found) == 1
    assert path in found[0]


@pytest.mark.parametrize(
    ("path", "included"),
    [
        ("src/format/a.cpp", "base/reader.hpp"),
        ("src/objects/a.cpp", "onecast/base/error.hpp"),
        ("src/pages/a.cpp", "structures/btree.hpp"),
        ("src/capi/a.cpp", "onecast/onecast.h"),
        ("src/comm/a_mpi.cpp", "mpi.h"),
        ("include/onecast/comm/mpi.hpp", "mpi.h"),
        ("include/onecast/onecast_mpi.h", "mpi.h"),
        ("src/capi/a.cpp", "onecast/capi/file.h"),
        ("bench/metadata/stock.c", "hdf5.h"),
        ("cgns/a.cpp", "onecast/objects/file.hpp"),
        ("tests/format/a_test.cpp", "format/superblock.hpp"),
    ],
)
def test_allowed_edge_is_not(tmp_path, path, included):
    assert complaints(tmp_path, path, f'#include "{included}"\n') == []


def test_long_file_is_found(tmp_path):
    found = complaints(tmp_path, "src/base/a.cpp", "\n" * (check_layers.MAX_LINES + 1))
    assert found == ["src/base/a.cpp: 501 lines, more than 500"]
