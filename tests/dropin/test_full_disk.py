"""A program that goes on after the disk was full finds the same as without the plug-in."""

import pytest
from small_disks import small_file_system

pytest.importorskip("h5py")

GO_ON = """
import errno, h5py, numpy as np, sys
file = h5py.File(sys.argv[1], "w")
file["small"] = np.arange(10)
for _ in range(int(sys.argv[2])):
    try:
        file["large"] = np.random.default_rng(1).random(500_000)
    except OSError as error:
        print(error.errno == errno.ENOSPC)
    file[f"later {len(file)}"] = np.arange(3000.)
    print("large" in file)
file.close()
"""


def test_space_of_data_that_could_not_be_written_is_free_again(dropin, tmp_path):
    import h5py

    with small_file_system(tmp_path / "disk", "1m") as disk:
        path = disk / "a.h5"
        for plugin, times in ((False, 1), (True, 1), (True, 3)):
            done = dropin.run(GO_ON, path, times, plugin=plugin)
            assert done.stdout == "True\nFalse\n" * times, (plugin, done.stdout, done.stderr)
            assert done.stderr == ""
            with h5py.File(path) as file:
                assert sorted(file) == [*(f"later {i + 1}" for i in range(times)), "small"]
                assert file["later 1"][-1] == 2999
            path.unlink()
