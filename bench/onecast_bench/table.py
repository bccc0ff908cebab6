"""Tables for people."""

from rich.console import Console
from rich.table import Table

from onecast_bench.results import COUNTERS, MAIN_MEASURES, Check, Result, speedup
from onecast_model.looks import ratio_text, seconds_text

# Cases of one library begin with its name.
PEERS = {"stock": "stock parallel HDF5", "PnetCDF": "PnetCDF"}


def ranks_text(ranks: int) -> str:
    return f"{ranks} rank{'s' if ranks != 1 else ''}"


def count_text(per_rank: list[int]) -> str:
    """Returns the count of rank 0, then the largest of the other ranks."""
    if len(per_rank) == 1:
        return f"{per_rank[0]:,}"
    return f"{per_rank[0]:,} / {max(per_rank[1:]):,}"


def time_table(results: list[Result], title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("seconds, slowest rank")
    for result in results:
        table.add_column(result.case, justify="right")
    peers = [peer for peer in PEERS if any(r.case.startswith(peer) for r in results)]
    for peer in peers:
        table.add_column(f"fastest {peer} ÷ Onecast", justify="right")
    for measure in results[0].seconds:
        cells = [seconds_text(r.seconds[measure]) if measure in r.seconds else "–" for r in results]
        cells += [ratio_text(speedup(results, measure, peer)) for peer in peers]
        inner = ":" in measure
        label = "  " + measure.partition(": ")[2] if inner else measure
        table.add_row(label, *cells, style="dim" if inner else "")
    return table


def count_table(results: list[Result], title: str) -> Table | None:
    counted = [result for result in results if result.counts is not None]
    if not counted:
        return None
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("work")
    table.add_column("calls: rank 0 / most of any other")
    for result in counted:
        table.add_column(result.case, justify="right")
    for measure in counted[0].counts:
        if ":" in measure:
            continue
        head = measure
        for name in COUNTERS:
            rows = [result.counts[measure][name] for result in counted]
            if not any(map(any, rows)):
                continue
            table.add_row(head, name.replace("_", " "), *map(count_text, rows))
            head = ""
        if head:
            table.add_row(head, "none at all", *["0"] * len(counted))
        table.add_section()
    return table


def print_results(console: Console, results: list[Result], title: str) -> None:
    console.print()
    console.print(time_table(results, title))
    counts = count_table(results, f"{title}: exact counts")
    if counts is None:
        console.print("Not counted: libiocount.so is not built.", style="yellow")
    else:
        console.print(counts)
    for result in results:
        if result.counts_vary:
            names = ", ".join(result.counts_vary)
            console.print(f"{result.case}: counts differ between runs in {names}", style="dim")


def print_checks(console: Console, checks: list[Check]) -> None:
    failed = [check for check in checks if not check.passed]
    for check in failed:
        console.print(f"DIFFERS  {check.text}: {check.detail}", style="bold red")
    if checks and not failed:
        text = f"Contents agree, value by value, in all comparisons ({len(checks)})."
        console.print(text, style="green")


def summary_lines(results: list[Result]) -> list[str]:
    """Returns a line for each main measure: Onecast and the fastest setting of each peer, on the
    same number of ranks and on files of their own."""
    ours = next(result for result in results if result.case == "Onecast")
    lines = []
    for measure in MAIN_MEASURES:
        if measure not in ours.seconds:
            continue
        line = f"{measure}, {ours.ranks} ranks: Onecast {seconds_text(ours.seconds[measure])}"
        for peer, name in PEERS.items():
            if (times := speedup(results, measure, peer)) is not None:
                theirs = seconds_text(ours.seconds[measure] * times)
                line += f", {name} {theirs}: {ratio_text(times)}"
        lines.append(line)
    return lines
