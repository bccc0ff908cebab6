"""Programs create one path at the same moment: one gets it, and its file stays."""

import multiprocessing
import os
import time
from typing import NamedTuple

import h5py
import pytest

import onecast

ROUNDS = 6
HOLD = 0.03  # seconds


class Said(NamedTuple):
    """The result of one program"""

    how: str  # "won", "lost" at the end, or the exception of the opening
    text: str
    began: float
    ended: float


def race(path, modes, number, start, results):
    """Runs one program: waits for the others, creates the file, writes its number."""
    start.wait(60)
    began = time.monotonic()
    try:
        f = onecast.File(path, modes[number])
    except OSError as error:
        return results.put((number, Said(type(error).__name__, str(error), began, began)))
    time.sleep(HOLD)
    try:
        f[f"by {number}"] = number
        f.close()
        how, text = "won", ""
    except OSError as error:
        how, text = "lost", str(error)
    results.put((number, Said(how, text, began, time.monotonic())))


def outcome(path, modes):
    """Returns the results of the programs, by number."""
    context = multiprocessing.get_context("fork")
    start, results = context.Barrier(len(modes)), context.Queue()
    programs = [
        context.Process(target=race, args=(path, modes, n, start, results))
        for n in range(len(modes))
    ]
    for program in programs:
        program.start()
    said = dict(results.get(timeout=60) for _ in modes)
    for program in programs:
        program.join(60)
    return said


def judge(path, modes, said, there):
    won = [n for n in said if said[n].how == "won"]
    for n in said.keys() - won:
        expected = ("BlockingIOError", "FileExistsError")[: 2 if modes[n] == "x" else 1]
        assert said[n].how in expected, said
        assert said[n].how == "FileExistsError" or "open elsewhere" in said[n].text, said
    assert won or (there != "nothing" and set(modes) == {"x"}), said
    # A program that began after another one ended may replace its file.
    replacing = [n for n in won if modes[n] == "w"]
    stay = {n for n in won if not any(said[m].began > said[n].ended for m in replacing if m != n)}
    made = [n for n in stay if modes[n] != "a"]
    assert len(made) <= 1, said
    if won:
        with h5py.File(path) as f:
            assert {name for name in f if name != "old"} == {f"by {n}" for n in stay}, said
            assert ("old" in f) == (there == "a file" and not replacing), said


@pytest.mark.parametrize("there", ["nothing", "a file", "an empty file"])
@pytest.mark.parametrize("modes", ["ww", "www", "wx", "xx", "aa", "wa", "awx"])
@pytest.mark.timeout(240)
def test_one_wins(tmp_path, there, modes):
    for round_ in range(ROUNDS):
        path = tmp_path / f"{round_}.h5"
        if there == "a file":
            with h5py.File(path, "w") as f:
                f["old"] = 1
        elif there == "an empty file":
            path.touch()
        judge(path, modes, outcome(path, modes), there)
    assert {p.name for p in tmp_path.iterdir()} <= {f"{n}.h5" for n in range(ROUNDS)}


def test_no_file_is_left_where_mode_x_fails(tmp_path):
    (tmp_path / "x.h5.onecast-journal").mkdir()
    with pytest.raises(OSError):
        onecast.File(tmp_path / "x.h5", "x")
    assert os.listdir(tmp_path) == ["x.h5.onecast-journal"]
