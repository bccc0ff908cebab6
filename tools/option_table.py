"""The table of the options of a file, read and checked; tools/options.py writes from it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TABLE = "src/objects/files/file_options.toml"
MADE = f"Made by tools/options.py from {TABLE}: change that."
FIRST_VERSION = "0.1.0"

GROUPS = {
    "behaviour": "what the program sees",
    "layout": "what lies where in the file",
    "tuning": "the same results by other means",
}
EXPERT = "Leave alone unless measured."
UNITS = {1 << 40: "TiB", 1 << 30: "GiB", 1 << 20: "MiB", 1 << 10: "KiB"}


@dataclass
class Option:
    """An entry of the table; its keys are explained there."""

    name: str
    group: str
    kind: str
    sentence: str
    default: Any = None
    more: str = ""
    expert: bool = False
    used: str = "both"
    same: bool = True
    lasting: bool = True
    since: str = FIRST_VERSION
    least: int = 0
    most: int | None = None
    power_of_two: bool = False
    zero: str = ""
    absent: str = ""
    bits: int = 64
    type: str = ""
    type_sentence: str = ""
    values: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        is_number = self.kind in ("bytes", "count")
        known = {
            "group": self.group in GROUPS,
            "kind": is_number or self.kind in ("flag", "choice", "hints"),
            "used": self.used in ("create", "open", "both"),
            "bits": self.bits in (32, 64),
            "default": self.default in self.values
            if self.kind == "choice"
            else isinstance(self.default, bool)
            if self.kind == "flag"
            else not is_number
            or (isinstance(self.default, int) if not self.absent else self.default is None),
        }
        for key, is_right in known.items():
            if not is_right:
                raise ValueError(f"{TABLE}: {self.name}: {key}: {getattr(self, key)!r}")

    @property
    def bound(self) -> int:
        return self.most if self.most is not None else (1 << self.bits) - 1

    @property
    def is_bounded(self) -> bool:
        return bool(self.least) or self.most is not None

    @property
    def expected(self) -> str:
        """Returns the allowed values in words."""
        if self.kind == "flag":
            return "true or false"
        if self.kind == "choice":
            *names, last = self.values
            return f"{', '.join(names)} or {last}"
        if self.kind == "hints":
            return "names and values"
        unit = " bytes" if self.kind == "bytes" else ""
        if self.power_of_two:
            words = f"a power of two from {size(self.least, unit)} to {size(self.bound, unit)}"
        elif self.least:
            words = f"at least {size(self.least, unit)}"
        elif self.is_bounded:
            words = f"at most {size(self.bound, unit)}"
        else:
            words = f"a number{unit and ' of bytes'}"
        return ("0 or " if self.zero and self.least else "") + words

    @property
    def default_words(self) -> str:
        if self.kind == "choice":
            return self.default
        if self.kind == "flag":
            return "true" if self.default else "false"
        if self.kind == "hints":
            return "none"
        if self.default is None:
            return f"not given: {self.absent}"
        if self.default == 0 and self.zero:
            return f"0: {self.zero}"
        return size(self.default, " bytes") if self.kind == "bytes" else str(self.default)

    def remarks(self, not_given: str) -> list[str]:
        """Returns sentences about the option's peculiarities; `not_given`: the words for that
        case."""
        said = []
        if self.is_bounded:
            said.append(f"{capitalised(self.expected)}.")
        if self.zero:
            said.append(f"0: {self.zero}.")
        if self.absent:
            said.append(f"{not_given}: {self.absent}.")
        if self.used != "both":
            said.append(f"For {self.used} only.")
        if not self.same:
            said.append("Need not be the @same on all ranks.")
        if self.expert:
            said.append(EXPERT)
        return said


def size(number: int, unit: str = "") -> str:
    for factor, name in UNITS.items():
        if number and number % factor == 0:
            return f"{number // factor} {name}"
    return f"{number:,}{unit}"


def capitalised(text: str) -> str:
    """Capitalises the text unless it begins with the name of a function."""
    return text if "_" in text.split()[0] else text[0].upper() + text[1:]


def load(text: str) -> list[Option]:
    """Returns the options in the order of the table; raises ValueError or TypeError, which name the
    error."""
    options = [Option(name, **entry) for name, entry in tomllib.loads(text).items()]
    groups = [option.group for option in options]
    if groups != sorted(groups, key=list(GROUPS).index):
        raise ValueError(f"{TABLE}: options of one group must stand together, in their order")
    return options


def in_groups(options: list[Option]) -> Iterator[tuple[str, list[Option]]]:
    for group in GROUPS:
        yield group, [option for option in options if option.group == group]
