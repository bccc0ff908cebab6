"""What is installed can be found, built against and run, by C and by C++ programs."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
EXAMPLES = ROOT / "examples"
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(uses_onecast LANGUAGES C CXX)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 20)
find_package(Onecast 0.1 REQUIRED {components})
add_executable(in_c "{examples}/write_and_read_c.c")
add_executable(in_cpp "{examples}/write_and_read.cpp")
target_link_libraries(in_c PRIVATE onecast::onecast)
target_link_libraries(in_cpp PRIVATE onecast::onecast)
"""
PROJECT_MPI = """
add_executable(with_mpi "{examples}/parallel_create_c_mpi.c")
target_link_libraries(with_mpi PRIVATE onecast::mpi)
"""


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=cwd,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory) -> Path:
    if not (BUILD / "libonecast.so").exists():
        pytest.skip(f"no shared library in {BUILD}")
    prefix = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", BUILD, "--prefix", prefix, "--component", "development")
    return prefix


@pytest.fixture(scope="module")
def has_mpi(prefix) -> bool:
    return (prefix / "include/onecast/onecast_mpi.h").exists()


def one(prefix: Path, pattern: str) -> Path:
    (found,) = prefix.rglob(pattern)
    return found


def test_find_package(prefix, has_mpi, tmp_path):
    text = PROJECT.format(components="COMPONENTS mpi" if has_mpi else "", examples=EXAMPLES)
    if has_mpi:
        text += PROJECT_MPI.format(examples=EXAMPLES)
    (tmp_path / "CMakeLists.txt").write_text(text)
    options = [f"-DCMAKE_PREFIX_PATH={prefix}"]
    if "MPICC" in os.environ:
        options.append(f"-DMPI_C_COMPILER={os.environ['MPICC']}")
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build", *options)
    run("cmake", "--build", tmp_path / "build")
    for program in ("in_c", "in_cpp"):
        run(tmp_path / "build" / program, cwd=tmp_path)
    if has_mpi and os.environ.get("MPIEXEC"):
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        program = tmp_path / "build" / "with_mpi"
        run(os.environ["MPIEXEC"], *flags, "-n", "2", program, cwd=tmp_path)


def test_pkg_config_and_a_plain_c_compiler(prefix, tmp_path):
    if not (shutil.which("pkg-config") and shutil.which("cc")):
        pytest.skip("no pkg-config, or no cc")
    where = str(one(prefix, "onecast.pc").parent)
    flags = run("pkg-config", "--cflags", "--libs", "onecast", PKG_CONFIG_PATH=where).split()
    source = EXAMPLES / "write_and_read_c.c"
    run("cc", "-std=c99", "-pedantic", "-Wall", "-Werror", source, *flags, "-o", tmp_path / "x")
    library = str(one(prefix, "libonecast.so").parent)
    run(tmp_path / "x", cwd=tmp_path, LD_LIBRARY_PATH=library)


def test_each_header_stands_alone(prefix, has_mpi, tmp_path):
    include = prefix / "include"
    for header in sorted(include.rglob("*.h")):
        if header.name == "onecast_mpi.h":
            continue  # needs mpi.h; the program above includes it
        for language, standard in (("c", "c99"), ("c++", "c++20")):
            source = tmp_path / "alone.c"
            source.write_text(f"#include <{header.relative_to(include)}>\n")
            flags = ["-std=" + standard, "-pedantic", "-Wall", "-Wextra", "-Werror", "-I", include]
            run("cc", "-x", language, *flags, "-fsyntax-only", source)
    assert has_mpi == (include / "onecast/comm/mpi.hpp").exists()


# --- what the library shows ----------------------------------------------------------------------

@pytest.fixture(scope="module")
def shown(prefix) -> set[str]:
    lines = run("nm", "-DC", "--defined-only", one(prefix, "libonecast.so")).splitlines()
    return {line.split(" ", 2)[2] for line in lines}


def declared_in_c(prefix: Path) -> set[str]:
    text = "".join(path.read_text() for path in prefix.rglob("*.h"))
    return set(re.findall(r"^ONECAST_API [^;(]*?\b(onecast_\w+)\(", text, re.MULTILINE))


def test_all_of_the_c_api_is_shown(prefix, shown):
    declared = declared_in_c(prefix)
    assert len(declared) > 100
    assert declared == {name for name in shown if re.fullmatch(r"onecast_\w+", name)}


def test_nothing_private_is_shown(shown):
    strange = {
        name
        for name in shown
        if not re.match(r"onecast_|(vtable|typeinfo|typeinfo name) for onecast::Error", name)
        and not re.match(r"onecast::", name)
    }
    assert strange == set()
    private = r"onecast::(capi|detail|FileState|Node|Transfer|MetadataStore|CommunicatorBackend)\b"
    assert [name for name in shown if re.match(private, name)] == []


def test_all_of_cpp_that_the_package_uses_is_shown(shown):
    """The Python module uses nearly all of the public C++ API."""
    objects = sorted((BUILD / "CMakeFiles/_core.dir/python/src").glob("*.o"))
    if not objects:
        pytest.skip("no Python module in this build")
    needed = set()
    for path in objects:
        lines = run("nm", "-C", "--undefined-only", path).splitlines()
        needed |= {line.strip().split(" ", 1)[1] for line in lines}
    needed = {name for name in needed if name.startswith("onecast::")}
    # What another file of the module defines.
    defined = set()
    for path in objects:
        lines = run("nm", "-C", "--defined-only", path).splitlines()
        defined |= {line.split(" ", 2)[2] for line in lines}
    assert len(needed) > 100
    assert needed - defined - shown == set()
