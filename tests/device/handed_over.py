"""Reads and writes arrays that DLPack hands over, on any number of ranks: python handed_over.py
FOLDER"""

import gc

import cupy as cp
import numpy as np
from common import comm, path_of, raises, rank, size
from dlpack_arrays import CUDA, IS_COPY, KIND, READ_ONLY, Array, handed_over

import onecast

path = path_of("handed_over")
values = np.arange(600 * 500, dtype="f8").reshape(600, 500)
mine = slice(600 * rank // size, 600 * (rank + 1) // size)
HOST, HOST_OF_CUDA, MANAGED = 1, 3, 13


def empty(shape, dtype="f8", **given):
    return Array(cp.empty(shape, dtype), **given)


with onecast.File(path, "w", comm=comm) as f:
    plain = f.create_dataset("plain", (600, 500), "f8")
    single = f.create_dataset("single", (600, 500), "f4", chunks=(64, 100), compression="gzip")
    of_host = f.create_dataset("of_host", (600, 500), "f8")
    plain.write_all(mine, Array(cp.asarray(values[mine])))
    single.write_all(mine, Array(cp.asarray(values)[mine], major=0))
    of_host.write_all(mine, Array(values[mine], kind=MANAGED))
    kinds = ["?", "i1", "u2", "i4", "u8", "f4", "f8", "c8", "c16"]
    for kind in kinds:
        d = f.create_dataset(f"kinds/{np.dtype(kind).str}", (3,), kind)
        d.write_equal((), Array(cp.asarray([0, 1, 1], kind), hides_strides=True))

    class OfSeveralDevices:
        """As an array of JAX: DLPack does not hand it over, but numpy takes it."""

        shape, dtype = (600, 500), np.dtype("f8")

        def __array__(self, *args, **kwargs):
            return values

        def __dlpack__(self, **given):
            raise BufferError("is on several devices")

        __dlpack_device__ = __dlpack__

    f.create_dataset("several", (600, 500), "f8")[...] = OfSeveralDevices()
    assert (f["several"][...] == values).all()

    strided = Array(cp.asarray(values)[:, ::2])
    raises(TypeError, lambda: plain.__setitem__(np.s_[:, ::2], strided), "C order")
    raises(Exception, lambda: plain.write_all(mine, empty((3, 3))), "broadcast")
    later = Array(cp.asarray(values), major=2)
    raises(BufferError, lambda: plain.__setitem__((), later), "version 1")
    brain = Array(cp.empty((600, 500), "u2"), code=4)
    raises(TypeError, lambda: plain.__setitem__((), brain), "no form in numpy")

with onecast.File(path, comm=comm) as f:
    plain, single = f["plain"], f["single"]
    assert (plain[...] == values).all() and (f["of_host"][...] == values).all()
    assert (single[...] == values.astype("f4")).all()
    for kind in kinds:
        assert (f[f"kinds/{np.dtype(kind).str}"][...] == np.array([0, 1, 1], kind)).all(), kind
    for args in ((), mine, np.s_[5:590, 3:77], np.s_[17], np.s_[[2, 5, 90], 1], (2, 3)):
        for dataset in (plain, single):
            expected = dataset[args]
            for major in (0, 1):
                out = empty(np.shape(expected), major=major)
                assert dataset.read_all(args, out=out) is out
                assert (cp.asnumpy(out.array) == expected).all(), args
                assert dataset.read_async(args, out=out).wait() is out
                here = Array(np.zeros(np.shape(expected)), kind=HOST_OF_CUDA, major=major)
                assert dataset.read_all(args, out=here) is here
                assert (here.array == expected).all(), args
    target = empty((600, 700))
    plain.read_direct(target, np.s_[:, :500], np.s_[:, 100:600])
    assert (cp.asnumpy(target.array)[:, 100:600] == values).all()
    here = Array(np.zeros((600, 700), "f4"), kind=HOST)
    plain.read_direct(here, np.s_[:, :500], np.s_[:, 100:600])
    assert (here.array[:, 100:600] == values).all()

    for flag in (READ_ONLY, IS_COPY):
        out = empty((600, 500), flags=flag)
        raises(TypeError, lambda out=out: plain.read_direct(out), "written to")
        here = Array(np.zeros((600, 500)), kind=HOST, flags=flag)
        raises(TypeError, lambda here=here: plain.read_direct(here), "written to")

    class NeverChanges(Array):
        """As an array of JAX, whose capsule has no flags."""

        def __array__(self, *args, **kwargs):
            fixed = self.array.view()
            fixed.flags.writeable = False
            return fixed

    here = NeverChanges(np.zeros((600, 500)), kind=HOST, major=0)
    raises(TypeError, lambda: plain.read_direct(here), "written to")
    assert not here.array.any()

    # The library is told in which order the array is used.
    out = empty((600, 500))
    plain.read_direct(out)
    stream = cp.Stream()
    plain.read_async(out=out, stream=stream).wait()
    assert out.streams == [1 if KIND == CUDA else 0, stream.ptr]
    of_numpy = Array(np.zeros(3), kind=HOST)
    f["plain"].read_all(np.s_[0, :3], out=of_numpy)
    assert of_numpy.streams == [None]
    if hasattr(np.ndarray, "__dlpack__"):

        class OfNumpy:
            def __init__(self, array):
                self.array, self.shape = array, array.shape
                self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__

        out = OfNumpy(np.zeros((600, 500)))
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # which has the flag
            assert (plain.read_all(out=out).array == values).all()

gc.collect()
assert not handed_over, "the libraries have got everything back"
print("done")
