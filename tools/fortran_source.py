"""Lines of Fortran."""

from __future__ import annotations

from dataclasses import dataclass, field

WIDTH = 100


@dataclass
class Source:
    """Lines that are broken after a comma if they are too long."""

    lines: list[str] = field(default_factory=list)

    def add(self, text: str = "") -> None:
        indent = len(text) - len(text.lstrip())
        while len(text) > WIDTH:
            at = text.rfind(", ", 0, WIDTH - 2) + 1
            self.lines.append(text[:at] + " &")
            text = " " * (indent + 2) + text[at:].lstrip()
        self.lines.append(text)

    def text(self) -> str:
        return "\n".join([*self.lines, ""])
