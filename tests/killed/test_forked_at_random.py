"""Random programs of processes that fork, have threads, fail to create files, and race for them"""

import os

import pytest
import random_forking

# ONECAST_FORKING_SEEDS=2000 runs more programs.
COUNT = int(os.environ.get("ONECAST_FORKING_SEEDS", "500"))
QUICK = 30


def run(folder, seeds):
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir()
        # The program has a process of its own, since this one may have threads of pytest.
        child = os.fork()
        if child == 0:
            status = 1
            try:
                program = random_forking.Program(place, seed)
                program.run()
                program.judge()
                status = 0
            except BaseException as error:
                os.write(2, f"seed {seed}: {type(error).__name__}: {error}\n".encode())
            finally:
                os._exit(status)
        status = os.waitpid(child, 0)[1]
        assert status == 0, f"seed {seed}"


@pytest.mark.timeout(300)
def test_nothing_is_lost(tmp_path):
    run(tmp_path, range(QUICK))


@pytest.mark.long
@pytest.mark.timeout(600 + 10 * COUNT)
def test_nothing_is_lost_in_many(tmp_path):
    run(tmp_path, range(QUICK, COUNT))
