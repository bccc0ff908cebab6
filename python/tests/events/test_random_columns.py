"""Random columns, appended by ranks of which some make mistakes, are compared with one process."""

import pytest

PROGRAM = """
import pathlib
import random

from mpi4py import MPI
from onecast import events

comm = MPI.COMM_WORLD
OUT, ALONE = sys.argv[1:3]
NUMBERS = {"int64": lambda rng: rng.randrange(9), "float64": lambda rng: rng.random()}
OTHERS = {
    "string": lambda rng: "é\\n"[: rng.randrange(3)],
    "bool": lambda rng: rng.random() < 0.5,
}


def some_type(rng, depth=0):
    "Its name for awkward, and what makes a value of it."
    plain = NUMBERS | OTHERS
    kind = rng.choice([*plain, "list", "option", "record"] if depth < 3 else list(plain))
    if kind in plain:
        return kind, plain[kind]
    name, below = some_type(rng, depth + 1)
    if kind == "list":
        return f"var * {name}", lambda rng: [below(rng) for _ in range(rng.randrange(4))]
    if kind == "option" and not name.startswith(("?", "option")):
        return f"option[{name}]", lambda rng: None if rng.random() < 0.3 else below(rng)
    return f"{{f: {name}}}", lambda rng: {"f": below(rng)}


def mistaken(rng, part):
    column = rng.choice(list(part))
    return rng.choice(
        [
            5,
            part | {column: [*part[column], object()]},
            part | {column: [{"other": 1}] * 3},
            part | {"x": [1] * (len(part[column]) + 1)},
        ]
    )


def write(comm, batches, path, **options):
    rank, ranks = (0, 1) if comm is None else (comm.rank, comm.size)
    with events.create(path, comm=comm, **options) as writer:
        for seed, whole, is_flushed in batches:
            rng = random.Random(seed)
            count = len(next(iter(whole.values())))
            cuts = sorted(rng.randrange(count + 1) for _ in range(ranks - 1))
            cuts = [0, *cuts, count]
            part = {name: values[cuts[rank] : cuts[rank + 1]] for name, values in whole.items()}
            if rng.random() < 0.4:
                wrong = mistaken(rng, part) if rng.randrange(ranks) == rank else part
                try:
                    writer.append(wrong)
                except (TypeError, ValueError):
                    pass
                else:
                    raise AssertionError(wrong)
            writer.append(part if any(map(len, part.values())) else {})
            if is_flushed:
                writer.flush()


for seed in range(int(sys.argv[3])):
    rng = random.Random(seed)
    columns = {f"c{n}": some_type(rng) for n in range(rng.randrange(1, 5))}
    options = {
        "types": {name: kind for name, (kind, _) in columns.items()},
        "chunk_bytes": rng.choice([16, 64, 1000, 1 << 18]),
        "compression": rng.choice(["none", "zstd", "lz4"]),
    }
    batches = []
    for number in range(rng.randrange(1, 5)):
        count = rng.choice([0, 1, 2, 5, 40])
        whole = {c: [make(rng) for _ in range(count)] for c, (_, make) in columns.items()}
        batches.append((f"{seed} {number}", whole, rng.random() < 0.3))
    write(comm, batches, OUT, **options)
    if comm.rank == 0:
        write(None, batches, ALONE, **options)
        both = [pathlib.Path(path).read_bytes() for path in (OUT, ALONE)]
        assert both[0] == both[1], (seed, options)
        with events.open(OUT) as opened:
            for name in opened.columns:
                expected = [value for _, whole, _ in batches for value in whole[name]]
                assert opened[name].to_list() == expected, (seed, name, options)
    comm.barrier()
"""


@pytest.mark.long
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_ranks_that_make_mistakes(mpirun, path, tmp_path, ranks):
    mpirun(ranks, PROGRAM, path, tmp_path / "alone.h5", 60)
