"""What a recipe of Spack takes from `spack.package`, as far as the tests need it: directives note
what they were called with."""

import contextlib
import sys
import types
from pathlib import Path

DIRECTIVES = ("maintainers", "license", "version", "variant", "depends_on", "extends", "generator")


class AllVariants:
    """What a package is built with: with each variant."""

    def satisfies(self, variant):
        return True


class Package:
    """The directives that the recipe calls, by name."""

    called: dict = {}  # noqa: RUF012
    spec = AllVariants()
    build_directory = "."

    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return self.define(name, True)

    @staticmethod
    def cmake(*arguments):
        """Runs CMake; build_recipes.py puts its own in this place."""


def directive(name):
    def note(*arguments, **options):
        Package.called.setdefault(name, []).append((arguments, options))

    return note


def load(recipe: Path):
    """Runs a recipe, and returns its class; `called` has its directives."""
    module = types.ModuleType("spack.package")
    for name in [
        "maintainers",
        "license",
        "version",
        "variant",
        "depends_on",
        "extends",
        "generator",
    ]:
        setattr(module, name, directive(name))
    module.CMakePackage = Package
    module.cmake = lambda *arguments: Package.cmake(*arguments)
    module.working_dir = contextlib.nullcontext
    Package.called = {}
    saved = {name: sys.modules.get(name) for name in ("spack", "spack.package")}
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module
    try:
        names: dict = {}
        exec(compile(recipe.read_text(), str(recipe), "exec"), names)
    finally:
        for name, value in saved.items():
            if value is None:
                del sys.modules[name]
            else:
                sys.modules[name] = value
    return names["Onecast"]
