"""Files of netCDF4, PyTables and pandas are read as h5py reads them, and still theirs when
rewritten."""

import sys
from pathlib import Path

import netCDF4
import numpy as np
import pandas as pd
import pytest
import tables

import onecast

sys.path.insert(0, str(Path(__file__).parent))
import compare


def make_netcdf(path):
    with netCDF4.Dataset(path, "w") as f:
        f.title = "Größe"
        f.createDimension("time", None)
        f.createDimension("x", 40)
        t = f.createVariable("t", "f4", ("time", "x"), zlib=True, shuffle=True, fletcher32=True)
        t.units = "K"
        t[:25] = np.arange(1000).reshape(25, 40) / 8
        group = f.createGroup("inner/deep")
        group.createDimension("n", 5)
        group.createVariable("name", str, ("n",))[:] = np.array(list("abcde"), object)
        kind = group.createVLType(np.int16, "ragged")
        ragged = group.createVariable("r", kind, ("n",))
        for i in range(5):
            ragged[i] = np.arange(i, dtype=np.int16)
        pair = group.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair")
        group.createVariable("pairs", pair, ("n",))[:] = np.ones(5, [("a", "i4"), ("b", "f8")])
        levels = group.createEnumType(np.uint8, "level", {"low": 0, "high": 7})
        group.createVariable("kind", levels, ("n",))[:] = [0, 7, 7, 0, 7]


def read_netcdf(path):
    def contents(group):
        found = {
            name: (v.dimensions, v.ncattrs(), [str(x) for x in np.ma.getdata(v[...]).ravel()])
            for name, v in group.variables.items()
        }
        return found, {name: contents(inner) for name, inner in group.groups.items()}

    with netCDF4.Dataset(path) as f:
        return f.title, contents(f)


class Particle(tables.IsDescription):
    name = tables.StringCol(8)
    energy = tables.Float64Col(shape=(2,))
    hits = tables.UInt8Col()


def make_pytables(path):
    with tables.open_file(path, "w", title="Größe") as f:
        table = f.create_table("/", "particles", Particle, filters=tables.Filters(5, "zlib"))
        for i in range(3000):
            table.row["name"], table.row["energy"], table.row["hits"] = f"p{i}", (i, -i), i % 200
            table.row.append()
        table.flush()
        table.cols.hits.create_index()
        blosc = tables.Filters(5, "blosc", shuffle=True)
        f.create_carray("/", "c", obj=np.arange(6000.0).reshape(60, 100), filters=blosc)
        f.create_earray("/", "e", tables.Int16Atom(), (0, 7)).append(np.ones((9, 7), np.int16))
        ragged = f.create_vlarray("/", "v", tables.Int32Atom(), filters=tables.Filters(1, "bzip2"))
        for i in range(20):
            ragged.append(np.arange(i))
        f.create_array("/group", "flags", np.array([True, False]), createparents=True)


def read_pytables(path):
    with tables.open_file(path) as f, np.printoptions(threshold=10**6):
        found = {node._v_pathname: node.read() for node in f.walk_nodes("/", "Leaf")}
        return f.title, {name: repr(v) for name, v in found.items()}


FRAME = pd.DataFrame(
    {
        "number": np.arange(500),
        "real": np.linspace(0, 1, 500),
        "text": [f"text {i}" for i in range(500)],
        "when": pd.date_range("2026-01-01", periods=500, freq="h"),
    }
)


def make_pandas(path):
    FRAME[["number", "real"]].to_hdf(path, key="fixed")
    FRAME.to_hdf(path, key="table", format="table", data_columns=["number"], complevel=5)
    FRAME["real"].to_hdf(path, key="series", complevel=9, complib="blosc:zstd")


def read_pandas(path):
    return [pd.read_hdf(path, key).to_dict() for key in ("fixed", "table", "series")]


MADE = {
    "netCDF4": (make_netcdf, read_netcdf),
    "PyTables": (make_pytables, read_pytables),
    "pandas": (make_pandas, read_pandas),
}


@pytest.fixture(params=MADE)
def made(request, tmp_path):
    make, read = MADE[request.param]
    path = tmp_path / f"{request.param}.h5"
    make(path)
    return path, read


def test_read_as_h5py_reads_it(made):
    path, _ = made
    found = compare.examine(path)
    assert not found.differences
    assert not found.damaged
    assert not onecast.check(path)["findings"]


def test_rewritten_it_is_still_theirs(made):
    path, read = made
    copy = path.with_name("copy.h5")
    onecast.repack(path, copy)
    assert read(copy) == read(path)
    assert not onecast.check(copy, data=True)["findings"]


def test_they_append_to_what_was_rewritten(tmp_path):
    make_netcdf(tmp_path / "old.nc")
    onecast.repack(tmp_path / "old.nc", tmp_path / "new.nc")
    with netCDF4.Dataset(tmp_path / "new.nc", "a") as f:
        f["t"][25:30] = 3
    make_pytables(tmp_path / "old.h5")
    onecast.repack(tmp_path / "old.h5", tmp_path / "new.h5")
    with tables.open_file(tmp_path / "new.h5", "a") as f:
        f.root.e.append(np.full((2, 7), 5, np.int16))
    with onecast.File(tmp_path / "new.nc") as nc, onecast.File(tmp_path / "new.h5") as h5:
        assert nc["t"].shape == (30, 40)
        assert nc["t"][29, 0] == 3
        assert h5["e"].shape == (11, 7)
        assert h5["e"][10].tolist() == [5] * 7
