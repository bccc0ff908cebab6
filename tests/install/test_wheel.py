"""What a wheel contains lives beside other packages. tools/try_wheel.sh tries whole wheels."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
PROGRAM = Path(__file__).with_name("beside_others.py")


def test_a_module_shows_one_function():
    found = sorted((BUILD / "python/onecast").glob("*.so"))
    assert found
    for path in found:
        command = ["nm", "-D", "--defined-only", "--format=posix", path]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in lines.splitlines()]
        assert names == [f"PyInit_{path.name.partition('.')[0]}"]


@pytest.mark.parametrize("order", [[], ["last"]], ids=["imported first", "imported last"])
def test_beside_other_packages_in_one_process(order, tmp_path):
    pytest.importorskip("h5py")
    command = [sys.executable, PROGRAM, tmp_path, *order]
    # hdf5plugin registers its filters itself: the library must not find them a second time.
    environment = {name: value for name, value in os.environ.items() if name != "HDF5_PLUGIN_PATH"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("beside h5py")


def test_the_description_of_the_package(tmp_path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (program,) = re.findall(r"```python\n(.*?)```", project["readme"]["text"], re.DOTALL)
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, timeout=60)
    page = (ROOT / "docs/start/install.md").read_text()
    assert set(re.findall(r"`onecast\[(\w+)\]`", page)) == set(project["optional-dependencies"])
