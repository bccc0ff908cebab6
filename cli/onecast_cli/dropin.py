"""onecast drop-in"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click

from .dropin_run import run

CONNECTOR = "onecast"
OLDEST = (1, 14)
# Runs in a process of its own: prints the HDF5 libraries that the module, or the libraries of a
# program, bring into the process.
FIND_LIBRARIES = """
import ctypes, importlib, json, os, sys
kind, *names = sys.argv[1:]
for name in names:
    if kind == "module":
        importlib.import_module(name)
    else:
        try:
            ctypes.CDLL(name)
        except OSError:
            pass
files = {line.split(maxsplit=5)[5].strip() for line in open("/proc/self/maps")
         if len(line.split()) > 5 and "/" in line.split(maxsplit=5)[5]}
found = []
for file in sorted(files):
    try:
        with open(file, "rb") as opened:
            if b"H5get_libversion" not in opened.read():
                continue
        library = ctypes.CDLL(file)
        version = [ctypes.c_uint() for _ in range(3)]
        library.H5get_libversion(*map(ctypes.byref, version))
        # A library that only uses HDF5 finds the functions in the library that it uses.
        class Where(ctypes.Structure):
            _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p),
                        ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]
        where = Where()
        function = ctypes.cast(library.H5get_libversion, ctypes.c_void_p)
        ctypes.CDLL(None).dladdr(function, ctypes.byref(where))
        if os.path.realpath(where.file.decode()) == os.path.realpath(file):
            found.append([file, [number.value for number in version]])
    except (OSError, AttributeError):
        pass
print(json.dumps(found))
"""


def plugin_folder() -> Path:
    """Returns the folder of the plug-in; raises ClickException if this installation has none."""
    from onecast import _core

    folder = Path(_core.__file__).parent / "hdf5_plugin"
    if not (folder / "libonecast_hdf5.so").exists():
        raise click.ClickException("this installation of Onecast has no plug-in for HDF5")
    return folder


def environment() -> dict[str, str]:
    """Returns the variables that make stock HDF5 use the plug-in."""
    folders = [str(plugin_folder()), os.environ.get("HDF5_PLUGIN_PATH", "")]
    if folders[0] in folders[1].split(os.pathsep):
        folders.pop(0)
    return {
        "HDF5_PLUGIN_PATH": os.pathsep.join(filter(None, folders)),
        "HDF5_VOL_CONNECTOR": CONNECTOR,
    }


def libraries_of(name: str) -> list[tuple[str, tuple[int, ...]]]:
    """Returns the HDF5 libraries, with their versions, of a program or a Python module."""
    program = shutil.which(name)
    if program is None:
        return find("module", name)
    shown = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    files = [word for line in shown.splitlines() for word in line.split() if word.startswith("/")]
    return find("libraries", *(file for file in files if "hdf5" in os.path.basename(file)))


def find(kind: str, *names: str) -> list[tuple[str, tuple[int, ...]]]:
    done = subprocess.run(
        [sys.executable, "-c", FIND_LIBRARIES, kind, *names],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it ended early"
        raise click.ClickException(f"{' '.join(names)}: neither a program nor a module: {reason}")
    return [(file, tuple(version)) for file, version in json.loads(done.stdout.splitlines()[-1])]


def has_hidden_library(name: str) -> bool:
    """True if a program has HDF5 linked in, without showing its functions."""
    program = shutil.which(name)
    return program is not None and b"H5VL_file_open" in Path(program).read_bytes()


@click.group("drop-in", invoke_without_command=True)
@click.option(
    "--check",
    "checked",
    metavar="PROGRAM|MODULE",
    help="Say whether the HDF5 of a program, or of a Python module, can load the plug-in.",
)
@click.pass_context
def drop_in(ctx: click.Context, checked: str | None) -> None:
    """Let programs that use stock HDF5 read files through Onecast, unchanged.

    Prints the two environment variables that make HDF5 1.14 and later load Onecast's plug-in, for
    the shell:

        eval "$(onecast drop-in)"

    Exit code of --check: 0 if the plug-in can be loaded, 1 if not.
    """
    if ctx.invoked_subcommand is not None:
        return
    if checked is None:
        for name, value in environment().items():
            click.echo(f"export {name}={shlex.quote(value)}")
        return
    plugin_folder()
    libraries = libraries_of(checked)
    if not libraries:
        hidden = has_hidden_library(checked)
        raise click.ClickException(
            f"{checked}: "
            + ("has an HDF5 linked in that hides its functions" if hidden else "uses no HDF5")
        )
    for file, version in libraries:
        served = version >= OLDEST
        number = ".".join(map(str, version))
        click.echo(f"{file}: HDF5 {number}: {'yes' if served else 'no: it needs HDF5 1.14'}")
    if all(version < OLDEST for _, version in libraries):
        raise click.exceptions.Exit(1)


drop_in.add_command(run)
