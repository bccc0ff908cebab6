"""Measures the memory that a process holds."""

import ctypes
import gc

_FIELDS = (
    *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
    *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
)


class _Info(ctypes.Structure):
    """struct mallinfo2 of the C library, for the memory of all threads."""

    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS]


def allocated():
    """Returns the bytes that are allocated and not freed. The size of the process would include
    memory of threads that the C library keeps after it was freed."""
    gc.collect()
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _Info
    info = mallinfo()
    return info.uordblks + info.hblkhd
