"""The costs of writing and reading events, in system calls and bytes"""

import re
import shutil
import subprocess

import pytest
from event_files import PROGRAM, convert

pytestmark = [
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace"),
    pytest.mark.long,
]
MIB = 1 << 20
EVENTS, PRODUCTS = 400, 17
SOURCE = f"TestProducts:events={EVENTS}:products={PRODUCTS}:size=6300:spread=0.9"
OUTPUTERS = ("HDF5Event", "HDF5Batch", "HDF5Product")


def calls_of(tmp_path, kinds, path, *arguments):
    """Returns the sizes of the calls to the file, by kind."""
    log = tmp_path / "calls"
    command = ["strace", "-f", "-y", "-qq", "-e", f"trace={','.join(kinds)}", "-o", str(log)]
    done = subprocess.run(
        [*command, str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=120
    )
    if "ptrace" in done.stderr.lower() and done.returncode != 0:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    sizes = {kind: [] for kind in kinds}
    begun = {}  # by thread: calls that the line of another thread interrupts
    for line in log.read_text().splitlines():
        thread, _, text = line.partition(" ")
        text = text.strip()
        if text.endswith("<unfinished ...>"):
            begun[thread] = text
            continue
        if text.startswith("<..."):
            text = begun.pop(thread, "") + text
        found = re.match(r"(\w+)\(\d+<([^>]*)>.*= (\d+)$", text)
        if found and found[2] == str(path):
            sizes[found[1]].append(int(found[3]))
    return sizes


def sum_of(sizes):
    return sum(sum(of_kind) for of_kind in sizes.values())


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_products_are_written_where_they_are(tmp_path, outputer):
    """One call writes all events of a column of a batch, and no byte is written twice."""
    path = tmp_path / "out.h5"
    kinds = ("pwrite64", "pwritev", "write", "writev")
    sizes = calls_of(tmp_path, kinds, path, "run", "-q", "-s", SOURCE, "-o", f"{outputer}={path}")
    assert path.stat().st_size * 0.97 < sum_of(sizes) < path.stat().st_size * 1.03
    columns, batch_bytes = (PRODUCTS, 16 * MIB) if outputer == "HDF5Product" else (1, 4 * MIB)
    batches = -(-EVENTS // (batch_bytes // (PRODUCTS * 6300 + 64)))
    # The chunks of a batch lie one behind the other. Its first bytes fill the chunk before.
    assert len(sizes["pwritev"]) <= 2 * columns * (batches + 1)
    assert sum(sizes["pwritev"]) > 0.95 * EVENTS * PRODUCTS * 6300
    assert len(sizes["pwrite64"]) <= 12 * (batches + 1) + columns


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_reading_takes_each_byte_once(tmp_path, outputer):
    path = tmp_path / "in.h5"
    convert(SOURCE, f"{outputer}={path}")
    run = ("run", "-q", "-s", f"HDF5={path}", "-o", "Serialize", "-t", "2")
    sizes = calls_of(tmp_path, ("pread64",), path, *run)["pread64"]
    assert sum(sizes) < path.stat().st_size * 1.03 + 2 * MIB
    # The runs have 2 MiB; in the layout product each run has a part of every dataset, often in two
    # chunks.
    runs = -(-path.stat().st_size // (2 * MIB)) + 8
    assert len(sizes) < runs * (6 + (4 * PRODUCTS if outputer == "HDF5Product" else 4))


def test_one_product_leaves_the_others_alone(tmp_path):
    path = tmp_path / "in.h5"
    convert(SOURCE, f"HDF5Product={path}")
    run = ("run", "-q", "-s", f"HDF5={path}", "-o", "Serialize", "-t", "2", "-p", "product03")
    sizes = calls_of(tmp_path, ("pread64",), path, *run)["pread64"]
    assert sum(sizes) < 1.3 * EVENTS * 6300 + 2 * MIB
    # Batches that lie one behind the other are read together.
    assert len(sizes) < 120
