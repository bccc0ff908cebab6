"""Writes the Fortran module onecast_interfaces from the public C headers, include/onecast: the
constants, the structs and an interface for each function. The build calls it; the result is no file
of the repository.

python tools/onecast_fortran.py FOLDER [--mpi]
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from fortran_source import Source

ROOT = Path(__file__).resolve().parent.parent
HEADERS = "include/onecast/capi"
MADE = f"! Made by tools/onecast_fortran.py from {HEADERS}."
NUMBERS = {
    "int": "integer(c_int)",
    "size_t": "integer(c_size_t)",
    # Fortran has no unsigned numbers: these types have the same bits.
    "unsigned": "integer(c_int)",
    "uint64_t": "integer(c_int64_t)",
    "int64_t": "integer(c_int64_t)",
    "uint32_t": "integer(c_int32_t)",
    "uint16_t": "integer(c_int16_t)",
}
# These functions take handles of MPI's C interface; each has a counterpart for Fortran.
OF_MPI_IN_C = r"\bonecast_mpi_handle\b"
# These parameters are numbers that are written into arrays of the caller.
ARRAYS = ("chunk", "dimensions")
# These parameters are addresses that a function keeps or frees.
ADDRESSES = ("memory", "user", "context")
PARAMETER = re.compile(r"(const )?(?:struct )?(\w+) ?((?:\*(?: ?const ?)?)*) ?(\w+)")


@dataclass
class Header:
    """The declarations of all headers."""

    functions: dict[str, tuple[str, str]]  # name: its result and its parameters
    structs: dict[str, str]  # name: its members
    enums: dict[str, dict[str, int]]
    numbers: dict[str, int]  # macros
    function_types: list[str]


@dataclass
class Parameter:
    name: str
    type: str
    stars: int
    is_const: bool


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def read_headers(has_mpi: bool, root: Path = ROOT) -> Header:
    paths = sorted((root / HEADERS).glob("*.h"))
    if not has_mpi:
        paths.remove(root / HEADERS / "mpi.h")
    text = without_comments("".join(path.read_text() for path in paths))
    functions = {
        name: (one_line(returns), one_line(parameters))
        for returns, name, parameters in re.findall(
            r"^ONECAST_API\s+([^;]*?)\b(onecast_\w+)\(([^;]*?)\);", text, re.MULTILINE | re.DOTALL
        )
    }
    structs = dict(re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.DOTALL))
    enums = {
        name: enum_values(values)
        for name, values in re.findall(
            r"typedef enum (\w+) ONECAST_AS_INT \{(.*?)\} \1;", text, re.DOTALL
        )
    }
    numbers = {
        name: -1 if value == "UINT64_MAX" else int(value)
        for name, value in re.findall(r"#define (ONECAST_\w+) (\d+|UINT64_MAX)\n", text)
    }
    function_types = re.findall(r"typedef \w+ \(\*(\w+)\)", text)
    return Header(functions, structs, enums, numbers, function_types)


def enum_values(text: str) -> dict[str, int]:
    values: dict[str, int] = {}
    following = 0
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = entry.partition(" = ")
        following = int(value) if value else following
        values[name] = following
        following += 1
    return values


def parameters_of(text: str) -> list[Parameter]:
    parameters = []
    for part in text.split(", "):
        if part == "void":
            continue
        found = PARAMETER.fullmatch(part)
        if not found:
            raise ValueError(part)
        const, kind, stars, name = found.groups()
        parameters.append(Parameter(name, kind, stars.count("*"), bool(const)))
    return parameters


def dummy(parameter: Parameter, header: Header, is_list: bool, is_kept: bool) -> list[str]:
    """The declaration. A pointer may be left out: C then gets NULL.

    is_list: the parameter before is the number of elements. is_kept: the address is used after the
    call has returned.
    """
    name, kind, stars = parameter.name, parameter.type, parameter.stars
    is_in = parameter.is_const
    if kind in header.function_types:
        return [f"type(c_funptr), value :: {name}"]
    if kind == "char" and stars == 1:
        return [f"character(kind=c_char), intent(in), optional :: {name}(*)"]
    if kind == "void" and stars == 1:
        if is_kept or name in ADDRESSES:
            return [f"type(c_ptr), value :: {name}"]
        intent = "intent(in), " if is_in else ""
        return [
            f"type(*), {intent}optional :: {name}(*)",
            f"!GCC$ attributes no_arg_check :: {name}",
        ]
    number = NUMBERS.get(kind) or ("integer(c_int)" if kind in header.enums else "")
    is_opaque = not number and kind not in header.structs
    if stars == 0:
        return [f"{number or f'type({kind})'}, value :: {name}"]
    if is_opaque and stars == 1:
        return [f"type(c_ptr), value :: {name}"]
    if stars > 1 and is_in and kind in ("char", "onecast_reference") and is_list:
        return [f"type(c_ptr), intent(in), optional :: {name}(*)"]
    if stars > 1:
        is_handle = is_opaque and kind not in ("char", "void") and stars == 2
        return [f"type(c_ptr), intent({'inout' if is_handle else 'out'}), optional :: {name}"]
    if number:
        if is_in or name in ARRAYS:
            target = ", target" if is_kept else ""
            intent = f"intent({'in' if is_in else 'inout'})"
            return [f"{number}, {intent}, optional{target} :: {name}(*)"]
        return [f"{number}, intent(out), optional :: {name}"]
    extent = "(*)" if is_list else ""
    return [f"type({kind}), intent({'in' if is_in else 'inout'}), optional :: {name}{extent}"]


def interface(source: Source, name: str, header: Header) -> None:
    returns, text = header.functions[name]
    parameters = parameters_of(text)
    is_void = returns == "void"
    result = "" if is_void else " result(returned)"
    kind = "subroutine" if is_void else "function"
    names = ", ".join(parameter.name for parameter in parameters)
    source.add(f'    {kind} {name}({names}){result} bind(c, name="{name}")')
    source.add("      import")
    before = ""
    is_kept = name.endswith("_async") or returns == "onecast_selection"
    for parameter in parameters:
        for line in dummy(parameter, header, before == "count", is_kept):
            source.add("      " + line)
        before = parameter.name
    if not is_void:
        if "*" in returns:
            declared = "type(c_ptr)"
        elif returns in header.structs:
            declared = f"type({returns})"
        else:
            declared = "integer(c_int)"
        source.add(f"      {declared} :: returned")
    source.add(f"    end {kind} {name}")


def member(text: str, header: Header) -> str:
    """Returns the declaration of a member of a struct, with 0 as its initial value."""
    if found := re.fullmatch(r"\w+ \(\*(\w+)\)\(.*\)", text):
        return f"type(c_funptr) :: {found[1]} = c_null_funptr"
    found = re.fullmatch(r"(.*?)(\w+)(?:\[(\w+)\])?", text)
    if not found:
        raise ValueError(text)
    kind, name, extent = found[1].strip(), found[2], found[3]
    extent = f"({extent})" if extent else ""
    if "*" in kind:
        return f"type(c_ptr) :: {name}{extent} = c_null_ptr"
    number = NUMBERS.get(kind) or ("integer(c_int)" if kind in header.enums else "")
    return f"{number} :: {name}{extent} = 0" if number else f"type({kind}) :: {name}{extent}"


def in_order(structs: dict[str, str]) -> list[tuple[str, str]]:
    """Returns the structs in an order in which members precede the structs that hold them."""
    below = {
        name: {word for word in re.findall(r"(\w+) \w+;", members) if word in structs}
        for name, members in structs.items()
    }
    return [(name, structs[name]) for name in TopologicalSorter(below).static_order()]


def interfaces_f90(header: Header) -> str:
    source = Source([MADE])
    add = source.add
    add("!> The C interface of Onecast.")
    add("module onecast_interfaces")
    add("  use, intrinsic :: iso_c_binding")
    add("  implicit none")
    add()
    for name, value in header.numbers.items():
        kind = "c_int64_t" if value < 0 else "c_int"
        add(f"  integer({kind}), parameter :: {name} = {value}_{kind}")
    for values in header.enums.values():
        add()
        for name, value in values.items():
            add(f"  integer(c_int), parameter :: {name} = {value}")
    for name, members in in_order(header.structs):
        add()
        add(f"  type, bind(c) :: {name}")
        for text in filter(None, (one_line(part) for part in members.split(";"))):
            add("    " + member(text, header))
        add(f"  end type {name}")
    add()
    add("  interface")
    for name, (_, parameters) in header.functions.items():
        if not re.search(OF_MPI_IN_C, parameters):
            interface(source, name, header)
    add("  end interface")
    add("end module onecast_interfaces")
    return source.text()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mpi", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    text = interfaces_f90(read_headers(given.mpi))
    (given.folder / "interfaces.f90").write_text(text)


if __name__ == "__main__":
    main()
