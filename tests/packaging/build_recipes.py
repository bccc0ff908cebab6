"""Runs the build steps of the recipes of packaging/ as their package systems would, with the
compilers and libraries of this machine in place of theirs, and then the checks of the recipes.

    python tests/packaging/build_recipes.py [conda | easybuild | spack | container ...]

Each recipe has a copy of the sources in build/recipes; with ccache, the second one takes most
objects of the first. `container` needs root: it takes the steps of the two images in clean roots of
Debian (tools/debian.sh).
"""

import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import spack_double

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
WORK = ROOT / "build/recipes"
Environment = dict[str, str]


def lay_out(name: str) -> tuple[Path, Path]:
    """Returns a copy of what git tracks, and an empty prefix."""
    sources, prefix = WORK / name / "sources", WORK / name / "prefix"
    shutil.rmtree(WORK / name, ignore_errors=True)
    sources.mkdir(parents=True)
    prefix.mkdir()
    copy = 'git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$0"'
    subprocess.run(["bash", "-c", copy, sources], cwd=ROOT, check=True)
    return sources, prefix


def environment(sources: Path, **more: object) -> Environment:
    """The environment of a build: with ccache if there is one, and without what tools/env.sh chose
    for the checkout."""
    script = (
        'unset MPI MPICC MPIEXEC; . tools/ccache_env.sh "$0";'
        '[ ${#ccache_options[@]} = 0 ] || export "${ccache_options[@]#-D}"; env -0'
    )
    done = subprocess.run(
        ["bash", "-c", script, sources], cwd=sources, capture_output=True, text=True, check=True
    )
    env = dict(entry.partition("=")[::2] for entry in done.stdout.split("\0") if entry)
    # Else the Python of the checkout takes modules that are missing from its build.
    env["ONECAST_BUILD_DIR"] = str(WORK / "none")
    return env | {name: str(value) for name, value in more.items()}


def run(command: str, folder: Path, env: Environment) -> None:
    print(f"recipes: {command}", flush=True)
    done = subprocess.run(["bash", "-ec", command], cwd=folder, env=env, check=False)
    if done.returncode != 0:
        sys.exit(f"recipes: failed: {command}")


def with_prefix(env: Environment, prefix: Path, packages: Path) -> Environment:
    """The environment in which a user has the package."""
    path = f"{prefix}/bin:{env['PATH']}"
    return env | {"PATH": path, "PYTHONPATH": str(packages), "CONDA_PREFIX": str(prefix)}


def conda() -> None:
    from rattler_build import Stage0Recipe

    sources, prefix = lay_out("conda")
    packages = prefix / "lib/site-packages"
    env = environment(sources, PREFIX=prefix, SP_DIR=packages, PYTHON=sys.executable)
    recipe = Stage0Recipe.from_yaml((PACKAGING / "conda/recipe.yaml").read_text()).to_dict()
    for step in recipe["build"]["script"]["content"]:
        run(step, sources, env)
    env = with_prefix(env, prefix, packages)
    for test in recipe["tests"]:
        for module in test.get("python", {}).get("imports", []):
            run(f"$PYTHON -c 'import {module}'", prefix, env)
        for step in test.get("script", {}).get("content", []):
            run(step, prefix, env)


def easybuild() -> None:
    from easybuild.framework.easyconfig.parser import EasyConfigParser

    sources, prefix = lay_out("easybuild")
    build = WORK / "easybuild/easybuild_obj"
    build.mkdir()
    (file,) = (PACKAGING / "easybuild").glob("onecast-*.eb")
    recipe = EasyConfigParser(str(file)).get_config_dict()
    env = environment(sources, EBROOTPYTHON=Path(sys.executable).parents[1])
    run(
        f"cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX={prefix} "
        f"{recipe['configopts']} {sources}",
        build,
        env,
    )
    run(f"ninja {recipe['buildopts']}", build, env)
    run("ninja install", build, env)
    for step in recipe["postinstallcmds"]:
        run(step % {"builddir": build.parent}, build, env)
    for name in recipe["sanity_check_paths"]["files"] + recipe["sanity_check_paths"]["dirs"]:
        if not (prefix / name).exists():
            sys.exit(f"recipes: easybuild: {name} is missing")
    env = with_prefix(env, prefix, prefix / recipe["modextrapaths"]["PYTHONPATH"])
    for step in recipe["sanity_check_commands"]:
        run(step, prefix, env)


def spack() -> None:
    sources, prefix = lay_out("spack")
    build = WORK / "spack/build"
    build.mkdir()
    env = environment(sources)
    package = spack_double.load(PACKAGING / "spack/package.py")()
    package.build_directory = build
    spack_double.Package.cmake = staticmethod(lambda *a: run(" ".join(["cmake", *a]), build, env))
    options = [*package.cmake_args(), f"-DPython_EXECUTABLE={sys.executable}"]
    run(
        f"cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX={prefix} "
        f"{' '.join(options)} {sources}",
        build,
        env,
    )
    run(f"ninja {' '.join(package.build_targets)}", build, env)
    package.install(package.spec, prefix)
    env = with_prefix(env, prefix, prefix / "lib/onecast")
    run("onecast --version", prefix, env)
    run(f"{sys.executable} -c 'import onecast.cgns, onecast.events'", prefix, env)


def trust_as_here(root: Path) -> None:
    """The way to the package index may need a certificate that only this machine has. Debian's
    package of certificates takes those of this folder, too, when it is installed."""
    if trusted := ssl.get_default_verify_paths().cafile:
        folder = root / "usr/local/share/ca-certificates"
        folder.mkdir(parents=True)
        shutil.copy(trusted, folder / "machine.crt")


def container() -> None:
    """Takes the steps of the Dockerfile; a test compares them with those of Apptainer's file."""
    sources, _ = lay_out("container")
    roots: dict[str, Path] = {}
    for line in (PACKAGING / "container/Dockerfile").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM":
            env, here = dict(os.environ, PATH="/usr/sbin:/usr/bin:/sbin:/bin"), "/"
            name = rest.partition(" AS ")[2] or "final"
            root = roots[name] = WORK / "container" / name
            run(f"{ROOT}/tools/debian.sh root {root}", ROOT, dict(os.environ))
            trust_as_here(root)
        elif word == "WORKDIR":
            here = rest
            (root / here.strip("/")).mkdir()
        elif word == "COPY":
            options, source, target = ["", *rest.split()][-3:]
            origin = roots[options.partition("=")[2]] if options else sources
            place = root / str(Path(here, target)).strip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            run(f"cp -aT {origin / source.strip('/')} {place}", ROOT, env)
        elif word == "ENV":
            for name, value in (pair.split("=") for pair in rest.split()):
                env[name] = value.replace("$PATH", env["PATH"])
        elif word == "RUN":
            inside = f"mount -t proc proc {root}/proc; chroot {root} sh -ec 'cd {here}; {rest}'"
            run(f'unshare --mount sh -ec "{inside}"', ROOT, env)


RECIPES: dict[str, Callable[[], None]] = {
    "conda": conda,
    "easybuild": easybuild,
    "spack": spack,
    "container": container,
}


def main() -> None:
    names = sys.argv[1:] or list(RECIPES)
    unknown = set(names) - set(RECIPES)
    if unknown:
        sys.exit(f"recipes: {', '.join(unknown)}: known are {', '.join(RECIPES)}")
    for name in names:
        RECIPES[name]()
        print(f"recipes: the steps of {name} were run", flush=True)


if __name__ == "__main__":
    main()
