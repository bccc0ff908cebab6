"""Writes what follows from the tables of the CGNS layer: cgns/functions.toml, cgns/enums.toml and
cgns/labels.toml. The results are files of the repository; with --built, the sources and the private
headers that the build writes into a folder of its own.

python tools/cgns_tables.py [--check | --built FOLDER]
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from made_files import make

ROOT = Path(__file__).resolve().parent.parent
MADE = "Made by tools/cgns_tables.py from {}: change that."
FUNCTIONS, ENUMS, LABELS = (f"cgns/{name}.toml" for name in ("functions", "enums", "labels"))
NOT_ENUMS = ("nodes_per_element", "macros")
SCOPED = "CGNS_ENUMT"
# This is no function of the interface, but programs call it: it sets the text of cg_get_error.
BESIDE = "cgi_error"


@dataclass
class Function:
    """A line of functions.toml."""

    name: str
    family: str
    header: str
    returns: str
    parameters: str
    since: str


@dataclass
class Tables:
    functions: list[Function]
    titles: dict[str, str]
    enums: dict[str, list[str]]
    texts: dict[str, list[str]]  # the contents of NAMEName[], also used in files
    counts: dict[str, str]
    nodes_per_element: dict[str, int]
    macros: dict[str, dict[str, int]]
    labels: dict[str, dict[str, Any]]


def load(root: Path = ROOT) -> Tables:
    families = tomllib.loads((root / FUNCTIONS).read_text())
    functions = []
    for family, entry in families.items():
        for name, said in entry["functions"].items():
            line = said if isinstance(said, dict) else {"parameters": said}
            functions.append(
                Function(
                    name,
                    family,
                    entry["header"],
                    line.get("returns", "int"),
                    line["parameters"],
                    line.get("since", ""),
                )
            )
    names = [function.name for function in functions]
    if len(set(names)) != len(names):
        raise ValueError(f"{FUNCTIONS}: a function stands twice")
    enums = tomllib.loads((root / ENUMS).read_text())
    return Tables(
        functions,
        {family: entry["title"] for family, entry in families.items()},
        {
            name: [f"{name}Null", f"{name}UserDefined", *entry["values"]]
            for name, entry in enums.items()
            if name not in NOT_ENUMS
        },
        {
            name: [
                *("Null", "UserDefined"),
                *(entry.get("texts", {}).get(value, value) for value in entry["values"]),
            ]
            for name, entry in enums.items()
            if name not in NOT_ENUMS
        },
        {name: entry["count"] for name, entry in enums.items() if name not in NOT_ENUMS},
        enums["nodes_per_element"],
        enums["macros"],
        tomllib.loads((root / LABELS).read_text()),
    )


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# --- C headers -----------------------------------------------------------------------------------
def scoped(tables: Tables, text: str) -> str:
    """Returns the text with the names of enums as a header writes them."""

    def write(found: re.Match) -> str:
        is_enum = found[1] in tables.enums or found[1] == "PIOmode"
        return f"{SCOPED}({found[0]})" if is_enum else found[0]

    return re.sub(r"\b(\w+)_t\b", write, text)


def prototypes(tables: Tables, header: str) -> list[str]:
    lines: list[str] = []
    family = None
    for function in tables.functions:
        if function.header != header:
            continue
        if function.family != family:
            family = function.family
            lines += ["", f"/* --- {tables.titles[family]} */", ""]
        parameters = scoped(tables, function.parameters) or "void"
        prototype = f"CGNSDLL {function.returns} {function.name}({parameters});"
        if "MPI_" not in parameters:
            lines.append(prototype)
        elif lines[-1] == "#endif":
            lines[-1:] = [prototype, "#endif"]
        else:
            # The library serves every MPI, so it is compiled without mpi.h.
            lines += ["#ifndef ONECAST_CGNS_ANY_MPI", prototype, "#endif"]
    return lines


def c_header(name: str, head: list[str], body: list[str], source: str) -> str:
    guard = name.replace(".", "_").upper()
    return "\n".join(
        [
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            f"/* {MADE.format(source)} */",
            "",
            *head,
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            *body,
            "",
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "",
            "#endif",
            "",
        ]
    )


def cgnslib_h(tables: Tables) -> str:
    head = [
        '#include "cgnstypes.h"',
        "",
        "#define CGNS_VERSION 4500",
        "#define CGNS_DOTVERS 4.50",
        "#define CGNS_COMPATVERSION 2540",
        "#define CGNS_COMPATDOTVERS 2.54",
        "",
        "#ifndef CGNSDLL",
        "#define CGNSDLL",
        "#endif",
        "",
        "/* With CGNS_SCOPE_ENUMS, or in a scoped build, types and values begin with CG_. */",
        "#if CG_BUILD_SCOPE || defined(CGNS_SCOPE_ENUMS)",
        *(f"#define CGNS_ENUM{letter}(e) CG_##e" for letter in "VTD"),
        "#define CGNS_ENUMF(e) cg_##e",
        "#else",
        *(f"#define CGNS_ENUM{letter}(e) e" for letter in "VTDF"),
        "#endif",
        "",
        *(f"#define {name} {value}" for name, value in tables.macros["cgnslib"].items()),
        "#define CG_CONFIG_RIND_ZERO ((void*)0)",
        "#define CG_CONFIG_RIND_CORE ((void*)1)",
        "",
        *(f"#define NPE_{name} {nodes}" for name, nodes in tables.nodes_per_element.items()),
        "",
        *(f"#define {count} {len(tables.enums[name])}" for name, count in tables.counts.items()),
    ]
    body = []
    for name, values in tables.enums.items():
        listed = [f"CGNS_ENUMV({value}) = {number}" for number, value in enumerate(values)]
        body += ["", f"typedef enum {{ {', '.join(listed)} }} {SCOPED}({name}_t);"]
    body.append("")
    for name, count in tables.counts.items():
        body.append(f"extern CGNSDLL const char* {name}Name[{count}];")
    body += prototypes(tables, "cgnslib.h")
    body += [
        "",
        "/* Not a function of the interface, but programs call it: sets the text of cg_get_error,",
        " * and tells the handler of errors. */",
        f"CGNSDLL void {BESIDE}(const char* format, ...);",
    ]
    return c_header("cgnslib.h", head, body, f"{FUNCTIONS} and {ENUMS}")


def pcgnslib_h(tables: Tables) -> str:
    head = [
        "#ifndef ONECAST_CGNS_ANY_MPI",
        "#include <mpi.h>",
        "#endif",
        "",
        '#include "cgnslib.h"',
    ]
    body = [
        "",
        f"typedef enum {{ CGP_INDEPENDENT = 0, CGP_COLLECTIVE = 1 }} {SCOPED}(PIOmode_t);",
    ]
    return c_header("pcgnslib.h", head, body + prototypes(tables, "pcgnslib.h"), FUNCTIONS)


def cgns_io_h(tables: Tables) -> str:
    head = [
        '#include "cgnstypes.h"',
        "",
        "#ifndef CGNSDLL",
        "#define CGNSDLL",
        "#endif",
        "",
        *(f"#define {name} {value}" for name, value in tables.macros["cgns_io"].items()),
    ]
    return c_header("cgns_io.h", head, prototypes(tables, "cgns_io.h"), f"{FUNCTIONS} and {ENUMS}")


# --- C++ -----------------------------------------------------------------------------------------
def enum_names_cpp(tables: Tables) -> str:
    lines = [
        f"// {MADE.format(ENUMS)}",
        "",
        '#include "api/enum_names.hpp"',
        "",
        '#include "cgnslib.h"',
        "",
        'extern "C" {',
    ]
    for name, texts in tables.texts.items():
        lines += [
            "",
            f"const char* {name}Name[{tables.counts[name]}] = "
            f"{{ {', '.join(quoted(text) for text in texts)} }};",
            f"const char* cg_{name}Name({name}_t type) {{ "
            f"return cg_get_name({tables.counts[name]}, {name}Name, type); }}",
        ]
    lines += [
        "",
        '}  // extern "C"',
        "",
        "std::span<const char* const> onecast::cgns::names_of_enum(std::string_view name) {",
        *(f"  if (name == {quoted(name)}) return {name}Name;" for name in tables.texts),
        "  return {};",
        "}",
        "",
    ]
    return "\n".join(lines)


def nodes_per_element_hpp(tables: Tables) -> str:
    numbers = [tables.nodes_per_element.get(name, 0) for name in tables.enums["ElementType"]]
    return "\n".join(
        [
            "#pragma once",
            "",
            f"// {MADE.format(ENUMS)}",
            "",
            "#include <array>",
            "",
            "namespace onecast::cgns {",
            "",
            "/// The nodes of an element, by ElementType_t; 0 if their number varies.",
            f"inline constexpr std::array<int, {len(numbers)}> kNodesPerElement{{"
            f"{', '.join(map(str, numbers))}}};",
            "",
            "}  // namespace onecast::cgns",
            "",
        ]
    )


def identifier(label: str) -> str:
    """Returns the name of a label in C++: Zone_t is Label::Zone."""
    plain = {
        '"int"': "Int",
        '"int[IndexDimension]"': "IntPerIndex",
        '"int[1+...+IndexDimension]"': "IntPerPair",
    }
    return plain.get(label) or label.removesuffix("_t")


def without_defaults(fields: list[str], defaults: list[str]) -> str:
    """Returns the fields of a row, up to the last that has not its default."""
    while fields and fields[-1] == defaults[len(fields) - 1]:
        fields = fields[:-1]
    return ", ".join(fields)


def held_row(child: str, row: dict[str, Any]) -> str:
    texts = [quoted(" ".join(row.get(key, []))) for key in ("types", "dimensions", "of")]
    name = quoted("" if child == "any" else child)
    fields = [name, *texts, str(row.get("required", False)).lower()]
    defaults = ["", *['""'] * 3, "false"]
    return f"HeldRow{{{without_defaults(fields, defaults)}}}"


def child_lists(entry: dict[str, Any]) -> list[str]:
    lists = [
        f"{kind}({', '.join(map(identifier, entry[kind]))})"
        for kind in ("many", "single")
        if kind in entry
    ]
    for fixed, child in entry.get("one", {}).items():
        kind = "required" if fixed in entry.get("required", []) else "one"
        lists.append(f"{kind}({identifier(child)}, {quoted(fixed)})")
    return lists


def label_table_hpp(tables: Tables) -> str:
    lines = [
        "#pragma once",
        "",
        f"// {MADE.format(LABELS)}",
        "",
        "#include <array>",
        "#include <cstdint>",
        "",
        '#include "grammar/label_row.hpp"',
        "",
        "namespace onecast::cgns {",
        "",
        "/// The labels, and `other` for all other texts.",
        "enum class Label : std::uint8_t {",
        "  other,",
        *(f"  {identifier(label)}," for label in tables.labels),
        "};",
        "",
        "namespace table {",
        "",
        "using enum Label;",
        "",
    ]
    rows = []
    for label, entry in tables.labels.items():
        name = identifier(label)
        children = child_lists(entry)
        if children:
            lines.append(f"inline constexpr auto k{name} = children({', '.join(children)});")
        if held := entry.get("holds"):
            all_held = ", ".join(held_row(child, row) for child, row in held.items())
            lines.append(f"inline constexpr std::array kHeldBy{name}{{{all_held}}};")
        fields = [
            quoted(label),
            *(quoted(" ".join(entry.get(key, []))) for key in ("types", "dimensions")),
            quoted(entry.get("value", "")),
            quoted(" ".join(entry.get("of", []))),
            "k" + name if children else "{}",
            str(bool(entry.get("alternatives"))).lower(),
            "kHeldBy" + name if held else "{}",
        ]
        defaults = [*['""'] * 5, "{}", "false", "{}"]
        rows.append(f"LabelRow<Label>{{{without_defaults(fields, defaults)}}}")
    lines += [
        f"inline constexpr std::array kRows{{LabelRow<Label>{{}}, {', '.join(rows)}}};",
        "}  // namespace table",
        "",
        "}  // namespace onecast::cgns",
        "",
    ]
    return "\n".join(lines)


# --- others --------------------------------------------------------------------------------------
def plain_fortran():
    """Imports the writer of plain Fortran, which uses this module."""
    import cgns_plain_fortran

    return cgns_plain_fortran


def symbols_map(tables: Tables) -> str:
    names = [function.name for function in tables.functions]
    names += [f"{name}Name" for name in tables.enums]
    names += [BESIDE, *plain_fortran().symbols(tables)]
    listed = "\n".join(f"    {name};" for name in names)
    return (
        f"# {MADE.format(FUNCTIONS)}\n# What the shared libraries of the CGNS layer show.\n"
        f"{{\n  global:\n{listed}\n  local: *;\n}};\n"
    )


FILES: dict[str, Callable[[Tables], str]] = {
    "cgns/include/cgnslib.h": cgnslib_h,
    "cgns/include/pcgnslib.h": pcgnslib_h,
    "cgns/include/cgns_io.h": cgns_io_h,
    "cgns/symbols.map": symbols_map,
}
# The build writes these.
BUILT: dict[str, Callable[[Tables], str]] = {
    "grammar/nodes_per_element.hpp": nodes_per_element_hpp,
    "grammar/label_table.hpp": label_table_hpp,
    "enum_names.cpp": enum_names_cpp,
    "subroutines.cpp": lambda tables: plain_fortran().source(tables, "cgnslib.h"),
    "subroutines_mpi.cpp": lambda tables: plain_fortran().source(tables, "pcgnslib.h"),
}


def main(arguments: list[str]) -> int:
    tables = load()
    if arguments[:1] == ["--built"]:
        for name, write in BUILT.items():
            path, text = Path(arguments[1]) / name, write(tables)
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
        return 0
    files = {name: write(tables) for name, write in FILES.items()}
    return make(files, arguments, "tools/cgns_tables.py", "the tables say")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
