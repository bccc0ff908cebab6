# Arrays of a GPU, written and read, with CuPy

import cupy as cp

import onecast

path = "gpu.h5"

with onecast.File(path, "w") as f:
    u = f.create_dataset("u", (400, 500), "f8")
    packed = f.create_dataset("packed", (400, 500), "f4", chunks=(100, 500), compression="gzip")
    values = cp.asarray([[i + j / 1000 for j in range(500)] for i in range(400)])
    u.write_direct(values)
    packed[...] = values  # converted to single precision
    u.write_all(slice(0, 100), values[:100])

with onecast.File(path) as f:
    rows = cp.empty((100, 500), "f8")
    f["u"].read_direct(rows, slice(100, 200))
    assert (cp.asnumpy(rows) == cp.asnumpy(values)[100:200]).all()
    single = cp.empty((400, 500), "f4")
    f["packed"].read_all(out=single)
    reading = f["u"].read_async(slice(0, 100), out=rows)
    assert reading.wait() is rows
    print(float(cp.asnumpy(single)[7, 8]), float(cp.asnumpy(rows)[99, 499]))
