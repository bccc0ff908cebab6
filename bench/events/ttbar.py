"""Makes a PDS file of top quark pairs with PYTHIA: python ttbar.py OUT.pds [--events 100]

An existing file stays, unless --again is given.
"""

import argparse
import contextlib
import os
import struct
import sys
from pathlib import Path

import numpy as np

INTEGERS = ("id", "status", "mother1", "mother2", "daughter1", "daughter2", "col", "acol")
FLOATS = ("px", "py", "pz", "e", "m", "scale", "tau", "xProd", "tProd")
SETTINGS = (
    "Beams:eCM = 13000.",
    "Top:gg2ttbar = on",
    "Top:qqbar2ttbar = on",
    "Print:quiet = on",
    "Random:setSeed = on",
)


def generator(seed):
    """Returns a PYTHIA that is ready. Raises SystemExit if it is not installed."""
    # PYTHIA calls the pip of its own environment to find its data.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        # The wheel runs python/README.md of the current folder as its own, if there is one.
        with contextlib.chdir(Path(__file__).parent):
            import pythia8mc
    except ImportError as error:
        reason = f"PYTHIA is not installed: pip install pythia8mc==8.317.2 ({error})"
        raise SystemExit(reason) from None
    pythia = pythia8mc.Pythia("", False)
    for setting in (*SETTINGS, f"Random:seed = {seed}"):
        pythia.readString(setting)
    if not pythia.init():
        raise SystemExit("PYTHIA does not start")
    return pythia


def products_of(event):
    """Returns {name: bytes}, with a number for each particle."""
    particles = [event[i] for i in range(event.size())]
    columns = {
        name: np.array([getattr(particle, name)() for particle in particles], kind)
        for names, kind in ((INTEGERS, "<i4"), (FLOATS, "<f4"))
        for name in names
    }
    return {name: column.tobytes() for name, column in columns.items()}


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def header():
    """Returns the file's header. It names the serializer of plain bytes, the second of two."""
    kinds = ("std::vector<float>", "std::vector<int>")
    class_bytes = padded("".join(f"{kind}\0" for kind in kinds).encode())
    words = struct.pack("<I8sI", 2, b"Event", len(class_bytes) // 4) + class_bytes
    words += struct.pack("<II", 0, len(INTEGERS + FLOATS))
    for name in INTEGERS + FLOATS:
        words += struct.pack("<I", name in INTEGERS) + padded(f"{name}\0".encode())
    count = struct.pack("<I", len(words) // 4)
    return struct.pack("<II4s", 3141592 * 256 + 1, 0, b"None") + count + words + count


def record(number, products):
    payload = b"".join(
        struct.pack("<II", i, len(data) // 4) + data for i, data in enumerate(products.values())
    )
    count = struct.pack("<I", len(payload) // 4 + 1)
    start = struct.pack("<5I", 0, 1, 1 + number // 100, 0, number + 1)
    return start + count + struct.pack("<I", len(payload)) + payload + count


def make(out, events, seed):
    pythia = generator(seed)
    part = Path(f"{out}.part")
    with open(part, "wb") as file:
        file.write(header())
        for number in range(events):
            while not pythia.next():
                pass
            file.write(record(number, products_of(pythia.event)))
    os.replace(part, out)


def main():
    parser = argparse.ArgumentParser(description="Make a PDS file of top quark pairs.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="also if the file is there")
    given = parser.parse_args()
    if given.again or not given.out.exists():
        make(given.out, given.events, given.seed)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
