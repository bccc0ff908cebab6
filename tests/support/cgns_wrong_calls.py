"""Calls each function of the CGNS library with one wrong argument.

    python cgns_wrong_calls.py LIBRARY MODE PATH [cgp_open]

opens the file and makes the calls: of functions that take a file, of those that work at the current
position, where there is none, and of others. In the mode WRITE the file is new. One line of JSON is
one call: [function, the wrong argument, status, text of the error]. The status is "signal" if the
call ended the process: stock libraries make each call in a process of its own.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tools")]

import cgns_tables  # noqa: E402
import cgns_writers as writers  # noqa: E402
from cgns_libraries import INTEGER, MODIFY, READ, REAL_DOUBLE, WRITE, library  # noqa: E402
from cgns_positions import Arguments  # noqa: E402
from cgns_positions import functions as at_position  # noqa: E402

CLOSED, TOO_HIGH, TOO_LONG = 4711, 99, "x" * 300
FILES = ("fn", "cgio_num", "cgio_num_inp")
INDEX = r"[A-Z]|BC|DS|Dset|Ii"
# Names of functions for elements match this. Their zone is the second one.
ELEMENTS = "section|lement|parent"
NGON = 22
ENDS = ("cg_close", "cgp_close", "cg_save_as")
AT_POSITION = (
    *("cg_delete_node", "cg_is_link", "cg_link_read", "cg_link_write"),
    *("cg_array_general_read", "cg_array_general_write"),
)


def parameters_of(function):
    """Returns [(type, name)]. The types have no blanks."""
    found = [
        re.fullmatch(r"(.*?[\s*])(\w+)(\[\])?", each.strip()).groups()[:2]
        for each in function.parameters.split(",")
        if each.strip()
    ]
    return [(kind.replace(" ", ""), name) for kind, name in found]


def functions():
    """Yields the functions for files, with their parameters."""
    for function in cgns_tables.load().functions:
        if not re.match(r"int (fn|cgio_num)", function.parameters):
            continue
        if "..." in function.parameters:
            continue  # cg_goto and cg_gorel are in test_structure
        yield function.name, parameters_of(function)


def everywhere():
    """Returns the functions that work at the current position: {name: parameters}."""
    found = dict(at_position())
    for function in cgns_tables.load().functions:
        is_at_position = function.name in AT_POSITION or (
            function.name.startswith("cgp_array_") and not function.parameters.startswith("int fn")
        )
        if is_at_position:
            found[function.name] = parameters_of(function)
    return found


def alone(lib):
    """Yields calls that take neither file nor position: (function, wrong argument, arguments)."""
    out, missing = lib.out(), "no such file.cgns"
    for name in ("cg_open", "cgp_open"):
        yield name, "missing file", (missing, READ, out)
        yield name, "missing file to modify", (missing, MODIFY, out)
        yield name, "no folder", ("no such folder/file.cgns", WRITE, out)
        yield name, "no mode", (missing, 9, out)
    yield "cg_is_cgns", "missing file", (missing, out)
    yield "cg_npe", "no type of elements", (99, out)
    yield "cg_set_file_type", "no type of files", (9,)
    yield "cg_configure", "no setting", (77, None)
    yield "cg_add_path", "empty path", ("",)
    yield "cgp_pio_mode", "no mode", (9,)
    yield "cgio_open_file", "missing file", (missing, READ, 2, out)
    yield "cgio_check_file", "missing file", (missing, out)
    yield "cgio_is_supported", "no type of files", (9,)
    yield "cgio_path_delete", "no such path", ("nowhere",)
    yield "cgio_find_file", "empty name", ("", "", 2, 100, lib.text(100))
    yield "cgio_configure", "no setting", (77, None)


def wrong_arguments(name, parameters, mode):
    """Returns {what is wrong: (parameter, value)} for calls that must fail."""
    cases = {"closed file": (parameters[0][1], CLOSED)}
    writes = re.search("write|initialize", name)
    if mode == (READ if writes else WRITE) and not name.startswith("cgio_") and name not in ENDS:
        cases["mode"] = (None, None)
    if mode == WRITE:
        return cases
    for kind, parameter in parameters[1:]:
        if kind == "int" and re.fullmatch(INDEX, parameter):
            cases[f"{parameter} too high"] = (parameter, TOO_HIGH)
            cases[f"{parameter} is 0"] = (parameter, 0)
        if kind == "constchar*" and mode == MODIFY and name.startswith(("cg_", "cgp_")):
            cases[f"no {parameter}"] = (parameter, None)
            cases[f"{parameter} too long"] = (parameter, TOO_LONG)
    return cases


class WrongArguments(Arguments):
    """The arguments of one call, of which one is wrong."""

    def __init__(self, lib, name, parameters, file, wrong):
        self.file, self.wrong = file, wrong
        super().__init__(lib, name, parameters, 1)

    def _value(self, kind, name):
        if name == self.wrong[0]:
            return self.wrong[1]
        if kind == "int" and (name in FILES or name == "cgio_num_out"):
            return self.file
        is_of_elements = re.search(ELEMENTS, self.name)
        if name == "Z" and is_of_elements:
            return 2
        if kind == "double":
            return ctypes.c_double(0)
        if kind == "float":
            return ctypes.c_float(0)
        by_value = kind.removeprefix("const")
        if by_value == "cgsize_t":
            return self.lib.a_size(2)
        if by_value == "DataType_t":
            return INTEGER if is_of_elements else REAL_DOUBLE
        if by_value == "ElementType_t" and "poly" in self.name:
            return NGON
        if by_value.endswith("_t"):
            kind = by_value
        return super()._value(kind, name)


def in_a_process(call):
    """Returns the result of the call, or "signal"."""
    child = os.fork()
    if child == 0:
        os._exit(call() & 0xFF)
    status = os.waitpid(child, 0)[1]
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else "signal"


def all_calls(lib, file, mode):
    """Yields (function, what is wrong, the call)."""
    for name, what, arguments in alone(lib):
        if hasattr(lib.handle, lib.prefix + name):
            function = getattr(lib.handle, lib.prefix + name)
            yield name, what, partial(function, *map(lib._argument, arguments))
    for name, parameters in everywhere().items():
        yield name, "no position", Arguments(lib, name, parameters, 1).call
    for name, parameters in functions():
        for what, wrong in wrong_arguments(name, parameters, mode).items():
            yield name, what, WrongArguments(lib, name, parameters, file, wrong).call


def main(name, mode, path, how="cg_open"):
    if how == "cgp_open":
        from mpi4py import MPI  # noqa: F401 (it calls MPI_Init)
    lib = library(name)
    is_stock = name != "ours"
    file = lib.out()
    getattr(lib, how)(path, mode, file)
    if mode == WRITE:
        writers.structured_zone(lib, int(file), writers.base_of(lib, int(file)))
    for function, what, call in all_calls(lib, int(file), mode):
        if not hasattr(lib.handle, lib.prefix + function):
            continue
        status = in_a_process(call) if is_stock else call()
        has_text = not is_stock and not function.startswith("cgio_")
        print(json.dumps([function, what, status, lib.error() if has_text else ""]), flush=True)
    if not is_stock:
        getattr(lib, how.replace("open", "close"))(int(file))


def wrong_calls(name, mode, path, *how):
    """Returns {(function, what is wrong): (status, text)}."""
    program = [sys.executable, __file__, name, str(mode), str(path), *how]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return {(function, what): (status, text) for function, what, status, text in lines}


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:])
