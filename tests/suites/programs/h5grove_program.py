"""h5grove's servers describe files: metadata, attributes, values, statistics, encodings."""

import h5py
import numpy as np
from h5grove import create_content, encode
from h5grove.content import get_content_from_file, get_list_of_paths
from h5grove.utils import get_type_metadata

colours = h5py.enum_dtype({"blue": 2, "red": 1}, basetype="i1")
record = np.dtype([("a", "<i4"), ("b", "<f8", (2, 3)), ("c", "S3"), ("d", colours)])

with h5py.File("other.h5", "w") as other:
    other["x"] = np.arange(3)
with h5py.File("grove.h5", "w") as f:
    f["number"] = np.float32(2.5)
    f["text"] = "words"
    f["image"] = np.linspace(0, 1, 20).reshape(4, 5)
    f["fixed"] = np.array([b"ab", b"c"])
    f["colours"] = np.array([1, 2, 1], colours)
    f["records"] = np.zeros(2, record)
    f["bool"] = np.array([True, False])
    f["complex"] = np.array([1 + 2j, 3])
    f["empty"] = h5py.Empty("f8")
    f["kind"] = record
    f.create_dataset("texts", data=["x", "yz"], dtype=h5py.string_dtype())
    rows = f.create_dataset("rows", (3,), h5py.vlen_dtype("i2"))
    rows[0], rows[2] = [1, 2], [3]
    f.create_dataset("ref", data=f["number"].ref, dtype=h5py.ref_dtype)
    f.create_dataset("packed", (64, 64), "i4", chunks=(16, 16), compression="gzip", shuffle=True)
    f.create_dataset("opaque", data=np.array([b"abc"], "V3"))
    f["group/inner"] = np.arange(6, dtype=">u2").reshape(2, 3)
    f["group"].attrs["unit"] = "m"
    f["group"].attrs["sizes"] = [1, 2]
    f["group"].attrs["empty"] = h5py.Empty("i4")
    f["soft"] = h5py.SoftLink("/image")
    f["dangling"] = h5py.SoftLink("/nowhere")
    f["external"] = h5py.ExternalLink("other.h5", "/x")
    for bits in ("STD_B16BE", "STD_I8LE", "IEEE_F64BE"):
        space = h5py.h5s.create_simple((2,))
        h5py.h5d.create(f.id, bits.encode(), getattr(h5py.h5t, bits), space)

with h5py.File("grove.h5", "r") as f:
    for name in sorted(f):
        for resolve in ("none", "only_valid"):
            content = create_content(f, name, resolve)
            print(name, resolve, encode(content.metadata()).content)
    for name in sorted(f):
        if isinstance(f.get(name), h5py.Dataset):
            print(name, get_type_metadata(f[name].id.get_type()))
    print(create_content(f, "group").attributes(), create_content(f, "/").metadata(depth=2))
    image = create_content(f, "image")
    print(image.data("1:3,2"), image.data_stats(), create_content(f, "number").data_stats())
    for encoding in ("json", "csv", "bin", "npy"):
        print(encode(image.data(), encoding).content)
    for name in ("text", "texts", "colours", "records", "bool", "rows"):
        print(name, encode(create_content(f, name).data()).content)
    print(create_content(f, "packed").metadata()["filters"])


def failed(message, status):
    return RuntimeError(f"{status}: {message}")


for path in ("/image", "/nowhere", "/external", "/dangling"):
    try:
        with get_content_from_file("grove.h5", path, failed) as content:
            print(path, content.metadata())
    except RuntimeError as error:
        print(path, error)
with get_list_of_paths("grove.h5", "/group", failed) as paths:
    print(paths)
