"""Each function of the CGNS library, called with one argument that is wrong.

    python cgns_wrong_calls.py LIBRARY MODE PATH [cgp_open]

opens the file and makes the calls: of functions that take a file, and of those that work at the
current position, where there is none. One line of JSON is one call: [function, what is wrong,
status, text of the error]. The status is "signal" where the call ended the process: stock libraries
make each call in a process of its own.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tools")]

import cgns_tables  # noqa: E402
from cgns_libraries import INTEGER, MODIFY, REAL_DOUBLE, library  # noqa: E402
from cgns_positions import Arguments, functions as at_position  # noqa: E402

CLOSED, TOO_HIGH, TOO_LONG = 4711, 99, "x" * 300
FILES = ("fn", "cgio_num", "cgio_num_inp")
INDEX = r"[A-Z]|BC|DS|Dset|Ii"
# In the names of functions of elements; their zone is the second one.
ELEMENTS = "section|lement|parent"
NGON = 22
# They open files.
ELSEWHERE = ("cg_open", "cgp_open", "cgio_open_file")


def parameters_of(function):
    """[(type, name)]; the types without blanks."""
    found = [
        re.fullmatch(r"(.*?[\s*])(\w+)(\[\])?", each.strip()).groups()[:2]
        for each in function.parameters.split(",")
        if each.strip()
    ]
    return [(kind.replace(" ", ""), name) for kind, name in found]


def functions():
    """Those of files, with their parameters."""
    for function in cgns_tables.load().functions:
        if function.name in ELSEWHERE or not re.match(r"int (fn|cgio_num)", function.parameters):
            continue
        if "..." in function.parameters:
            continue  # cg_goto and cg_gorel: test_structure
        yield function.name, parameters_of(function)


def everywhere():
    """Those that work at the current position: {name: parameters}."""
    found = dict(at_position())
    for function in cgns_tables.load().functions:
        if function.name.startswith("cgp_array_") and not function.parameters.startswith("int fn"):
            found[function.name] = parameters_of(function)
    return found


def wrong_arguments(name, parameters, mode):
    """{what is wrong: (parameter, value)} of calls that must fail."""
    cases = {"closed file": (parameters[0][1], CLOSED)}
    for kind, parameter in parameters[1:]:
        if kind == "int" and re.fullmatch(INDEX, parameter):
            cases[f"{parameter} too high"] = (parameter, TOO_HIGH)
            cases[f"{parameter} is 0"] = (parameter, 0)
        if kind == "constchar*" and mode == MODIFY and name.startswith(("cg_", "cgp_")):
            cases[f"no {parameter}"] = (parameter, None)
            cases[f"{parameter} too long"] = (parameter, TOO_LONG)
    return cases


class WrongArguments(Arguments):
    """Those of one call: all as they should be but one."""

    def __init__(self, lib, name, parameters, file, wrong):
        self.file, self.wrong = file, wrong
        super().__init__(lib, name, parameters, 1)

    def _value(self, kind, name):
        if name == self.wrong[0]:
            return self.wrong[1]
        if name in FILES or name == "cgio_num_out":
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
    """What the call returns, or "signal"."""
    child = os.fork()
    if child == 0:
        os._exit(call() & 0xFF)
    status = os.waitpid(child, 0)[1]
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else "signal"


def all_calls(lib, file, mode):
    """(function, what is wrong, the arguments)"""
    for name, parameters in everywhere().items():
        yield name, "no position", Arguments(lib, name, parameters, 1)
    for name, parameters in functions():
        for what, wrong in wrong_arguments(name, parameters, mode).items():
            yield name, what, WrongArguments(lib, name, parameters, file, wrong)


def main(name, mode, path, how="cg_open"):
    if how == "cgp_open":
        from mpi4py import MPI  # noqa: F401 (it calls MPI_Init)
    lib = library(name)
    is_stock = name != "ours"
    file = lib.out()
    getattr(lib, how)(path, mode, file)
    for function, what, arguments in all_calls(lib, int(file), mode):
        if not hasattr(lib.handle, lib.prefix + function):
            continue
        status = in_a_process(arguments.call) if is_stock else arguments.call()
        has_text = not is_stock and not function.startswith("cgio_")
        print(json.dumps([function, what, status, lib.error() if has_text else ""]), flush=True)
    if not is_stock:
        getattr(lib, how.replace("open", "close"))(int(file))


def wrong_calls(name, mode, path, *how):
    """{(function, what is wrong): (status, text)}"""
    program = [sys.executable, __file__, name, str(mode), str(path), *how]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return {(function, what): (status, text) for function, what, status, text in lines}


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:])
