"""The module onecast has everything that the C headers declare, and h5py reads what a Fortran
program writes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tools"))

import onecast_fortran  # noqa: E402

BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
MADE = BUILD / "fortran_made" / "interfaces.f90"
INCLUDE = ROOT / "include"
# These functions take handles of C. Each has a counterpart for those of Fortran.
OF_C_ALONE = {
    "onecast_communicator_of_mpi": "onecast_communicator_mpi_fortran",
    "onecast_file_create_of_mpi": "onecast_file_create_mpi_fortran",
    "onecast_file_open_of_mpi": "onecast_file_open_mpi_fortran",
    "onecast_hints_of_mpi": "onecast_hints_of_info_fortran",
}

pytestmark = pytest.mark.skipif(
    not (BUILD / "fortran" / "onecast.mod").exists(), reason="built without Fortran"
)


def run(*command, folder=None):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def declared(pattern):
    text = "".join(path.read_text() for path in (INCLUDE / "onecast").rglob("*.h"))
    return set(re.findall(pattern, text, re.MULTILINE))


@pytest.fixture(scope="module")
def header():
    has_mpi = "onecast_file_create_mpi_fortran" in MADE.read_text()
    return onecast_fortran.read_headers(has_mpi)


def test_an_interface_for_each_function():
    bound = set(re.findall(r'bind\(c,[ &\n]*name="(\w+)"\)', MADE.read_text()))
    functions = declared(r"^ONECAST_API [^;(]*?\b(onecast_\w+)\(")
    if "onecast_file_create_mpi_fortran" not in bound:
        functions = {name for name in functions if not name.endswith("_mpi_fortran")}
        functions -= {"onecast_hints_of_info_fortran"}
    assert bound == functions - OF_C_ALONE.keys()
    assert set(OF_C_ALONE.values()) <= declared(r"^ONECAST_API [^;(]*?\b(onecast_\w+)\(")
    symbols = run("nm", "-D", "--defined-only", BUILD / "libonecast.so")
    assert bound <= set(re.findall(r" T (\w+)$", symbols, re.MULTILINE))


def test_constants_and_structs_are_those_of_c(header, tmp_path):
    compilers = shutil.which("cc"), shutil.which(os.environ.get("FC", "gfortran"))
    if None in compilers:
        pytest.skip("no compiler")
    names = {name for values in header.enums.values() for name in values}
    numbers = sorted(names | header.numbers.keys())
    structs = sorted(header.structs)
    of_c_alone = set() if "onecast_mpi_handle" in structs else {"onecast_mpi_handle"}
    assert set(structs) == declared(r"^typedef struct (\w+) \{") - of_c_alone
    in_c = tmp_path / "program.c"
    in_c.write_text(
        "#include <onecast/onecast.h>\n#include <onecast/capi/mpi.h>\n"
        "#include <stdio.h>\nint main(void) {\n"
        + "".join(f'printf("{name} %lld\\n", (long long)({name}));\n' for name in numbers)
        + "".join(f'printf("{name} %zu\\n", sizeof({name}));\n' for name in structs)
        + "}\n"
    )
    run(compilers[0], "-I", INCLUDE, in_c, "-o", tmp_path / "in_c")
    in_fortran = tmp_path / "program.f90"
    lines = [f"type({name}) :: x{i}" for i, name in enumerate(structs)]
    lines += [f'print "(a,1x,i0)", "{name}", {name}' for name in numbers]
    lines += [f'print "(a,1x,i0)", "{name}", c_sizeof(x{i})' for i, name in enumerate(structs)]
    in_fortran.write_text("\n".join(["use onecast", *lines, "end"]))
    flags = [f"-I{BUILD}/fortran", f"-L{BUILD}", "-lonecast_f", "-lonecast"]
    rpath = f"-Wl,-rpath,{BUILD}"
    run(compilers[1], in_fortran, *flags, rpath, "-o", tmp_path / "in_fortran")
    assert run(tmp_path / "in_fortran") == run(tmp_path / "in_c")


def test_h5py_reads_what_the_example_writes(tmp_path):
    program = BUILD / "example_slabs_mpi_f90"
    if not program.exists() or "MPIEXEC" not in os.environ:
        pytest.skip("no MPI")
    flags = os.environ.get("MPIEXEC_FLAGS", "").split()
    run(os.environ["MPIEXEC"], *flags, "-n", "3", program, folder=tmp_path)
    with h5py.File(tmp_path / "slabs.h5", "r") as file:
        x = file["zone/x"]
        k, j, i = np.meshgrid(np.arange(1, 10), np.arange(1, 5), np.arange(1, 7), indexing="ij")
        assert np.array_equal(x[()], i + 100 * j + 10000.0 * k)
        assert dict(x.attrs) == {"unit": b"m", "step": 42}


def test_h5py_reads_variables_of_all_types(tmp_path):
    run(BUILD / "fortran_kinds", folder=tmp_path)
    with h5py.File(tmp_path / "kinds.h5", "r") as file:
        words = file["words"]
        assert words.dtype == h5py.string_dtype("ascii", 6)
        assert [[w.rstrip() for w in row] for row in words[()].tolist()] == [
            [b"one", b"two"],
            [b"", b"twelve"],
        ]
        assert file["flags"].dtype == file["small flags"].dtype == bool
        assert file["flags"][()].tolist() == [True, False, True]
        assert file["small flags"][()].tolist() == [False, True]
        assert file["flags"].id.get_type().get_size() == 4
        assert file["quads"].id.get_type().get_ebias() == 16383
        assert file["numbers"].dtype == "c16"
        assert file["numbers"][()].tolist() == [1 + 2j, -3 + 4.5j]
        assert file.attrs["word"].rstrip() == b"one"
        assert file.attrs["flag"]
        assert file.attrs["number"] == 0.5 - 0.25j
        assert file.attrs["names"].tolist() == ["pressure", "", " of x"]
