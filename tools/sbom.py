"""Writes the list of components of a release, in CycloneDX's JSON: Onecast, the libraries that are
linked to it, compiled into it or bundled in its wheels, and the Python packages that it needs.
Libraries have the versions that are installed here, with which the release is built.
  python tools/sbom.py VERSION SECONDS [WHEEL...]    SECONDS: the time of the list, since 1970
"""

import importlib.metadata
import re
import subprocess
import sys
import tomllib
import uuid
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]


def component(name: str, version: str, url: PackageURL, license_id: str, **rest) -> Component:
    """Returns an entry of the list, with the version that the authors gave: the address has
    Debian's."""
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=re.sub(r"^\d+:|[+~-].*$", "", version) or None,
        purl=url,
        bom_ref=str(url),
        licenses=[LicenseFactory().make_from_string(license_id)] if license_id else [],
        **rest,
    )


def installed(package: str) -> tuple[str, str]:
    """Returns the version of a Debian package that is installed, and the name of its source."""
    done = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version} ${source:Package}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"sbom: {package} is not installed: a release is built on Debian")
    version, source = done.stdout.split()
    return version, source


def libraries() -> list[Component]:
    table = tomllib.loads((ROOT / "packaging/dependencies.toml").read_text())
    found = []
    for entry in table.values():
        version, source = installed(entry["debian"])
        linked = "compiled into" if entry.get("headers") else "linked to"
        url = PackageURL("deb", "debian", source, version)
        properties = [
            Property(name="onecast:use", value=linked),
            Property(name="onecast:part", value=entry.get("part", "core")),
        ]
        found.append(component(source, version, url, entry["license"], properties=properties))
    return found


def bundled(wheels: list[Path]) -> list[Component]:
    """Returns the shared libraries that auditwheel has put into wheels. It adds a hash to their
    names: libblosc-1a2b3c4d.so.1.21.3."""
    names = {name for wheel in wheels for name in zipfile.ZipFile(wheel).namelist()}
    found = {}
    for name in sorted(names):
        library = re.fullmatch(r"onecast\.libs/(.+)-[0-9a-f]{8}(\.so.*)", name)
        if library is None:
            continue
        owner = subprocess.run(
            ["dpkg-query", "--search", f"*/{library[1]}{library[2]}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if owner.returncode != 0:
            raise SystemExit(
                f"sbom: no package has {library[1]}{library[2]}, which a wheel bundles"
            )
        version, source = installed(owner.stdout.partition(": ")[0])
        url = PackageURL("deb", "debian", source, version)
        properties = [Property(name="onecast:use", value="bundled in the wheel")]
        found[source] = component(source, version, url, "", properties=properties)
    return list(found.values())


def python_packages() -> list[Component]:
    """Returns nanobind, which is compiled into the Python modules, and what these need at run
    time, without versions: any that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    version = importlib.metadata.version("nanobind")
    use = [Property(name="onecast:use", value="compiled into")]
    url = PackageURL("pypi", None, "nanobind", version)
    found = [component("nanobind", version, url, "BSD-3-Clause", properties=use)]
    for requirement in project["project"]["dependencies"]:
        name, allowed = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()
        properties = [
            Property(name="onecast:use", value="required at run time"),
            Property(name="onecast:versions", value=allowed),
        ]
        url = PackageURL("pypi", None, name)
        found.append(component(name, "", url, "", properties=properties))
    return found


def bill(version: str, seconds: int, wheels: list[Path]) -> str:
    """Returns the list. Equal versions at an equal time make equal bytes."""
    url = PackageURL("pypi", None, "onecast", version)
    onecast = component("onecast", version, url, "BSD-3-Clause")
    linked = libraries()
    known = {part.name for part in linked}
    more = [part for part in bundled(wheels) if part.name not in known]
    parts = linked + more + python_packages()
    bom = Bom(components=parts, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{url}#{seconds}"))
    bom.metadata.timestamp = datetime.fromtimestamp(seconds, UTC)
    bom.metadata.component = onecast
    bom.register_dependency(onecast, parts)
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


if __name__ == "__main__":
    sys.stdout.write(bill(sys.argv[1], int(sys.argv[2]), [Path(name) for name in sys.argv[3:]]))
