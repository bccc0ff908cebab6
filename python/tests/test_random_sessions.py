"""Random programs of many sessions, by Onecast alone or in turns with h5py, compared with h5py"""

import random

import h5py
import pytest
from random_sessions import Session, describe, differences

import onecast

pytestmark = pytest.mark.long

# Onecast keeps unused space for later in pages of 4 KiB; h5py does not keep it.
MORE_BYTES = 64 << 10
OPTIONS = {
    "compatible": ({}, {}),
    "latest": ({"profile": "latest"}, {"libver": "latest"}),
}


def run(library, path, seed, number, mode="r+", **options):
    with library.File(path, mode, **options) as f:
        Session(seed, number).change(f)


@pytest.mark.parametrize("profile", OPTIONS)
@pytest.mark.parametrize("in_turns", [False, True], ids=["alone", "in turns"])
@pytest.mark.parametrize("seed", range(6))
def test_many_sessions(tmp_path, seed, profile, in_turns):
    ours, stock = OPTIONS[profile]
    path, model = tmp_path / "onecast.h5", tmp_path / "stock.h5"
    who = random.Random(seed)
    run(onecast, path, seed, 0, "w", **ours)
    run(h5py, model, seed, 0, "w", **stock)
    for number in range(1, 60):
        by_stock = in_turns and who.random() < 0.3
        run(*((h5py, path) if by_stock else (onecast, path)), seed, number,
            **(stock if by_stock else {}))  # fmt: skip
        run(h5py, model, seed, number, **stock)
        expected = describe(h5py, model)
        assert not differences(describe(h5py, path), expected), number
        assert not differences(describe(onecast, path), expected), number
        findings = onecast.check(path, data=True)["findings"]
        assert not [f for f in findings if f["kind"] != "note"], (number, findings)
    if not in_turns:
        assert path.stat().st_size <= 1.3 * model.stat().st_size + MORE_BYTES
