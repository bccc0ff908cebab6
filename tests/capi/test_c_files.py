"""Other programs read files that C programs wrote, and all functions of the C API are tested."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast

sys.path.insert(0, str(Path(__file__).parents[1] / "interop"))
import compare

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))


def run_program(folder: Path, name: str, *arguments: str, **variables: str) -> None:
    program = BUILD / name
    if not program.exists():
        pytest.skip(f"{program} is not built")
    done = subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("example")
    run_program(folder, "example_write_and_read_c")
    return folder / "c_example.h5"


@pytest.fixture(scope="module")
def kinds(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kinds")
    path = folder / "c99.h5"
    run_program(folder, "capi_tests", "--gtest_filter=C99.*", ONECAST_C99_FILE=str(path))
    return path


@pytest.fixture(params=["example", "kinds"])
def written(request) -> Path:
    return request.getfixturevalue(request.param)


def test_sound_and_read_alike(written):
    findings = onecast.check(written, data=True)["findings"]
    assert [f for f in findings if f["kind"] != "note"] == []
    assert compare.compare([str(written)], None) == 0


def test_h5dump_reads_it(written):
    if not shutil.which("h5dump"):
        pytest.skip("no h5dump")
    done = subprocess.run(["h5dump", str(written)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr


def test_the_example_as_h5py_sees_it(example):
    with h5py.File(example) as f:
        zone = f["the zone"]
        assert zone == f["base/zone 1"]
        assert zone.attrs["family"] == b"wing" or zone.attrs["family"] == "wing"
        assert zone.attrs["mach"] == 0.84
        table = zone["table"]
        assert table.maxshape == (None, 3)
        assert table.compression == "gzip"
        assert table.shuffle
        np.testing.assert_array_equal(table[:], np.arange(1.0, 10).reshape(3, 3))
        assert [text.decode() for text in zone["variables"][:]] == ["ρ", "velocity", ""]
        assert zone["probes"]["position"].tolist() == [[0, 0.5, 1], [2, 2.5, 3]]
        assert zone["probes"]["number"].tolist() == [7, 8]


def test_every_kind_as_h5py_sees_it(kinds):
    with h5py.File(kinds) as f:
        group = f["copied"]
        enumeration = h5py.check_enum_dtype(group["colours"].dtype)
        assert enumeration == {"red": 1, "green": 2}
        assert group["colours"][:].tolist() == [2, 1]
        assert [list(one) for one in group["sequences"][:]] == [[7, 8, 9], []]
        assert f[f["kinds/references"][0]].name == "/kinds/colours"
        assert not f["kinds/references"][1]
        assert isinstance(group["opaque"], h5py.Datatype)
        link = group.get("elsewhere", getlink=True)
        assert (link.filename, link.path) == ("other.h5", "/x")
        assert f["samples"]["time"].tolist() == [10, 20, 30]
        numbers = [1 + 2j, -3 + 4.5j]
        assert group["complex"].dtype == "c16"
        assert group["complex"][:].tolist() == numbers
        assert dict(group["complex"].attrs)["also"].tolist() == numbers
        assert list(group["complex"].attrs) == ["also"]
        assert group.id.get_comment(b"complex") == b"complex numbers"
        assert group["flags"].dtype == bool
        assert group["flags"][:].tolist() == [False, True]


def test_stock_changes_it(example, tmp_path):
    path = tmp_path / "changed.h5"
    shutil.copy(example, path)
    with h5py.File(path, "r+") as f:
        f["base/zone 1/table"].resize((100, 3))
        f["base/zone 1/table"][3:] = 1
        f["base"].create_group("zone 2").attrs["new"] = "of h5py"
    findings = onecast.check(path, data=True)["findings"]
    assert [f for f in findings if f["kind"] != "note"] == []
    with onecast.File(path) as f:
        assert f["base/zone 1/table"].shape == (100, 3)
        assert f["base/zone 2"].attrs["new"] == "of h5py"


def test_all_functions_are_called_by_a_test():
    with_mpi = ROOT / "include/onecast/onecast_mpi.h"
    declared = set()
    for header in [*(ROOT / "include/onecast/capi").glob("*.h"), with_mpi]:
        text = header.read_text()
        function = r"^(?:ONECAST_API|static inline) [^;({]*?\b(onecast_\w+)\("
        declared |= set(re.findall(function, text, re.MULTILINE))
    # Functions of this header call those for code without mpi.h.
    tests = [*(ROOT / "tests/capi").glob("*.[ch]*"), ROOT / "tests/mpi/capi_test.cpp"]
    called = "".join(path.read_text() for path in tests)
    called += "".join(re.findall(r"(?:return|=) onecast_\w+\(", with_mpi.read_text()))
    assert len(declared) > 100
    assert {name for name in declared if not re.search(rf"\b{name}\(", called)} == set()
