"""Finding and starting the programs, and the command line"""

import os
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from onecast_bench import programs
from onecast_bench.commands import bench
from onecast_bench.metadata import Case, count_runs
from onecast_bench.programs import BenchError, Launcher
from onecast_cli.numbers import NumberList


def test_programs_are_looked_up_in_the_build_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("ONECAST_BUILD_DIR", str(tmp_path))
    assert programs.find_program("stock_metadata") is None
    with pytest.raises(BenchError, match="not built"):
        programs.need_program("stock_metadata")
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/stock_metadata").touch()
    assert programs.find_program("stock_metadata") == tmp_path / "bench/stock_metadata"


def test_the_newest_release_build_is_taken(tmp_path, monkeypatch):
    monkeypatch.delenv("ONECAST_BUILD_DIR", raising=False)
    (tmp_path / "build/release-openmpi").mkdir(parents=True)
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert programs.build_directories() == [tmp_path / "build/release-openmpi"]


def test_command_is_counted_on_its_file_alone(monkeypatch):
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    launcher = Launcher(["mpiexec", "--flag"], Path("/lib/count.so"))
    command = launcher.command(Path("/bin/program"), 4, Path("/data/a.h5"), ["--phases", "create"])
    assert command == [
        *("mpiexec", "--flag", "-n", "4", "env"),
        *("LD_PRELOAD=/lib/count.so", "IOCOUNT_PREFIX=/data/a.h5"),
        *("/bin/program", "--file", "/data/a.h5", "--phases", "create"),
    ]


def test_flags_of_mpiexec_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("MPIEXEC", "/mpi/mpiexec")
    monkeypatch.setenv("MPIEXEC_FLAGS", "--oversubscribe --bind-to none")
    expected = ["/mpi/mpiexec", "--oversubscribe", "--bind-to", "none"]
    assert Launcher.from_environment().mpiexec == expected


def test_more_ranks_than_cores_without_any_setting(monkeypatch):
    for name in [*programs.OPEN_MPI, "MPIEXEC", "MPIEXEC_FLAGS"]:
        monkeypatch.delenv(name, raising=False)
    launcher = Launcher.from_environment()
    if shutil.which(launcher.mpiexec[0]) is None:
        pytest.skip("no mpiexec")
    ranks = os.cpu_count() + 3
    output = programs.run_to_end([*launcher.start(ranks), "echo", "rank"], 60)
    assert output.split() == ["rank"] * ranks


def test_a_failing_program_is_told_with_its_last_words():
    with pytest.raises(BenchError, match=r"status 3 from(.|\n)*no such thing"):
        programs.run_to_end([sys.executable, "-c", "print('no such thing'); exit(3)"], 60)


def test_a_hanging_program_is_ended():
    with pytest.raises(BenchError, match=r"not done after 0\.5 seconds"):
        programs.run_to_end([sys.executable, "-c", "import time; time.sleep(60)"], 0.5)


def test_a_missing_mpiexec_is_told():
    with pytest.raises(BenchError, match=r"tools/env\.sh"):
        programs.run_to_end(["/no/such/mpiexec"], 1)


def test_lists_of_ranks():
    assert NumberList().convert("1,2,32", None, None) == [1, 2, 32]


@pytest.mark.parametrize("text", ["0", "1,", "two"])
def test_bad_lists_of_ranks_are_refused(text):
    result = CliRunner().invoke(bench, ["metadata", "--ranks", text])
    assert result.exit_code == 2


def test_number_of_runs():
    cases = [Case(name, Path(), "") for name in ("Onecast", "stock a", "stock b", "stock c")]
    # Own files take 4 x 3 runs, each other's files 2 x 3, the CGNS file 4 x 3.
    assert count_runs(cases, ranks=1, repeats=3, file=False, cgns=True) == 30
    assert count_runs(cases, ranks=2, repeats=3, file=True, cgns=True) == 24
    # A peer that reads no HDF5 has only its own files.
    cases.append(Case("PnetCDF", Path(), "", is_hdf5=False))
    assert count_runs(cases, ranks=1, repeats=3, file=False, cgns=True) == 33
