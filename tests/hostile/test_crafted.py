"""Small files whose structures demand far too much time or memory"""

import subprocess
import sys
import textwrap

import h5py
import numpy as np
import pytest

import onecast

pytestmark = pytest.mark.leaves_damage

SECONDS = 20
MOST_MEMORY = 512 << 20  # for the whole process, including Python and numpy


@pytest.fixture
def make(tmp_path):
    """make(fill, **options) writes a file with fill(file), and returns its path."""

    def run(fill, **options):
        path = tmp_path / "crafted.h5"
        with h5py.File(path, "w", **options) as file:
            fill(file)
        return path

    return run


def patch(path, change):
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)


def run_alone(path, program):
    """Runs a program on the file `path` in a process of its own, and returns its output."""
    lines = "import sys, onecast\npath = sys.argv[1]\n" + textwrap.dedent(program)
    child = subprocess.Popen(
        [sys.executable, "-c", lines, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        printed, _ = child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        raise
    assert child.returncode == 0, printed
    return printed


def dump_alone(path):
    """Runs `onecast dump` within limits of time and memory. Returns its exit code and
    complaints."""
    # The system's count for a child includes the memory of its parent.
    command = [sys.executable, "-c", DUMP, str(path)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert done.returncode >= 0, f"ended by signal {-done.returncode}"
    text, _, peak = done.stderr.rpartition("peak ")
    assert int(peak) * 1024 < MOST_MEMORY
    return done.returncode, text


DUMP = f"""
import re, signal, sys
signal.alarm({SECONDS})
from onecast_cli.main import main

sys.argv = ["onecast", "dump", sys.argv[1]]
try:
    sys.exit(main())
finally:
    with open("/proc/self/status") as status:
        print("peak", re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1], file=sys.stderr)
"""


def chunked(file):
    file.create_dataset("d", data=np.arange(12, dtype="<i4"), chunks=(4,))


def chunk_offset(content, number):
    """Returns the position of a chunk's offset in a version 1 B-tree of one dimension."""
    prefix, key_and_child, size_and_mask = 24, 8 + 16 + 8, 8
    return content.index(b"TREE\1") + prefix + number * key_and_child + size_and_mask


def test_a_chunk_that_starts_near_the_end_of_numbers(make):
    path = make(chunked)

    def change(content):
        at = chunk_offset(content, 2)
        content[at : at + 8] = (2**64 - 4).to_bytes(8, "little")

    patch(path, change)
    with onecast.File(path) as file:
        assert file["d"][()].tolist() == [*range(8), 0, 0, 0, 0]


@pytest.mark.parametrize("offset", [0, 2])
def test_chunks_that_overlap(make, offset):
    path = make(chunked)

    def change(content):
        at = chunk_offset(content, 1)
        content[at : at + 8] = offset.to_bytes(8, "little")

    patch(path, change)
    with (
        onecast.File(path) as file,
        pytest.raises(onecast.FormatError, match="Offset of the chunk"),
    ):
        file["d"][()]


def test_a_chunk_of_no_bytes(make):
    path = make(
        lambda file: file.create_dataset("d", data=np.arange(12), chunks=(4,), compression=1)
    )

    def change(content):
        at = chunk_offset(content, 1) - 8
        content[at : at + 4] = bytes(4)

    patch(path, change)
    with onecast.File(path) as file, pytest.raises(onecast.FormatError, match="chunk"):
        file["d"][()]


def test_paths_of_links_to_paths_of_links(make):
    def fill(file):
        for i in range(15):
            file[f"x{i}"] = h5py.SoftLink("/".join([f"x{i + 1}"] * 50))
        file["x15"] = h5py.SoftLink("/")

    path = make(fill)
    program = """
        with onecast.File(path) as file:
            try:
                file["x0"]
            except KeyError as error:
                print(error)
    """
    assert "more than" in run_alone(path, program)


def test_a_link_to_itself(make):
    def fill(file):
        file["loop"] = h5py.SoftLink("/loop")
        file["a"] = h5py.SoftLink("/b")
        file["b"] = h5py.SoftLink("/a")

    with onecast.File(make(fill)) as file:
        for name in file:
            with pytest.raises(KeyError, match="links in a row"):
                file[name]


def test_groups_in_a_circle(make):
    def fill(file):
        file.create_group("a/b")["root"] = file["/"]
        file["a/b/a"] = file["a"]

    code, complaints = dump_alone(make(fill))
    assert (code, complaints) == (0, "")


def test_groups_deep_in_each_other(make):
    depth = 50_000

    def fill(file):
        group = file.id
        for _ in range(depth):
            group = h5py.h5g.create(group, b"g")

    path = make(fill, libver="latest")
    program = f"""
        with onecast.File(path) as file:
            print(len(file["/g" * {depth}]._object.path))
    """
    assert int(run_alone(path, program)) == 2 * depth


def test_groups_that_share_a_large_symbol_table(make):
    """1,000 groups with 2,000 links each, in a file that has room for 3,000."""
    addresses = {}

    def fill(file):
        target = file.create_group("target")
        for i in range(1000):
            file.create_group(f"small {i}")
        large = file.create_group("large")
        for i in range(2000):
            large[f"link {i}"] = target
        addresses["large"] = h5py.h5o.get_info(large.id).addr

    path = make(fill, libver=("earliest", "v108"))

    def change(content):
        message = b"\x11\0\x10\0"  # type and size of a Symbol Table message

        def table(start):
            at = content.index(message, start) + 8
            return at, content[at : at + 16]

        _, shared = table(addresses["large"])
        at = 0
        while (at := content.find(message, at)) >= 0:
            place, found = table(at)
            tree = int.from_bytes(found[:8], "little")
            # Empty groups have a tree without leaves, unlike the root group.
            if content[tree : tree + 4] == b"TREE" and content[tree + 6 : tree + 8] == b"\0\0":
                content[place : place + 16] = shared
            at += 4

    patch(path, change)
    code, complaints = dump_alone(path)
    assert code == 1
    assert "too many structures share their bytes" in complaints


MANY = 0x0123456789


@pytest.mark.parametrize(
    "dtype", ["<i4", "S10", h5py.string_dtype()], ids=["int", "string", "text"]
)
def test_a_dataset_that_claims_more_elements_than_the_file_holds(make, dtype):
    few = 0x1235

    def fill(file):
        data = [b"x"] * few if dtype != "<i4" else np.zeros(few, dtype)
        file.create_dataset("d", data=data, dtype=dtype)

    path = make(fill, libver="earliest")
    patch(path, lambda content: replace(content, few, MANY))
    with onecast.File(path) as file:
        assert file["d"].shape == (MANY,)
    code, complaints = dump_alone(path)
    assert code == 0 or "leave the file" in complaints
    program = """
        with onecast.File(path) as file:
            try:
                file["d"]._object.strings()
            except (onecast.FormatError, ValueError) as error:
                print(error)
    """
    assert run_alone(path, program)


def replace(content, old, new):
    """Replaces the sizes and maximum sizes of a dataspace."""
    content[:] = content.replace(old.to_bytes(8, "little"), new.to_bytes(8, "little"))


def test_an_attribute_that_claims_more_elements_than_it_has(make):
    path = make(lambda file: file.attrs.create("a", np.zeros(0x0123, "<i4")), libver="earliest")
    patch(path, lambda content: replace(content, 0x0123, MANY))
    with onecast.File(path) as file, pytest.raises(onecast.FormatError, match="do not fit"):
        file.attrs["a"]


def test_dimensions_whose_product_overflows(make):
    path = make(lambda file: file.create_dataset("d", (0x1234, 0x2345), "i1"), libver="earliest")

    def change(content):
        for size in (0x1234, 0x2345):
            replace(content, size, 2**60)

    patch(path, change)
    with onecast.File(path) as file, pytest.raises(onecast.UnsupportedError, match="elements"):
        _ = file["d"].shape


def test_strings_that_share_one_long_text(make):
    """The dataset has one megabyte 3,000 times."""
    place = {}

    def fill(file):
        texts = np.full(3000, "", dtype=object)
        texts[0] = "x" * 1_000_000
        dataset = file.create_dataset("d", data=texts, dtype=h5py.string_dtype())
        place["data"] = dataset.id.get_offset()

    path = make(fill)

    def change(content):
        start = place["data"]
        content[start : start + 3000 * 16] = content[start : start + 16] * 3000

    patch(path, change)
    _, complaints = dump_alone(path)
    assert "values that share objects of the heap" in complaints


def test_a_few_strings_may_share_a_text(make):
    place = {}

    def fill(file):
        dataset = file.create_dataset("d", data=["same"] + [""] * 9, dtype=h5py.string_dtype())
        place["data"] = dataset.id.get_offset()

    path = make(fill)

    def change(content):
        start = place["data"]
        content[start : start + 160] = content[start : start + 16] * 10

    patch(path, change)
    with onecast.File(path) as file:
        assert list(file["d"][()]) == [b"same"] * 10
