"""Values of variable length that change in many sessions: the file stays as small as h5py's."""

import random
import shutil

import h5py
import numpy as np
import pytest

import onecast

TEXT = h5py.string_dtype()


class Texts:
    """The same random texts for both libraries"""

    def __init__(self, seed, least, most):
        self.random = random.Random(seed)
        self.least, self.most = least, most

    def __call__(self, count=None):
        size = self.random.randint(self.least, self.most)
        text = f"{self.random.getrandbits(4 * size + 1):0{size}x}"[:size]
        return text if count is None else [text, *(self() for _ in range(count - 1))]


def some_changed(count, least, most, changed, storage):
    def create(file, texts):
        file.create_dataset("t", (count,), TEXT, **storage)[:] = texts(count)

    def change(file, texts):
        for i in texts.random.sample(range(count), changed):
            file["t"][i] = texts()

    return create, change, (least, most)


def appended(file, texts):
    dataset = file["t"]
    dataset.resize((dataset.shape[0] + 1,))
    dataset[-1:] = [texts()]


CHUNKS = {"chunks": (16,)}
ZIPPED = {"chunks": (16,), "compression": 1}
ROWS = {
    "some large": some_changed(40, 500, 500, 5, {}),
    "one of many": some_changed(300, 8, 8, 1, {}),
    "some of any size": some_changed(100, 0, 300, 10, {}),
    "in chunks": some_changed(100, 4, 40, 10, CHUNKS),
    "in compressed chunks": some_changed(100, 4, 40, 10, ZIPPED),
    "very large": some_changed(12, 1 << 16, 1 << 18, 1, {}),
    "all": some_changed(100, 4, 40, 100, {}),
    "appended": (
        lambda file, _: file.create_dataset("t", (0,), TEXT, maxshape=(None,), chunks=(100,)),
        appended,
        (4, 20),
    ),
}
LONG_ROWS = ("all", "very large")
QUICK_AND_LONG_ROWS = [
    pytest.param(row, marks=pytest.mark.long if row in LONG_ROWS else ()) for row in ROWS
]


def run(module, path, row, seed, sessions, check=None):
    create, change, sizes = ROWS[row]
    texts = Texts(seed, *sizes)
    with module.File(path, "w") as file:
        create(file, texts)
    for session in range(sessions):
        with module.File(path, "r+") as file:
            change(file, texts)
        if check is not None and session % 40 == 0:
            check()
    return path.stat().st_size


def contents(module, path):
    with module.File(path) as file:
        return file["t"][:].tolist()


def findings(path):
    return [f for f in onecast.check(path, data=True)["findings"] if f["kind"] != "note"]


@pytest.mark.parametrize("row", QUICK_AND_LONG_ROWS)
def test_the_file_stays_about_as_large_as_that_of_h5py(tmp_path, row):
    path, model = tmp_path / "onecast.h5", tmp_path / "stock.h5"
    stock = run(h5py, model, row, 1, 200)
    ours = run(onecast, path, row, 1, 200, lambda: findings(path) == [])
    assert contents(h5py, path) == contents(onecast, path) == contents(h5py, model)
    assert findings(path) == []
    # Two states of the values alternate: the last flush's state stays until the next one.
    assert ours <= 2.2 * stock + 16384


@pytest.mark.parametrize("row", QUICK_AND_LONG_ROWS)
def test_without_a_flush_space_is_used_again_at_once(tmp_path, row):
    path, model = tmp_path / "onecast.h5", tmp_path / "stock.h5"
    create, change, sizes = ROWS[row]
    size = {}
    for module, to in ((onecast, path), (h5py, model)):
        texts = Texts(2, *sizes)
        with module.File(to, "w") as file:
            create(file, texts)
            for _ in range(200):
                change(file, texts)
        size[module] = to.stat().st_size
    assert contents(h5py, path) == contents(onecast, path) == contents(h5py, model)
    assert findings(path) == []
    assert size[onecast] <= 2.2 * size[h5py] + 16384


@pytest.mark.parametrize("seed", range(4))
def test_what_a_flush_has_saved_stays_until_the_next(tmp_path, seed):
    path, copy = tmp_path / "x.h5", tmp_path / "copy.h5"
    texts = Texts(seed, 0, 100)
    with onecast.File(path, "w") as file:
        file.create_dataset("t", (300,), TEXT)[:] = texts(300)
    for _ in range(10):
        saved = contents(h5py, path)
        with onecast.File(path, "r+") as file:
            for i in texts.random.choices(range(300), k=200):
                file["t"][i] = texts()
                if texts.random.random() < 0.05:
                    shutil.copy(path, copy)
                    assert contents(h5py, copy) == saved


@pytest.mark.parametrize("seed", range(4))
def test_in_turns_with_h5py(tmp_path, seed):
    """h5py moves values within a collection, and gives them other numbers than Onecast."""
    path = tmp_path / "x.h5"
    texts = Texts(seed, 0, 60)
    model = texts(60)
    with (onecast, h5py)[seed % 2].File(path, "w") as file:
        file.create_dataset("t", (60,), TEXT)[:] = model
        kind = np.dtype([("n", "i4"), ("t", TEXT)])
        file.create_dataset("c", (5,), kind, chunks=(2,))
    pairs = [(0, "")] * 5
    for session in range(60):
        module = texts.random.choice((onecast, onecast, h5py))
        with module.File(path, "r+") as file:
            for _ in range(texts.random.randint(1, 12)):
                i = texts.random.randrange(60)
                model[i] = file["t"][i] = texts()
            pairs[session % 5] = (session, texts())
            file["c"][session % 5] = np.array(pairs[session % 5], kind)
            file.attrs["step"] = texts()
        for reader in (h5py, onecast):
            with reader.File(path) as file:
                assert file["t"].asstr()[:].tolist() == model
                assert [(int(n), t.decode()) for n, t in file["c"][:]] == pairs
        assert findings(path) == []


@pytest.mark.leaves_damage
def test_check_finds_elements_with_values_that_are_free(tmp_path):
    path = tmp_path / "x.h5"

    def element_7():
        with h5py.File(path) as file:
            return slice(start := file["t"].id.get_offset() + 7 * 16, start + 16)

    with onecast.File(path, "w") as file:
        file.create_dataset("t", (999,), TEXT)[:] = [f"text {i:03}" for i in range(999)]
    former = path.read_bytes()[element_7()]
    with onecast.File(path, "r+") as file:
        file["t"][7:9] = ["another", "another"]
    assert findings(path) == []
    data = bytearray(path.read_bytes())
    data[element_7()] = former
    path.write_bytes(data)
    found = findings(path)
    assert [f["kind"] for f in found] == ["overlap"]
    assert "are free, but an element refers to object" in found[0]["what"]
