"""The recipes of packaging/ have the version and the dependencies of the project, and other
programs can read them."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
PACKAGING = ROOT / "packaging"
LIBRARIES = tomllib.loads((PACKAGING / "dependencies.toml").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
VERSION = re.search(r"project\(onecast VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
# These names in find_package are no libraries that a package needs.
NO_LIBRARIES = {"MPI", "Onecast", "Python", "Threads", "nanobind", "fuse3", "GTest", "ROOT"}


def names_in(system: str) -> set[str]:
    """Returns the names of the libraries in a package system."""
    return {entry[system] for entry in LIBRARIES.values() if system in entry}


def python_minima() -> dict[str, str]:
    """Returns the least versions of what the Python package needs at run time."""
    pairs = (requirement.split(">=") for requirement in PROJECT["project"]["dependencies"])
    return dict(pairs)


def least_nanobind() -> str:
    (found,) = re.findall(r"nanobind>=([\d.]+)", str(PROJECT["build-system"]["requires"]))
    return found


def test_the_recipes_name_the_least_python():
    """CMake needs it, too, for the sources that the build writes."""
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    required = re.findall(r"find_package\(Python (\S+)", (ROOT / "cmake/Cgns.cmake").read_text())
    assert required == [least]
    assert f"python3-dev (>= {least})" in (PACKAGING / "debian/control").read_text()
    assert f'match(python, "<{least}")' in (PACKAGING / "conda/recipe.yaml").read_text()
    spack = (PACKAGING / "spack/package.py").read_text()
    assert f'depends_on("python@{least}:", type="build")' in spack
    (easybuild,) = (PACKAGING / "easybuild").glob("onecast-*.eb")
    ((major, minor),) = re.findall(r"\('Python', '(\d+)\.(\d+)", easybuild.read_text())
    assert (int(major), int(minor)) >= tuple(map(int, least.split(".")))


def test_the_table_has_the_libraries_of_cmake():
    text = "\n".join(path.read_text() for path in (ROOT / "cmake").glob("*.cmake"))
    text = re.sub(r"#.*", "", text)
    native = re.findall(r"onecast_(?:native|codec)\(\S+ (\w+) (\S+)\)", text)
    packages = {name: package for name, package in native if not name.startswith("$")}
    assert {name: LIBRARIES[name]["debian"] for name in packages} == packages
    cmake = (ROOT / "cmake/Dependencies.cmake", ROOT / "cmake/Events.cmake")
    found = re.findall(r"find_package\((\w+)", "\n".join(path.read_text() for path in cmake))
    assert set(LIBRARIES) == set(packages) | set(found) - NO_LIBRARIES


def test_set_up_installs_the_libraries_of_the_table():
    setup = (ROOT / "tools/setup.sh").read_text()
    for package in names_in("debian"):
        assert re.search(rf"\b{package}\b", setup), package


# --- Debian -----------------------------------------------------------------------------------


def fields(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w-]+):((?:.*\n)(?:[ \t].*\n)*)", text, re.MULTILINE))


def listed(field: str) -> set[str]:
    return {re.split(r"[ (]", part.strip())[0] for part in field.split(",")}


def test_the_debian_packages():
    source, *packages = (PACKAGING / "debian/control").read_text().split("\n\n")
    needed = listed(fields(source + "\n")["Build-Depends"])
    assert {name for name in needed if name.startswith(("lib", "nlohmann"))} == names_in("debian")
    binaries = {fields(package + "\n")["Package"].strip(): package for package in packages}
    abi = re.search(r"set\(ONECAST_ABI (\d+)\)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert {f"libonecast{abi}", f"libonecast-cgns{abi}", "libonecast-dev"} <= set(binaries)
    python = listed(fields(binaries["python3-onecast"] + "\n")["Depends"])
    assert {f"python3-{name}" for name in python_minima()} <= python
    newest = (PACKAGING / "debian/changelog").read_text().splitlines()[0]
    assert newest.startswith(f"onecast ({VERSION}-")


def test_debians_python_package_is_complete(tmp_path):
    command = [sys.executable, PACKAGING / "install_python.py", tmp_path / "in", tmp_path / "bin"]
    subprocess.run(command, check=True)
    points = (tmp_path / f"in/onecast-{VERSION}.dist-info/entry_points.txt").read_text()
    assert "onecast = onecast.xarray:OnecastBackend" in points
    for compiled in (BUILD / "python/onecast").glob("*.so"):
        (tmp_path / "in/onecast" / compiled.name).symlink_to(compiled)
    if not list((tmp_path / "in/onecast").glob("_core*.so")):
        pytest.skip("the module is not built")
    done = subprocess.run(
        [tmp_path / "bin/onecast", "--version"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "in")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert VERSION in done.stdout


# --- Spack, conda-forge, EasyBuild ------------------------------------------------------------


@pytest.fixture
def spack():
    path = Path(__file__).with_name("spack_double.py")
    spec = importlib.util.spec_from_file_location("spack_double", path)
    double = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(double)
    return double.load(PACKAGING / "spack/package.py")


def test_the_recipe_for_spack(spack):
    assert f"onecast-{VERSION}.tar.gz" in spack.pypi
    assert [arguments[0] for arguments, _ in spack.called["version"]] == [VERSION]
    named = dict(arguments[0].partition("@")[::2] for arguments, _ in spack.called["depends_on"])
    languages = {"c", "cxx", "fortran", "python", "cmake", "ninja", "mpi"}
    python = {f"py-{name}": f"{least}:" for name, least in python_minima().items()}
    python["py-nanobind"] = f"{least_nanobind()}:"
    assert set(named) == names_in("spack") | languages | set(python) | {"py-mpi4py"}
    assert {name: named[name] for name in python} == python
    for arguments, options in spack.called["depends_on"]:
        part = next(
            (entry for entry in LIBRARIES.values() if entry.get("spack") == arguments[0]), {}
        )
        assert (options.get("when") == "+events") == (part.get("part") == "events"), arguments
    options = [argument.partition("=")[0] for argument in spack().cmake_args()]
    assert_cmake_knows(options)


def assert_cmake_knows(options: list[str]) -> None:
    text = (ROOT / "CMakeLists.txt").read_text()
    text += "".join(path.read_text() for path in (ROOT / "cmake").glob("*.cmake"))
    for option in options:
        name = option.removeprefix("-D")
        if name.startswith("ONECAST_") and name not in ("ONECAST_EVENTS", "ONECAST_CGNS"):
            assert re.search(rf"(option|set)\({name} ", text), name


def test_the_recipe_for_conda_forge():
    rattler_build = pytest.importorskip("rattler_build", reason="tools/setup.sh release")
    text = (PACKAGING / "conda/recipe.yaml").read_text()
    recipe = rattler_build.Stage0Recipe.from_yaml(text)
    variants = rattler_build.VariantConfig.from_yaml("c_stdlib: [sysroot]\npython: ['3.12.*']\n")
    assert len(recipe.render(variants)) == 1
    assert recipe.context.get("version") == VERSION
    needs = recipe.to_dict()["requirements"]
    pairs = dict(each.partition(" ")[::2] for each in needs["host"])
    assert pairs.pop("nanobind") == f">={least_nanobind()}"
    assert set(pairs) == names_in("conda") | {"numpy", "python"}
    minima = {name: f">={least}" for name, least in python_minima().items()}
    minima["python"] = PROJECT["project"]["requires-python"]
    assert dict(each.partition(" ")[::2] for each in needs["run"]) == minima


def test_the_recipe_for_easybuild():
    parser = pytest.importorskip(
        "easybuild.framework.easyconfig.parser", reason="tools/setup.sh release"
    )
    (file,) = (PACKAGING / "easybuild").glob("onecast-*.eb")
    recipe = parser.EasyConfigParser(str(file)).get_config_dict()
    toolchain = recipe["toolchain"]
    assert recipe["version"] == VERSION
    assert file.name == f"onecast-{VERSION}-{toolchain['name']}-{toolchain['version']}.eb"
    named = dict(recipe["dependencies"] + recipe["builddependencies"])
    # SciPy-bundle has numpy; Python-bundle-PyPI has click and rich.
    others = {"CMake", "Ninja", "Python", "SciPy-bundle", "Python-bundle-PyPI"}
    assert set(named) == names_in("easybuild") | others | {"nanobind"}
    own = next((PACKAGING / "easybuild").glob("nanobind-*.eb"))
    assert parser.EasyConfigParser(str(own)).get_config_dict()["version"] == named["nanobind"]
    assert named["nanobind"] >= least_nanobind()
    assert_cmake_knows(re.findall(r"-DONECAST_\w+", recipe["configopts"]))


# --- containers -------------------------------------------------------------------------------


def test_the_images_install_the_libraries():
    build = (PACKAGING / "container/build.sh").read_text()
    for package in names_in("debian"):
        assert package in build.split(), package
    assert f'"nanobind>={least_nanobind()}"' in build


def test_the_two_images_take_the_same_steps():
    docker = (PACKAGING / "container/Dockerfile").read_text()
    apptainer = (PACKAGING / "container/onecast.def").read_text()
    assert f"image.version={VERSION}" in docker
    assert f"Version {VERSION}" in apptainer
    images = set(re.findall(r"^FROM (\S+)", docker, re.MULTILINE))
    assert images == set(re.findall(r"^From: (\S+)", apptainer, re.MULTILINE))
    for step in re.findall(r"^RUN (.+)", docker, re.MULTILINE):
        assert f"    {step}\n" in apptainer


def test_the_dockerfile_is_clean():
    hadolint = Path(sys.executable).with_name("hadolint")
    if not hadolint.exists():
        pytest.skip("tools/setup.sh release")
    file = PACKAGING / "container/Dockerfile"
    done = subprocess.run([hadolint, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_apptainers_definition_can_be_read():
    parsers = pytest.importorskip("spython.main.parse.parsers", reason="tools/setup.sh release")
    definition = parsers.get_parser("singularity")(str(PACKAGING / "container/onecast.def"))
    build, final = (definition.recipe[stage] for stage in ("build", "final"))
    assert "packaging/container/build.sh /opt/onecast" in build.install
    assert "/opt/onecast" in final.layer_files["build"]
    assert final.cmd == 'exec onecast "$@"'


SCRIPTS = [*PACKAGING.rglob("*.sh"), *(PACKAGING / "debian/tests").glob("p*")]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_can_be_parsed(script):
    shell = script.read_text().partition("\n")[0].rpartition("/")[2].rpartition(" ")[2]
    subprocess.run([shell, "-n", script], check=True)
    assert os.access(script, os.X_OK)
