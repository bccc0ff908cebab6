"""A program on parallel HDF5 writes with the plug-in what it writes without, on several ranks."""

import pytest

from .test_parallel import compiled
from .test_writing import check, contents

pytest.importorskip("h5py")
pytestmark = pytest.mark.ranks


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compiled("parallel_writer.c", tmp_path_factory.mktemp("parallel"))


@pytest.mark.timeout(300)
def test_what_is_written(program, dropin):
    """The bytes do not depend on the number of ranks; stock HDF5 reads what it writes itself."""
    native = program.run("write", "native.h5", ranks=3, plugin=False)
    written = {}
    for ranks in (1, 2, 3, 4, 7):
        done = program.run("write", f"{ranks}.h5", ranks=ranks)
        assert done.stdout == native.stdout.replace("...", "." * ranks)
        assert "by the native library" not in done.stderr
        written[ranks] = (program.folder / f"{ranks}.h5").read_bytes()
    assert len(set(written.values())) == 1
    check(program.folder / "3.h5")
    assert contents(dropin, program.folder / "3.h5") == contents(
        dropin, program.folder / "native.h5"
    )


@pytest.mark.parametrize(
    ("what", "fails"),
    [
        ("write order", "flushed"),
        ("write value", "flushed"),
        ("write attribute of one", "flushed"),
        ("write memory", "written"),
        ("write filter", "a filter"),
        ("create flags", "created"),
        ("create name", "created"),
    ],
)
def test_ranks_that_differ_get_errors(program, what, fails):
    done = program.run(what, "differs.h5", ranks=3)
    assert f"{fails} xxx" in done.stdout
    if fails == "flushed":
        assert "closed xxx\nclosed again ...\nopened again ...\nclosed ...\n" in done.stdout
    assert [line for line in done.stdout.splitlines() if line[-3:] not in ("...", "xxx")] == []


def test_a_file_that_is_left_open_is_lost_with_a_warning(program):
    done = program.run("left open", "left.h5", ranks=2)
    assert "left.h5 was not closed: the changes since its last flush are lost" in done.stderr
