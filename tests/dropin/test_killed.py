"""A program on stock HDF5 that is killed in the middle of a flush loses only that flush."""

import ast
import shutil

import kill_scenarios
import pytest

from .test_writing import check

pytest.importorskip("h5py")

BASE = """
import h5py, numpy as np, sys
with h5py.File(sys.argv[1], "w") as file:
    for i in range(100):
        group = file.create_group(f"group {i}")
        group.attrs["number"] = i
        group.attrs["text"] = "some text, so that it takes more room"
    file.create_dataset("packed", data=np.arange(2000), chunks=(100,), compression=1)
    file.create_dataset("texts", data=[f"text {i}" for i in range(50)], dtype=h5py.string_dtype())
"""

CHANGE = """
import ctypes, h5py, numpy as np, sys
file = h5py.File(sys.argv[1], "r+")
for i in range(0, 100, 9):
    file[f"group {i}"].attrs["number"] = -i
    file[f"group {i}/new"] = np.arange(i)
file["packed"][:1000] = 7
del file["group 4"]
ctypes.CDLL(None).killer_arm(int(sys.argv[2]), int(sys.argv[3]))
file.flush()
print("flushed")
"""

SHOW = """
import h5py, sys
with h5py.File(sys.argv[1]) as file:
    groups = [name for name in file if name.startswith("group")]
    numbers = sum(file[name].attrs["number"] for name in groups)
    texts = [len(text) for text in file["texts"][:]]
    packed = int(file["packed"][:].sum())
    print([len(groups), int(numbers), len(file["group 9"]), packed, max(texts)])
"""
BEFORE = [100, 4950, 0, 1999000, 7]
AFTER = [99, 4950 - 4 - 2 * sum(range(0, 100, 9)), 1, 1999000 - 499500 + 7000, 7]


@pytest.mark.timeout(400)
def test_killed_in_a_flush(dropin, tmp_path):
    onecast = pytest.importorskip("onecast")
    if shutil.which("cc") is None:
        pytest.skip("no C compiler for killer.c")
    killer = {"LD_PRELOAD": str(kill_scenarios.build_killer(tmp_path))}
    dropin.run(BASE, tmp_path / "base.h5")
    seen = []
    for write in range(1, 200):
        path = tmp_path / "killed.h5"
        shutil.copy(tmp_path / "base.h5", path)
        how = (kill_scenarios.BEFORE, kill_scenarios.HALF)[write % 2]
        done = dropin.run(CHANGE, path, write, how, more=killer, check=False)
        if "flushed" in done.stdout:
            break
        assert done.returncode < 0, done.stderr
        onecast.recover(path)
        check(path)
        seen.append(ast.literal_eval(dropin.run(SHOW, path, plugin=False).stdout))
        assert seen[-1] in (BEFORE, AFTER)
    assert seen[0] == BEFORE
    assert len(seen) >= 3, "the flush wrote"
