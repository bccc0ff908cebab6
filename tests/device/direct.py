"""Transfers by cuFile in Python, on any number of ranks: python direct.py FOLDER"""

import ctypes
import os
import sys

import cupy as cp
import numpy as np
from common import comm, path_of, rank, size

import onecast

path = path_of("direct")
values = np.arange(3000 * 500, dtype="f8").reshape(3000, 500)
mine = slice(3000 * rank // size, 3000 * (rank + 1) // size)
alone = {"method": "independent", "collective_buffer": 65536}
of_nvidia = not hasattr(cp.driver, "hipPointerGetAttribute")


def transfer(way):
    """Writes and reads; returns what explain() says, or the error."""
    with onecast.File(path, "r+", comm=comm, device_io=way, **alone) as f:
        d, array = f["d"], cp.asarray(values[mine])
        try:
            d.write_all(mine, array)
        except Exception as error:
            return str(error)
        back = cp.empty(array.shape)
        assert d.read_all(mine, out=back) is back
        assert (cp.asnumpy(back) == values[mine]).all()
        return f.explain().partition("; memory of a device: ")[2]


with onecast.File(path, "w", comm=comm) as f:
    f.create_dataset("d", (3000, 500), "f8").write_all(mine, values[mine])

said = transfer("staged")
assert said == "staged: as the option device_io wants", said
if cp.driver.fake_calls(None) < 0:
    # With a real driver, what is possible depends on the machine.
    print("automatic:", transfer("automatic"), "direct:", transfer("direct"), file=sys.stderr)
    print("done")
    sys.exit()
cufile = os.environ["ONECAST_CUFILE"]
reasons = {
    "none": 'ONECAST_CUFILE is "none"',
    "/nowhere/libcufile.so": "/nowhere/libcufile.so: cannot open",
    os.environ["ONECAST_DEVICE_DRIVER"]: "has no function cuFileDriverOpen",
}
if not of_nvidia:
    reasons = dict.fromkeys([*reasons, cufile], "cuFile is for devices of NVIDIA")
for library, reason in reasons.items():
    os.environ["ONECAST_CUFILE"] = library
    said = transfer("direct")
    assert "device_io: direct: " in said and reason in said, said
os.environ["ONECAST_CUFILE"] = cufile
if of_nvidia:
    said = transfer("automatic")  # a failure is remembered, unless nothing else is allowed
    assert said.startswith("staged: cuFile: "), said
    fake = ctypes.CDLL(cufile)
    fake.fake_cufile_failure(b"cuFileDriverOpen", ctypes.c_long(0), 5001)
    said = transfer("direct")
    assert "cuFileDriverOpen: error 5001" in said, said
    assert transfer("direct") == "by cuFile"
    assert transfer("automatic") == "by cuFile"
else:
    assert transfer("automatic") == "staged: cuFile is for devices of NVIDIA"
print("done")
