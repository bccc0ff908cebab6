"""Events on many ranks: one file for any number of ranks, and no rank that waits for ever"""

import pytest

import onecast
from onecast import events

ak = pytest.importorskip("awkward")

# Every program begins with these batches, of which each rank has a share.
BATCHES = """
import awkward as ak
from onecast import events

rng = np.random.default_rng(3)

def batch(count, alike):
    n = rng.integers(0, 5, count)
    m = n if alike else rng.integers(0, 5, count)
    return ak.Array({
        "run": np.full(count, 7, "u4"),
        "lumi": n.astype("u4"),
        "event": rng.permutation(count),
        "a_x": ak.unflatten(np.arange(n.sum()) * 0.5, n),
        "a_y": ak.unflatten(np.arange(m.sum()), m),
        "deep": ak.unflatten(ak.unflatten(np.arange(2 * n.sum()), np.full(n.sum(), 2)), n),
        "s": ak.Array(["x" * k for k in n.tolist()]),
        "o": ak.Array([None, 0.5] + [None if k == 2 else float(k) for k in n.tolist()])[2:],
        "m": rng.random((count, 2)),
    })

batches = [batch(200, True), batch(3, True), batch(50, True), batch(120, False)]

def mine(array):
    return array[len(array) * rank // size : len(array) * (rank + 1) // size]
"""

WRITE = """
with events.create(sys.argv[1], comm=comm, chunk_bytes=300) as writer:
    for array in batches:
        writer.append(mine(array))
"""

READ = """
whole = ak.concatenate(batches).to_list()
with events.open(sys.argv[1], comm=comm) as opened:
    start, stop = opened.part()
    assert opened.to_awkward().to_list() == whole
    assert opened.read_all().to_list() == whole
    for part in (opened.read_all(None, start, stop), opened.to_awkward(None, start, stop)):
        assert part.to_list() == whole[start:stop]
    count = 3 if rank % 2 == 0 else 0
    assert opened.read_all(["deep"], 0, count)["deep"].to_list() == [
        event["deep"] for event in whole[:count]
    ]
    assert opened.find(7, whole[150]["lumi"], whole[150]["event"]) <= 150
"""


def test_bytes_do_not_depend_on_the_ranks(same_bytes, path, plainly):
    for _ in same_bytes(BATCHES + WRITE + READ):
        assert events.check(path, data=True) == []
        with events.open(path) as opened:
            assert opened.to_awkward().to_list() == plainly(path).to_list()


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_parts_of_any_size(mpirun, path, ranks):
    """One rank has the whole batch, another rank the next one. Ranks without events pass {}."""
    program = """
with events.create(sys.argv[1], comm=comm, chunk_bytes=300) as writer:
    for number, array in enumerate(batches):
        writer.append(array if rank == number % size else {})
    writer.append({})
"""
    mpirun(ranks, BATCHES + program + READ, path)
    assert events.check(path, data=True) == []


def test_write_at_once(same_bytes, path):
    program = """
events.write(sys.argv[1], mine(batches[0]), comm=comm)
"""
    for _ in same_bytes(BATCHES + program):
        assert not list(path.parent.glob("*.part"))
        assert events.check(path, data=True) == []


@pytest.mark.parametrize("ranks", [2, 3, 7])
def test_what_one_rank_does_wrong_all_hear(mpirun, path, ranks):
    program = """
def wrong(change):
    return mine(batches[0]) if rank != size - 1 else change

with events.create(sys.argv[1], comm=comm) as writer:
    writer.append(mine(batches[0]))
    cases = {
        "datetime64": {"x": np.zeros(2, "M8[s]")},
        "column run": mine(batches[0])[["a_x"]],
        "column a_x": ak.with_field(mine(batches[0]), mine(batches[0])["a_y"], "a_x"),
        "has 1 events": {"run": np.zeros(2), "lumi": np.zeros(1)},
    }
    for text, change in cases.items():
        kind = ValueError if "has 1" in text else TypeError
        texts = same_everywhere(lambda: writer.append(wrong(change)), kind)
        assert text in texts[0] and len(set(texts)) == 1, (text, texts)
    writer.append(mine(batches[3]))
with events.open(sys.argv[1], comm=comm) as opened:
    assert opened.to_awkward().to_list() == ak.concatenate([batches[0], batches[3]]).to_list()

path = sys.argv[1] + "2"
texts = same_everywhere(lambda: events.write(path, wrong("nothing"), comm=comm), TypeError)
assert len(set(texts)) == 1 and all("dict of arrays" in said for said in texts)
import os
comm.barrier()
assert not os.path.exists(path)
assert rank != 0 or not [name for name in os.listdir() if name.endswith(".part")]
"""
    mpirun(ranks, BATCHES + program, path)


@pytest.mark.parametrize("ranks", [2, 3, 7])
def test_errors_of_any_class_all_raise(mpirun, path, ranks):
    """The error has the nearest class that all ranks know, and one text."""
    program = """
class Own(KeyError):
    pass

class Data(dict):
    def __init__(self, error):
        super().__init__(x=0)
        self.error = error

    def items(self):
        raise self.error

    __iter__ = keys = __getitem__ = lambda self, *_: self.items()

with events.create(sys.argv[1], comm=comm) as writer:
    writer.append(mine(batches[0]))
    for error, kind in (
        (FileNotFoundError(2, "none", "name"), FileNotFoundError),
        (Own("mine"), KeyError),
        (UnicodeEncodeError("utf-8", "x", 0, 1, "so"), UnicodeEncodeError),
        (onecast.FormatError("damaged"), onecast.FormatError),
        (ValueError(lambda: 0), ValueError),
    ):
        wrong = Data(error) if rank == size - 1 else mine(batches[0])
        texts = same_everywhere(lambda: writer.append(wrong), kind)
        assert len({text.strip("\\"'") for text in texts}) == 1, texts
    several = {"x": np.zeros(2, "M8[s]")} if rank == 0 else {"x": [1], "y": [1, 2]}
    texts = same_everywhere(lambda: writer.append(several), TypeError)
    assert len(set(texts)) == 1, texts
with events.open(sys.argv[1], comm=comm) as opened:
    assert opened.to_awkward().to_list() == batches[0].to_list()
    columns = ["none"] if rank == size - 1 else ["run", "a_x"]
    same_everywhere(lambda: opened.read_all(columns), KeyError, ValueError)
    assert opened.read_all(["run"])["run"][0] == 7
"""
    mpirun(ranks, BATCHES + program, path)


@pytest.mark.parametrize("ranks", [2, 3, 7])
def test_options_that_differ_between_ranks(mpirun, path, ranks):
    """Every rank raises an error before anything is written. The existing file stays."""
    program = """
source = sys.argv[1]
events.write(source, mine(batches[0]), comm=comm)
path = source + "2"
events.write(path, mine(batches[1]), comm=comm)
is_last = rank == size - 1
wrong = {
    "a level from": {"compression": "zstd:99" if is_last else "zstd:3"},
    "different arguments": {"compression": "lz4" if is_last else "zstd:3"},
    "expected: a whole number": {"expected": "x" if is_last else 10},
    "one of columnar": {"layout": "rows" if is_last else "columnar"},
}
for text, options in wrong.items():
    calls = [
        lambda: events.create(path, comm=comm, **options),
        lambda: events.write(path, mine(batches[0]), comm=comm, **options),
    ]
    if "expected" not in options:
        calls.append(lambda: events.convert(source, path, comm=comm, **options))
    for call in calls:
        said = same_everywhere(call, TypeError if "whole" in text else ValueError)
        assert text in said[0] and len(set(said)) == 1, (text, said)
calls = [
    lambda wrong: events.open(wrong or source, comm=comm),
    lambda wrong: events.create(wrong or path, comm=comm),
    lambda wrong: events.write(wrong or path, mine(batches[0]), comm=comm),
    lambda wrong: events.convert(wrong or source, path, comm=comm),
    lambda wrong: events.convert(source, wrong or path, comm=comm),
    lambda wrong: events.convert(source, path, columns=wrong, comm=comm),
    lambda wrong: events.convert(source, path, start=wrong or 0, comm=comm),
]
for call in calls:
    for wrong in (5.5, [[]]):
        texts = same_everywhere(lambda: call(wrong if is_last else None), TypeError)
        assert len(set(texts)) == 1, texts
for number in (-1, 7):
    options = {"batch": number if is_last else 5}
    same_everywhere(lambda: events.convert(source, path, comm=comm, **options), ValueError)
with events.open(path, comm=comm) as opened:
    assert opened.to_awkward().to_list() == batches[1].to_list()
"""
    mpirun(ranks, BATCHES + program, path)


@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_that_leave_or_close(mpirun, path, ranks):
    program = """
import os

def leave():
    with events.create(sys.argv[1], comm=comm) as writer:
        writer.append(mine(batches[0]))
        if rank == 1:
            raise ValueError("no more")
        writer.append(mine(batches[1]))

texts = same_everywhere(leave, ValueError, onecast.DivergedError)
assert all("no more" in text for text in texts), texts
assert rank != 0 or not os.path.exists(sys.argv[1])

def close():
    writer = events.create(sys.argv[1], comm=comm)
    try:
        writer.append(mine(batches[0]))
        if rank != 1:
            writer.append(mine(batches[1]))
    finally:
        writer.close()

texts = same_everywhere(close, ValueError, RuntimeError)
assert any("some ranks called" in text for text in texts), texts
"""
    mpirun(ranks, BATCHES + program, path)


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.leaves_damage
def test_damage_that_one_rank_meets_all_hear(mpirun, path, ranks):
    program = (
        BATCHES
        + WRITE
        + """
if rank == 0:
    import h5py, hdf5plugin
    with h5py.File(sys.argv[1], "r+") as file:
        name = "Events/deep-offsets" if "deep-offsets" in file["Events"] else "Events/a-offsets"
        offsets = file[name][...]
        offsets[-2] = 1 << 40
        del file[name]
        file[name] = offsets
comm.barrier()
with events.open(sys.argv[1], comm=comm) as opened:
    start, stop = opened.part()
    columns = [column for column in opened.columns if column in ("deep", "a_x")]
    kinds = (onecast.FormatError, ValueError)
    texts = same_everywhere(lambda: opened.read_all(columns, start, stop), *kinds)
    assert all("offsets" in text for text in texts), texts
    assert opened.read_all(["run"])["run"][0] == 7
"""
    )
    mpirun(ranks, program, path)


@pytest.mark.parametrize("ranks", [1, 3])
def test_convert(mpirun, path, tmp_path, ranks):
    with events.create(path) as writer:
        for seed in range(3):
            writer.append({"x": ak.Array([[seed], [], [1, 2]] * 50), "run": [seed] * 150})
    out = tmp_path / "out.h5"
    program = """
from onecast import events
assert events.convert(sys.argv[1], sys.argv[2], batch=100, comm=comm) == 450
"""
    mpirun(ranks, program, path, out)
    with events.open(path) as a, events.open(out) as b:
        assert a.to_awkward().to_list() == b.to_awkward().to_list()
    assert onecast.check(out, data=True)["findings"] == []


def test_the_cost_of_an_append(mpirun, path):
    """For any number of columns there is one header, and the scan, before the arrays are
    written."""
    program = """
from onecast import events

def collectives(columns):
    with events.create(sys.argv[1], comm=comm, chunk_bytes=80) as writer:
        before = writer.file.io_stats().collectives
        writer.append({f"c{n}": np.arange(100) for n in range(columns)})
        return writer.file.io_stats().collectives - before

few, many = collectives(2), collectives(200)
assert few == many, (few, many)
"""
    mpirun(3, program, path)


@pytest.mark.parametrize("ranks", [2, 3])
def test_the_argument_that_differs_is_named(mpirun, path, ranks):
    program = """
path = sys.argv[1]
events.write(path, mine(batches[0]), comm=comm)
is_last = rank == size - 1

def in_order(turned):
    names = ["lumi", "run"] if turned else ["run", "lumi"]
    return dict.fromkeys(names, "uint32")

cases = [
    ({"compression": "lz4" if is_last else "zstd:3"}, "compression: 'zstd:3' ", "'lz4' "),
    ({"expected": 5 if is_last else None}, "expected: None ", "5 "),
    ({"types": {"run": "uint32"} if is_last else {}}, "types['run']: nothing ", "uint32 "),
    ({"types": {"a": f"{2 + is_last} * bool"}}, "types['a']: list of 2 bool ", "list of 3 bool "),
    ({"types": in_order(is_last)}, "order of types: run, lumi ", "lumi, run "),
    ({"titles": {"a": "b" if is_last else "c"}}, "titles['a']: 'c' ", "'b' "),
    ({"name": "A" if is_last else "B"}, "name: 'B' ", "'A' "),
]
for options, first, last in cases:
    calls = [
        lambda: events.create(path, comm=comm, **options),
        lambda: events.write(path, mine(batches[0]), comm=comm, **options),
    ]
    for call in calls:
        said = same_everywhere(call, ValueError)
        wanted = f"ranks were given different arguments: {first}on rank "
        assert len(set(said)) == 1 and said[0].startswith(wanted), (said, wanted)
        assert said[0].endswith(f", {last}on rank {size - 1}"), (said, last)
said = same_everywhere(
    lambda: events.convert(path, path + "2", pad=1 + is_last, start=0, comm=comm), ValueError
)
assert "arguments: pad: 1 on rank" in said[0] and "start" not in said[0], said
"""
    mpirun(ranks, BATCHES + program, path)


@pytest.mark.parametrize("ranks", [2, 3, 7])
def test_the_rank_that_lacks_a_column_is_named(mpirun, path, ranks):
    """A rank without events lacks no column."""
    program = """
import re
from onecast import events

with events.create(sys.argv[1], comm=comm) as writer:
    for number, who in ((rank, f"rank {size - 1}"), (size - 1 - rank, "rank 0")):
        data = {"a": [1], "c": [2]} if number != size - 1 else {"a": [1]}
        if size == 7 and rank in (1, 2):
            data = {}
        (text,) = set(same_everywhere(lambda: writer.append(data), TypeError))
        assert re.match(rf"column c: rank \\d has it, and {who} has not; ", text), text
        assert size != 7 or not re.match("column c: rank [12]", text), text
"""
    mpirun(ranks, program, path)
