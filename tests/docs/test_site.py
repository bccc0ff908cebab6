"""The site of the documentation builds without warnings and without the network."""

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
    assert (SITE / "search" / "search_index.js").read_text().startswith("var __index = ")
    assert 'docs/assets/iframe-worker.js"' in (SITE / "index.html").read_text()
    for page in SITE.rglob("*.html"):
        assert loads.search(page.read_text()) is None, page


def test_docstrings(monkeypatch):
    pytest.importorskip("griffe", reason="make docs installs it")
    monkeypatch.syspath_prepend(ROOT / "tools")
    from docstrings import as_markdown

    written = """Reads, after a
    flush: at once. @collective

    path: of a file
        that is there
    first, last: numbers @same

    >>> 1 + 1
    2
    """.replace("\n    ", "\n")
    assert as_markdown(written).split("\n\n") == [
        "Reads, after a\nflush: at once. **collective**",
        "- `path`: of a file\n    that is there\n- `first, last`: numbers **same**",
        "```pycon\n>>> 1 + 1\n2\n```",
    ]


def test_pages_as_the_site_has_them(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    from book import for_the_site

    page = "Words:\n- a [tool](book.py)\n  - inner\n```sh\n- [x](y)\n```\n| a |\n|---|\n"
    assert for_the_site(page, ROOT / "tools") == (
        "Words:\n\n- a `tool`\n    - inner\n\n```sh\n- [x](y)\n```\n\n| a |\n|---|\n"
    )
    with pytest.raises(SystemExit, match="no such file"):
        for_the_site("[gone](gone.py)", ROOT / "tools")


def test_pictures(monkeypatch):
    """After a change of the numbers, run python tools/pictures.py."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    from pictures import pictures

    for path, drawn in pictures().items():
        assert path.read_text() == drawn, path
