"""xarray's engine h5netcdf writes and reads."""

import h5py
import numpy as np
import pandas as pd
import xarray

ocean = xarray.Dataset(
    {
        "t": (("time", "x"), np.arange(12.0).reshape(3, 4), {"units": "K"}),
        "names": ("x", np.array(["a", "bc", "", "ä"], object)),
        "flag": ("x", [True, False, True, True]),
        "whole": ((), 7),
        "chars": ("x", np.array([b"a", b"b", b"c", b"d"], "S1")),
    },
    coords={"time": pd.date_range("2020-01-01", periods=3), "x": [0.0, 0.5, 1.0, 1.5]},
    attrs={"title": "ocean", "list": [1, 2], "texts": ["a", "b"]},
)
packed = {
    "t": {"dtype": "i2", "scale_factor": 0.1, "_FillValue": -1, "zlib": True, "complevel": 3,
          "chunksizes": (1, 4), "shuffle": True, "fletcher32": True},
    "names": {"chunksizes": (2,)},
}  # fmt: skip
engine = {"engine": "h5netcdf"}
ocean.to_netcdf("o.nc", encoding=packed, unlimited_dims=["time"], **engine)
ocean.to_netcdf("o.nc", mode="a", group="inner/most", **engine)
for group in (None, "inner/most"):
    with xarray.open_dataset("o.nc", group=group, **engine) as found:
        found.load()
        print(found, found.identical(ocean), found.encoding["unlimited_dims"])
        for name in found.variables:
            # h5py's native types print like those of another byte order.
            encoding = found[name].encoding
            encoding["dtype"] = np.dtype(encoding["dtype"]).str
            print(name, found[name].values, found[name].attrs, sorted(map(str, encoding.items())))
with xarray.open_dataset("o.nc", decode_cf=False, **engine) as raw:
    print(raw.load())
with xarray.open_dataset("o.nc", **engine) as found:
    print(found.isel(time=[2, 0], x=slice(None, None, -1)).load(), found.sel(x=0.5).t.values)
    print(found.t[{"x": xarray.DataArray([0, 3], dims="p")}].values)
tree = xarray.DataTree.from_dict({"/": ocean[["t"]], "/a/b": ocean[["names"]]})
tree.to_netcdf("t.nc", **engine)
with xarray.open_datatree("t.nc", **engine) as found:
    print(found.load())
with open("o.nc", "rb") as file, xarray.open_dataset(file, **engine) as found:
    print(found.t.sum().values)
complex_one = xarray.Dataset({"z": ("x", np.array([1 + 2j, 3 - 1j]))})
complex_one.to_netcdf("z.nc", invalid_netcdf=True, **engine)
print(xarray.load_dataset("z.nc", **engine))
with h5py.File("o.nc") as f:
    f.visititems(lambda name, thing: print(name, sorted(thing.attrs), getattr(thing, "chunks", 0)))
