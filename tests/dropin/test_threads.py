"""Threads of a program on stock HDF5 share files; h5py lets one at a time into the library. Threads
that use different libraries of a process enter the plug-in at the same time."""

import importlib.util
import os
import subprocess
from pathlib import Path

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


HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "onecast"
SAFE = CACHE / "hdf5-threadsafe" / "2.2.0" / "lib" / "libhdf5.so"


def library_of(module):
    """The path of the HDF5 library in a module's wheel."""
    from onecast_cli.dropin import find

    if importlib.util.find_spec(module) is None:
        pytest.skip(f"no {module}")
    return find("module", module)[0][0]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("preset", ["release", "asan", "tsan"])
@pytest.mark.parametrize("modules", [["h5py"], ["h5py", "tables", "netCDF4"], ["safe", "netCDF4"]])
def test_threads_use_several_libraries(dropin, tmp_path, modules, preset):
    """A lock of the program, or of the library, lets one thread into each library."""
    if "safe" in modules and not SAFE.exists():
        pytest.skip("no HDF5 that is safe for threads: tools/build_hdf5.sh threadsafe builds it")
    more = {} if preset == "release" else dropin.sanitized(preset)
    program = tmp_path / "program"
    subprocess.run(
        ["gcc", "-O1", "-pthread", HERE / "threads_program.c", "-o", program, "-ldl"], check=True
    )
    libraries = [SAFE if module == "safe" else library_of(module) for module in modules]
    for rounds in ("1", "15"):
        done = dropin.run_program([program, tmp_path, rounds, *libraries], more=more, trace=True)
        assert done.stdout == "well\n", done.stderr
        native = [line for line in done.stderr.splitlines() if "by the native library" in line]
        assert all("contested0_0.h5: " in line for line in native), native


ONE_WRITES = """
import h5py, netCDF4

def attempt(what, *arguments):
    try:
        what(*arguments).close()
        print("opened")
    except OSError:
        print("refused")

with netCDF4.Dataset("a.h5", "w") as file:
    file.createDimension("x", 2)
    file.createVariable("x", "i4", "x")[:] = [1, 2]
with h5py.File("a.h5", "r+") as file:
    file["y"] = 1
    file.flush()
    for mode in "ra":
        attempt(netCDF4.Dataset, "a.h5", mode)
attempt(netCDF4.Dataset, "a.h5")
with h5py.File("outside.h5", "w") as file:
    file["link"] = h5py.ExternalLink("a.h5", "x")
    file["soft"] = h5py.SoftLink("link")
    layout = h5py.VirtualLayout((2,), "i4")
    layout[:] = h5py.VirtualSource("a.h5", "x", (2,), "i4")
    file.create_virtual_dataset("virtual", layout)
with netCDF4.Dataset("a.h5", "a") as written:
    attempt(h5py.File, "a.h5")
    attempt(h5py.File, "a.h5", "r+")
    with h5py.File("outside.h5") as file:
        for name in "link", "soft", "virtual":
            try:
                print(name, name in file, file[name][:])
            except (KeyError, OSError, RuntimeError):
                print(name, "refused")
with h5py.File("outside.h5") as file:
    print(file["soft"][:])
with netCDF4.Dataset("a.h5") as read:
    attempt(h5py.File, "a.h5", "r+")
    attempt(h5py.File, "a.h5")
"""


def test_a_library_is_refused_what_another_one_writes(dropin):
    pytest.importorskip("netCDF4")
    done = dropin.run(ONE_WRITES)
    assert done.stdout == dropin.run(ONE_WRITES, plugin=False).stdout
