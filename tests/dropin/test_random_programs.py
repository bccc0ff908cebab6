"""Random programs in C print with the plug-in what they print without, on several ranks."""

import os
import random

import pytest

from .test_parallel import compiled

pytestmark = pytest.mark.ranks


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compiled("random_program.c", tmp_path_factory.mktemp("random"))


def seeds(few):
    """The same seeds each time; others, and more of them, in the long tests."""
    if os.environ.get("ONECAST_NEW_EXAMPLES") != "1":
        return range(few)
    return [random.randrange(1 << 32) for _ in range(20 * few)]


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_reading(program, ranks):
    for seed in seeds(2):
        program.run(f"write {seed} alone", "r.h5", ranks=1, plugin=False)
        stock = program.run(f"read {seed}", "r.h5", ranks=ranks, plugin=False).stdout
        assert program.run(f"read {seed}", "r.h5", ranks=ranks).stdout == stock, seed


@pytest.mark.timeout(3000)
def test_writing(program):
    for seed in seeds(4):
        said = [
            program.run(f"write {seed} alone", name, ranks=1, plugin=plugin).stdout
            for name, plugin in (("with.h5", True), ("without.h5", False))
        ]
        assert said[0] == said[1], seed
        read = [
            program.run(f"read {seed} alone", name, ranks=1, plugin=False).stdout
            for name in ("with.h5", "without.h5")
        ]
        assert read[0] == read[1], seed
