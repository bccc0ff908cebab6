"""Reads and writes arrays of a device, on any number of ranks: python arrays.py FOLDER"""

import cupy as cp
import numpy as np
from common import comm, path_of, raises, rank, size

import onecast

path = path_of("arrays")
values = np.arange(600 * 500, dtype="f8").reshape(600, 500)
mine = slice(600 * rank // size, 600 * (rank + 1) // size)


class Nowhere:
    """An array whose producer has lost its memory."""

    __cuda_array_interface__ = {  # noqa: RUF012
        "shape": (600, 500),
        "typestr": "<f8",
        "data": (0, False),
        "version": 3,
    }


with onecast.File(path, "w", comm=comm) as f:
    plain = f.create_dataset("plain", (600, 500), "f8")
    single = f.create_dataset("single", (600, 500), "f4", chunks=(64, 100), compression="gzip")
    texts = f.create_dataset("texts", (3,), onecast.string_dtype())
    table = f.create_dataset("table", (3,), [("x", "f8"), ("y", "i4")])
    plain.write_all(mine, cp.asarray(values[mine]))
    single.write_all(mine, cp.asarray(values[mine]))
    many = [f.create_dataset(f"many/{i}", (60,), "i8") for i in range(4)]
    f.write_multi([(d, (), cp.asarray(np.full(60, i))) for i, d in enumerate(many)])

    # What cannot be written is refused, on all ranks, before anything is.
    wrong_shape = cp.asarray(values[:7] if rank == size - 1 else values[mine])
    raises(Exception, lambda: plain.write_all(mine, wrong_shape), "broadcast")
    raises(TypeError, lambda: plain.__setitem__((), cp.asarray(values)[:, ::2]), "C order")
    raises(TypeError, lambda: texts.__setitem__((), cp.asarray([1, 2, 3])), "no conversion")
    raises(TypeError, lambda: table.__setitem__("x", cp.asarray([1.0, 2, 3])), "broadcast")
    raises(ValueError, lambda: plain.__setitem__((), Nowhere()), "address 0")

with onecast.File(path, comm=comm) as f:
    plain, single = f["plain"], f["single"]
    assert (plain[...] == values).all()
    assert (single[...] == values.astype("f4")).all()
    for args in ((), mine, np.s_[5:590, 3:77], np.s_[:, ::7], np.s_[17], np.s_[[2, 5, 90], 1]):
        for dataset in (plain, single):
            expected = dataset[args]
            out = cp.empty(expected.shape, "f8")
            assert dataset.read_all(args, out=out) is out
            assert (cp.asnumpy(out) == expected).all(), args
            out = cp.empty(expected.shape, "f4")
            assert dataset.read_async(args, out=out).wait() is out
            assert (cp.asnumpy(out) == expected.astype("f4")).all(), args
    target = cp.asarray(np.zeros((600, 700)))
    plain.read_direct(target, np.s_[:, :500], np.s_[:, 100:600])
    back = cp.asnumpy(target)
    assert (back[:, 100:600] == values).all() and not back[:, :100].any()
    outs = [cp.empty(60, "i8"), None, cp.empty(60, "i4"), None]
    results = f.read_multi([(f[f"many/{i}"], ()) for i in range(4)], outs)
    assert results[0] is outs[0] and (cp.asnumpy(outs[2]) == 2).all() and (results[3] == 3).all()

    made = onecast.asarray(single, np.s_[5:9, ::3], like=target)
    assert isinstance(made, cp.ndarray) and made.dtype == "f4"
    assert (cp.asnumpy(made) == values[5:9, ::3].astype("f4")).all()
    number = onecast.asarray(plain, (1, 2), like=cp)
    assert number.shape == () and cp.asnumpy(number) == values[1, 2]
    raises(TypeError, lambda: onecast.asarray(f["texts"], like=cp), "numbers")
    raises(TypeError, lambda: onecast.asarray(plain, like=3), "empty()")

    # A transfer waits for the stream that the array names, or for another one, and for no more.
    is_real = cp.driver.fake_calls(None) < 0
    busy = cp.Stream()
    cp.driver.fake_hold(busy.ptr)
    for given in (None, cp.Stream()):
        streamed = cp.empty((600, 500))
        named = cp.Stream()
        streamed.stream = named.ptr if given is None else busy.ptr
        (given or named).put(streamed, -values)
        reading = plain.read_all_async(out=streamed, stream=given)
        assert reading.wait() is streamed
        onecast_waits = plain.read_async(out=streamed, stream=(given or named).ptr)
        onecast_waits.wait()
        assert (cp.asnumpy(streamed) == values).all()
    for wrong in ("x", 1.5):
        raises(TypeError, lambda w=wrong: plain.read_async(out=streamed, stream=w), "stream")
    assert cp.driver.fake_release()
    fixed = cp.empty((600, 500))
    fixed.is_readonly = True
    raises(TypeError, lambda: plain.read_direct(fixed), "written to")
    raises(TypeError, lambda: plain.read_all(out=cp.empty((3, 3))), "shape")
    raises(TypeError, lambda: plain.read_direct(cp.empty((600, 500), "M8[s]")), "no conversion")
    if rank == size - 1:
        cp.driver.fake_failure(b"cuMemcpyHtoDAsync_v2", 0, 719)
    if not is_real:
        lost = lambda: plain.read_all(out=cp.empty((600, 500)))  # noqa: E731
        raises(OSError, lost, "memory of a device: cuMem")
print("done")
