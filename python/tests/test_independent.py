"""Objects that each rank creates in `with file.independent():`, and the flush that merges them"""

import json

import h5py
import numpy as np
import pytest

import onecast

RANKS = [1, 2, 3, 4, 7]

EVERY_KIND = """
def make(group):
    group.attrs["text"] = f"of rank {rank}"
    group.attrs["numbers"] = np.arange(5) + rank
    values = np.arange(500, dtype="i4") + 1000 * rank
    group["compact"] = values
    group.create_dataset("contiguous", data=values, compact=False)
    filtered = group.create_dataset("filtered", (500,), "i4", chunks=(64,), maxshape=(None,),
                                    compression="gzip", shuffle=True)
    filtered[...] = values
    group.create_dataset("zeros", (20,), "f8", compact=False)
    group["texts"] = [f"text {i} of rank {rank}" for i in range(5)]
    group["table"] = np.array([(rank, 0.5)], dtype=[("number", "i4"), ("value", "f8")])
    group["soft"] = onecast.SoftLink("compact")
    group["hard"] = group["compact"]
    for i in range(20):
        group.attrs[f"attribute {i}"] = i

with onecast.File(sys.argv[1], "w", comm=comm) as f:
    f.create_group("of all")
    with f.independent():
        mine = f.create_group(f"parts/{rank}")
        make(mine)
        assert list(f["parts"]) == [str(rank)]
        assert mine.attrs["text"] == f"of rank {rank}"
        assert (mine["filtered"][...] == mine["compact"][...]).all()
        assert (mine["contiguous"][3:6] == mine["compact"][3:6]).all()
        f["of all"].attrs[f"rank {rank}"] = "here"
    f.flush()
    assert sorted(f["parts"], key=int) == [str(r) for r in range(size)]
    other = f["parts"][str((rank + 1) % size)]
    assert other["texts"].asstr()[0] == f"text 0 of rank {(rank + 1) % size}"
    assert mine["texts"].asstr()[4] == f"text 4 of rank {rank}"
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_every_kind_of_object(mpirun, path, ranks):
    mpirun(ranks, EVERY_KIND, path)
    with h5py.File(path) as f:
        assert list(f["parts"]) == [str(r) for r in range(ranks)]
        for r in range(ranks):
            group = f["parts"][str(r)]
            values = np.arange(500, dtype="i4") + 1000 * r
            for name in ("compact", "contiguous", "filtered", "soft", "hard"):
                np.testing.assert_array_equal(group[name][...], values)
            assert (group["zeros"][...] == 0).all()
            assert group["texts"].asstr()[...].tolist() == [
                f"text {i} of rank {r}" for i in range(5)
            ]
            assert group["table"][0].tolist() == (r, 0.5)
            assert group.attrs["text"] == f"of rank {r}"
            assert group.attrs["numbers"].tolist() == [r, r + 1, r + 2, r + 3, r + 4]
            assert group.attrs["attribute 19"] == 19
            assert f["of all"].attrs[f"rank {r}"] == "here"
    assert not onecast.inspect.check(path, data=True)["findings"]
    # Stock goes on with it.
    with h5py.File(path, "r+") as f:
        f["parts/0/filtered"].resize((600,))
        f["parts/0/more"] = 1


INTO_ANOTHER = """
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    with f.independent():
        f[f"old/group/of {rank}"] = np.arange(2000) + rank
        f["old"].attrs[f"of {rank}"] = "text"
        f["data"].attrs[f"of {rank}"] = rank
"""


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_in_a_file_of_another_program(mpirun, path, ranks, libver):
    with h5py.File(path, "w", libver=libver) as f:
        f["data"] = np.arange(10)
        f.create_group("old/group").attrs["number"] = 1
        for i in range(20):
            f.create_group(f"old/{i}")
    mpirun(ranks, INTO_ANOTHER, path)
    with h5py.File(path) as f:
        assert len(f["old"]) == 21
        assert f["old/group"].attrs["number"] == 1
        for r in range(ranks):
            np.testing.assert_array_equal(f[f"old/group/of {r}"][...], np.arange(2000) + r)
            assert f["old"].attrs[f"of {r}"] == "text"
            assert f["data"].attrs[f"of {r}"] == r
    findings = onecast.inspect.check(path, data=True)["findings"]
    assert not [f for f in findings if f["kind"] != "note"], findings


CONFLICT = """
f = onecast.File(sys.argv[1], "w", comm=comm)
with f.independent():
    f[f"own {rank}"] = rank
    f["common/own %d" % rank] = rank
    f.require_group("required")[str(rank)] = rank
    if rank != 1:
        f["twice"] = np.arange(10) + rank
texts = same_everywhere(f.flush, onecast.DivergedError)
assert len(set(texts)) == 1, texts
print(texts[0]) if rank == 0 else None
f["still usable"] = 1
f.close()
"""


@pytest.mark.parametrize("ranks", [3, 4])
def test_a_name_of_two_ranks_is_one_error(mpirun, path, ranks):
    text = mpirun(ranks, CONFLICT, path)
    assert '"/twice" was created by rank 0 and by rank 2' in text
    with h5py.File(path) as f:
        assert f["twice"][0] == 0
        assert f["still usable"][()] == 1
        for r in range(ranks):
            assert f[f"own {r}"][()] == f[f"common/own {r}"][()] == f[f"required/{r}"][()] == r
    assert not onecast.inspect.check(path)["findings"]


def test_one_process(path):
    with onecast.File(path, "w") as f:
        f.create_group("before").attrs["number"] = 1
        with f.independent() as same, f.independent():
            assert same is f
            f["a/x"] = np.arange(1000.0)
            f.create_dataset("texts", data=["one", "two"])
            assert f["texts"].asstr()[1] == "two"
            for call in (
                lambda: f.move("before", "b"),
                lambda: f.__delitem__("before"),
                lambda: f.copy("before", "c"),
                lambda: f["before"].attrs.__setitem__("number", 2),
                lambda: f["a/x"].write_all(..., 0),
            ):
                with pytest.raises(ValueError, match="independent"):
                    call()
        with pytest.raises(ValueError, match="independent"):
            f["a"].attrs["later"] = 1
    with h5py.File(path) as f:
        np.testing.assert_array_equal(f["a/x"][...], np.arange(1000.0))
        assert f["texts"].asstr()[0] == "one"


def test_an_exception_inside_ends_the_block(path):
    with onecast.File(path, "w") as f:
        with pytest.raises(RuntimeError), f.independent():
            f["kept"] = 1
            raise RuntimeError
        f["together"] = 2
        f.flush()
        f["kept"].attrs["number"] = 1
    with h5py.File(path) as f:
        assert sorted(f) == ["kept", "together"]


# Random edits of each rank are planned here, made there, and compared with a model by h5py.
PLAYED = """
import json
plan = json.loads(open(sys.argv[2]).read())
f = onecast.File(sys.argv[1], "w", comm=comm, page_size=4096)
for parts in plan:
    with f.independent():
        for kind, path, number in parts[rank] if rank < len(parts) else []:
            if kind == "group":
                f.require_group(path)
            elif kind == "attribute":
                f.require_group(path).attrs[f"of {rank}: {number}"] = str(number) * 20
            elif path not in f:
                options = {"chunked": {"chunks": (16,), "compression": "gzip"},
                           "contiguous": {"compact": False}}.get(kind, {})
                f.create_dataset(path, data=np.arange(100) + number, **options)
    try:
        f.flush()
    except onecast.DivergedError:
        pass
f.close()
"""


def random_plan(random: np.random.Generator, ranks: int) -> list:
    def edit():
        kind = random.choice(["group", "attribute", "compact", "chunked", "contiguous"])
        depth = random.integers(1, 4)
        path = "/".join(f"g{random.integers(3)}" for _ in range(depth))
        if kind not in ("group", "attribute"):
            path += f"/d{random.integers(6)}"
        return str(kind), path, int(random.integers(1000))

    return [[[edit() for _ in range(random.integers(12))] for _ in range(ranks)] for _ in range(3)]


def model_of(plan: list) -> tuple[set, dict, dict]:
    """Returns groups, values of attributes and of datasets for each flush, in the order of the
    ranks."""
    groups, attributes, datasets = set(), {}, {}
    for parts in plan:
        for rank, part in enumerate(parts):
            for kind, path, number in part:
                folder = path if kind in ("group", "attribute") else path.rpartition("/")[0]
                names = folder.split("/")
                groups.update("/".join(names[: i + 1]) for i in range(len(names)))
                if kind == "attribute":
                    attributes[folder, f"of {rank}: {number}"] = str(number) * 20
                elif kind != "group":
                    datasets.setdefault(path, number)
    return groups, attributes, datasets


@pytest.mark.parametrize("seed", range(4))
def test_random_parts_match_a_model(mpirun, path, tmp_path, seed):
    ranks = [2, 3, 4, 7][seed]
    plan = random_plan(np.random.default_rng(seed), ranks)
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    contents = []
    for _ in range(2):
        mpirun(ranks, PLAYED, path, tmp_path / "plan.json")
        contents.append(path.read_bytes())
    assert contents[0] == contents[1], "the same parts, the same bytes"
    groups, attributes, datasets = model_of(plan)
    found = {}
    with h5py.File(path) as f:
        f.visititems(found.__setitem__)
        assert {n for n, o in found.items() if isinstance(o, h5py.Group)} == groups
        assert {n for n, o in found.items() if isinstance(o, h5py.Dataset)} == set(datasets)
        for name, number in datasets.items():
            np.testing.assert_array_equal(f[name][...], np.arange(100) + number)
        for (folder, name), text in attributes.items():
            assert f[folder].attrs[name] == text
        assert sum(len(f[g].attrs) for g in groups) == len(attributes)
    assert not onecast.inspect.check(path, data=True)["findings"]
