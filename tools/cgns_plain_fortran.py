"""Writes subroutines.cpp and subroutines_mpi.cpp: the subroutines of the CGNS library for programs
in Fortran that do not use its module, or that were compiled with another library's.
tools/cgns_tables.py calls it; what a subroutine has otherwise than its C function stands in
cgns/fortran/differences.toml, as for the module."""

from __future__ import annotations

import cgns_fortran
from cgns_fortran import Argument
from cgns_tables import FUNCTIONS, MADE, Function, Tables

# The module of version 3.4 binds a subroutine to these names, for a number and for an array.
ALSO = {
    "cgio_get_dimensions_f_": ("cgio_get_dimensions_f_0", "cgio_get_dimensions_f_1"),
    "cgio_set_dimensions_f_": ("cgio_set_dimensions_f_0_", "cgio_set_dimensions_f_1_"),
}
# by_hand.cpp has the subroutines that do not follow from the tables: all that the module has by
# hand, except the one that takes addresses.
ADDRESSES = "cg_configure_f"
BOUND_BY_HAND = (
    *("cg_set_rind_zero_f", "cg_set_rind_core_f", "cg_exit_on_error_f"),
    *("cg_descriptor_size_f", "cg_state_size_f"),
)
# The module calls these as well.
SHARED = ("onecast_cgns_gorel", "onecast_cgns_exit_on_error", "onecast_cgns_error")
OF_MPI = ("MPI_Comm", "MPI_Info")


def is_character(argument: Argument) -> bool:
    return argument.is_text or argument.is_allocated_text


def symbol(function: Function) -> str:
    """Returns the symbol in lower case, as Fortran does."""
    return f"{function.name.lower()}_f_"


def declared(argument: Argument) -> str:
    """Declares the argument, which is always a reference."""
    if argument.is_allocated_text:
        return f"char* {argument.name}"
    if argument.type in OF_MPI:
        return f"const int* {argument.name}"
    const = "const " if argument.is_const or not argument.stars else ""
    return f"{const}{argument.type}{'*' * max(argument.stars, 1)} {argument.name}"


def passed(argument: Argument) -> str:
    name = argument.name
    if argument.is_allocated_text:
        return f"AllocatedText({name}, {name}_length, ier)"
    if argument.is_text and argument.is_const:
        return f"{'Name' if argument.is_name else 'Text'}({name}, {name}_length)"
    if argument.is_text:
        return f"ReadText({name}, {name}_length, ier)"
    return name if argument.stars else f"*{name}"


def subroutine(function: Function, arguments: list[Argument]) -> list[str]:
    is_void = function.returns == "void"
    dummies = [declared(argument) for argument in arguments] + ([] if is_void else ["int* ier"])
    dummies += [f"std::size_t {one.name}_length" for one in arguments if is_character(one)]
    result = "" if is_void else "*ier = "
    of_fortran = "_of_fortran" if any(one.type in OF_MPI for one in arguments) else ""
    call = f"{function.name}{of_fortran}({', '.join(passed(one) for one in arguments)})"
    lines = ["", f"void {symbol(function)}({', '.join(dummies)}) {{ {result}{call}; }}"]
    others = also(function, arguments)
    return lines + [f"ONECAST_CGNS_ALSO({symbol(function)}, {name});" for name in others]


def also(function: Function, arguments: list[Argument]) -> list[str]:
    """Returns other names of a subroutine: the CGNS library's module binds one without texts."""
    names = list(ALSO.get(symbol(function), ()))
    return names if any(map(is_character, arguments)) else [symbol(function)[:-1], *names]


def functions(tables: Tables) -> list[Function]:
    differences = cgns_fortran.load_differences()
    return [
        function
        for function in cgns_fortran.with_subroutine(tables, differences, has_mpi=True)
        if f"{function.name}_f" not in differences.by_hand
        and "..." not in function.parameters
        and "*" not in function.returns
    ]


def source(tables: Tables, header: str) -> str:
    """Returns the source of the subroutines of pcgnslib.h, or of all others."""
    differences = cgns_fortran.load_differences()
    lines = [
        f"// {MADE.format(FUNCTIONS)}",
        f'#include "{header}"',
        '#include "fortran/texts.hpp"',
        *(['#include "parallel/parallel_session.hpp"'] if header == "pcgnslib.h" else []),
        "",
        *(["using namespace onecast::cgns;"] if header == "pcgnslib.h" else []),
        "using namespace onecast::cgns::fortran;",
        "",
        'extern "C" {',
    ]
    if header != "pcgnslib.h":
        lines.insert(1, '#include "cgns_io.h"')
    for function in functions(tables):
        if (function.header == "pcgnslib.h") == (header == "pcgnslib.h"):
            lines += subroutine(function, cgns_fortran.arguments_of(function, differences))
    return "\n".join([*lines, "", '}  // extern "C"', ""])


def symbols(tables: Tables) -> list[str]:
    """Returns the exported symbols."""
    differences = cgns_fortran.load_differences()
    names = [*SHARED, *BOUND_BY_HAND]
    names += [f"{name}_" for name in differences.by_hand if name != ADDRESSES]
    for function in functions(tables):
        arguments = cgns_fortran.arguments_of(function, differences)
        names += [symbol(function), *also(function, arguments)]
    return names
