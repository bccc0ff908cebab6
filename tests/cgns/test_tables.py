"""All lists of functions of the CGNS library agree with the tables, and the functions are
exported."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cgns_libraries import BUILD

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tools"))

import cgns_plain_fortran  # noqa: E402
import cgns_tables  # noqa: E402

TABLES = cgns_tables.load()


@pytest.mark.skipif(not shutil.which("clang-format"), reason="formats with clang-format")
def test_files_are_as_the_tables_say(capsys):
    """After a change, run python tools/cgns_tables.py."""
    assert cgns_tables.main(["--check"]) == 0, capsys.readouterr().err


def test_all_functions_are_there():
    kinds = [name.partition("_")[0] for name in (f.name for f in TABLES.functions)]
    assert {kind: kinds.count(kind) for kind in kinds} == {"cg": 330, "cgp": 53, "cgio": 53}


def test_exported_functions():
    library = BUILD / "libonecast_cgns.so"
    if not library.exists():
        pytest.skip(f"no {library}")
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    ).stdout
    found = set(re.findall(r" T ((?:cg|cgp|cgio)_\w+)$", symbols, re.MULTILINE))
    has_mpi = "cgp_open" in found
    wanted = {f.name for f in TABLES.functions} | set(cgns_plain_fortran.symbols(TABLES))
    wanted -= set(cgns_plain_fortran.SHARED)
    assert found == {name for name in wanted if has_mpi or not name.startswith("cgp_")}
    assert re.search(r" T cgi_error$", symbols, re.MULTILINE)
    assert set(re.findall(r" [DBR] (\w+)$", symbols, re.MULTILINE)) == {
        f"{name}Name" for name in TABLES.enums
    }


def test_no_function_is_a_stub():
    """No function only fails; a table lists what some cannot do."""
    bodies = r"(?:guarded\(__func__,|numbered\()\s*\[&\][^{]*\{\s*(\S+)"
    first_words = [
        word
        for source in (ROOT / "cgns/src").rglob("*.cpp")
        for word in re.findall(bodies, source.read_text())
    ]
    assert len(first_words) > 300, len(first_words)
    assert "throw" not in first_words
    text = (ROOT / "cgns/README.md").read_text()
    _, _, rows = text.partition("## Not supported\n")[2].partition("|---|---|---|\n")
    rows = rows.partition("\n\n")[0].splitlines()
    assert 0 < len(rows) <= 10
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named and named <= {f.name for f in TABLES.functions}


def test_children_in_the_table_of_labels_have_a_row():
    for label, row in TABLES.labels.items():
        children = [*row.get("many", []), *row.get("single", []), *row.get("one", {}).values()]
        assert set(children) <= set(TABLES.labels), label
        assert set(row.get("required", [])) <= set(row.get("one", {})), label


@pytest.mark.parametrize("tool", ["cgnslist", "cgnsdiff", "cgnsconvert", "cgnscompress"])
def test_tools_of_the_cgns_library_would_link(tool):
    """All functions that Debian's tools need are exported, or are in the replacement of libcgns."""
    program, library = shutil.which(tool), BUILD / "libonecast_cgns.so"
    if program is None or not library.exists():
        pytest.skip(f"no {tool}, or no {library}")

    def symbols(path, which):
        command = ["nm", "-D", which, path]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return set(re.findall(r" [A-Z] (cg\w*_\w+)(?:@.*)?$", text, re.MULTILINE))

    needed = symbols(program, "--undefined-only")
    before_4_1 = re.findall(r"^int (\w+)", (ROOT / "cgns/abi/before_4_1.c").read_text(), re.M)
    assert needed
    assert needed <= symbols(library, "--defined-only") | set(before_4_1)
