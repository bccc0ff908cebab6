"""Writes docs/reference/drop-in.md: the test suites of other packages with the plug-in and without,
and what calls cost.

    python tests/dropin/report.py            # runs all of it: half an hour
    python tests/dropin/report.py calls      # writes one part anew: suites, calls or bound

The suites come from `tools/setup.sh test suites`, the HDF5 for the calls and the bound from
`tools/build_hdf5.sh parallel`.
"""

from __future__ import annotations

import collections
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "drop-in.md"
sys.path.insert(0, str(ROOT / "tests" / "suites"))

import run_tables  # noqa: E402
from run_suite import SUITES, folder_of, known_failures, run  # noqa: E402


def environment(plugin: bool) -> dict[str, str]:
    from onecast_cli.dropin import environment as variables

    plain = {k: v for k, v in os.environ.items() if not k.startswith("HDF5_")}
    return plain | (variables() if plugin else {})


def row(name: str, counts: list[collections.Counter[str]]) -> str:
    cells = [str(count[what]) for what in ("passed", "failed", "skipped") for count in counts]
    return f"| {name} | {' | '.join(cells)} |\n"


def suites() -> str:
    lines = [
        "| suite | passed, plug-in | passed, without | failed, plug-in | failed, without"
        " | skipped, plug-in | skipped, without |\n",
        "|---|---|---|---|---|---|---|\n",
    ]
    different = []
    for name, suite in SUITES.items():
        if suite.place != "plug-in" or folder_of(name) is None:
            continue
        outcomes = [run(name, library, processes="2")[0] for library in ("onecast", "h5py")]
        lines.append(
            row(suite.package, [collections.Counter(found.values()) for found in outcomes])
        )
        reasons = known_failures(name) | known_failures(name, "skipped")
        different += [
            f"- {suite.package}, `{test}`: {outcomes[1].get(test)} without, {outcome} with the"
            f" plug-in: {reasons.get(test, 'not explained')}\n"
            for test, outcome in sorted(outcomes[0].items())
            if outcomes[1].get(test) != outcome
        ]
    (ours, failed), (native, failed_natively) = (
        run_tables.run(environment(plugin)) for plugin in (True, False)
    )
    lines.append(row("PyTables", [ours, native]))
    reasons = known_failures("pytables_plugin")
    different += [
        f"- PyTables, `{test}`: failed with the plug-in: {reasons.get(test, 'not explained')}\n"
        for test in sorted(failed - failed_natively)
    ]
    lines += ["\n", *(different or ["No test has another outcome with the plug-in.\n"])]
    return "".join(lines)


def compiled(source: str, folder: str) -> Path:
    """Compiles a program of bench/ with the parallel HDF5."""
    done = subprocess.run(
        [ROOT / "tools" / "build_hdf5.sh", "parallel"], stdout=subprocess.PIPE, text=True
    )
    hdf5 = done.stdout.strip()
    program = Path(folder) / "program"
    subprocess.run(
        [
            *(os.environ["MPICC"], "-O2", "-o", program, ROOT / "bench" / source),
            *(f"-I{hdf5}/include", f"-L{hdf5}/lib", f"-Wl,-rpath,{hdf5}/lib", "-lhdf5", "-ldl"),
        ],
        check=True,
    )
    return program


def calls() -> str:
    with tempfile.TemporaryDirectory() as folder:
        program = compiled("dropin/calls.c", folder)
        variables = environment(plugin=True)
        del variables["HDF5_VOL_CONNECTOR"]  # the program has both connectors
        return subprocess.run(
            [program, Path(folder) / "calls.h5"],
            env=variables,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout


class Walks:
    """Ranks read all of a file twice, with the stock program of bench/metadata."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.program = compiled("metadata/stock_metadata.c", folder)
        self.run(1, "create", plugin=False)

    def run(self, ranks: int, phase: str, plugin: bool) -> tuple[float, float]:
        """Returns the seconds of the slowest rank, and the most that one was in Onecast."""
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        report = self.folder / "report.json"
        done = subprocess.run(
            [
                *(os.environ["MPIEXEC"], *flags, "-n", str(ranks), self.program, "--setting"),
                *("independent", "--phases", phase, "--json", report),
                *("--file", self.folder / "walked.h5"),
            ],
            env=environment(plugin) | {"ONECAST_TRACE": "1"},
            check=True,
            stderr=subprocess.PIPE,
            text=True,
        )
        steps = json.loads(report.read_text())["steps"]
        inside = re.findall(r"([\d.]+) s in Onecast", done.stderr)
        return sum(max(step["seconds"]) for step in steps), max(map(float, inside), default=0)


def bound() -> str:
    lines = [
        "| ranks | native, s | plug-in, s | of it in Onecast, s | bound, s | plug-in : bound |\n",
        "|---|---|---|---|---|---|\n",
    ]
    with tempfile.TemporaryDirectory() as folder:
        walks = Walks(folder)
        for ranks in (1, 8):
            native = min(walks.run(ranks, "open_read", plugin=False)[0] for _ in range(3))
            total, inside = min(walks.run(ranks, "open_read", plugin=True) for _ in range(3))
            rest = total - inside
            lines.append(
                f"| {ranks} | {native:.2f} | {total:.2f} | {inside:.2f} | {rest:.2f}"
                f" | {total / rest:.1f} |\n"
            )
    return "".join(lines)


PARTS = {"suites": suites, "calls": calls, "bound": bound}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        made = PARTS[name]()
        text = PAGE.read_text()
        begin, end = (f"<!-- {name}: {side} -->\n" for side in ("begin", "end"))
        start = text.index(begin) + len(begin)
        PAGE.write_text(text[:start] + made + text[text.index(end) :])


if __name__ == "__main__":
    main()
