"""Docstrings as Markdown, for the reference of Python: an extension of griffe, which mkdocstrings
uses (mkdocs.yml)."""

import re
from typing import Any

import griffe

# "shape: of the dataset", and what follows it with an indentation.
PARAMETER = re.compile(r"^(\w+(?:, \w+)*): (.*(?:\n {4}.*)*)", re.MULTILINE)
# Examples last until the next empty line.
EXAMPLE = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)
KIND = re.compile(r"@(collective|independent|same|local)\b")


def as_markdown(text: str) -> str:
    """
    >>> print(as_markdown("Reads. @collective\\n\\npath: of a file\\n\\n>>> 1 + 1\\n2"))
    Reads. **collective**
    <BLANKLINE>
    - `path`: of a file
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    text = PARAMETER.sub(lambda found: f"- `{found[1]}`: {found[2]}", text)
    text = KIND.sub(r"**\1**", text)
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text).rstrip()


class PlainDocstrings(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring and not obj.is_alias:
            obj.docstring.value = as_markdown(obj.docstring.value)
