"""The documentation shows code that runs, and names what exists."""

import re
import shlex

import pytest
from doc_pages import PAGES, ROOT, anchors_of, blocks_of, links_of, text_of

BLOCKS = [block for page in PAGES for block in blocks_of(page)]
SHOWN = [block for block in BLOCKS if block.note and "/" in block.note]
# python/tests/test_docs.py runs the blocks of the package's own README.
PYTHON = [
    block
    for block in BLOCKS
    if block.language == "python" and block not in SHOWN and block.page.parts[0] != "python"
]
SHELL = [block for block in BLOCKS if block.language == "sh"]
# The blocks of these pages run one after the other, in one folder, with the commands between them.
STORIES = [page for page in PAGES if page.parts[:2] in (("docs", "start"), ("docs", "how-to"))]


@pytest.mark.parametrize("block", SHOWN, ids=str)
def test_shown_files_are_as_they_are(block):
    assert block.text == (ROOT / block.note).read_text()


@pytest.mark.parametrize("language", ["c", "cpp", "cmake"])
def test_compiled_code_is_shown_from_files(language):
    """CMake compiles and runs these files."""
    assert [
        str(block) for block in BLOCKS if block.language == language and block not in SHOWN
    ] == []


def run(block):
    if "mpi4py" in block.text:
        pytest.importorskip("mpi4py")
        if not pytest.importorskip("onecast").have_mpi:
            pytest.skip("Onecast was built without MPI")
    exec(compile(block.text, str(block), "exec"), {})


@pytest.mark.parametrize("block", [block for block in PYTHON if block.page not in STORIES], ids=str)
def test_python_runs(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(block)


@pytest.mark.parametrize("page", STORIES, ids=str)
def test_page_runs(page, tmp_path, monkeypatch):
    from onecast_cli.main import main

    monkeypatch.chdir(tmp_path)
    for block in blocks_of(page):
        if block in PYTHON:
            run(block)
        elif block.language == "sh":
            for command in re.findall(r"^onecast (.*)", block.text, re.MULTILINE):
                assert main(shlex.split(command)) == 0, f"{block}: {command}"


ON_RANKS = [
    block for block in PYTHON if "mpi4py" in block.text and block.page.parent.name != "guide"
]


@pytest.mark.parametrize("page", sorted({block.page for block in ON_RANKS}), ids=str)
def test_page_runs_on_ranks(page, tmp_path, run_on_ranks):
    """The blocks with MPI run one after the other. Those of docs/guide/mpi.md show errors, too."""
    for block in ON_RANKS:
        if block.page == page:
            program = tmp_path / f"line{block.line}.py"
            program.write_text(block.text)
            run_on_ranks(3, program)


def test_functions_of_c_are_there():
    headers = [path.read_text() for path in (ROOT / "include").rglob("*.h")]
    declared = set(re.findall(r"\bonecast_\w+", "\n".join(headers)))
    texts = [text_of(page) for page in STORIES]
    named = set(re.findall(r"`(onecast_\w+)[`(]", "\n".join(texts)))
    assert len(named) > 20
    assert named - declared == set()


def test_quickstart_runs(run_on_ranks):
    run_on_ranks(3, ROOT / "examples" / "quickstart_mpi.py")


@pytest.mark.parametrize("block", SHELL, ids=str)
def test_commands_are_there(block):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in re.findall(r"^make ([a-z]+)", block.text, re.MULTILINE):
        assert target in targets
    for path in re.findall(r"(?:tools|examples|tests)/[\w/.]+", block.text):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page):
    for link in links_of(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page.parent / path).resolve() if path else ROOT / page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors_of(target.relative_to(ROOT)), link
