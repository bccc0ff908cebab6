"""A serial HDF5 library, that of h5py's wheel, opens files on all ranks of MPI."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from .test_writing import check, contents

pytest.importorskip("h5py")
pytest.importorskip("mpi4py")

WRITE = """
import sys
from mpi4py import MPI
import h5py, numpy as np
rank, ranks = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
rows = np.array_split(np.arange(24), ranks)[rank]
with h5py.File(sys.argv[1], "a") as file:
    file.attrs["title"] = "all ranks make equal calls"
    plain = file.create_dataset("group/plain", (24, 50), "f8")
    packed = file.create_dataset("packed", (24, 50), "i4", chunks=(1, 50), compression=4)
    texts = file.create_dataset("texts", (24,), h5py.string_dtype(), chunks=(1,))
    grows = file.create_dataset("grows", (12,), "i4", maxshape=(None,), chunks=(1,))
    file["equal"] = np.arange(10)
    plain[rows] = rows[:, None] * np.ones(50)
    packed[rows] = rows[:, None] + np.arange(50)
    for row in rows:
        texts[row] = f"the text of row {row}"
    grows.resize((24,))
    grows[rows] = rows
    plain.attrs["units"] = "m"
    file.flush()
    assert packed[:].sum() == sum(50 * i + 49 * 25 for i in range(24)), packed[:]
    assert texts[23] == b"the text of row 23"
    file["group/again"] = packed
    del file["equal"]
with h5py.File(sys.argv[1]) as file:
    assert file["grows"][:].tolist() == list(range(24))
    print(f"{rank}: {list(file)} {file['group/plain'][:].sum()}", flush=True)
"""


@pytest.fixture
def ranks(dropin, tmp_path):
    """Runs a program on ranks, with the plug-in and these options."""
    if "MPIEXEC" not in os.environ:
        pytest.skip("no MPI")

    def run(program, path, count, options, check=True):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HDF5_")}
        environment |= dropin.variables | {"ONECAST_TRACE": "1"}
        environment["HDF5_VOL_CONNECTOR"] = f"onecast {options}"
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        command = [os.environ["MPIEXEC"], *flags, "-n", str(count), sys.executable, "-c", program]
        done = subprocess.run(
            [*command, str(path)],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.mark.timeout(400)
def test_ranks_write_one_file(dropin, ranks, tmp_path):
    """The bytes do not depend on the number of ranks."""
    dropin.run(WRITE, tmp_path / "native.h5", plugin=False)
    written = set()
    for count in (1, 2, 3, 4):
        path = tmp_path / f"results{count}.h5"
        done = ranks(WRITE, path, count, "comm=world:results*.h5")
        found = sorted(re.findall(r"\d: \['group.*", done.stdout))
        assert found == [
            f"{rank}: ['group', 'grows', 'packed', 'texts'] 13800.0" for rank in range(count)
        ]
        assert "by the native library" not in done.stderr
        written.add(path.read_bytes())
        check(path)
    assert len(written) == 1
    assert contents(dropin, path) == contents(dropin, tmp_path / "native.h5")


def test_other_files_stay_with_their_rank(ranks, tmp_path):
    program = """
import sys
from mpi4py import MPI
import h5py
rank = MPI.COMM_WORLD.rank
name = sys.argv[1] + str(rank)
with h5py.File(name, "w") as file:
    file["x"] = [rank] * (rank + 1)
print(h5py.File(name)["x"][:].tolist(), flush=True)
"""
    done = ranks(program, tmp_path / "own", 3, "comm=world:results*.h5")
    assert sorted(done.stdout.split("\n")) == ["", "[0]", "[1, 1]", "[2, 2, 2]"]


def test_transfers_of_all_ranks_together(ranks, tmp_path):
    """Equal data is read once, and may be written by all ranks into filtered chunks."""
    program = """
import sys
from mpi4py import MPI
import h5py, numpy as np
rank, ranks = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
with h5py.File(sys.argv[1], "w") as file:
    file.create_dataset("packed", data=np.arange(1000.0), chunks=(100,), compression=4)
    part = file.create_dataset("part", (2 * ranks,), "i4", chunks=(2,), compression=4)
    part[2 * rank : 2 * rank + 2] = rank
    assert part[:].tolist() == [i // 2 for i in range(2 * ranks)]
with h5py.File(sys.argv[1]) as file:
    assert (file["packed"][:] == np.arange(1000)).all()
print("done", flush=True)
"""
    for count in (1, 3):
        path = tmp_path / f"results{count}.h5"
        done = ranks(program, path, count, "comm=world;transfers=collective")
        assert done.stdout.count("done") == count
        assert "dataset read, collective: 1\n" in done.stderr
        assert "dataset write, collective: 2\n" in done.stderr
        check(path)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("h5py.File(name, 'r')", "FileNotFoundError 2"),
        ("h5py.File(name, 'w').close(); h5py.File(name, 'x')", "FileExistsError 17"),
        ("h5py.File(name, 'w', fs_strategy='page')", "it manages its free space"),
        ("h5py.File(name, 'w').create_group(f'g{rank}').file.close()", "rank 0"),
    ],
)
def test_errors_are_those_of_all_ranks(ranks, tmp_path, program, words):
    text = f"""
import sys
from mpi4py import MPI
import h5py
rank, name = MPI.COMM_WORLD.rank, sys.argv[1]
try:
    {program}
except Exception as error:
    print(type(error).__name__, getattr(error, "errno", None), error, flush=True)
"""
    done = ranks(text, tmp_path / "a.h5", 3, "comm=world:*.h5")
    assert done.stdout.count(words) == 3, done.stdout + done.stderr


def test_without_mpi_and_wrong_values(dropin, tmp_path):
    program = """
import h5py, sys
try:
    h5py.File(sys.argv[1], "w")
except Exception as error:
    print(error)
"""

    def failure(options):
        more = {"HDF5_VOL_CONNECTOR": f"onecast {options}"}
        return dropin.run(program, tmp_path / "a.h5", more=more).stdout

    assert "no library of MPI is found" in failure("comm=world:a*")
    assert "option comm: world or world:PATTERN was expected" in failure("comm=self")
    assert "option transfers: independent or collective was expected" in failure("transfers=x")
    assert failure("comm=world:b*.h5,*/c*/*") == ""
