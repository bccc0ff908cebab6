"""Writes the Fortran module of the CGNS layer from cgns/functions.toml, cgns/enums.toml and
cgns/fortran/differences.toml. The build calls it; the results are no files of the repository.

python tools/cgns_fortran.py FOLDER [--size 32|64] [--mpi]
"""

from __future__ import annotations

import argparse
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import cgns_tables
from cgns_tables import ROOT, Function, Tables
from fortran_source import Source

DIFFERENCES = "cgns/fortran/differences.toml"
BY_HAND = "cgns/fortran/by_hand.f90"
MADE = f"! Made by tools/cgns_fortran.py from {cgns_tables.FUNCTIONS} and {DIFFERENCES}."
PARAMETER = re.compile(r"(const )?(\w+)\s*(\*{0,2}) ?(\w+)")
NUMBERS = {
    "int": "integer(c_int)",
    "cgsize_t": "integer(cgsize_t)",
    "cglong_t": "integer(cglong_t)",
    "float": "real(c_float)",
    "double": "real(c_double)",
    "MPI_Comm": "integer(c_int)",
    "MPI_Info": "integer(c_int)",
}
# The module also exports these names. Without c_funptr, gfortran takes c_funptr of iso_c_binding
# for another type if a program uses both modules in several scopes.
OF_C = ("c_funptr", "c_int", "c_float", "c_double", "c_char", "c_long_long", "c_ptr", "c_null_char")
OF_C += ("c_null_ptr", "c_loc", "c_associated", "c_f_pointer")


@dataclass
class Argument:
    """A parameter of a function and its Fortran form."""

    name: str
    type: str  # in C, without const and stars
    is_const: bool
    stars: int
    is_array: bool
    is_any: bool = False  # also an address
    is_name: bool = False  # of a node: cut at 32 characters

    @property
    def number(self) -> str:
        return NUMBERS.get(self.type, "integer(cgenum_t)")

    @property
    def is_text(self) -> bool:
        return self.type == "char" and self.stars == 1

    @property
    def is_buffer(self) -> bool:
        return self.type == "void" and self.stars == 1

    @property
    def is_allocated_text(self) -> bool:
        return self.type == "char" and self.stars == 2

    def in_c(self) -> str:
        """Declares it in the interface to the C function."""
        if self.is_allocated_text and not self.is_array:
            return "type(c_ptr), intent(out) :: {}"
        if self.stars == 2:
            return "type(c_ptr), intent(in) :: {}(*)"
        if self.is_text:
            return f"character(kind=c_char), intent({'in' if self.is_const else 'out'}) :: {{}}(*)"
        if self.is_buffer or self.is_array:
            return "type(c_ptr), value :: {}"
        return self.number + (", intent(out) :: {}" if self.stars else ", value :: {}")

    def dummy(self, number: str = "") -> str:
        """Declares it in the subroutine."""
        number = number or self.number
        if self.type == "void" and self.stars == 2:
            return "type(c_ptr), intent(in) :: {}(*)"
        if self.is_buffer or self.is_any:
            intent = ", intent(in)" if self.is_const else ""
            return f"type(*), dimension(..){intent}, target :: {{}}"
        if self.type == "char":
            return f"character(*), intent({'in' if self.is_const else 'out'}) :: {{}}"
        if self.is_array:
            intent = ", intent(in)" if self.is_const else ""
            return f"{number}, dimension(..){intent}, target :: {{}}"
        return f"{number}, intent({'out' if self.stars else 'in'}) :: {{}}"


@dataclass
class Differences:
    without: list[str]
    by_hand: list[str]
    instead: dict[str, str]
    arrays: list[str]
    scalars: list[str]
    either_kind: dict[str, str]
    addresses: list[str]
    unwanted: list[str]
    name_end: str
    longer_names: list[str]
    constants: dict[str, int]


def load_differences(root: Path = ROOT) -> Differences:
    said = tomllib.loads((root / DIFFERENCES).read_text())
    return Differences(
        said["without"],
        said["by_hand"]["names"],
        said["instead"],
        said["shape"]["arrays"],
        said["shape"]["scalars"],
        said["either_kind"],
        said["ranges"]["addresses"],
        said["unwanted"]["arrays"],
        said["names"]["end"],
        said["names"]["longer"],
        said["constants"],
    )


def arguments_of(function: Function, differences: Differences) -> list[Argument]:
    arguments = []
    for text in filter(None, function.parameters.split(", ")):
        found = PARAMETER.fullmatch(text)
        if not found:
            raise ValueError(f"{function.name}: {text}")
        const, kind, stars, name = found.groups()
        is_array = bool(stars) and kind not in ("char", "void")
        if is_array and not const:
            is_sizes = kind in ("cgsize_t", "cglong_t")
            is_array = name not in differences.scalars if is_sizes else name in differences.arrays
        if "_multi_" in function.name and stars and kind == "int":
            is_array = True
        if function.name == "cg_1to1_read_global" and stars:
            is_array = True
        is_unwanted = name in differences.unwanted and not const
        is_any = is_array and (function.name in differences.addresses or is_unwanted)
        is_name = (
            not function.name.startswith("cgio_")
            and name.lower().endswith(differences.name_end)
            and name not in differences.longer_names
        )
        arguments.append(Argument(name, kind, bool(const), len(stars), is_array, is_any, is_name))
    return arguments


def subroutine_name(function: Function) -> str:
    return f"{function.name}_f"


def with_subroutine(tables: Tables, differences: Differences, has_mpi: bool) -> list[Function]:
    """Returns the C functions that have a subroutine in Fortran."""
    return [
        function
        for function in tables.functions
        if function.family != "enum_names"
        and function.name not in differences.without
        and (has_mpi or function.header != "pcgnslib.h")
    ]


def subroutine_names(tables: Tables, differences: Differences, has_mpi: bool) -> set[str]:
    functions = with_subroutine(tables, differences, has_mpi)
    return {subroutine_name(function) for function in functions} | set(differences.by_hand)


# --- constants -----------------------------------------------------------------------------------
def constants_f90(tables: Tables, differences: Differences, size: int) -> str:
    source = Source([MADE])
    add = source.add
    add("!> Kinds of numbers, the values of the enums and their names.")
    add("module onecast_cgns_constants")
    add("  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_long_long")
    add("  implicit none")
    add("  private :: c_double, c_int, c_long_long")
    add()
    add(f"  integer, parameter :: cgsize_t = {'c_long_long' if size == 64 else 'c_int'}")
    add("  integer, parameter :: cgid_t = c_double")
    add("  integer, parameter :: cglong_t = c_long_long")
    add("  integer, parameter :: cgenum_t = c_int")
    add("  integer, parameter :: cgint_kind = cgsize_t")
    add("  integer, parameter :: cgdouble_kind = c_double")
    add(f"  logical, parameter :: CG_BUILD_64BIT = .{str(size == 64).lower()}.")
    numbers = tables.macros["cgnslib"] | tables.macros["cgns_io"] | differences.constants
    add()
    for name, value in numbers.items():
        add(f"  integer(c_int), parameter :: {name} = {value}")
    for enum, values in tables.enums.items():
        add()
        for number, name in enumerate(values):
            add(f"  integer(cgenum_t), parameter :: {name} = {number}")
        texts = ", ".join(f"'{text}'" for text in tables.texts[enum])
        add(
            f"  character(32), parameter :: {enum}Name(0:{len(values) - 1}) = [character(32) :: "
            f"{texts}]"
        )
    add("end module onecast_cgns_constants")
    return source.text()


# --- the C functions -----------------------------------------------------------------------------
def c_f90(functions: list[tuple[Function, list[Argument]]], differences: Differences) -> str:
    source = Source([MADE])
    add = source.add
    add("!> The C functions, as Fortran calls them.")
    add("module onecast_cgns_c")
    add("  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_ptr")
    add("  use onecast_cgns_constants, only: cgenum_t, cglong_t, cgsize_t")
    add("  implicit none")
    add("  private :: c_char, c_double, c_float, c_int, c_ptr, cgenum_t, cglong_t, cgsize_t")
    add()
    add("  interface")
    for function, arguments in functions:
        is_void = function.returns == "void"
        kind = "subroutine" if is_void else "function"
        names = ", ".join(argument.name for argument in arguments)
        symbol = differences.instead.get(function.name, function.name)
        name = function.name
        result = "" if is_void else " result(ier)"
        add(f'    {kind} {name}({names}){result} bind(c, name="{symbol}")')
        add("      import")
        for argument in arguments:
            add("      " + argument.in_c().format(argument.name))
        if not is_void:
            add("      integer(c_int) :: ier")
        add(f"    end {kind} {name}")
    add("  end interface")
    add("end module onecast_cgns_c")
    return source.text()


# --- the subroutines -----------------------------------------------------------------------------
@dataclass
class Passing:
    """The way of an argument to C and back."""

    expression: str  # what C gets
    local: str = ""  # the declaration of a variable for it
    before: str = ""
    after: str = ""
    on_success: str = ""


def passing(argument: Argument, is_other_kind: bool) -> Passing:
    name, local = argument.name, f"given_{argument.name}"
    if argument.is_allocated_text:
        text = f"type(c_ptr) :: {local}"
        return Passing(local, text, on_success=f"call give_allocated({local}, {name})")
    if argument.is_text and argument.is_const:
        return Passing(f"name_in_c({name})" if argument.is_name else f"in_c({name})")
    if argument.is_text:
        text = f"character(kind=c_char) :: {local}(text_room)"
        return Passing(local, text, on_success=f"call give_text({local}, {name})")
    if is_other_kind and argument.is_array:
        raise ValueError(f"{DIFFERENCES}: {name} is an array: C would see another kind")
    if argument.is_buffer or argument.is_array:
        is_changed = ".false." if argument.is_const else ".true."
        return Passing(
            local,
            f"type(c_ptr) :: {local}",
            f"{local} = address({name})",
            f"call release({name}, {local}, {is_changed})",
        )
    if is_other_kind and argument.stars:
        number = f"{argument.number} :: {local}"
        result = f"{name} = int({local}, kind({name}))"
        return Passing(local, number, f"{local} = 0", on_success=result)
    return Passing(f"int({name}, c_int)" if is_other_kind else name)


def subroutine(
    source: Source, name: str, function: Function, arguments: list[Argument], other_kind: str = ""
) -> None:
    """other_kind: the argument that is integer(cgsize_t) here and int in C, or integer here and
    long in C."""
    add = source.add
    is_void = function.returns == "void"
    dummies = [argument.name for argument in arguments] + ([] if is_void else ["ier"])
    add()
    add(f"  subroutine {name}({', '.join(dummies)})")
    passed = []
    for argument in arguments:
        is_other = argument.name == other_kind
        number = ""
        if is_other:
            number = "integer(c_int)" if argument.type != "int" else "integer(cgsize_t)"
        add("    " + argument.dummy(number).format(argument.name))
        passed.append(passing(argument, is_other))
    if not is_void:
        add("    integer, intent(out) :: ier")
    for line in [one.local for one in passed] + [one.before for one in passed]:
        if line:
            add("    " + line)
    call = f"{function.name}({', '.join(one.expression for one in passed)})"
    add(f"    call {call}" if is_void else f"    ier = {call}")
    for line in filter(None, (one.after for one in passed)):
        add("    " + line)
    on_success = [one.on_success for one in passed if one.on_success]
    if on_success and not is_void:
        add("    if (ier /= CG_OK) return")
    for line in on_success:
        add("    " + line)
    add(f"  end subroutine {name}")


def subroutines_f90(
    functions: list[tuple[Function, list[Argument]]], differences: Differences, size: int
) -> str:
    source = Source([MADE])
    add = source.add
    own = [
        (function, arguments)
        for function, arguments in functions
        if subroutine_name(function) not in differences.by_hand
    ]
    both = {}
    for function, arguments in own:
        name = differences.either_kind.get(function.name, "")
        # int and cgsize_t are one kind if sizes have 32 bits.
        if any(one.name == name and (size == 64 or one.type != "int") for one in arguments):
            both[function.name] = name
    add("!> The subroutines that call a function of C.")
    add("module onecast_cgns_subroutines")
    add("  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_ptr")
    add("  use onecast_cgns_c")
    add("  use onecast_cgns_constants, only: cgenum_t, cglong_t, cgsize_t, CG_OK")
    add("  use onecast_cgns_texts")
    add("  implicit none")
    add("  private")
    for function, _ in own:
        add(f"  public :: {subroutine_name(function)}")
    for function, _ in own:
        if function.name in both:
            name = subroutine_name(function)
            add()
            add(f"  interface {name}")
            add(f"    module procedure {name}_1, {name}_2")
            add(f"  end interface {name}")
    add()
    add("contains")
    for function, arguments in own:
        name = subroutine_name(function)
        if function.name in both:
            subroutine(source, f"{name}_1", function, arguments)
            subroutine(source, f"{name}_2", function, arguments, both[function.name])
        else:
            subroutine(source, name, function, arguments)
    add("end module onecast_cgns_subroutines")
    return source.text()


CGNS = f"""{MADE}
!> What programs use.
module cgns
  use, intrinsic :: iso_c_binding, only: {", ".join(OF_C[:6])}, &
                                         {", ".join(OF_C[6:])}
  use onecast_cgns_by_hand
  use onecast_cgns_constants
  use onecast_cgns_subroutines
  implicit none
end module cgns
"""


def by_hand_f90(size: int, root: Path = ROOT) -> str:
    """Returns the subroutines that take both kinds of integers, if sizes are no default
    integers."""
    text = (root / BY_HAND).read_text()
    return text.replace("!BOTH_KINDS", "") if size == 64 else text


def write(folder: Path, size: int, has_mpi: bool) -> None:
    tables, differences = cgns_tables.load(), load_differences()
    functions = [
        (function, arguments_of(function, differences))
        for function in with_subroutine(tables, differences, has_mpi)
        if "..." not in function.parameters and "*" not in function.returns
    ]
    enums = {f"{name}_t" for name in (*tables.enums, "PIOmode")}
    unknown = {one.type for _, arguments in functions for one in arguments} - enums - NUMBERS.keys()
    if unknown - {"char", "void"}:
        raise ValueError(f"{cgns_tables.FUNCTIONS}: no types of Fortran: {unknown}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "constants": constants_f90(tables, differences, size),
        "c": c_f90(functions, differences),
        "subroutines": subroutines_f90(functions, differences, size),
        "by_hand": by_hand_f90(size),
        "cgns": CGNS,
    }.items():
        (folder / f"{name}.f90").write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, choices=(32, 64), default=64)
    parser.add_argument("--mpi", action="store_true")
    given = parser.parse_args()
    write(given.folder, given.size, given.mpi)


if __name__ == "__main__":
    main()
