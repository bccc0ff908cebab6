"""All lists of the options of a file agree with the table."""

import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tools"))
SPEC = importlib.util.spec_from_file_location("options", ROOT / "tools/options.py")
options = importlib.util.module_from_spec(SPEC)
sys.modules["options"] = options
SPEC.loader.exec_module(options)

TABLE = (ROOT / options.TABLE).read_text()
NEW = """
[patience]
group = "tuning"
kind = "count"
default = 3
most = 9
since = "0.10.0"
sentence = "Number of times that a read is tried."
"""


@pytest.mark.skipif(
    not (shutil.which("clang-format") and shutil.which("ruff")),
    reason="formats what it writes with clang-format and ruff, which make lint installs",
)
def test_files_are_as_the_table_says(capsys):
    """After a change, run python tools/options.py."""
    assert options.main(["--check"]) == 0, capsys.readouterr().err


def test_an_entry_is_all_that_a_new_option_needs():
    before, after = options.load(TABLE), options.load(TABLE + NEW)
    for path, write in options.FILES.items():
        added = write(after).count("patience")
        assert added > 0, path
        assert "patience" not in write(before), path


def test_later_versions_append_to_the_struct_of_c():
    first, *rest = TABLE.partition("# --- layout")
    behaviour = NEW.replace("tuning", "behaviour").replace("0.10.0", "0.2.0")
    text = options.c_struct(
        options.load(first + behaviour + "".join(rest) + NEW.replace("[p", "[im"))
    )
    struct = text[text.index("typedef struct onecast_file_options {") :]
    members = re.findall(r"^  [\w *]+ \*?(\w+);$", struct, re.MULTILINE)
    released = re.findall(
        r"^  [\w *]+ \*?(\w+);$",
        options.c_struct(options.load(TABLE)).partition("typedef struct onecast_file_options {")[2],
        re.MULTILINE,
    )
    assert members == [*released, "patience", "imatience"]


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("group", 'group = "somewhere"'),
        ("kind", 'kind = "real"'),
        ("default", 'default = "many"'),
        ("used", 'used = "close"'),
        ("colour", 'colour = "red"'),
    ],
)
def test_mistakes_in_the_table_are_named(key, line):
    kept = [kept for kept in NEW.splitlines() if not kept.startswith(key)]
    with pytest.raises((TypeError, ValueError), match=key):
        options.load("\n".join([*kept, line]))


def test_groups_stand_together():
    with pytest.raises(ValueError, match="together"):
        options.load(TABLE + NEW.replace("tuning", "layout"))
