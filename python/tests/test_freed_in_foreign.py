"""Space that sessions of one process free in files without a valid page list"""

import h5py
import numpy as np
import pytest

import onecast

SESSIONS = 100
NUMBERS = np.random.default_rng(3).random(SESSIONS + 4000)


def replaced(f, step):
    """Replaces `x` with a slightly larger one, which does not fit into the previous place."""
    if "x" in f:
        del f["x"]
    f["x"] = NUMBERS[: 3000 + step]


def rewritten(f, step):
    x = f.require_dataset("x", (4000,), "f8", chunks=(1000,), compression="gzip")
    x[:] = np.round(NUMBERS[step : step + 4000], step % 9)


def appended_compressed(f, step):
    if "x" not in f:
        f.create_dataset("x", (0,), "f8", maxshape=(None,), chunks=(4000,), compression="gzip")
    f["x"].resize((100 * (step + 1),))
    f["x"][-100:] = NUMBERS[step : step + 100]


def texts(f, step):
    x = f.require_dataset("x", (100,), h5py.string_dtype())
    for i in range(10):
        x[(7 * step + i) % 100] = f"{step} " * (5 * step % 200)


def appended(f, step):
    """Frees only a few headers."""
    if "x" not in f:
        f.create_dataset("x", (0,), "f8", maxshape=(None,), chunks=(4000,))
    f["x"].resize((4000 * (step + 1),))
    f["x"][-4000:] = NUMBERS[:4000]
    f[f"groups/{step}"] = step


CASES = [replaced, rewritten, appended_compressed, texts]


def sessions(path, libraries, change):
    """Runs a session with each library; the last one continues. Returns the sizes of the file."""
    path.unlink(missing_ok=True)
    for step in range(SESSIONS):
        library = libraries[min(step, len(libraries) - 1)]
        with library.File(path, "a") as f:
            change(f, step)
        yield path.stat().st_size


@pytest.mark.parametrize("change", CASES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("made", ["by h5py", "by Onecast, changed by h5py"])
def test_it_is_used_again_when_it_adds_up(tmp_path, made, change):
    """The file ends with the size of its contents, of space that waits for reuse, and of 64 KiB for
    each time when nobody knew what is free."""
    path = tmp_path / "a.h5"
    before = [h5py] if made == "by h5py" else [onecast, h5py]
    sizes = list(sessions(path, [*before, onecast], change))
    assert sizes[-1] <= 5 * 8 * 4000 + (64 << 10) + 32768
    assert not onecast.check(path, data=True)["damaged"]
    with onecast.File(path) as f:
        assert f.metadata_report().page_size == 4096
        assert not f.metadata_report().page_list_stale
    expected = tmp_path / "expected.h5"
    list(sessions(expected, [h5py], change))
    with h5py.File(path) as f, h5py.File(expected) as model:
        assert (f["x"][()] == model["x"][()]).all()


def test_a_file_that_only_grows_gets_no_list(tmp_path):
    path = tmp_path / "a.h5"
    assert max(sessions(path, [h5py, onecast], appended)) > 8 * 4000 * SESSIONS
    with onecast.File(path) as f:
        assert f.metadata_report().page_size == 0


def test_programs_take_turns(tmp_path):
    """Each program forgets what the other one freed. Stock programs write in place, and reuse at
    once what they free. A flush of Onecast needs another place while the last one is valid."""
    path, stock = tmp_path / "a.h5", tmp_path / "stock.h5"
    *_, alone = sessions(stock, [h5py], rewritten)
    *_, in_turns = sessions(path, [h5py, onecast] * (SESSIONS // 2), rewritten)
    assert in_turns <= 2.5 * alone
    assert not onecast.check(path, data=True)["damaged"]


def test_a_list_that_follows_flushes_is_complete(tmp_path):
    """It has the metadata of the previous flushes in the session."""
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as f:
        for i in range(10):
            f[f"old {i}/data"] = np.zeros(100_000)
    with onecast.File(path, "r+") as f:
        for i in range(10):
            f[f"new {i}/data"] = np.zeros(100_000)
        f.flush()
        f["old 3"].attrs["changed"] = np.arange(200)
        f.flush()
        f.adopt()
        f["last"] = 1
    with onecast.File(path, load_policy="eager") as f:
        report = f.metadata_report()
        assert report.page_size == 4096
        f.visititems(lambda name, thing: dict(thing.attrs))
        assert f.io_stats().reads == report.reads_to_open
