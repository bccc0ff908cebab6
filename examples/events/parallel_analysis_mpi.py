"""Each of many ranks reads its part of a column, and all fill one histogram:

    $MPIEXEC $MPIEXEC_FLAGS -n 3 python parallel_analysis_mpi.py

They write the file before, each its part of the events. Neither the file nor the histogram depends
on the number of ranks.
"""

import awkward as ak
import numpy as np
from mpi4py import MPI

from onecast import events

comm = MPI.COMM_WORLD
EVENTS = 10_000
rng = np.random.default_rng(1)
counts = rng.poisson(2, EVENTS)
pt = ak.unflatten(rng.exponential(20, counts.sum()).astype("f4"), counts)

mine = slice(EVENTS * comm.rank // comm.size, EVENTS * (comm.rank + 1) // comm.size)
events.write("muons.h5", {"nMuon": counts[mine], "Muon_pt": pt[mine]}, comm=comm)

with events.open("muons.h5", comm=comm) as opened:
    start, stop = opened.part()  # an equal share for each rank
    muons = opened.read_all(["Muon_pt"], start, stop)["Muon_pt"]  # all ranks together
    leading = ak.fill_none(ak.max(muons, axis=1), 0)
    histogram, edges = np.histogram(ak.to_numpy(leading), bins=8, range=(0, 80))
    histogram = comm.allreduce(histogram)

if comm.rank == 0:
    for low, entries in zip(edges, histogram, strict=False):
        print(f"{low:5.0f} GeV  {entries}")
