"""Computes medians, ratios and checks from the programs' reports."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

# The displayed measures, and the (phase, step) pairs that each one sums.
MEASURES = {
    "create": [("create", "fill"), ("create", "flush"), ("create", "close")],
    "create: fill": [("create", "fill")],
    "create: flush": [("create", "flush")],
    "create: close": [("create", "close")],
    "open + read all": [("open_read", "open"), ("open_read", "read")],
    "open + read all: open": [("open_read", "open")],
    "open + read all: read": [("open_read", "read")],
    "close after reading": [("open_read", "close")],
    "open read-write": [("close_unmodified", "open")],
    "close unmodified": [("close_unmodified", "close")],
    "open + small reads": [("small_reads", "open"), ("small_reads", "read")],
    "small reads": [("small_reads", "read")],
    "first small writes": [("small_writes", "first")],
    "further small writes": [("small_writes", "further")],
    "first write": [("arrays", "first")],
    "further writes": [("arrays", "further")],
    "flush": [("arrays", "flush")],
    "close after writing": [("arrays", "close")],
    "flush + close": [("arrays", "flush"), ("arrays", "close")],
    "open again": [("arrays", "open again")],
    "close, unmodified": [("arrays", "close unmodified")],
    "close, modified": [("arrays", "close modified")],
    "read back": [("arrays", "read")],
}
MAIN_MEASURES = ("create", "open + read all", "close unmodified")
FILE_CALLS = ("opens", "reads", "writes", "truncates", "syncs", "locks", "other")
COUNTERS = (
    "opens",
    "reads",
    "bytes_read",
    "writes",
    "bytes_written",
    "truncates",
    "syncs",
    "locks",
    "other",
    "collectives",
    "bytes_broadcast",
    "sends",
    "bytes_sent",
)


@dataclass
class Result:
    """One program with one setting, on one number of ranks and one kind of file."""

    case: str  # "Onecast", "stock default", ...
    subject: str  # "own file", "the file of ...", or a path
    ranks: int
    seconds: dict[str, float]  # measure -> median over the runs of the slowest rank
    runs: dict[str, list[float]]  # measure -> seconds of each run
    counts: dict[str, dict[str, list[int]]] | None  # measure -> counter -> per rank
    by_collective: dict[str, dict[str, list[int]]] | None
    counts_vary: list[str]  # measures whose counts differed between runs
    contents: dict | None
    file_bytes: int
    cpu: dict[str, float] = field(default_factory=dict)  # measure -> median, like seconds
    memory: dict[str, list[int]] = field(default_factory=dict)  # measure -> per rank
    spent: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """Measure -> "file", "exchange" -> seconds per rank, of the last run, if the library tells."""
    library: str = ""
    mpi: str = ""
    lab: dict[str, dict] | None = None  # step -> counters of the emulated file system
    checks: list["Check"] = field(default_factory=list)


@dataclass(frozen=True)
class Check:
    text: str
    passed: bool
    detail: str = ""


def steps_of(report: dict) -> dict[tuple[str, str], dict]:
    return {(step["phase"], step["step"]): step for step in report["steps"]}


def measure_seconds(report: dict, measure: str, clock: str = "seconds") -> float | None:
    """Returns the sum over the steps of the slowest rank's time; None if the report lacks a step.

    `clock` is "cpu" for the time that the ranks had a core."""
    steps = steps_of(report)
    parts = MEASURES[measure]
    if not all(part in steps for part in parts):
        return None
    return sum(max(steps[part][clock]) for part in parts)


def add_lists(lists: Iterable[list[int]]) -> list[int]:
    return [sum(values) for values in zip(*lists, strict=True)]


def measure_counts(report: dict, measure: str) -> dict[str, list[int]] | None:
    steps = steps_of(report)
    counts = [steps[part]["counts"] for part in MEASURES[measure] if part in steps]
    if len(counts) != len(MEASURES[measure]) or None in counts:
        return None
    return {name: add_lists(part[name] for part in counts) for name in COUNTERS}


def measure_collectives(report: dict, measure: str) -> dict[str, list[int]]:
    """Returns the counts by name of the MPI call. Calls that did not happen are left out."""
    steps = steps_of(report)
    parts = [steps[part]["counts"]["by_collective"] for part in MEASURES[measure]]
    names = sorted({name for part in parts for name in part})
    none = [0] * report["ranks"]
    return {name: add_lists(part.get(name, none) for part in parts) for name in names}


def measure_memory(report: dict, measure: str) -> list[int]:
    """Returns each rank's peak growth, summed over the steps; empty if unknown."""
    steps = steps_of(report)
    found = [steps[part]["memory"] for part in MEASURES[measure]]
    return [] if any(min(each) < 0 for each in found) else add_lists(found)


def measure_spent(report: dict, measure: str) -> dict[str, list[float]]:
    steps = steps_of(report)
    found = {
        name: add_lists(steps[part].get(name, [0.0]) for part in MEASURES[measure])
        for name in ("file", "exchange")
    }
    return found if any(map(any, found.values())) else {}


def gather(case: str, subject: str, reports: list[dict]) -> Result:
    """Combines the runs of one case: medians of the times, counts of the last run."""
    last = reports[-1]
    measures = [name for name in MEASURES if measure_seconds(last, name) is not None]
    runs = {name: [measure_seconds(report, name) for report in reports] for name in measures}
    counts = {name: measure_counts(last, name) for name in measures}
    counted = all(value is not None for value in counts.values())
    vary = [
        name
        for name in measures
        if counted and any(measure_counts(report, name) != counts[name] for report in reports)
    ]
    return Result(
        case=case,
        subject=subject,
        ranks=last["ranks"],
        seconds={name: median(values) for name, values in runs.items()},
        runs=runs,
        counts=counts if counted else None,
        by_collective={name: measure_collectives(last, name) for name in measures}
        if counted
        else None,
        counts_vary=vary,
        contents=last["contents"],
        file_bytes=last["file_bytes"],
        cpu={name: median(measure_seconds(r, name, "cpu") for r in reports) for name in measures},
        memory={name: measure_memory(last, name) for name in measures},
        spent={name: spent for name in measures if (spent := measure_spent(last, name))},
        library=last["library"],
        mpi=last["mpi"],
        lab={step["step"]: step["lab"] for step in last["steps"] if "lab" in step} or None,
    )


def file_calls(counts: dict[str, list[int]]) -> int:
    """Returns the number of file operations of all ranks."""
    return sum(sum(counts[name]) for name in FILE_CALLS)


def speedup(results: list[Result], measure: str, peer: str = "stock") -> float | None:
    """Returns the seconds of the fastest setting of a peer divided by those of Onecast."""
    ours = [r.seconds[measure] for r in results if r.case == "Onecast" and measure in r.seconds]
    theirs = [
        r.seconds[measure] for r in results if r.case.startswith(peer) and measure in r.seconds
    ]
    return min(theirs) / ours[0] if ours and theirs and ours[0] > 0 else None


def check_contents(results: list[Result], expected: dict | None, what: str) -> list[Check]:
    """Checks that every rank of every program saw the same file, and the expected one."""
    checks = []
    reference = expected or next((r.contents for r in results if r.contents), None)
    for result in results:
        contents = result.contents
        if contents is None:
            continue
        text = f"{result.case} on {result.ranks} ranks reads {result.subject}: {what}"
        wrong = [
            f"{name} {contents[name]}, not {reference[name]}"
            for name in ("digest", "groups", "datasets", "attributes", "value_bytes")
            if contents[name] != reference[name]
        ]
        if not contents["ranks_agree"]:
            wrong.append("the ranks disagree")
        if contents["unreadable"]:
            wrong.append(f"{contents['unreadable']} values could not be read")
        checks.append(Check(text, not wrong, "; ".join(wrong)))
    return checks
