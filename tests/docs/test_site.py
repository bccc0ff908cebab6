"""The site of the documentation builds, without warnings and without the network."""

import re
import shutil
import subprocess

import pytest
from doc_pages import ROOT

SITE = ROOT / "build" / "book" / "site"


@pytest.mark.long
def test_site():
    pytest.importorskip("mkdocs", reason="make docs installs it")
    if shutil.which("doxygen") is None:
        pytest.skip("doxygen is not installed; make docs installs it")
    done = subprocess.run([ROOT / "tools" / "docs.sh"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for page in ("index", "docs/how-to/migrate", "docs/reference/python", "docs/reference/command"):
        assert (SITE / f"{page}.html").exists()
    assert "create_dataset" in (SITE / "docs/reference/python.html").read_text()
    assert "repack" in (SITE / "docs/reference/command.html").read_text()
    loads = re.compile(r"<(?:script|img|iframe|link rel=\"(?:stylesheet|preload)\")[^>]+=\"https?:")
    for page in SITE.rglob("*.html"):
        assert loads.search(page.read_text()) is None, page


def test_pictures(monkeypatch):
    """After a change of the numbers: python tools/pictures.py"""
    monkeypatch.syspath_prepend(ROOT / "tools")
    from pictures import pictures

    for path, drawn in pictures().items():
        assert path.read_text() == drawn, path
