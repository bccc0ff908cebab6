"""Writes oracle_setup.inc: what stock HDF5 (through h5py and hdf5plugin) makes of the parameters of
filters when a dataset is created.

    python tests/filters/make_setup_oracle.py tests/filters

A case consists of its name, the Datatype message, the chunk's shape, the fill value ("" for the
default), the filter as the user requests it, and the client data (none if it is refused). Cases are
left out that stock HDF5 accepts though writing always fails or loses values, and elements of
variable length, for which it leaves the parameters unchanged.
"""

import sys
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np
from h5py import h5d, h5p, h5s, h5t, h5z
from make_oracle import compound, number, opaque

SZIP_NN = (h5z.SZIP_NN_OPTION_MASK, 8)


def types():
    i16, i32 = h5t.STD_I16LE, h5t.STD_I32LE
    bits20 = number(h5t.STD_U32LE, 20)
    enum = h5t.py_create(h5py.enum_dtype({"a": 1}, basetype="i2"))
    sequence = h5t.vlen_create(i32)
    array = h5t.array_create
    return {
        "i8": h5t.STD_I8LE,
        "i16_be": h5t.STD_I16BE,
        "i32": i32,
        "u64": h5t.STD_U64LE,
        "f16": h5t.IEEE_F16LE,
        "f32": h5t.IEEE_F32LE,
        "f64_be": h5t.IEEE_F64BE,
        "bits20": bits20,
        "bits20_offset": number(h5t.STD_U32LE, 20, 3),
        "bits26": number(h5t.STD_U32LE, 26),
        "bits40": number(h5t.STD_U64LE, 40),
        "string": h5t.py_create(np.dtype("S5")),
        "opaque": opaque(4),
        "bitfield": h5t.STD_B32BE,
        "enum": enum,
        "compound": compound(8, (0, i32), (4, number(h5t.STD_I32BE, 11, 2))),
        "compound_of_all": compound(
            80,
            (0, bits20),
            (4, enum),
            (16, sequence),
            (32, h5t.STD_B8LE),
            (33, h5t.py_create(np.dtype("S5"))),
            (40, h5t.UNIX_D32LE),
            (48, array(opaque(3), (2,))),
            (56, compound(6, (2, i16))),
            (64, h5t.STD_REF_OBJ),
        ),
        "array": array(i16, (2,)),
        "array_of_array": array(array(number(h5t.STD_U16LE, 5), (2, 3)), (2,)),
        "array_large": array(i32, (100,)),
        "array_of_sequences": compound(40, (0, bits20), (8, array(sequence, (2,)))),
        "reference": h5t.STD_REF_OBJ,
        "complex": h5t.py_create(np.dtype("c8")),
    }


def created(dtype, shape, number, options, fill=None):
    """Returns the client data of the created dataset, or None."""
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk(shape)
    if fill is not None:
        plist.set_fill_value(fill)
    try:
        if number == h5z.FILTER_SZIP:
            plist.set_szip(*options)
        elif number == h5z.FILTER_SCALEOFFSET:
            plist.set_scaleoffset(*options)
        else:
            plist.set_filter(number, h5z.FLAG_OPTIONAL, options)
        with h5py.File("oracle", "w", driver="core", backing_store=False) as file:
            dataset = h5d.create(file.id, b"d", dtype, h5s.create_simple(shape), plist)
            return dataset.get_create_plist().get_filter(0)[2]
    except ValueError:
        return None


def message(dtype):
    return dtype.encode()[2:].hex()  # without the prefix that encoding adds


def options_of(chosen):
    return chosen.filter_id, tuple(chosen.filter_options)


def of_types():
    filters = {
        "shuffle": (h5z.FILTER_SHUFFLE, ()),
        "szip": (h5z.FILTER_SZIP, SZIP_NN),
        "nbit": (h5z.FILTER_NBIT, ()),
        "scaleoffset": (h5z.FILTER_SCALEOFFSET, (h5z.SO_INT, 0)),
        "scaleoffset_decimal": (h5z.FILTER_SCALEOFFSET, (h5z.SO_FLOAT_DSCALE, 2)),
        "lzf": (32000, ()),
        "blosc": options_of(hdf5plugin.Blosc()),
        "bitshuffle": options_of(hdf5plugin.Bitshuffle()),
    }
    for type_name, dtype in types().items():
        is_float = dtype.get_class() == h5t.FLOAT
        for name, chosen in filters.items():
            if name.startswith("scaleoffset") and is_float != name.endswith("decimal"):
                continue
            yield (f"{name}_{type_name}", dtype, (4, 30), "", *chosen)


def others():
    i16, i32 = h5t.STD_I16LE, h5t.STD_I32LE
    for mask in (h5z.SZIP_NN_OPTION_MASK, h5z.SZIP_EC_OPTION_MASK):
        for block in (1, 2, 3, 30, 32, 34):
            yield (f"szip_{mask}_{block}", i16, (4, 30), "", h5z.FILTER_SZIP, (mask, block))
    shapes = [(3, 5), (1, 1), (1, 7), (8,), (5, 1000), (2, 4096), (2, 5000), (2, 9000), (2000, 3)]
    for shape in shapes:
        name = "x".join(map(str, shape))
        yield (f"szip_{name}", i16, shape, "", h5z.FILTER_SZIP, SZIP_NN)
        yield (f"lzf_{name}", i16, shape, "", 32000, ())
        yield (f"nbit_{name}", i16, shape, "", h5z.FILTER_NBIT, ())
    for dtype, fill in (
        ("i1", -3), ("u2", 7), (">i2", -3), ("<i4", -3), (">i8", -3), ("<f8", 1.5), (">f4", 1.5)
    ):  # fmt: skip
        dtype = np.dtype(dtype)
        scale = (h5z.SO_FLOAT_DSCALE, 2) if dtype.kind == "f" else (h5z.SO_INT, 5)
        fill = np.array(fill, dtype)
        yield (f"fill_{dtype.str[1:]}", h5t.py_create(dtype), (10,), fill, 6, scale)
    for options in ((16, 2), (16, 3, 9), (12, 2), (0, 3)):
        name = "_".join(map(str, options))
        yield (f"bitshuffle_{name}", i32, (40,), "", 32008, options)
    for chosen in (
        hdf5plugin.LZ4(),
        hdf5plugin.LZ4(nbytes=100),
        hdf5plugin.Zstd(),
        hdf5plugin.Zstd(clevel=22),
        hdf5plugin.BZip2(),
        hdf5plugin.BZip2(blocksize=1),
        hdf5plugin.Blosc(cname="zstd", clevel=3, shuffle=2),
    ):
        code, options = options_of(chosen)
        name = "_".join(map(str, (code, *options)))
        yield (f"registered_{name}", i32, (40,), "", code, options)


def values(numbers):
    return "{" + ", ".join(f"{x % 2**32}U" for x in numbers) + "}"


def case(name, dtype, shape, fill, number, options):
    made = created(dtype, shape, number, options, None if isinstance(fill, str) else fill)
    if not isinstance(fill, str):
        fill = fill.tobytes().hex()
    wanted = "std::nullopt" if made is None else f"Values{values(made)}"
    asked = f"{{{number}, true, {values(options)}}}"
    return f'{{"{name}", "{message(dtype)}", {values(shape)}, "{fill}", {asked}, {wanted}}},'


def main(folder):
    lines = ["// Made by make_setup_oracle.py."]
    lines += [case(*each) for group in (of_types(), others()) for each in group]
    Path(folder, "oracle_setup.inc").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
