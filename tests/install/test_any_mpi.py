"""One build of the libraries works with every MPI: only programs are linked to one."""

import ctypes
import hashlib
import shlex
import sys
from pathlib import Path

import pytest
from mpis import BUILD, MPIS, OPEN_MPI, ROOT, Mpi, library, run

import onecast

pytestmark = [
    pytest.mark.ranks,
    pytest.mark.skipif(not onecast.have_mpi, reason="Onecast was built without MPI"),
]


@pytest.fixture(params=MPIS)
def mpi(request) -> Mpi:
    MPIS[request.param].require()
    return MPIS[request.param]


def test_no_library_is_linked_to_an_mpi():
    names = ("libonecast.so", "libonecast_cgns.so", "libonecast_f.so", "libonecast_cgns_f.so")
    found = [BUILD / name for name in names if (BUILD / name).exists()]
    found += (BUILD / "python/onecast").glob("*.so")
    assert found
    for path in found:
        needed = [line for line in run("readelf", "-d", path).splitlines() if "NEEDED" in line]
        assert not any("mpi" in line.rpartition("[")[2] for line in needed), (path, needed)


PROGRAMS = {
    "quickstart_mpi.cpp": [],
    "quickstart_c_mpi.c": [],
    "cgns/parallel_solution_mpi.c": ["-lonecast_cgns"],
}


def built(mpi: Mpi, source: str, folder: Path) -> Path:
    if "cgns" in source:
        library("libonecast_cgns.so")
    return mpi.compile(ROOT / "examples" / source, folder / "program", *PROGRAMS[source])


@pytest.mark.parametrize("source", PROGRAMS)
def test_a_program_of_each_mpi(mpi, source, tmp_path):
    program = built(mpi, source, tmp_path)
    mpi.run(3, program, cwd=tmp_path)
    written = [path for path in tmp_path.iterdir() if path.suffix in (".h5", ".cgns")]
    for path in written:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert DIGESTS.setdefault((source, path.name), digest) == digest, "MPIs write other bytes"


DIGESTS: dict[tuple[str, str], str] = {}


WRAPS_BROADCASTS = """
#include <mpi.h>
#include <stdio.h>
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static int seen;
  if (!seen) fputs("a broadcast was seen\\n", stderr);
  seen = 1;
  return PMPI_Bcast(data, count, type, root, comm);
}
"""


def test_tools_that_wrap_mpi_see_the_calls(mpi, tmp_path):
    program = built(mpi, "quickstart_c_mpi.c", tmp_path)
    (tmp_path / "tool.c").write_text(WRAPS_BROADCASTS)
    tool = tmp_path / "libtool.so"
    run(mpi.wrapper, "-shared", "-fPIC", tmp_path / "tool.c", "-o", tool)
    preloaded = ["env", f"LD_PRELOAD={tool}", program]
    command = [mpi.mpiexec, *mpi.flags, "-n", "2", *preloaded]
    run("sh", "-c", f"{shlex.join(map(str, command))} 2>said", cwd=tmp_path, **mpi.variables)
    assert (tmp_path / "said").read_text().count("a broadcast was seen") == 2


# --- several MPIs in one process ---------------------------------------------------------------

BOTH = """
import ctypes, os, sys
from pathlib import Path

class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("size", ctypes.c_size_t), ("library", ctypes.c_void_p)]

core = ctypes.CDLL(sys.argv[1])
core.onecast_last_error.restype = ctypes.c_char_p

def handle(mpi, world):
    function = ctypes.cast(mpi.MPI_Comm_size, ctypes.c_void_p)
    return Handle(ctypes.addressof(world), ctypes.sizeof(world), function)

def create(name, given):
    file = ctypes.c_void_p()
    made = ctypes.byref(file)
    status = core.onecast_file_create_of_mpi(name.encode(), ctypes.byref(given), None, made)
    if status == 0:
        assert core.onecast_file_close(ctypes.byref(file)) == 0
    return status, core.onecast_last_error().decode()

open_mpi, mpich = (ctypes.CDLL(path, os.RTLD_LAZY | os.RTLD_LOCAL) for path in sys.argv[2:])
worlds = [
    ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(open_mpi, "ompi_mpi_comm_world"))),
    ctypes.c_int(0x44000000),
]
for mpi, world, name in zip((open_mpi, mpich), worlds, ("Open MPI", "MPICH"), strict=True):
    status, said = create("a.h5", handle(mpi, world))
    assert status != 0 and f"MPI is not initialized: {name}" in said, said
    assert mpi.MPI_Init(None, None) == 0
    assert create(f"{name}.h5", handle(mpi, world)) == (0, said)
for name in ("Open MPI.h5", "MPICH.h5"):
    assert Path(name).exists(), name
for mpi, world, text in (
    (open_mpi, worlds[1], "the handle has 4 bytes, and those of Open MPI"),
    (mpich, worlds[0], "the handle has 8 bytes, and those of MPICH"),
):
    status, said = create("b.h5", handle(mpi, world))
    assert status != 0 and text in said and "compiled for another MPI" in said, said
file = ctypes.c_void_p()
assert core.onecast_file_create_mpi_fortran(b"b.h5", 0, None, ctypes.byref(file)) != 0
said = core.onecast_last_error().decode()
assert said.startswith("MPI: the program uses no MPI, and several are loaded: "), said
assert sys.argv[2] in said and sys.argv[3] in said, said
mpich.MPI_Finalize()
status, said = create("c.h5", handle(mpich, worlds[1]))
assert status != 0 and "MPI is finalized: MPICH" in said, said
assert create("d.h5", handle(open_mpi, worlds[0]))[0] == 0
open_mpi.MPI_Finalize()
"""


def test_two_mpis_in_one_process(tmp_path):
    for name in ("openmpi", "mpich"):
        MPIS[name].require()
    core = library("libonecast.so")
    libraries = [MPIS[name].library for name in ("openmpi", "mpich")]
    run(sys.executable, "-c", BOTH, core, *libraries, cwd=tmp_path, **OPEN_MPI.variables)


UNKNOWN = """
#include <string.h>
int MPI_Comm_size(void) { return 0; }
int PMPI_Get_library_version(char* text, int* length) {
  *length = (int)strlen(strcpy(text, VERSION));
  return 0;
}
"""


@pytest.mark.parametrize(
    "version",
    ["Strange MPI 1.0, of nobody", "Strange MPI 1.0\\nMPICH Version: 5.0.2"],
    ids=["alone", "before another one"],
)
def test_an_unknown_mpi_is_named(version, tmp_path):
    core = ctypes.CDLL(str(library("libonecast.so")))
    core.onecast_last_error.restype = ctypes.c_char_p
    (tmp_path / "mpi.c").write_text(UNKNOWN)
    define = f'-DVERSION="{version}"'
    run("cc", define, "-shared", "-fPIC", tmp_path / "mpi.c", "-o", tmp_path / "libstrange.so")
    strange = ctypes.CDLL(str(tmp_path / "libstrange.so"))
    world = ctypes.c_int(1)
    given = (ctypes.c_void_p * 3)(
        ctypes.addressof(world), 4, ctypes.cast(strange.MPI_Comm_size, ctypes.c_void_p)
    )
    file = ctypes.c_void_p()
    name = bytes(tmp_path / "a.h5")
    assert core.onecast_file_create_of_mpi(name, given, None, ctypes.byref(file)) != 0
    said = core.onecast_last_error().decode()
    assert f"MPI: Strange MPI 1.0 ({tmp_path}/libstrange.so) is not known; known are" in said


def test_without_any_mpi(tmp_path):
    program = (
        "import ctypes, sys\n"
        "core = ctypes.CDLL(sys.argv[1])\n"
        "core.onecast_last_error.restype = ctypes.c_char_p\n"
        "file = ctypes.c_void_p()\n"
        "assert core.onecast_file_create_mpi_fortran(b'a.h5', 0, None, ctypes.byref(file)) != 0\n"
        "print(core.onecast_last_error().decode())\n"
    )
    said = run(sys.executable, "-c", program, library("libonecast.so"), cwd=tmp_path)
    assert "MPI: no library of MPI is found: the program has no function" in said
    assert "--whole-archive" in said
