"""Uses Onecast and other packages that contain HDF5 or codecs in one process: each writes what the
others read.

    python beside_others.py FOLDER [last]

`last`: Onecast is imported after the others.
"""

import sys
from pathlib import Path

OTHERS = ("h5py", "hdf5plugin", "netCDF4", "blosc2", "tables", "zstandard", "lz4.frame")
FILTERS = {1: "gzip", 32001: "blosc", 32004: "lz4", 32015: "zstd"}


def imported(names):
    found = {}
    for name in names:
        try:
            found[name] = __import__(name, fromlist=["*"])
        except ImportError as error:
            assert error.name == name.partition(".")[0], error
    return found


names = [*OTHERS, "onecast"] if sys.argv[2:] == ["last"] else ["onecast", *OTHERS]
modules = imported(names)
onecast, h5py = modules["onecast"], modules["h5py"]
folder = Path(sys.argv[1])
import numpy as np  # noqa: E402

values = np.arange(100_000, dtype="i4") % 1000

for _ in range(2):  # each again, after all the others
    for number, name in FILTERS.items():
        if number != 1 and "hdf5plugin" not in modules:
            continue
        for writer, reader in ((onecast, h5py), (h5py, onecast)):
            path = folder / f"{name}_{writer.__name__}.h5"
            with writer.File(path, "w") as file:
                file.create_dataset("x", data=values, chunks=(8192,), compression=number)
            with reader.File(path) as file:
                assert np.array_equal(file["x"][()], values), (name, writer.__name__)
    if "netCDF4" in modules:
        for codec in ("zlib", "zstd", "blosc_lz4"):
            path = folder / f"{codec}.nc"
            with modules["netCDF4"].Dataset(path, "w") as file:
                file.createDimension("n", len(values))
                file.createVariable("x", "i4", ("n",), compression=codec)[:] = values
            with onecast.File(path) as file:
                assert np.array_equal(file["x"][()], values), codec
    if "blosc2" in modules:
        blosc2 = modules["blosc2"]
        for codec in (blosc2.Codec.ZSTD, blosc2.Codec.LZ4, blosc2.Codec.ZLIB):
            packed = blosc2.compress2(values, cparams={"codec": codec, "typesize": 4})
            assert blosc2.decompress2(packed) == values.tobytes()
    if "tables" in modules:
        path = folder / "tables.h5"
        for codec in ("zlib", "blosc", "bzip2"):
            filters = modules["tables"].Filters(complevel=5, complib=codec)
            with modules["tables"].open_file(path, "w", filters=filters) as file:
                file.create_carray("/", "x", obj=values)
            with onecast.File(path) as file:
                assert np.array_equal(file["x"][()], values), codec
    if "zstandard" in modules:
        packed = modules["zstandard"].compress(values.tobytes())
        assert modules["zstandard"].decompress(packed) == values.tobytes()
    if "lz4.frame" in modules:
        packed = modules["lz4.frame"].compress(values.tobytes())
        assert modules["lz4.frame"].decompress(packed) == values.tobytes()
print("beside", *(name for name in modules if name != "onecast"))
