"""onecast drop-in run: a program with the plug-in for stock HDF5 and without, side by side."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import click

# What the plug-in prints if ONECAST_TRACE is 1.
SERVED = re.compile(
    r"(?P<name>.*): (?P<calls>\d+) calls served with (?P<opens>\d+) opens and (?P<reads>\d+) reads,"
    r" (?P<shadow>\d+) by the shadow$"
)
BY_SHADOW = re.compile(r"  (?P<call>.*): (?P<count>\d+) by the shadow: (?P<reason>.*)$")
NATIVE = re.compile(r"(?P<name>.*): by the native library: (?P<reason>.*)$")
MARK = "onecast: "


@dataclass
class Trace:
    """What the plug-in has printed, summed over the files of a program and its ranks."""

    numbers: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, line: str) -> bool:
        """Takes a line of stderr; False if it is not the plug-in's."""
        if not line.startswith(MARK):
            return False
        text = line.removeprefix(MARK).rstrip("\n")
        if found := SERVED.match(text):
            self.numbers["files"] += 1
            self.numbers["files with the shadow"] += found["shadow"] != "0"
            for name in ("calls", "opens", "reads", "shadow"):
                self.numbers[name] += int(found[name])
        elif found := BY_SHADOW.match(text):
            self.reasons[f"{found['call']}: {found['reason']}"] += int(found["count"])
        elif found := NATIVE.match(text):
            self.numbers["native files"] += 1
            self.reasons[f"file: {found['reason']}"] += 1
        return True


def run_program(command: Sequence[str], environment: dict[str, str]) -> tuple[float, int, Trace]:
    """Returns the seconds, the exit code and the trace. Other lines of stderr are passed on."""
    trace = Trace()
    begin = time.monotonic()
    try:
        process = subprocess.Popen(
            command, env=environment, stderr=subprocess.PIPE, text=True, errors="replace"
        )
    except OSError as error:
        raise click.ClickException(f"{command[0]}: {error.strerror}") from error

    def pass_on() -> None:
        for line in process.stderr or ():
            if not trace.add(line):
                sys.stderr.write(line)

    reader = threading.Thread(target=pass_on)
    reader.start()
    code = process.wait()
    seconds = time.monotonic() - begin
    reader.join()
    return seconds, code, trace


def table(without: float, seconds: float, trace: Trace) -> str:
    found = trace.numbers
    rows = [
        ("", "without", "with"),
        ("seconds", f"{without:.2f}", f"{seconds:.2f}"),
        ("files that Onecast served", "", found["files"]),
        ("of these, files that the HDF5 library opened, too", "", found["files with the shadow"]),
        ("files given to the HDF5 library", "", found["native files"]),
        ("calls that Onecast served", "", found["calls"]),
        ("calls that the HDF5 library did on files that Onecast served", "", found["shadow"]),
        ("opens by Onecast", "", found["opens"]),
        ("reads by Onecast", "", found["reads"]),
    ]
    width = max(len(row[0]) for row in rows)
    lines = [f"{name:{width}} {first:>9} {second:>9}" for name, first, second in rows]
    if trace.reasons:
        lines.append("What the HDF5 library did, and why:")
        lines += [f"{count:9}  {reason}" for reason, count in trace.reasons.most_common()]
    return "\n".join(lines)


@click.command(
    "run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("command", metavar="PROGRAM...", nargs=-1, required=True, type=click.UNPROCESSED)
def run(command: tuple[str, ...]) -> None:
    """Run a program without the plug-in, then with it, and compare.

    PROGRAM is a command with its arguments, such as `python script.py` or `mpiexec -n 4 program`.
    It runs twice, and its output appears twice. The first run also brings its files into the
    memory of the system, so run the command again before you compare seconds. A program that
    changes its input files sees the changes of its first run.

    Exit code: that of the program with the plug-in.
    """
    from .dropin import environment

    plain = {name: text for name, text in os.environ.items() if name != "HDF5_VOL_CONNECTOR"}
    variables = environment()
    given = os.environ.get("HDF5_VOL_CONNECTOR", "")
    if given.split(maxsplit=1)[:1] == [variables["HDF5_VOL_CONNECTOR"]]:
        variables["HDF5_VOL_CONNECTOR"] = given  # with the options that follow the name
    without, code_without, _ = run_program(command, plain)
    seconds, code, trace = run_program(command, plain | variables | {"ONECAST_TRACE": "1"})
    click.echo(table(without, seconds, trace))
    if code != code_without:
        click.echo(f"exit code: {code_without} without, {code} with")
    if code != 0:
        raise click.exceptions.Exit(code if code > 0 else 128 - code)
