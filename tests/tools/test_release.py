"""`make release`: equal bytes in two runs, and what it refuses."""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ["CHANGELOG.md", "CMakeLists.txt", "pyproject.toml", "packaging/dependencies.toml"]
COPIED += ["tools/release.py", "tools/sbom.py"]

pytest.importorskip("cyclonedx", reason="tools/setup.sh release")
if shutil.which("dpkg-query") is None:
    pytest.skip("a release is built on Debian", allow_module_level=True)


class Checkout:
    """A small repository with what `tools/release.py --without wheel --without docs` reads."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in COPIED:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        (folder / ".gitignore").write_text("/dist/\n__pycache__/\n")
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=tests", "-c", "user.email=tests@localhost"]
        command = ["git", *identity, *arguments]
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "one")

    def release(self, *arguments: str):
        command = [sys.executable, "tools/release.py", "--without", "wheel", "--without", "docs"]
        return subprocess.run(
            [*command, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120
        )

    def version(self) -> str:
        text = (self.folder / "CMakeLists.txt").read_text()
        return text.partition("project(onecast VERSION ")[2].partition(" ")[0]

    def refusal(self) -> str:
        done = self.release()
        assert done.returncode != 0
        assert not (self.folder / "dist").exists()
        return done.stderr


@pytest.fixture
def checkout(tmp_path) -> Checkout:
    folder = tmp_path / "checkout"
    folder.mkdir()
    return Checkout(folder)


def test_a_dry_run_leaves_nothing_behind(checkout):
    before = sorted(checkout.folder.rglob("*"))
    done = checkout.release("--dry-run")
    assert done.returncode == 0, done.stderr
    assert f"onecast-{checkout.version()}-source.tar.gz" in done.stdout
    left = [path for path in checkout.folder.rglob("*") if "__pycache__" not in path.parts]
    assert sorted(left) == before


def test_two_runs_make_equal_bytes(checkout):
    sums = []
    for _ in range(2):
        done = checkout.release()
        assert done.returncode == 0, done.stderr
        sums.append((checkout.folder / "dist/release/SHA256SUMS").read_text())
    assert sums[0] == sums[1]
    for line in sums[0].splitlines():
        digest, name = line.split()
        content = (checkout.folder / "dist/release" / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest


def test_the_files(checkout):
    checkout.release()
    release, name = checkout.folder / "dist/release", f"onecast-{checkout.version()}"
    with tarfile.open(release / f"{name}-source.tar.gz") as tar:
        names = tar.getnames()
    assert f"{name}/CMakeLists.txt" in names
    assert not [inside for inside in names if "dist" in inside]
    assert "### Reading" in (release / f"{name}-changes.md").read_text()
    bill = json.loads((release / f"{name}.cdx.json").read_text())
    versions = {part["name"]: part.get("version") for part in bill["components"]}
    assert {"fmtlib", "xxhash", "lz4", "nanobind", "numpy"} <= set(versions)
    assert versions["fmtlib"][0].isdigit()


def test_the_list_of_components_follows_its_schema(checkout):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    checkout.release()
    (bill,) = (checkout.folder / "dist/release").glob("*.cdx.json")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill.read_text()) is None


def test_changes_that_are_not_committed_are_refused(checkout):
    (checkout.folder / "new.txt").write_text("new\n")
    assert "release: the tree has changes that are not committed:\n?? new.txt" in checkout.refusal()


def test_a_version_without_a_section_is_refused(checkout):
    file = checkout.folder / "CMakeLists.txt"
    file.write_text(file.read_text().replace(f"VERSION {checkout.version()}", "VERSION 7.8.9"))
    checkout.commit()
    assert "release: CHANGELOG.md has no section '## 7.8.9'" in checkout.refusal()


def test_a_tag_that_exists_is_refused(checkout):
    checkout.git("tag", f"v{checkout.version()}")
    assert f"release: the tag v{checkout.version()} exists" in checkout.refusal()


def in_tools(*lines: str, arguments: tuple = ()) -> None:
    """Runs lines of Python that see the modules of tools/."""
    program = "\n".join([f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r})", *lines])
    subprocess.run([sys.executable, "-c", program, *arguments], check=True)


def test_the_recipes_get_the_checksum_of_the_sdist(tmp_path):
    (tmp_path / "onecast-1.2.3.tar.gz").write_bytes(b"sdist")
    in_tools(
        "from pathlib import Path; import release",
        "release.make_recipes(Path(sys.argv[1]), '1.2.3', 86400)",
        arguments=(tmp_path,),
    )
    with tarfile.open(tmp_path / "onecast-1.2.3-recipes.tar.gz") as tar:
        recipe = tar.extractfile("onecast-1.2.3-recipes/spack/package.py").read().decode()
        assert "onecast-1.2.3-recipes/conda/recipe.yaml" in tar.getnames()
    assert f'sha256="{hashlib.sha256(b"sdist").hexdigest()}"' in recipe


def test_bundled_libraries_are_in_the_list(tmp_path):
    """The wheel bundles the C library here, which every Debian has."""
    with zipfile.ZipFile(tmp_path / "one.whl", "w") as wheel:
        wheel.writestr("onecast.libs/libm-0123abcd.so.6", "")
    in_tools(
        "from pathlib import Path; import sbom",
        "assert [part.name for part in sbom.bundled([Path(sys.argv[1])])] == ['glibc']",
        arguments=(tmp_path / "one.whl",),
    )


def test_a_folder_is_packed_without_traces_of_the_machine(tmp_path):
    """The packed site does not depend on the order, owners, times or modes of its files."""
    packed = []
    for number, names in enumerate((["a", "b"], ["b", "a"])):
        folder = tmp_path / str(number)
        (folder / "in").mkdir(parents=True)
        for name in names:
            (folder / "in" / name).write_text(name)
            (folder / "in" / name).chmod((0o600, 0o755)[number])
        in_tools(
            "from pathlib import Path; import release",
            "release.pack(Path(sys.argv[1]), 'site', Path(sys.argv[2]), 86400)",
            arguments=(tmp_path / "packed", folder),
        )
        packed.append((tmp_path / "packed").read_bytes())
    assert packed[0] == packed[1]
