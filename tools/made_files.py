"""Files of the repository that a program makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORMATTERS = {
    ".py": (["ruff", "format", "--stdin-filename", "{}"],),
    ".pyi": (
        ["ruff", "check", "--fix-only", "--quiet", "--stdin-filename", "{}", "-"],
        ["ruff", "format", "--stdin-filename", "{}"],
    ),
    **dict.fromkeys((".h", ".hpp", ".cpp"), (["clang-format", "--assume-filename={}"],)),
}


def formatted(path: str, text: str) -> str:
    """Returns the text as tools/format.sh formats it."""
    for command in FORMATTERS.get(Path(path).suffix, ()):
        text = subprocess.run(
            [word.format(path) for word in command],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout
    return text


def make(files: dict[str, str], arguments: list[str], program: str, source: str) -> int:
    """Writes the files. With the argument --check, names those that are not as `source` says, and
    returns 1 if there are any."""
    stale = []
    for name, text in files.items():
        text = formatted(name, text)
        path = ROOT / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if "--check" not in arguments:
        return 0
    for name in stale:
        print(f"{name}: is not what {source}; run python {program}", file=sys.stderr)
    return 1 if stale else 0
