"""Writes a small file on one process and reads it back, with the calls of h5py."""

import numpy as np

import onecast

with onecast.File("write_and_read.h5", "w") as f:
    zone = f.create_group("base/zone 1")
    zone.attrs["family"] = "wing"
    zone.attrs["cells"] = 9
    zone["x"] = np.arange(10.0)
    zone.create_dataset("pressure", (10,), "f4")[2:5] = 101325

with onecast.File("write_and_read.h5") as f:
    f.visititems(lambda path, found: print(path, found))
    zone = f["base/zone 1"]
    assert zone.attrs["family"] == "wing"
    assert zone["x"][3:5].tolist() == [3, 4]
    assert zone["pressure"][-1] == 0
    print(f.metadata_report())
