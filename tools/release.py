"""Makes the files of a release in dist/release, with their checksums. Two runs on one commit and
one machine make equal bytes.
  python tools/release.py [--dry-run] [--without PART]...
    --dry-run    makes all files, prints their checksums, and leaves nothing behind
    --without    leaves a part out: wheel (with the sdist and the recipes) or docs
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import sbom

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "dist" / "release"
PARTS = ("wheel", "docs")
RECIPES = ("spack", "conda", "easybuild")
NO_CHECKSUM = "0" * 64


def refuse(reason: str) -> None:
    raise SystemExit(f"release: {reason}")


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def project_version() -> str:
    found = re.search(r"project\(onecast VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    if found is None:
        refuse("CMakeLists.txt: there is no line 'project(onecast VERSION ...'")
    return found[1]


def changes(version: str) -> str:
    """Returns the section of the changelog about a version, which may still be called
    unreleased."""
    text = (ROOT / "CHANGELOG.md").read_text()
    heading = rf"^## (?:Unreleased: )?{re.escape(version)}\b.*\n"
    found = re.search(rf"{heading}(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        refuse(f"CHANGELOG.md has no section '## {version}'")
    return found[0].strip() + "\n"


def check_the_tree(version: str) -> None:
    changed = git("status", "--porcelain")
    if changed:
        refuse(f"the tree has changes that are not committed:\n{changed}")
    if git("tag", "--list", f"v{version}"):
        refuse(f"the tag v{version} exists: raise the version in CMakeLists.txt")


def pack(archive: Path, top: str, folder: Path, seconds: int) -> None:
    """Packs the files of a folder, in the order of their names, without anything that depends on
    the machine."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            entry = tar.gettarinfo(path, f"{top}/{path.relative_to(folder)}")
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = seconds
            entry.mode = 0o755 if path.is_dir() else 0o644
            with path.open("rb") if path.is_file() else io.BytesIO() as content:
                tar.addfile(entry, content)
    archive.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def make_sources(folder: Path, version: str) -> None:
    """Packs what git tracks. The sdist has the short name, since Python's rules give it."""
    tar = subprocess.run(
        ["git", "archive", "--format=tar", f"--prefix=onecast-{version}/", "HEAD"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    (folder / f"onecast-{version}-source.tar.gz").write_bytes(gzip.compress(tar, mtime=0))


def make_wheel(folder: Path, version: str) -> None:
    """Takes the wheels and the sdist, which tools/wheel.sh makes in dist."""
    subprocess.run(["tools/wheel.sh"], cwd=ROOT, check=True)
    dist = ROOT / "dist"
    for file in [*dist.glob(f"onecast-{version}-*.whl"), dist / f"onecast-{version}.tar.gz"]:
        shutil.move(file, folder / file.name)
    if not any(dist.iterdir()):
        dist.rmdir()


def make_recipes(folder: Path, version: str, seconds: int) -> None:
    """Packs the recipes with the checksum of the sdist, from which they build."""
    name = f"onecast-{version}-recipes"
    checksum = hashlib.sha256((folder / f"onecast-{version}.tar.gz").read_bytes()).hexdigest()
    with tempfile.TemporaryDirectory() as temporary:
        for recipe in RECIPES:
            shutil.copytree(ROOT / "packaging" / recipe, Path(temporary) / recipe)
        for file in Path(temporary).rglob("*"):
            if file.is_file():
                file.write_text(file.read_text().replace(NO_CHECKSUM, checksum))
        pack(folder / f"{name}.tar.gz", name, Path(temporary), seconds)


def make_docs(folder: Path, version: str, seconds: int) -> None:
    subprocess.run(["tools/docs.sh"], cwd=ROOT, check=True)
    name = f"onecast-{version}-docs"
    pack(folder / f"{name}.tar.gz", name, ROOT / "build/book/site", seconds)


def write_checksums(folder: Path) -> str:
    sums = "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    )
    (folder / "SHA256SUMS").write_text(sums)
    return sums


def make(folder: Path, version: str, parts: set[str]) -> None:
    """Makes the files of a release in a folder. Only the commit decides about their times."""
    seconds = int(git("log", "-1", "--format=%ct"))
    os.environ["SOURCE_DATE_EPOCH"] = str(seconds)
    (folder / f"onecast-{version}-changes.md").write_text(changes(version))
    if "wheel" in parts:
        make_wheel(folder, version)
        make_recipes(folder, version, seconds)
    if "docs" in parts:
        make_docs(folder, version, seconds)
    make_sources(folder, version)
    bill = sbom.bill(version, seconds, sorted(folder.glob("*.whl")))
    (folder / f"onecast-{version}.cdx.json").write_text(bill)


def main() -> None:
    parser = argparse.ArgumentParser(prog="release.py", description=__doc__.partition(".")[0])
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--without", action="append", choices=PARTS, default=[])
    given = parser.parse_args()
    version = project_version()
    changes(version)
    check_the_tree(version)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "release"
        folder.mkdir()
        make(folder, version, set(PARTS) - set(given.without))
        sys.stdout.write(write_checksums(folder))
        if given.dry_run:
            return
        shutil.rmtree(OUT, ignore_errors=True)
        shutil.copytree(folder, OUT)
    print(f"release: {OUT.relative_to(ROOT)} has the files of {version}")
    if "Unreleased" in changes(version).partition("\n")[0]:
        print(f"release: CHANGELOG.md calls {version} unreleased: give it a date before you tag")


if __name__ == "__main__":
    main()
