"""An installed Onecast can be found, built against and run by C and C++ programs."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import onecast

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
EXAMPLES = ROOT / "examples"
NAMESPACES = ROOT / "src/base/namespaces.hpp"


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=900,
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
    for component in ("development", "command"):
        run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component)
    return prefix


@pytest.fixture(scope="module")
def has_mpi(prefix) -> bool:
    return (prefix / "include/onecast/onecast_mpi.h").exists()


def one(prefix: Path, pattern: str) -> Path:
    (found,) = prefix.rglob(pattern)
    return found


def test_what_is_installed_is_built_before():
    """This includes an empty build folder."""
    if not (BUILD / "build.ninja").exists():
        pytest.skip(f"not built with ninja in {BUILD}")
    installed = re.findall(
        rf'"{re.escape(str(BUILD))}/([^"]+\.so[^"]*|onecast-events)"',
        (BUILD / "cmake_install.cmake").read_text(),
    )
    built = run("ninja", "-C", BUILD, "-t", "inputs", "onecast_installed").split()
    assert installed
    assert {Path(name).name.partition(".so")[0] for name in installed} <= {
        Path(name).name.partition(".so")[0] for name in built
    }


def test_find_package(prefix, has_mpi, tmp_path):
    build = tmp_path / "build"
    options = [f"-DCMAKE_PREFIX_PATH={prefix}"]
    if "MPICC" in os.environ:
        options.append(f"-DMPI_C_COMPILER={os.environ['MPICC']}")
    run("cmake", "-G", "Ninja", "-S", EXAMPLES / "installed", "-B", build, *options)
    run("cmake", "--build", build)
    programs = ["in_c", "in_cpp", "with_cgns"]
    if (prefix / "include/onecast.mod").exists():
        programs += ["in_fortran", "with_cgns_in_fortran"]
    for program in programs:
        run(build / program, cwd=tmp_path)
    if (program := prefix / "bin" / "onecast-events").exists():
        load = ("--load", build / "libcounting.so", "-s", "Counting:events=7")
        assert run(program, "run", *load).startswith("7 events in ")
    assert (build / "with_mpi").exists() == has_mpi
    if has_mpi and os.environ.get("MPIEXEC"):
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        run(os.environ["MPIEXEC"], *flags, "-n", "2", build / "with_mpi", cwd=tmp_path)


# --- projects of other languages, and what is missing -----------------------------------------


@pytest.fixture
def configure(prefix, tmp_path):
    """Configures a project with these lines, and builds it. With `fails` it returns CMake's
    message; otherwise it must succeed."""

    def configure(languages: str, lines: str, *, source: str = "", fails: bool = False) -> str:
        folder = tmp_path / "project"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\n"
            f"project(uses_onecast LANGUAGES {languages})\n{lines}\n"
        )
        (folder / f"program.{'c' if languages == 'C' else 'cpp'}").write_text(source)
        command = ["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build"]
        command.append(f"-DCMAKE_PREFIX_PATH={prefix}")
        if not fails:
            run(*command)
            return run("cmake", "--build", folder / "build")
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode != 0
        return " ".join(done.stderr.split())

    return configure


ALL_HEADERS = """
#include <onecast/onecast.hpp>
int main() {
  const onecast::Filter filter = onecast::filter_named("zstd");
  const bool known = !onecast::known_filters().empty();
  const auto file = onecast::File::create("all_headers.h5");
  const onecast::DatasetOptions options{.chunk = {2}, .filters = {filter}};
  const auto data = file.root().create_dataset("x", {2}, {1.5, 2.5}, options);
  onecast::VariableValues values(data);
  return known && onecast::storage_of(data).filters.size() == 1 ? 0 : 1;
}
"""


def test_a_program_needs_no_standard_and_one_header(configure, tmp_path):
    lines = (
        "find_package(Onecast REQUIRED)\n"
        "add_executable(program program.cpp)\n"
        "target_link_libraries(program PRIVATE onecast::onecast)\n"
    )
    configure("CXX", "set(CMAKE_CXX_STANDARD 17)\n" + lines, source=ALL_HEADERS)
    run(tmp_path / "project" / "build" / "program", cwd=tmp_path)


def test_a_project_in_c_alone(configure):
    lines = (
        "find_package(Onecast REQUIRED)\n"
        "add_executable(program program.c)\n"
        "target_link_libraries(program PRIVATE onecast::onecast)\n"
    )
    source = "#include <onecast/onecast.h>\nint main(void) { return onecast_has_mpi() > 1; }\n"
    configure("C", lines, source=source)


MPI_IN_CPP = """
#include <onecast/comm/mpi.hpp>
#include <onecast/onecast.hpp>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  onecast::File::create("cpp_mpi.h5", onecast::mpi_communicator(MPI_COMM_WORLD)).close();
  return MPI_Finalize();
}
"""


def test_mpi_in_a_project_in_cpp_alone(configure, has_mpi, tmp_path):
    if not has_mpi:
        pytest.skip("no MPI")
    lines = (
        "find_package(Onecast REQUIRED COMPONENTS mpi)\n"
        "add_executable(program program.cpp)\n"
        "target_link_libraries(program PRIVATE onecast::mpi)\n"
    )
    configure("CXX", lines, source=MPI_IN_CPP)
    if os.environ.get("MPIEXEC"):
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        program = tmp_path / "project" / "build" / "program"
        run(os.environ["MPIEXEC"], *flags, "-n", "2", program, cwd=tmp_path)


def test_what_is_missing_is_named(configure, has_mpi):
    said = configure("CXX", "find_package(Onecast REQUIRED COMPONENTS cgsn)", fails=True)
    assert "component cgsn: the components are mpi, cgns, events and fortran" in said


def test_a_missing_mpi_is_named(configure, has_mpi):
    lines = "set(CMAKE_DISABLE_FIND_PACKAGE_MPI ON)\nfind_package(Onecast REQUIRED COMPONENTS mpi)"
    said = configure("CXX", lines, fails=True)
    assert "component mpi: " in said
    assert ("set MPI_C_COMPILER or MPI_CXX_COMPILER" in said) == has_mpi
    assert ("built without MPI" in said) != has_mpi


@pytest.mark.parametrize("header", ["onecast.hpp", "objects/dataset.hpp", "types/datatype.hpp"])
def test_an_older_cpp_is_told_so_first(prefix, tmp_path, header):
    (tmp_path / "old.cpp").write_text(f"#include <onecast/{header}>\nint main() {{}}\n")
    command = ["c++", "-std=c++17", "-fsyntax-only", "-I", prefix / "include", "old.cpp"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode != 0
    errors = re.findall(r"error: .*", done.stderr)
    assert "need C++20 (-std=c++20)" in errors[0]
    if header == "onecast.hpp":
        assert len(errors) == 1


def test_one_header_includes_all_of_the_cpp_api():
    """Exceptions are MPI, and the tables from which options and errors are made."""
    include = ROOT / "include"
    seen, left = set(), ["onecast/onecast.hpp"]
    while left:
        if (name := left.pop()) not in seen:
            seen.add(name)
            left += re.findall(r'#include "(onecast/[^"]+)"', (include / name).read_text())
    all_of_them = {str(path.relative_to(include)) for path in include.rglob("*.hpp")}
    tables = {"base/error_kinds.hpp", "objects/file_option.hpp", "objects/file_option_table.hpp"}
    of_mpi = {"comm/mpi.hpp", "comm/any_mpi.hpp"}
    assert all_of_them - seen == {f"onecast/{name}" for name in of_mpi | tables}


def test_pkg_config_and_a_plain_c_compiler(prefix, tmp_path):
    if not (shutil.which("pkg-config") and shutil.which("cc")):
        pytest.skip("no pkg-config, or no cc")
    where = str(one(prefix, "onecast.pc").parent)
    flags = run("pkg-config", "--cflags", "--libs", "onecast", PKG_CONFIG_PATH=where).split()
    source = EXAMPLES / "write_and_read_c.c"
    run("cc", "-std=c99", "-pedantic", "-Wall", "-Werror", source, *flags, "-o", tmp_path / "x")
    library = str(one(prefix, "libonecast.so").parent)
    run(tmp_path / "x", cwd=tmp_path, LD_LIBRARY_PATH=library)


@pytest.mark.parametrize("program", ["unstructured", "unstructured_mpi"])
def test_pkg_config_and_a_program_for_the_cgns_library(prefix, has_mpi, tmp_path, program):
    if not (shutil.which("pkg-config") and shutil.which("cc")):
        pytest.skip("no pkg-config, or no cc")
    if program.endswith("_mpi") and not (has_mpi and "MPICC" in os.environ):
        pytest.skip("no MPI")
    compiler = os.environ["MPICC"] if program.endswith("_mpi") else "cc"
    where = str(one(prefix, "onecast-cgns.pc").parent)
    command = ("pkg-config", "--cflags", "--libs", "onecast-cgns")
    flags = run(*command, PKG_CONFIG_PATH=where).split()
    source = EXAMPLES / "cgns" / f"{program}.c"
    run(compiler, "-std=c99", "-pedantic", "-Wall", "-Werror", source, *flags, "-o", tmp_path / "x")
    library = str(one(prefix, "libonecast_cgns.so").parent)
    run(tmp_path / "x", cwd=tmp_path, LD_LIBRARY_PATH=library)
    assert list(tmp_path.glob("*.cgns"))


@pytest.mark.parametrize(
    ("package", "program"),
    [("onecast-fortran", "write_and_read_f"), ("onecast-cgns-fortran", "cgns/structured_solution")],
)
def test_pkg_config_and_a_program_in_fortran(prefix, tmp_path, package, program):
    if not (shutil.which("pkg-config") and shutil.which("gfortran")):
        pytest.skip("no pkg-config, or no gfortran")
    if not (prefix / "include/onecast.mod").exists():
        pytest.skip("built without Fortran")
    where = str(one(prefix, f"{package}.pc").parent)
    flags = run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=where).split()
    folder = run("pkg-config", "--variable=libdir", package, PKG_CONFIG_PATH=where).strip()
    source = EXAMPLES / f"{program}.f90"
    options = [*flags, f"-Wl,-rpath,{folder}", "-Wall", "-Werror"]
    run("gfortran", source, *options, "-o", tmp_path / "x", cwd=tmp_path)
    run(tmp_path / "x", cwd=tmp_path, LD_LIBRARY_PATH="")


def test_the_command_needs_nothing_of_the_checkout(prefix, tmp_path):
    command = prefix / "bin" / "onecast"
    if not command.exists():
        pytest.skip("no Python module in this build")
    with onecast.File(tmp_path / "file.h5", "w") as file:
        file.create_group("group")
    # In that folder the checkout's package finds no module.
    nothing = {"ONECAST_BUILD_DIR": str(tmp_path)}
    assert "group" in run(command, "ls", tmp_path / "file.h5", cwd=tmp_path, **nothing)


def test_what_a_wheel_has_is_enough(tmp_path):
    """In the wheel the model predicts without its fit, and no benchmark is offered."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]["wheel"]
    for package in settings["packages"]:
        shutil.copytree(ROOT / package, tmp_path / Path(package).name)
    for file in settings["exclude"]:
        (tmp_path / file).unlink()
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        f"checkout = [p for p in sys.path if p.startswith({str(ROOT)!r})]\n"
        "checkout = [p for p in checkout if 'site-packages' not in p]\n"
        f"sys.path[:] = [{str(tmp_path)!r}, *(p for p in sys.path if p not in checkout)]\n"
        "sys.modules['scipy'] = None\n"
        "from onecast_cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    offered = run(sys.executable, program, "--help")
    assert "repack" in offered
    assert "bench" not in offered
    assert "Onecast is faster" in run(sys.executable, program, "model")
    assert "fit  " not in run(sys.executable, program, "model", "--help")


def test_each_c_header_stands_alone(prefix, has_mpi, tmp_path):
    include = prefix / "include"
    # Two headers need mpi.h, and the programs above include them. One is for Fortran.
    others = ("onecast_mpi.h", "pcgnslib.h", "cgnstypes_f.h", "cgnstypes_f03.h")
    headers = sorted(path for path in include.rglob("*.h") if path.name not in others)
    sources = [tmp_path / f"{header.stem}.c" for header in headers]
    for source, header in zip(sources, headers, strict=True):
        # One header has only macros, which is not a program.
        source.write_text(f"#include <{header.relative_to(include)}>\nextern int something;\n")
    for language, standard in (("c", "c99"), ("c++", "c++20")):
        flags = ["-std=" + standard, "-pedantic", "-Wall", "-Wextra", "-Werror", "-I", include]
        run("cc", "-x", language, *flags, "-fsyntax-only", *sources)
    assert has_mpi == (include / "onecast/comm/mpi.hpp").exists()


# --- exported symbols ----------------------------------------------------------------------------


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


def declared_in_cpp(prefix: Path) -> set[str]:
    """Returns the functions of namespace onecast that the declaring headers do not define. A
    program defines those of onecast/events, for components that it loads."""
    left_out = r"template|inline|constexpr|using|class|struct|enum|concept|friend|namespace|extern"
    found = set()
    for path in (prefix / "include").rglob("*.hpp"):
        if path.parent.name == "events":
            continue
        text = re.sub(r"^template.*?[;{]$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        line = rf"^(?!(?:{left_out})\b|[/#}} ])[^\n;{{}}]*?\b(operator\S+|\w+)\("
        found |= {(path.stem, name) for name in re.findall(line, text, re.MULTILINE)}
    # Definitions in other headers call these, with private classes.
    return {name for stem, name in found if stem != "waiting_pointer"}


def test_all_of_the_cpp_api_is_shown(prefix, shown):
    declared = declared_in_cpp(prefix)
    assert {"check_file", "stored_chunks", "decode_datatype"} <= declared
    names = {re.sub(r"^onecast::(detail::)?|[(\[].*", "", name) for name in shown}
    assert declared - names == set()
    classes = {name.split("::")[0] for name in names if "::" in name}
    assert {"Dataset", "Selection"} <= classes


def is_private(name: str) -> bool:
    """Functions that templates of public headers call are not private, even in namespace detail."""
    layers = "|".join(re.findall(r"^namespace (\w+) \{", NAMESPACES.read_text(), re.MULTILINE)[1:])
    private = rf"onecast::(capi|detail::(?!fail_without_type)|{layers})::"
    return re.match(private, name) is not None


def test_nothing_private_is_shown(shown):
    strange = {
        name
        for name in shown
        if not re.match(r"onecast_|(vtable|typeinfo|typeinfo name) for onecast::Error", name)
        and not re.match(r"onecast::", name)
    }
    assert strange == set()
    assert [name for name in shown if is_private(name)] == []


def test_all_members_of_the_cpp_api_are_shown(prefix, shown):
    """These are the members that public headers declare and the layers define."""
    headers = prefix.glob("include/onecast/**/*.hpp")
    code = re.sub(r"//.*", "", "".join(path.read_text() for path in headers))
    declared = set(re.findall(r"\b(?:class|struct) (\w+)|\b(\w+)\(", code))
    declared = {name for names in declared for name in names}
    defined = set()
    for layer in BUILD.glob("libonecast_*.a"):
        if layer.stem not in ("libonecast_cgns", "libonecast_events"):
            lines = run("nm", "-C", "--defined-only", "--extern-only", layer).splitlines()
            defined |= {line.split(" ", 2)[2] for line in lines if re.match(r"\w+ T ", line)}
    public = {
        name
        for name in defined
        if (found := re.match(r"onecast::(\w+)(\(|::)", name))
        and found[1] in declared
        and not is_private(name)
    }
    assert len(public) > 200
    assert public - shown == set()


# --- the domains by themselves --------------------------------------------------------------------


@pytest.fixture
def built_alone(prefix, tmp_path):
    """Builds a domain against the installed library, without the rest of the project."""

    def build(domain: str) -> Path:
        options = [f"-DOnecast_ROOT={prefix}", "-DONECAST_WERROR=ON"]
        if "MPICC" in os.environ:
            options.append(f"-DMPI_C_COMPILER={os.environ['MPICC']}")
        run("cmake", "-G", "Ninja", "-S", ROOT / domain, "-B", tmp_path / domain, *options)
        run("cmake", "--build", tmp_path / domain)
        return tmp_path / domain

    return build


@pytest.mark.long
def test_cgns_builds_by_itself(prefix, built_alone):
    def shown(library: Path) -> set[str]:
        lines = run("nm", "-D", "--defined-only", library).splitlines()
        return {line.split()[2] for line in lines}

    alone = built_alone("cgns") / "libonecast_cgns.so"
    assert shown(alone) == shown(one(prefix, "libonecast_cgns.so"))
    code = f"import ctypes; ctypes.CDLL({str(alone)!r}).cg_get_error"
    run(sys.executable, "-c", code)


@pytest.mark.long
def test_events_build_by_themselves(built_alone, tmp_path):
    program = built_alone("events") / "onecast-events"
    out = tmp_path / "out.h5"
    run(program, "run", "-s", "Empty:events=7", "-o", f"HDF5Event={out}")
    assert run(program, "run", "-s", f"HDF5={out}").startswith("7 events in ")
