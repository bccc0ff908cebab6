"""Random lives of a file of h5py with the plug-in: structural changes, writes, flushes, reopens.

    python random_lives.py EXAMPLES

The model is a file in memory, which the HDF5 library serves. At its end the file is checked, and
the library reads it.
"""

import shutil
import sys
from pathlib import Path

import h5py
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "tests"))

import test_state_machine as lives

import onecast


class Life(lives.Life):
    def __init__(self):
        self.opened = None
        super().__init__()

    @property
    def file(self):
        return self.opened

    @file.setter
    def file(self, made_by_onecast):
        """Takes the file of h5py in place of Onecast's."""
        mode = "r+" if self.opened is not None else "w"
        made_by_onecast.close()
        self.opened = h5py.File(self.path, mode)

    def teardown(self):
        self.check()
        self.file.close()
        expected = lives.theirs(self.model)
        native = lives.model_of(self.path.read_bytes())
        assert lives.theirs(native) == expected
        native.close()
        findings = onecast.inspect.check(self.path, data=True)["findings"]
        assert not [f for f in findings if f["kind"] != "note"], findings
        self.model.close()
        shutil.rmtree(self.folder)

    def check(self):
        assert lives.theirs(self.file) == lives.theirs(self.model)

    def both(self, work):
        done = []
        for f in (self.file, self.model):
            try:
                work(h5py, f)
                done.append("done")
            except lives.REFUSALS as error:
                done.append(f"{type(error).__name__}: {error}")
        assert (done[0] == "done") == (done[1] == "done"), done

    # Onecast's own tests kill it.
    die = None
    die_inside_a_flush = None


if __name__ == "__main__":
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=int(sys.argv[1]),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    print("all equal")
