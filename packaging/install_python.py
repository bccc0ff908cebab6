"""Copies the Python packages into a folder for packages, with the metadata that pip would write,
and writes the command `onecast`. The compiled modules are CMake's component `python`.
  python packaging/install_python.py FOLDER BIN
The package system states the dependencies in its own terms, so the metadata names none."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]


def copy_packages(folder: Path) -> None:
    wheel = SETTINGS["tool"]["scikit-build"]["wheel"]
    excluded = {name.rpartition("/")[2] for name in wheel["exclude"]}
    left_out = shutil.ignore_patterns("__pycache__", "README.md", *excluded)
    for package in wheel["packages"]:
        target = folder / Path(package).name
        shutil.copytree(ROOT / package, target, ignore=left_out, dirs_exist_ok=True)


def write_metadata(folder: Path) -> None:
    cmake = (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"project\(onecast VERSION (\S+)", cmake)[1]
    described = folder / f"onecast-{version}.dist-info"
    described.mkdir(exist_ok=True)
    (described / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: onecast\nVersion: {version}\n"
        f"Summary: {PROJECT['description']}\nRequires-Python: {PROJECT['requires-python']}\n"
    )
    points = {"console_scripts": PROJECT["scripts"], **PROJECT["entry-points"]}
    sections = (
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in named.items())
        for group, named in points.items()
    )
    (described / "entry_points.txt").write_text("\n".join(sections))


def write_commands(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, target in PROJECT["scripts"].items():
        module, _, function = target.partition(":")
        command = folder / name
        command.write_text(
            f"#!{sys.executable}\nimport sys\n\nfrom {module} import {function}\n\n"
            f"sys.exit({function}())\n"
        )
        command.chmod(0o755)


if __name__ == "__main__":
    copy_packages(Path(sys.argv[1]))
    write_metadata(Path(sys.argv[1]))
    write_commands(Path(sys.argv[2]))
