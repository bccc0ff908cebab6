"""The layers and counts in ARCHITECTURE.md are true."""

import json
import re
from pathlib import Path

from doc_pages import ROOT, blocks_of, table_below

PAGE = Path("ARCHITECTURE.md")


def test_layers():
    (picture,) = [block for block in blocks_of(PAGE) if block.note == "layers"]
    declared = {
        name: set(uses.split())
        for name, uses in re.findall(
            r"^onecast_(?:layer|headers)\(([\w/]+) USES ?([\w/ ]*)\)",
            (ROOT / "CMakeLists.txt").read_text(),
            re.MULTILINE,
        )
    }
    drawn = {}
    for indent, name, uses in re.findall(
        r"^( *)(\w+) +-->((?: [\w/]+)*)", picture.text, re.MULTILINE
    ):
        room = "objects/" if indent else ""
        drawn[room + name] = {room + u if room + u in declared else u for u in uses.split()}
    assert drawn == declared


def test_counts(run_on_ranks):
    """count_steps.py measures each row of the table, under the same name."""
    rows = {name: counts for name, *counts in table_below(PAGE, "Counts")}
    output = run_on_ranks(3, Path(__file__).with_name("count_steps.py"))
    measured = json.loads(output.splitlines()[-1])
    assert rows == measured
