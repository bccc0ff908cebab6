# Writing while a GPU computes, with CuPy

import cupy as cp

import onecast

field = cp.zeros((400, 500))
computing = cp.cuda.Stream(non_blocking=True)

with onecast.File("steps.h5", "w") as f:
    steps = f.create_dataset("steps", (3, 400, 500), "f8")
    for step in range(3):
        with computing:
            field += step  # begins; the program goes on
        # The copy waits for the addition. The program could do other things until it waits.
        writing = steps.write_async(step, field, stream=computing)
        writing.wait()

    back = cp.empty((400, 500))
    steps.read_async(2, out=back, stream=computing).wait()
    print(float(cp.asnumpy(back)[7, 8]))
