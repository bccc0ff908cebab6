"""Shows the counters of a run as a table."""

COLUMNS = ("", "write RPCs", "MiB", "read RPCs", "MiB", "locks", "revoked", "glimpses", "")


def row(name: str, counts: dict, remark: str) -> list[str]:
    return [
        name,
        str(counts["write_rpcs"]),
        f"{counts['write_bytes'] / 2**20:.2f}",
        str(counts["read_rpcs"]),
        f"{counts['read_bytes'] / 2**20:.2f}",
        str(counts["lock_enqueues"]),
        str(counts["revocations"]),
        str(counts["glimpses"]),
        remark,
    ]


def metadata(counts: dict) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts["metadata"].items())


def table(counters: dict) -> str:
    model = counters["model"]
    rows = [list(COLUMNS), row("total", counters["total"], metadata(counters["total"]))]
    for client in counters["clients"]:
        rows.append(row(f"node{client['client']}", client, metadata(client)))
    for ost in counters["osts"]:
        writers = ", ".join(map(str, ost["writers"]))
        remarks = [f"written by node {writers}"] if writers else []
        remarks += [f"busy for {ost['busy_ns'] / 1e6:.1f} ms"] if ost["busy_ns"] else []
        rows.append(row(f"OST {ost['ost']}", ost, "; ".join(remarks)))
    widths = [max(len(line[i]) for line in rows) for i in range(len(COLUMNS) - 1)]
    lines = [
        f"lab: {model['clients']} nodes, {model['osts']} OSTs, "
        f"{model['stripe_count'] or model['osts']} stripes of {model['stripe_size'] >> 10} KiB"
    ]
    for line in rows:
        name, *numbers = line[:-1]
        cells = [name.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join([*cells, line[-1]]).rstrip())
    if counters["balance"] is not None:
        lines.append(
            f"balance {counters['balance']:.2f}: the share of the OSTs that were busy, on average "
            f"over the {counters['any_busy_ns'] / 1e6:.1f} ms in which any was"
        )
    return "\n".join(lines)
