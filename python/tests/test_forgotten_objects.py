"""A file that one thread reads forgets objects that nobody holds: programs do not notice it.

A small `metadata_budget` makes files of few objects forget."""

import random
import threading

import numpy as np
import pytest

import onecast

GROUPS = 40
DATASETS = 50
LITTLE = 1 << 16


@pytest.fixture
def file(path):
    with onecast.File(path, "w") as f:
        for g in range(GROUPS):
            group = f.create_group(f"level {g % 4}/group {g}")
            group.attrs["g"] = g
            for d in range(DATASETS):
                dataset = group.create_dataset(f"dataset {d}", data=[g, d])
                dataset.attrs["number"] = g * DATASETS + d
                dataset.attrs["text"] = f"{g}/{d}"
            group["again"] = f["level 0/group 0"]  # each group also leads to the first one
            group["soft"] = onecast.SoftLink(f"/level 0/group 0/dataset {g}")
    with onecast.File(path, metadata_budget=LITTLE) as f:
        yield f


def name_of(g, d):
    return f"level {g % 4}/group {g}/dataset {d}"


def check(dataset, g, d):
    assert dataset.attrs["number"] == g * DATASETS + d
    assert dataset.attrs["text"] == f"{g}/{d}"
    assert dataset.shape == (2,) and list(dataset[...]) == [g, d]


def all_of(f):
    return [(g, d) for g in range(GROUPS) for d in range(DATASETS)]


def test_objects_are_forgotten(file):
    for g, d in all_of(file):
        check(file[name_of(g, d)], g, d)
    report = file.metadata_report()
    assert report.objects_in_memory < GROUPS * DATASETS / 2


@pytest.mark.parametrize("seed", range(5))
def test_what_a_program_holds_stays(file, seed):
    chosen = random.Random(seed)
    held, groups, attributes = {}, {}, {}
    for _ in range(4000):
        g, d = chosen.randrange(GROUPS), chosen.randrange(DATASETS)
        if chosen.random() < 0.2:
            groups[g] = file[f"level {g % 4}/group {g}"]
        start = groups.get(g)
        found = start[f"dataset {d}"] if start is not None else file[name_of(g, d)]
        assert found.name == f"/{name_of(g, d)}"
        if (g, d) in held:
            assert found == held[g, d]
            check(held[g, d], g, d)
        if chosen.random() < 0.1:
            held[g, d] = found
            attributes[g, d] = found.attrs.items()
        if chosen.random() < 0.1 and held:
            del held[chosen.choice(list(held))]
        if chosen.random() < 0.02:
            held.clear()
            groups.clear()
    for (g, d), dataset in held.items():
        check(dataset, g, d)
    for (g, d), items in attributes.items():
        assert dict(items) == {"number": g * DATASETS + d, "text": f"{g}/{d}"}
    for g, group in groups.items():
        assert group.attrs["g"] == g and group.name == f"/level {g % 4}/group {g}"
        assert group["again"].attrs["g"] == 0 and list(group["soft"]) == [0, g]


def test_each_object_is_visited_once(file):
    names = []
    file.visit(names.append)
    assert len(names) == len(set(names)) == 4 + GROUPS * (1 + DATASETS)
    found = []
    file.visititems(lambda name, item: found.append(name) if "number" in item.attrs else None)
    assert len(found) == GROUPS * DATASETS


def test_several_threads_read_while_objects_are_forgotten(file):
    failures = []

    def read(seed):
        chosen = random.Random(seed)
        try:
            for _ in range(600):
                g, d = chosen.randrange(GROUPS), chosen.randrange(DATASETS)
                check(file[name_of(g, d)], g, d)
        except BaseException as error:
            failures.append(error)

    read(0)  # this thread alone, which forgets
    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    read(5)
    for thread in threads:
        thread.join()
    assert failures == []


def test_references_lead_to_the_same_objects(path):
    with onecast.File(path, "w") as f:
        for g in range(GROUPS):
            for d in range(DATASETS):
                f.create_dataset(name_of(g, d), data=[g, d])
        references = [f[name_of(g, 7)].ref for g in range(GROUPS)]
        f["references"] = np.array(references, onecast.ref_dtype)
    with onecast.File(path, metadata_budget=LITTLE) as f:
        for g, d in all_of(f):
            assert list(f[name_of(g, d)]) == [g, d]
        for g, reference in enumerate(f["references"]):
            assert f[reference].name == f"/{name_of(g, 7)}" and list(f[reference]) == [g, 7]
