"""Docstrings as Markdown, for the reference of Python: an extension of griffe, which mkdocstrings
uses (mkdocs.yml)."""

import re
from typing import Any

import griffe

# A parameter is "shape: of the dataset" with the indented lines after it. It begins a paragraph.
PARAMETER = re.compile(r"^(\w+(?:, \w+)*): (.*(?:\n {4}.*)*)", re.MULTILINE)
# Examples last until the next empty line.
EXAMPLE = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)
KIND = re.compile(r"@(collective|replicated|independent|same|local)\b")


def as_markdown(text: str) -> str:
    """Formats parameters as a list, marks in bold, examples as code."""
    paragraphs = [
        PARAMETER.sub(r"- `\1`: \2", part) if PARAMETER.match(part) else part
        for part in text.split("\n\n")
    ]
    text = "\n\n".join(paragraphs)
    text = KIND.sub(r"**\1**", text)
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text).rstrip()


class PlainDocstrings(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring and not obj.is_alias:
            obj.docstring.value = as_markdown(obj.docstring.value)
