"""The steps of docs/concepts/walks.md are functions that the named files define."""

import re

import pytest
from doc_pages import ROOT


@pytest.fixture
def walks(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    from pictures import walks

    return walks()


def test_at_most_ten_steps_from_a_call_to_a_system_call(walks):
    assert list(walks) == ["open", "write_all", "cgp_coord_write_data"]
    for steps in walks.values():
        assert [step for step, *_ in steps] == [str(i + 1) for i in range(len(steps))]
        assert len(steps) <= 10
        assert re.search("pread|pwrite", steps[-1][-1])


def test_each_function_is_defined_in_its_file(walks):
    for steps in walks.values():
        for _, function, file, _ in steps:
            assert is_defined(function, file), (function, file)


def is_defined(function, file):
    text = (ROOT / file).read_text()
    owner, _, name = re.sub("::", ".", function).rpartition(".")
    if file.endswith(".py"):
        return re.search(rf"^ *def {name}\(", text, re.M) and f"class {owner}" in text
    # The class is named before the function in a source, and around it in a header.
    qualified = rf"{owner}::{name}" if owner and file.endswith(".cpp") else name
    body = r"\([^;{}]*\)(?: const)?(?: \{|\n +:)"
    return re.search(rf"^[\w:<>,&* ]*\b(?:detail::)?{qualified}{body}", text, re.M)
