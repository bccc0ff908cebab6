"""The form of numbers and curves in the tables and pictures of the model and the benchmarks."""

ONECAST_COLOR = "#0072b2"
STOCK_COLORS = ("#d55e00", "#e69f00", "#7f7f7f", "#cc79a7", "#009e73")
MARKERS = "os^Dv<"


def seconds_text(seconds: float) -> str:
    """Returns three digits: 76.4 µs, 1.20 ms, 12.3 s."""
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if seconds * factor >= 1:
            return f"{seconds * factor:#.3g} {unit}" if seconds < 1000 else f"{seconds:,.0f} s"
    return f"{seconds * 1e6:#.3g} µs"


def ratio_text(ratio: float | None) -> str:
    if ratio is None:
        return "–"
    return f"{ratio:,.0f}×" if ratio >= 10 else f"{ratio:.1f}×"


def seconds_label(seconds: float) -> str:
    """Returns a power of ten as an axis shows it: 10 ms."""
    units = ((1, "s"), (1e3, "ms"))
    # The bound is slightly below one: 10 ** -3 is not exactly a thousandth.
    factor, unit = next(((f, u) for f, u in units if seconds * f > 0.999), (1e6, "µs"))
    return f"{seconds * factor:g} {unit}"
