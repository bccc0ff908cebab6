"""silx's viewers and converters use files."""

import h5py
import numpy as np
import silx.io
import silx.io.dictdump as dictdump
import silx.io.h5py_utils as h5py_utils
import silx.io.utils as utils
from silx.io import nxdata

tree = {"a": {"b": [1, 2], "c": "text", ("", "unit"): "m"}, "e": np.zeros((2, 2)), "t": ["x", "yz"]}
dictdump.dicttoh5(tree, "s.h5", h5path="/p", create_dataset_args={"compression": "gzip"})
print(dictdump.h5todict("s.h5", "/p", include_attributes=True))
dictdump.dicttoh5({"b": [3]}, "s.h5", h5path="/p/a", update_mode="modify")
print(dictdump.h5todict("s.h5", "/p"), dictdump.h5todict("s.h5", "/p", exclude_names=["a"]))

entry = {
    "entry": {
        "@NX_class": "NXentry",
        "@default": "data",
        "data": {
            "@NX_class": "NXdata",
            "@signal": "y",
            "@axes": ["x"],
            "x": np.arange(3),
            "x@units": "mm",
            "y": [1.0, 4.0, 9.0],
            ">link": "x",
        },
    },
    "@default": "entry",
}
dictdump.dicttonx(entry, "n.h5")
print(dictdump.nxtodict("n.h5"))
with silx.io.open("n.h5") as f:
    data = f["entry/data"]
    print(list(f), list(data), data["x"][()], data["link"][1:], data["x"].attrs["units"])
    print(silx.io.is_file(f), silx.io.is_group(data), silx.io.is_dataset(data["x"]))
    print(silx.io.utils.get_h5_class(f), silx.io.utils.get_h5_class(data["x"]))
    found = nxdata.get_default(f)
    print(found.signal[()], found.axes[0][()], found.axes_names, found.title, found.is_curve)
    print(data["link"].name, data["x"].parent.name, data["x"].file.filename)
with silx.io.open("n.h5::/entry/data/y") as y:
    print(y[1:])
with h5py_utils.File("n.h5", "r") as f:
    print(f["entry/data/x"][:], h5py_utils.top_level_names("n.h5"))
print(utils.h5ls("n.h5"))
print(utils.get_data("silx:n.h5?path=/entry/data/y&slice=1"))
with h5py.File("n.h5", "r+") as f:
    print(utils.h5py_read_dataset(f["entry/data/x"]))
    f["entry/outside"] = h5py.ExternalLink("s.h5", "/p/a/b")
    f["entry/lost"] = h5py.SoftLink("/nowhere")
with silx.io.open("n.h5") as f:
    print(f["entry/outside"][()], f["entry"].get("lost", getlink=True).path)
    print(utils.visitall(f) and [path for path, _ in utils.visitall(f)])
