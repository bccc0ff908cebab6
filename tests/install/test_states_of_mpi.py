"""Programs that use MPI in other ways than the examples: too early, too late, by a plug-in."""

from pathlib import Path

import pytest
from mpis import MPIS, Mpi, run

import onecast

HERE = Path(__file__).parent
SOURCE = HERE / "states_of_mpi.c"

pytestmark = [
    pytest.mark.ranks,
    pytest.mark.skipif(not onecast.have_mpi, reason="Onecast was built without MPI"),
]


@pytest.fixture(scope="module", params=MPIS)
def mpi(request) -> Mpi:
    MPIS[request.param].require()
    return MPIS[request.param]


@pytest.fixture(scope="module")
def program(mpi, tmp_path_factory) -> Path:
    return mpi.compile(SOURCE, tmp_path_factory.mktemp("program") / "program", "-ldl")


@pytest.mark.parametrize("when", ["early", "late"])
def test_handles_of_an_mpi_that_does_not_run(mpi, program, tmp_path, when):
    """An error each, no call of MPI, which would end the program."""
    said = mpi.run(1, program, when, cwd=tmp_path).splitlines()
    state = {"early": "not initialized", "late": "finalized"}[when]
    calls = ["mpi_communicator"] * 2 + ["hints_of"] * 2
    for call, line in zip(calls, said, strict=False):
        assert line.startswith(f"{call}: MPI is {state}: ") and str(mpi.library) in line, said
    assert said[len(calls) :] == ["done", "end"], "MPI_INFO_NULL needs no MPI"


def test_a_communicator_of_a_session(mpi, program, tmp_path):
    text = mpi.run(2, program, "session", cwd=tmp_path)
    # Some launchers join the lines of two ranks.
    assert text.count("end") >= 2, text
    if mpi.library.parent.parent.name == "impi":  # a session initializes this MPI
        assert text.count("done") == 2
        return
    refused = "comm is of a session of MPI, and MPI is not initialized: "
    assert text.count(refused) == text.count("Call MPI_Init, too") == 2, text


def test_the_mpi_of_a_program_is_looked_up_once(mpi, program, tmp_path):
    assert mpi.run(1, program, "often", cwd=tmp_path).split("\n")[:2] == ["few lookups", "end"]


def test_a_plugin_may_be_unloaded_before_mpi_ends(mpi, tmp_path):
    source = HERE / "unloaded_plugin.c"
    plugin = mpi.compile(source, tmp_path / "plugin.so", "-DPLUGIN", "-shared", "-fPIC")
    program = mpi.compile(source, tmp_path / "program", "-ldl", "-Wl,--as-needed")
    assert mpi.run(2, program, plugin, cwd=tmp_path).split() == ["end"]


def test_all_that_was_made_in_mpi_is_freed(mpi, program, tmp_path):
    tool = tmp_path / "libtool.so"
    run(mpi.wrapper, "-shared", "-fPIC", HERE / "freed_handles.c", "-o", tool)
    preloaded = ["env", f"LD_PRELOAD={tool}", program, "once"]
    said = mpi.run(2, "sh", "-c", '"$@" 2>&1', "sh", *preloaded, cwd=tmp_path)
    assert said.count("left: 0 communicators, 0 types, 0 operations") == 2, said
