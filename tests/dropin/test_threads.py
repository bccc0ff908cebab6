"""Threads of a program on stock HDF5 share files; h5py lets one at a time into the library."""

import pytest

pytest.importorskip("h5py")

PROGRAM = """
import h5py, numpy as np, sys, threading
folder = sys.argv[1]
with h5py.File(folder + "/shared.h5", "w") as file:
    for i in range(200):
        data = file.create_dataset(f"group {i % 7}/x{i}", data=np.full(50, i), compression=1)
        data.attrs["i"] = i
failures = []
shared = h5py.File(folder + "/shared.h5", "r")
changed = h5py.File(folder + "/changed.h5", "w")

def work(which):
    try:
        with h5py.File(f"{folder}/own{which}.h5", "w") as own, \\
             h5py.File(folder + "/shared.h5", "r") as again:
            for i in range(which, 200, 2):
                name = f"group {i % 7}/x{i}"
                assert (shared[name][:] == i).all() and again[name].attrs["i"] == i
                own[f"a/{i}"] = shared[name][:10]
                changed.create_dataset(f"{which}/{i}", data=[i], dtype="f4").attrs["i"] = str(i)
                own.visit(lambda each: None)
            own.flush()
    except Exception as error:
        failures.append(repr(error))

threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
changed.close()
with h5py.File(folder + "/changed.h5") as file:
    print(failures, [len(file[str(i)]) for i in range(8)])
"""


@pytest.mark.timeout(300)
def test_threads_share_files(dropin, tmp_path):
    done = dropin.run(PROGRAM, tmp_path)
    counts = [len(range(which, 200, 2)) for which in range(8)]
    assert done.stdout == f"[] {counts}\n", done.stderr
    assert done.stderr == ""
