"""`onecast bench independent`: objects created by one rank each. See
bench/independent/README.md."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

import onecast
from onecast_bench import table
from onecast_bench.programs import HOW_TO_GET_STOCK, Launcher, find_program, need_program
from onecast_bench.results import Check, Result, gather


def find_cases(stock: bool, console: Console) -> list[tuple[str, Path, str]]:
    """Returns (name, program, setting) for each case."""
    ours = need_program("onecast_independent")
    cases = [("Onecast", ours, "alone"), ("Onecast, all create all", ours, "together")]
    program = find_program("stock_independent") if stock else None
    if program is not None:
        cases += [("stock default", program, "default"), ("stock best", program, "best")]
    elif stock:
        console.print(f"No stock HDF5 to compare with: {HOW_TO_GET_STOCK}.", style="yellow")
    return cases


def check_file(path: Path, case: str, ranks: int, objects: int) -> Check:
    wrong = []
    with onecast.File(path) as f:
        for r in range(ranks):
            part = f[f"rank {r}"]
            if len(part) != objects:
                wrong.append(f"{len(part)} groups of rank {r}")
            for name, group in part.items():
                number = int(name.removeprefix("group "))
                if group.attrs["number"] != number or (group["data"][...] != r + number / 2).any():
                    wrong.append(f"{part.name}/{name}")
    text = f"{case} on {ranks} ranks: {ranks} × {objects} groups, datasets and attributes"
    return Check(text, not wrong, "; ".join(wrong[:3]))


def run_independent_bench(
    ranks: Sequence[int],
    objects: int,
    repeats: int,
    out: Path,
    directory: Path | None,
    stock: bool,
    timeout: float,
) -> bool:
    console = Console()
    out.mkdir(parents=True, exist_ok=True)
    work = (directory or out).resolve() / "independent-work"
    work.mkdir(parents=True, exist_ok=True)
    launcher = Launcher.from_environment(timeout)
    results: list[Result] = []
    checks: list[Check] = []
    try:
        for number in ranks:
            reports: dict[str, list[dict]] = {}
            for name, program, setting in find_cases(stock, console) * repeats:
                file = work / "file.h5"
                file.unlink(missing_ok=True)
                report = launcher.run(
                    program, number, file, work / "report.json", bases=objects, setting=setting
                )
                if name not in reports:
                    checks.append(check_file(file, name, number, objects))
                reports.setdefault(name, []).append(report)
            found = [gather(name, "its own file", runs) for name, runs in reports.items()]
            table.print_results(
                console, found, f"{objects:,} groups and datasets by each of {number}"
            )
            results += found
    finally:
        shutil.rmtree(work, ignore_errors=True)
    table.print_checks(console, checks)
    document = {"results": [asdict(r) for r in results], "checks": [asdict(c) for c in checks]}
    (out / "independent.json").write_text(json.dumps(document, indent=1) + "\n")
    return all(check.passed for check in checks)
