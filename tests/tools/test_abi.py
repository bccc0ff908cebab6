"""`make abi` finds what breaks compiled programs, in a small library."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEADER = """
#include <stddef.h>
enum onecast_kind { ONECAST_ONE, ONECAST_TWO };
struct onecast_options { size_t size; int first; int second; };
int onecast_use(const struct onecast_options* options, enum onecast_kind kind);
"""
SOURCE = """
#include "onecast_small.h"
int onecast_use(const struct onecast_options* options, enum onecast_kind kind) {
  return options->second + kind;
}
"""

if shutil.which("abidw") is None:
    pytest.skip("abigail-tools is not installed", allow_module_level=True)


def abi(*arguments: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ROOT / "tools/abi.sh", *arguments], capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def described(tmp_path):
    """Returns a function that builds a library and returns the file with its description."""

    def described(
        header: str = HEADER, source: str = SOURCE, soname: str = "libsmall.so.0"
    ) -> Path:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        (folder / "onecast_small.h").write_text(header)
        (folder / "small.c").write_text(source)
        command = ["gcc", "-g", "-shared", "-fPIC", f"-Wl,-soname,{soname}", "-o", "small.so"]
        subprocess.run([*command, "small.c"], cwd=folder, check=True)
        done = abi("describe", folder / "small.so", folder)
        assert done.returncode == 0, done.stderr
        (folder / "small.abi").write_text(done.stdout)
        return folder / "small.abi"

    return described


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("int first;", "long first;", "onecast_options"),
        ("int first; int second;", "int second; int first;", "onecast_options"),
        ("int second;", "int second; int third;", "onecast_options"),
        ("ONECAST_ONE, ONECAST_TWO", "ONECAST_TWO, ONECAST_ONE", "onecast_kind"),
    ],
)
def test_a_changed_struct_or_enumeration_is_found(described, old, new, named):
    done = abi("compare", described(), described(header=HEADER.replace(old, new)))
    assert done.returncode == 1
    assert named in done.stderr
    assert "raise ONECAST_ABI" in done.stderr


def test_a_function_that_is_gone_is_found(described):
    def renamed(text: str) -> str:
        return text.replace("onecast_use", "onecast_take")

    done = abi("compare", described(), described(renamed(HEADER), renamed(SOURCE)))
    assert done.returncode == 1
    assert "onecast_use" in done.stderr


def test_additions_are_compatible(described):
    header = HEADER.replace("ONECAST_TWO }", "ONECAST_TWO, ONECAST_THREE }")
    more = "int onecast_more(void) { return 1; }\n"
    done = abi("compare", described(), described(header, SOURCE + more))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "abi: libsmall.so.0 is compatible\n"


def test_another_soname_may_change(described):
    header = HEADER.replace("int first;", "long first;")
    done = abi("compare", described(), described(header, soname="libsmall.so.1"))
    assert done.returncode == 0, done.stderr
    assert "no longer libsmall.so.0" in done.stdout


def test_the_kept_interface_has_the_structs_of_c():
    kept = ROOT / "packaging/abi/libonecast.abi.xz"
    text = subprocess.run(["xz", "-dc", kept], capture_output=True, text=True, check=True).stdout
    number = (ROOT / "CMakeLists.txt").read_text().partition("set(ONECAST_ABI ")[2][0]
    assert f"soname='libonecast.so.{number}'" in text
    for struct in ("onecast_file_options", "onecast_dataset_options", "onecast_io_stats"):
        assert f"<class-decl name='{struct}' size-in-bits=" in text
    assert str(ROOT) not in text
