"""Writes events as columns of a file and reads them back: python write_columns.py"""

import awkward as ak
import numpy as np

from onecast import events

rng = np.random.default_rng(1)


def some_events(count: int) -> dict[str, ak.Array]:
    muons = rng.poisson(2, count)
    return {
        "run": np.full(count, 1, "u4"),
        "luminosityBlock": np.full(count, 1, "u4"),
        "event": rng.permutation(count).astype("u8"),
        "Muon_pt": ak.unflatten(rng.exponential(20, muons.sum()).astype("f4"), muons),
        "Muon_charge": ak.unflatten(rng.choice([-1, 1], muons.sum()), muons),
    }


# Any number of batches can follow each other.
with events.create("columns.h5", compression="zstd:3") as writer:
    for _ in range(3):
        writer.append(some_events(1000))

with events.open("columns.h5") as opened:
    print(f"{len(opened)} events: {', '.join(opened.columns)}")
    pt = opened["Muon_pt"]  # only this column is read
    print(f"{ak.sum(ak.any(pt > 40, axis=1))} events with a muon above 40 GeV")
    number = opened.find(run=1, lumi=1, event=17)
    print(f"event 17 is number {number}: {opened[number].to_list()}")
    fixed = opened.to_padded(["Muon_pt"], 4)
    print(f"for a network: {fixed['Muon_pt'].shape}, {fixed['Muon_pt_mask'].sum()} are muons")
