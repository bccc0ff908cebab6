"""Finds what the functions of the CGNS library return at any position.

    python cgns_positions.py LIBRARY MODE PATH NODE ...

opens a file, goes to each node and calls each function that works at the current position, with
index 1 and with one that is too high. One line of JSON is one call: [node, function, index,
status]. A library may crash; earlier lines stay.

    python cgns_positions.py LIBRARY MODULE:PROGRAM PATH NODE ...

runs a program that writes a file (tests/cgns/MODULE.py). Before it closes the file, this calls each
function that counts or reads, including those that find nodes by indices.
"""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tools")]

import cgns_tables  # noqa: E402
from cgns_libraries import CgnsError, library  # noqa: E402

ELSEWHERE = ("files", "file", "configuration", "enum_names", "position", "links")
ROOM = 4096  # bytes for any result
TOO_HIGH = 99
# These arguments do not follow from their types.
GIVEN = {
    ("cg_equationset_write", "EquationDimension"): 3,
    ("cg_particle_equationset_write", "EquationDimension"): 3,
    ("cg_array_write", "DataType"): 4,
    ("cg_array_write", "DataDimension"): 1,
    ("cg_array_read_as", "type"): 4,
    ("cg_exponents_write", "DataType"): 3,
    ("cg_expfull_write", "DataType"): 3,
    ("cg_conversion_write", "DataType"): 3,
    ("cg_model_read", "ModelLabel"): "GasModel_t",
    ("cg_model_write", "ModelLabel"): "GasModel_t",
    ("cg_particle_model_read", "ModelLabel"): "ParticleBreakupModel_t",
    ("cg_particle_model_write", "ModelLabel"): "ParticleBreakupModel_t",
    ("cg_ptset_write", "npnts"): 1,
}


BY_NUMBER = [("int", "fn")]


def all_functions():
    """Yields all functions with their parameters [(type, name)]."""
    for function in cgns_tables.load().functions:
        if not function.name.startswith("cg_") or function.family in ELSEWHERE:
            continue
        parameters = [
            re.fullmatch(r"(.*?[\s*])(\w+)", each.strip()).groups()
            for each in function.parameters.split(",")
            if each.strip()
        ]
        if function.name not in ("cg_npe", "cg_array_general_read", "cg_array_general_write"):
            yield (
                function.name,
                [(kind.replace(" ", ""), name) for kind, name in parameters],
            )


def functions():
    """Returns the functions that work at the current position."""
    return [each for each in all_functions() if each[1][:1] != BY_NUMBER]


def reading_functions():
    """Yields the functions that count or read, except for arrays, which need ranges."""
    for name, parameters in all_functions():
        reads_range = any(kind.startswith("constcgsize_t") for kind, _ in parameters)
        writes = any(word in name for word in ("write", "delete", "_set"))
        if not writes and not reads_range and "void*" not in dict(parameters):
            yield name, parameters


class Arguments:
    """The arguments of one call, and the memory to which they point."""

    def __init__(self, lib, name, parameters, index):
        self.lib, self.name, self.index, self.memory = lib, name, index, []
        self.values = [self._value(*each) for each in parameters]

    def _kept(self, memory):
        self.memory.append(memory)
        return memory

    def _value(self, kind, name):
        if (self.name, name) in GIVEN:
            value = GIVEN[self.name, name]
            return self.lib.a_size(value) if kind == "cgsize_t" else value
        if kind == "int":
            return self.index if self.name.endswith("read") or len(name) == 1 else 1
        if kind == "constchar*":
            return self.name[3:30]
        if kind.startswith("constcgsize_t*"):
            return self.lib.sizes([1] * 12)
        if kind.startswith("const"):
            return self._kept(np.zeros(ROOM, np.int8))
        if kind.endswith("*"):
            return self._kept(np.zeros(ROOM, np.int8))
        return 2  # an enum: the first value behind Null and UserDefined

    def call(self):
        try:
            function = getattr(self.lib.handle, self.lib.prefix + self.name)
        except AttributeError:
            return None  # in a later version
        return function(*map(self.lib._argument, self.values))


def gone_to(lib, file, node):
    """Returns True if this library can go there."""
    try:
        return lib.cg_gopath(file, node) == 0
    except CgnsError:
        return False


def probe(lib, mode, path, nodes, write_line):
    file = lib.out()
    lib.cg_open(path, mode, file)
    calls = functions()
    for node in nodes:
        for name, parameters in calls:
            is_write = name.endswith("write")
            for index in (1, TOO_HIGH) if any(kind == "int" for kind, _ in parameters) else (1,):
                if is_write and index != 1:
                    continue
                if not gone_to(lib, int(file), node):
                    continue
                write_line(node, name, index, None)
                status = Arguments(lib, name, parameters, index).call()
                if status is not None:
                    write_line(node, name, index, status)
    lib.cg_close(int(file))


class Observed:
    """A library whose cg_close first looks around."""

    def __init__(self, lib, look_around):
        self._lib, self._look_around = lib, look_around

    def __getattr__(self, name):
        return getattr(self._lib, name)

    def cg_close(self, file):
        self._look_around(int(file))
        self._lib.cg_close(file)


def probe_while_writing(lib, program, path, nodes, write_line):
    module, function = program.split(":")
    calls = list(reading_functions())

    def look_around(file):
        for node in nodes:
            for name, parameters in calls:
                is_by_number = parameters[:1] == BY_NUMBER
                if is_by_number and node != nodes[0]:
                    continue
                if not gone_to(lib, file, node):
                    continue
                write_line(node, name, 1, None)
                arguments = Arguments(lib, name, parameters, 1)
                if is_by_number:
                    arguments.values[0] = file
                status = arguments.call()
                if status is not None:
                    write_line(node, name, 1, status)

    sys.path.append(str(Path(__file__).parents[1] / "cgns"))
    write = getattr(importlib.import_module(module), function)
    write(Observed(lib, look_around), Path(path))


def statuses(name, how, path, nodes):
    """Returns {(node, function, index): status}, with None if the process ended in the call. `how`
    is the mode in which the file is opened, or the program that writes it."""
    program = [sys.executable, __file__, name, str(how), str(path), *nodes]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith("["):
            *call, status = json.loads(line)
            found[tuple(call)] = status
    return found


if __name__ == "__main__":
    how = sys.argv[2]
    begin = probe_while_writing if ":" in how else probe
    begin(
        library(sys.argv[1]),
        how if ":" in how else int(how),
        sys.argv[3],
        sys.argv[4:],
        lambda *line: print(json.dumps(line), flush=True),
    )
