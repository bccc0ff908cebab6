"""Onecast and h5py change groups of many links and objects of many attributes in place."""

import random

import h5py
import numpy as np
import pytest

import onecast

LIBRARIES = {"onecast": onecast, "h5py": h5py}
SAME_HASH = ["link040300", "link087139"]


def long_name(draw: random.Random, number: int) -> str:
    length = draw.choice([0, 0, 0, 0, 0, 30, 300, 2000])
    return f"{draw.choice(['a', 'link', 'ø'])}{number:06}" + "y" * length


def check(path, names: set, holder: str = "many") -> None:
    assert not onecast.check(path)["damaged"]
    for library in LIBRARIES.values():
        with library.File(path, "r") as f:
            assert set(f[holder]) == names
            assert len(f[holder]) == len(names)
            for name in sorted(names)[:: max(1, len(names) // 40)]:
                assert int(f[holder][name][()]) == 7
            assert "not there" not in f[holder]


class Links:
    """Adds and removes links to one dataset in a group, with a model beside it."""

    def __init__(self, path, seed: int, **options) -> None:
        self.path, self.draw, self.names = path, random.Random(seed), set()
        self.added = 0
        with onecast.File(path, "w", **options) as f:
            f["seven"] = 7
            f.create_group("many")

    def session(self, library, added: int, removed: int, flushes: int = 1) -> None:
        with library.File(self.path, "r+") as f:
            for _ in range(flushes):
                self.change(f, added // flushes, removed // flushes)
                f.flush()

    def change(self, f, added: int, removed: int) -> None:
        group, seven = f["many"], f["seven"]
        calls = ["add"] * added + ["remove"] * removed
        self.draw.shuffle(calls)
        for call in calls:
            if call == "remove" and self.names:
                name = self.draw.choice(sorted(self.names)) if added else min(self.names)
                del group[name]
                self.names.remove(name)
            elif call == "add":
                self.added += 1
                name = long_name(self.draw, self.added)
                if self.added % 50 == 0:
                    name = SAME_HASH[self.added // 50 % 2]
                if name in group:
                    assert name in self.names
                    continue
                group[name] = seven
                self.names.add(name)


@pytest.mark.parametrize("seed", range(3))
def test_links_in_random_turns(tmp_path, seed):
    links = Links(tmp_path / "a.h5", seed)
    for _ in range(14):
        library = links.draw.choice([onecast, onecast, h5py])
        links.session(library, links.draw.randrange(300), links.draw.randrange(200),
                      flushes=links.draw.choice([1, 7]))  # fmt: skip
        check(links.path, links.names)
    # The group becomes empty in steps, and full again.
    while links.names:
        links.session(links.draw.choice([onecast, h5py]), 0, links.draw.randint(1, 400), flushes=3)
        check(links.path, links.names)
    links.session(onecast, 300, 0)
    check(links.path, links.names)


@pytest.mark.parametrize("last", ["onecast", "h5py"])
def test_each_empties_what_the_other_left(tmp_path, last):
    links = Links(tmp_path / "a.h5", 5)
    links.session(onecast, 2000, 0, flushes=20)
    links.session(onecast, 500, 500, flushes=20)
    check(links.path, links.names)
    links.session(LIBRARIES[last], 0, 10_000)
    assert not links.names
    check(links.path, links.names)


def test_adding_one_costs_the_same_in_large_groups(tmp_path):
    costs = []
    for count in (1000, 20_000):
        path = tmp_path / f"{count}.h5"
        with onecast.File(path, "w") as f:
            f["seven"] = 7
            group = f.create_group("many")
            for i in range(count):
                group[f"name {i}"] = onecast.SoftLink("/seven")
        with onecast.File(path, "r+") as f:
            for step in range(3):
                before = f.io_stats().bytes_written
                f["many"][f"more {step}"] = f["seven"]
                f.flush()
                costs.append(f.io_stats().bytes_written - before)
        check_count(path, count + 3)
    # The costs are pages of 4 KiB (heap, indexes, headers), and the journal of the changes in them.
    assert max(costs) < 130_000, costs


def check_count(path, count) -> None:
    assert not onecast.check(path)["damaged"]
    with h5py.File(path, "r") as f:
        assert len(f["many"]) == count


def test_many_flushes_leave_a_small_file(tmp_path):
    """Removed links are not tracked inside the heap, but limit its size."""
    sizes = {}
    for name, library in LIBRARIES.items():
        path = tmp_path / f"{name}.h5"
        with library.File(path, "w") as f:
            f["seven"] = 7
            group = f.create_group("many")
            for i in range(200):
                group[f"name {i}"] = f["seven"]
            f.flush()
            for step in range(1000):
                del group[f"name {step}"]
                group[f"name {step + 200}"] = f["seven"]
                f.flush()
                if step == 600:
                    sizes[name] = path.stat().st_size
        check(path, {f"name {i}" for i in range(1000, 1200)})
        assert path.stat().st_size <= sizes[name]
    assert sizes["onecast"] <= 1.3 * sizes["h5py"] + 8192


# --- attributes ----------------------------------------------------------------------------------
class Attributes:
    SIZES = (1, 8, 8, 8, 100, 1000, 4000, 5000, 70_000)

    def __init__(self, path, seed: int, track_order: bool) -> None:
        self.path, self.draw, self.model, self.added = path, random.Random(seed), {}, 0
        with h5py.File(path, "w", libver="v108") as f:
            f.create_group("holder", track_order=track_order)

    def value(self):
        size = self.draw.choice(self.SIZES)
        return np.full(size, self.draw.randrange(256), "u1")

    def change(self, f, calls: int) -> None:
        attributes = f["holder"].attrs
        for _ in range(calls):
            call = self.draw.choice(["add", "add", "remove", "set", "set alike"])
            name = self.draw.choice(sorted(self.model)) if self.model else None
            if call == "add" or name is None:
                self.added += 1
                name = long_name(self.draw, self.added)
                self.model[name] = self.value()
            elif call == "remove":
                del attributes[name]
                del self.model[name]
                continue
            elif call == "set":
                self.model[name] = self.value()
            else:
                self.model[name] = self.model[name] + np.uint8(1)
            attributes[name] = self.model[name]

    def check(self) -> None:
        assert not onecast.check(self.path)["damaged"]
        for library in LIBRARIES.values():
            with library.File(self.path, "r") as f:
                attributes = f["holder"].attrs
                assert set(attributes) == set(self.model)
                for name, value in self.model.items():
                    assert np.array_equal(attributes[name], value), name


@pytest.mark.parametrize("track_order", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_attributes_in_random_turns(tmp_path, seed, track_order):
    attributes = Attributes(tmp_path / "a.h5", seed, track_order)
    for _ in range(12):
        library = attributes.draw.choice([onecast, onecast, h5py])
        with library.File(attributes.path, "r+") as f:
            for _ in range(attributes.draw.choice([1, 5])):
                attributes.change(f, attributes.draw.randrange(25))
                f.flush()
        attributes.check()
    while attributes.model:
        with attributes.draw.choice([onecast, h5py]).File(attributes.path, "r+") as f:
            for name in list(attributes.model)[: attributes.draw.randint(1, 30)]:
                del f["holder"].attrs[name]
                del attributes.model[name]
        attributes.check()


def test_attributes_that_come_and_go_leave_a_small_file(tmp_path):
    path = tmp_path / "a.h5"
    with onecast.File(path, "w") as f:
        group = f.create_group("holder")
        sizes = []
        for step in range(1000):
            group.attrs[f"name {step}"] = np.full(step % 40, step, "i4")
            if step >= 30:
                del group.attrs[f"name {step - 30}"]
            f.flush()
            sizes.append(path.stat().st_size)
    assert sizes[-1] <= 1.3 * sizes[200] + 8192
    assert not onecast.check(path)["damaged"]
    with h5py.File(path, "r") as f:
        assert len(f["holder"].attrs) == 30
        assert np.array_equal(f["holder"].attrs["name 999"], np.full(999 % 40, 999, "i4"))


def test_headers_that_grow_leave_a_small_file(tmp_path):
    """A header that repeatedly outgrows its place has one more block, not a chain."""
    path = tmp_path / "a.h5"
    with onecast.File(path, "w") as f:
        group = f.create_group("holder")
        f.flush()
        sizes = []
        for step in range(1000):
            for name in list(group):
                del group[name]
            for i in range(step % 60):
                group[f"name {i} of {step}"] = onecast.SoftLink("/seven")
            f.flush()
            sizes.append(path.stat().st_size)
    assert sizes[-1] <= sizes[200] + 8192
    assert not onecast.check(path)["damaged"]


# --- looking up ----------------------------------------------------------------------------------
@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_one_of_many_is_found_without_the_others(tmp_path, libver):
    path = tmp_path / "a.h5"
    count = 20_000
    with h5py.File(path, "w", libver=libver) as f:
        group = f.create_group("many")
        f["seven"] = 7
        for i in range(count):
            group[f"link{i:06}"] = f["seven"]
        group["soft"] = h5py.SoftLink("/seven")
    bytes_read = {}
    for names in (["link000003"], None):
        with onecast.File(path, "r") as f:
            before = f.io_stats().bytes_read
            for name in names or list(f["many"]):
                assert f["many"][name][()] == 7
            bytes_read[names is None] = f.io_stats().bytes_read - before
    with onecast.File(path, "r") as f:
        for name in ("link000000", "soft", f"link{count - 1:06}"):
            assert f["many"][name][()] == 7
        assert "link020000" not in f["many"]
        assert "" not in f["many"]
        for i in range(0, count, 7):  # so many that all are looked up
            assert f"link{i:06}" in f["many"]
        assert len(f["many"]) == count + 1
    with onecast.File(path, "r+") as f:
        assert "link000003" in f["many"]
        with pytest.raises(ValueError):
            f["many"]["link000004"] = f["seven"]
        f["many"]["another"] = f["seven"]
        assert f["many"]["another"][()] == 7
        del f["many"]["link000005"]
        assert "link000005" not in f["many"]
        assert len(f["many"]) == count + 1
        del f["many"]["another"]
        f.move("many/link000007", "many/moved")
        f.flush()
        assert "moved" in f["many"]
        assert "link000005" not in f["many"]
        f["many"]["link000005"] = f["seven"]
    wanted = {f"link{i:06}" for i in range(count) if i != 7} | {"soft", "moved"}
    for library in LIBRARIES.values():
        with library.File(path, "r") as f:
            assert set(f["many"]) == wanted
    assert not onecast.check(path)["damaged"]
