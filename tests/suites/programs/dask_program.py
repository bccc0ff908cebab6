"""Arrays of dask are read from and written to datasets."""

import dask.array as da
import h5py
import numpy as np

with h5py.File("d.h5", "w") as f:
    f.create_dataset("x", data=np.arange(10_000.0).reshape(100, 100), chunks=(10, 100))
    f["texts"] = [f"text {i}" for i in range(50)]

with h5py.File("d.h5") as f:
    x = da.from_array(f["x"], chunks=(25, 50))
    print(x.chunks, da.from_array(f["x"]).chunks, da.from_array(f["x"]).name == x.name)
    for scheduler in ("sync", "threads"):
        print(x.sum().compute(scheduler=scheduler), (x + x.T)[3:60:7, 5].compute())
        print(x[x[:, 3].compute() > 5000].mean(0).compute(scheduler=scheduler)[:5])
    print(da.from_array(f["texts"].asstr()[...], chunks=20)[5:45:9].compute())

da.to_hdf5("o.h5", {"/y": da.ones((20, 30), chunks=(5, 30)), "/g/z": da.arange(10, chunks=3)})
da.to_hdf5("o.h5", "/gzip", da.arange(100, chunks=25), compression="gzip", shuffle=True)
with h5py.File("o.h5", "r+") as f:
    print(f["y"].chunks, f["y"][:].sum(), f["g/z"][:], f["gzip"].compression, f["gzip"][::9])
    out = f.create_dataset("stored", (100, 100), "f4", chunks=(20, 20))
    with h5py.File("d.h5") as g:
        da.store(da.from_array(g["x"], chunks=(40, 40)) * 2, out)
    print(out[37], out[:].sum())
