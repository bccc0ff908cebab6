"""How much memory a process holds."""

import ctypes
import gc

_FIELDS = (
    *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
    *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
)


class _Info(ctypes.Structure):
    """struct mallinfo2 of the C library: the memory of all threads."""

    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS]


def allocated():
    """The bytes that are allocated and not freed. The size of the process would say more: the C
    library keeps freed memory of threads."""
    gc.collect()
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _Info
    info = mallinfo()
    return info.uordblks + info.hblkhd
