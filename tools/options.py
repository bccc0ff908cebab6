"""Writes what lists the options of a file, from their one table (file_options.toml).

python tools/options.py            writes the files below anew
python tools/options.py --check    says which of them are not as the table has it
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable

from made_files import make
from option_table import (
    EXPERT,
    GROUPS,
    MADE,
    ROOT,
    TABLE,
    UNITS,
    Option,
    capitalised,
    in_groups,
    load,
)


def comment(text: str, indent: int = 2) -> str:
    lead = " " * indent + "/// "
    return "\n".join(
        textwrap.wrap(
            text, 100, initial_indent=lead, subsequent_indent=lead, break_long_words=False
        )
    )


def sentence(text: str) -> str:
    return capitalised(text if text.endswith(".") else text + ".")


def choices(options: list[Option]) -> list[Option]:
    return [option for option in options if option.kind == "choice"]


# --- C++ -----------------------------------------------------------------------------------------
def cpp_number(number: int) -> str:
    for unit in UNITS:
        if number >= 1 << 14 and number % unit == 0:
            return f"std::uint64_t{{{number // unit}}} << {unit.bit_length() - 1}U"
    return str(number)


def cpp_type(option: Option) -> str:
    if option.kind in ("bytes", "count"):
        number = f"std::uint{option.bits}_t"
        return f"std::optional<{number}>" if option.absent else number
    return {"flag": "bool", "hints": "std::map<std::string, std::string>"}.get(
        option.kind, option.type
    )


def cpp_default(option: Option) -> str:
    if option.kind == "choice":
        return f"{option.type}::{option.default}"
    if option.kind == "flag":
        return option.default_words
    return "{}" if option.default is None else cpp_number(option.default)


def cpp_struct(options: list[Option]) -> str:
    lines = [
        "#pragma once",
        "",
        f"// {MADE}",
        "",
        "#include <cstdint>",
        "#include <map>",
        "#include <optional>",
        "#include <string>",
        "",
        "namespace onecast {",
    ]
    for option in choices(options):
        lines += [
            "",
            comment(option.type_sentence, 0),
            f"enum class {option.type} : std::uint8_t {{",
        ]
        for value, text in option.values.items():
            lines += [comment(sentence(text)), f"  {value},"]
        lines.append("};")
    lines += [
        "",
        comment(
            "Options of File::create and File::open. They are the @same on all ranks (else all "
            "ranks throw diverged) unless said otherwise. Sizes in bytes. "
            "docs/reference/options.md lists them for all languages, and says which of them "
            "most programs need.",
            0,
        ),
        "struct FileOptions {",
    ]
    for group, members in in_groups(options):
        lines += ["", f"  // --- {group}: {GROUPS[group]}", ""]
        for option in members:
            parts = [option.sentence, option.more, *option.remarks("Not given")]
            lines.append(comment(" ".join(part for part in parts if part)))
            lines.append(f"  {cpp_type(option)} {option.name} = {cpp_default(option)};")
    lines += [
        "",
        comment(
            "Not an option: an error in the options of this rank that a binding of another "
            "language found. open and create throw it, on all ranks."
        ),
        "  std::string problem = {};",
    ]
    lines += ["", "  bool operator==(const FileOptions&) const = default;", "};", ""]
    return "\n".join([*lines, "}  // namespace onecast", ""])


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def cpp_range(option: Option) -> list[str]:
    """Returns the limits of a number that are not those of every number."""
    if option.kind not in ("bytes", "count"):
        return []
    limits = []
    if option.least:
        limits.append(f".least = {cpp_number(option.least)}")
    if option.bound < (1 << 64) - 1:
        limits.append(f".most = {cpp_number(option.bound)}")
    if option.power_of_two:
        limits.append(".is_power_of_two = true")
    if option.least and not option.zero:
        limits.append(".takes_zero = false")
    return limits


def cpp_table(options: list[Option]) -> str:
    lines = [
        "#pragma once",
        "",
        f"// {MADE}",
        "",
        "#include <array>",
        "#include <string_view>",
        "#include <tuple>",
        "",
        '#include "onecast/objects/file_option.hpp"',
        "",
        "/// Tables of the options for Onecast's own layers. Its functions are @independent.",
        "namespace onecast {",
    ]
    for option in choices(options):
        names = ", ".join(quoted(value) for value in option.values)
        lines += [
            "",
            f"constexpr std::array<std::string_view, {len(option.values)}> "
            f"names_of({option.type} /*kind*/) {{ return {{{names}}}; }}",
        ]
    lines += ["", "/// All options of a file.", "inline constexpr std::tuple kFileOptions{"]
    for option in options:
        words = [
            f".name = {quoted(option.name)}",
            f".field = &FileOptions::{option.name}",
            f".expected = {quoted(option.expected)}",
        ]
        if not option.same:
            words.append(".is_same = false")
        if not option.lasting:
            words.append(".is_lasting = false")
        if limits := cpp_range(option):
            words.append(f".range = {{{', '.join(limits)}}}")
        lines.append(f"    FileOption<{cpp_type(option)}>{{{', '.join(words)}}},")
    return "\n".join([*lines, "};", "", "}  // namespace onecast", ""])


# --- C -------------------------------------------------------------------------------------------
def c_type(option: Option) -> str:
    if option.kind in ("bytes", "count"):
        return f"uint{64 if option.absent else option.bits}_t"
    return "int" if option.kind == "flag" else f"onecast_{option.name}"


def c_struct(options: list[Option]) -> str:
    lines = [
        "#ifndef ONECAST_CAPI_FILE_OPTIONS_H",
        "#define ONECAST_CAPI_FILE_OPTIONS_H",
        "",
        f"/* {MADE} */",
        "",
        '#include "onecast/capi/status.h"',
        "",
        "ONECAST_BEGIN_C",
    ]
    for option in choices(options):
        lines += [
            "",
            comment(option.type_sentence, 0),
            f"typedef enum onecast_{option.name} ONECAST_AS_INT {{",
        ]
        last = list(option.values)[-1]
        for value, text in option.values.items():
            lines.append(comment(sentence(text)))
            comma = "" if value == last else ","
            lines.append(f"  ONECAST_{option.name.upper()}_{value.upper()}{comma}")
        lines.append(f"}} onecast_{option.name};")
    lines += [
        "",
        "/// A hint of MPI-IO.",
        "typedef struct onecast_hint {",
        "  const char* name;",
        "  const char* value;",
        "} onecast_hint;",
        "",
        comment(
            "Options of onecast_file_create and onecast_file_open. They are the @same on all ranks "
            "unless said otherwise. Sizes in bytes; flags are 1 or 0. "
            "docs/reference/options.md describes each in full.",
            0,
        ),
        "///",
        "///     onecast_file_options options;",
        "///     onecast_file_options_init(&options, sizeof options);",
        "///     options.durable = 1;",
        "///",
        "/// Later versions may add members at the end. Programs compiled before then still work.",
        "typedef struct onecast_file_options {",
        "  /// The size of this struct; set by onecast_file_options_init.",
        "  size_t size;",
    ]
    for version in sorted(
        {option.since for option in options}, key=lambda v: [*map(int, v.split("."))]
    ):
        of_version = [option for option in options if option.since == version]
        for group, members in in_groups(of_version):
            if members:
                lines += ["", f"  /* --- {group}: {GROUPS[group]} */", ""]
            for option in members:
                parts = [option.sentence, *option.remarks("UINT64_MAX, not given")]
                if option.kind == "hints":
                    parts.append("They are copied.")
                lines.append(comment(" ".join(parts)))
                if option.kind == "hints":
                    lines += ["  size_t hint_count;", f"  const onecast_hint* {option.name};"]
                else:
                    lines.append(f"  {c_type(option)} {option.name};")
    return "\n".join([*lines, "} onecast_file_options;", "", "ONECAST_END_C", "", "#endif", ""])


def c_members(options: list[Option]) -> str:
    lines = [
        "#pragma once",
        "",
        f"// {MADE}",
        "",
        "#include <tuple>",
        "",
        '#include "capi/file_options.hpp"',
        "",
        "namespace onecast::capi {",
        "",
        "/// All options except `hints`.",
        "inline constexpr std::tuple kOptionMembers{",
    ]
    for option in options:
        if option.kind != "hints":
            lines.append(
                f"    OptionMember{{{quoted(option.name)}, &FileOptions::{option.name}, "
                f"&onecast_file_options::{option.name}}},"
            )
    return "\n".join([*lines, "};", "", "}  // namespace onecast::capi", ""])


# --- Python --------------------------------------------------------------------------------------
def python_type(option: Option) -> str:
    if option.kind == "choice":
        literal = f"Literal[{', '.join(quoted(value) for value in option.values)}]"
        if option.name in ("locking", "follow_external"):
            literal = f"bool | {literal}"
        return f"{literal} | None" if option.name == "locking" else literal
    if option.kind == "hints":
        return "Mapping[str, Any]"
    name = "bool" if option.kind == "flag" else "int"
    return f"{name} | None" if option.absent else name


def python_text(option: Option) -> str:
    parts = [option.sentence, option.more]
    if option.values:
        parts += [f'"{value}": {text}.' for value, text in option.values.items()]
    parts += [remark for remark in option.remarks("None") if remark != EXPERT]
    parts.append(f"Default {python_default_words(option)}.")
    return " ".join(part for part in parts if part)


def python_default(option: Option) -> str:
    return "None" if option.kind == "hints" else repr(option.default)


def python_default_words(option: Option) -> str:
    if option.kind == "choice":
        return quoted(option.default)
    if option.kind == "flag":
        return str(option.default)
    if option.absent:
        return "None"
    return option.default_words.split(":")[0] if option.zero else option.default_words


def python_module(options: list[Option]) -> str:
    lines = [
        '"""The options of a file."""',
        "",
        f"# {MADE}",
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from typing import Any, Literal, NamedTuple, TypedDict",
        "",
        "",
        "class FileOptions(TypedDict, total=False):",
        '    """The keywords of `File` that are options: `FILE_OPTIONS` describes them."""',
    ]
    for group, members in in_groups(options):
        lines += ["", f"    # {group}: {GROUPS[group]}"]
        lines += [f"    {option.name}: {python_type(option)}" for option in members]
    lines += [
        "",
        "",
        "class FileOption(NamedTuple):",
        '    """An option of `File`.',
        "",
        '    kind: "bytes", "count", "flag", "choice" or "hints"',
        "    default: the default value; None if the option has none",
        '    group: "behaviour", "layout" or "tuning"',
        "    text: the description",
        "    expected: the values that `File` takes, in words",
        "    type: the type of the keyword, as an annotation",
        "    values: the values of a choice, as `File` takes them",
        "    expert: True if programs should leave the option alone unless they measure",
        '    """',
        "",
        "    kind: str",
        "    default: Any",
        "    group: str",
        "    text: str",
        '    expected: str = "true or false"',
        '    type: str = "bool"',
        "    values: tuple[str, ...] = ()",
        "    expert: bool = False",
        "",
        "",
        "FILE_OPTIONS: dict[str, FileOption] = {",
    ]
    for option in options:
        text = "".join(
            f"        {quoted(line)}\n"
            for line in textwrap.wrap(python_text(option), 84, drop_whitespace=False)
        )
        words = [quoted(option.kind), python_default(option), quoted(option.group), f"\n{text}"]
        if option.kind != "flag":
            words += [quoted(option.expected), repr(python_type(option))]
        if option.values:
            words.append(repr(tuple(option.values)))
        if option.expert:
            words.append("expert=True")
        lines.append(f"    {quoted(option.name)}: FileOption({', '.join(words)}),")
    return "\n".join([*lines, "}", ""])


# --- documentation -------------------------------------------------------------------------------
PAGE_HEAD = f"""# Options of a file

<!-- {MADE} -->

Options are passed in a `FileOptions` to `File::create` and `File::open`, in an \
`onecast_file_options` to `onecast_file_create` and `onecast_file_open`, and as keywords to \
`onecast.File`. Names and values are equal in the three languages. In C the name of the option \
precedes a value (`ONECAST_LOCKING_BEST_EFFORT`), in C++ its type does \
(`FileLocking::best_effort`), in Python a value is a string (`"best_effort"`).

Ranks that open a file together pass equal options; otherwise all of them get the error \
*diverged*, which names the options that differ and their values. A value that is not allowed is \
an error that names the option and the allowed values. `create` ignores options that only `open` \
uses, and `open` those that only `create` uses.

Python also takes h5py's terms: `locking` as `True` or `None` (on), `False` or `"best-effort"`, \
`follow_external` as `True` (everywhere) or `False` (nowhere), `libver` for `profile`, \
`driver="mpio"` with `comm` and `info`.

## Most programs need at most these
"""
PAGE_EXPERT = f"""## Expert options
{EXPERT} The defaults hold for one rank and for many.
"""


def page_table(options: list[Option]) -> list[str]:
    lines = ["| option | default | |", "|---|---|---|"]
    for option in options:
        default = option.default_words
        lines.append(f"| [`{option.name}`](#{option.name}) | {default} | {option.sentence} |")
    return lines


def page_option(option: Option) -> list[str]:
    facts = [option.expected, f"default {option.default_words}"]
    facts.append("create and open" if option.used == "both" else f"{option.used} only")
    facts.append("equal on all ranks" if option.same else "may differ between ranks")
    if not option.lasting:
        facts.append("may differ between openings of one file")
    lines = [f"### `{option.name}`", option.sentence, "", f"*{'; '.join(facts)}*"]
    if option.values:
        lines += ["", *(f"- `{value}`: {text}" for value, text in option.values.items())]
    if option.more:
        lines += ["", option.more]
    return [*lines, ""]


def page(options: list[Option]) -> str:
    lines = [PAGE_HEAD]
    for is_expert in (False, True):
        if is_expert:
            lines.append(PAGE_EXPERT)
        for group, members in in_groups(options):
            of_them = [option for option in members if option.expert == is_expert]
            if of_them:
                lines += [f"**{group}**: {GROUPS[group]}", "", *page_table(of_them), ""]
    for group, members in in_groups(options):
        lines += [f"## {group.capitalize()}", ""]
        for option in members:
            lines += page_option(option)
    return "\n".join(lines)


# --- files ---------------------------------------------------------------------------------------
FILES: dict[str, Callable[[list[Option]], str]] = {
    "include/onecast/objects/file_options.hpp": cpp_struct,
    "include/onecast/objects/file_option_table.hpp": cpp_table,
    "include/onecast/capi/file_options.h": c_struct,
    "src/capi/file_option_members.hpp": c_members,
    "python/onecast/_file_options.py": python_module,
    "docs/reference/options.md": page,
}


def main(arguments: list[str]) -> int:
    options = load((ROOT / TABLE).read_text())
    files = {name: write(options) for name, write in FILES.items()}
    return make(files, arguments, "tools/options.py", f"{TABLE} says")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
