"""xarray's engine "onecast", beside its engines h5netcdf and netcdf4."""

import sys
import tomllib
from importlib import import_module
from pathlib import Path

import h5py
import numpy as np
import pytest

xarray = pytest.importorskip("xarray")
netCDF4 = pytest.importorskip("netCDF4")

from onecast.xarray import OnecastBackend  # noqa: E402

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ocean(path):
    """A file of the netCDF library with all that xarray looks at."""
    with netCDF4.Dataset(path, "w") as f:
        f.title = "ocean"
        f.numbers = np.array([1, 2, 3], "i4")
        f.one = np.array([5.5])
        f.setncattr_string("texts", ["a", "bc"])
        f.createDimension("time", None)
        f.createDimension("x", 4)
        f.createDimension("level", 2)
        f.createDimension("no variable", 3)
        f.createDimension("text length", 5)
        time = f.createVariable("time", "i8", ("time",))
        time.units = "days since 2020-01-01"
        time[:] = [0, 1, 2]
        x = f.createVariable("x", "f8", ("x",))
        x[:] = [0.0, 0.5, 1.0, 1.5]
        t = f.createVariable("temperature", "i2", ("time", "x"), zlib=True, complevel=3,
                             shuffle=True, chunksizes=(1, 4), fill_value=-1)  # fmt: skip
        t.scale_factor, t.add_offset, t.units = 0.01, 20.0, "celsius"
        t.coordinates = "depth"
        t[:] = np.arange(12).reshape(3, 4)
        t[1, 2] = np.ma.masked
        f.createVariable("depth", "f4", ("x",))[:] = [1, 2, 3, 4]
        f.createVariable("late", "f8", ("time",), fill_value=7.0)[:1] = [1.5]
        names = f.createVariable("names", str, ("x",))
        names[:] = np.array(["ä", "b", "", "dd"], object)
        chars = f.createVariable("chars", "S1", ("x", "text length"))
        chars[:] = netCDF4.stringtochar(np.array([b"one", b"two", b"three", b"4"], "S5"))
        f.createVariable("scalar", "u4", ())[...] = 9
        f.createVariable("level", "f8", ("level", "x"))[:] = np.ones((2, 4))
        kind = f.createEnumType("u1", "sky_t", {"clear": 0, "cloudy": 1})
        f.createVariable("sky", kind, ("x",))[:] = [0, 1, 1, 0]
        inner = f.createGroup("inner/most")
        inner.createDimension("y", 2)
        inner.createVariable("v", "f8", ("y", "x"))[:] = np.arange(8).reshape(2, 4)
    return path


def open_with(path, engine, **how):
    if engine == "onecast":
        engine = OnecastBackend
    return xarray.open_dataset(path, engine=engine, **how)


STORAGE = "dtype contiguous chunksizes preferred_chunks zlib complevel shuffle fletcher32"
COMPARED = (*STORAGE.split(), "original_shape", "source", "units", "scale_factor", "_FillValue")


def expect_alike(found, expected):
    xarray.testing.assert_identical(found.load(), expected.load())
    assert list(found.variables) == list(expected.variables)
    assert found.encoding["unlimited_dims"] == expected.encoding["unlimited_dims"]
    for name in expected.variables:
        mine, others = found[name].encoding, expected[name].encoding
        for key in COMPARED:
            assert np.all(mine.get(key) == others.get(key)), (name, key, mine, others)
        assert found[name].dtype == expected[name].dtype
        assert mine["dtype"] is str or mine["dtype"].metadata == others["dtype"].metadata


@pytest.mark.parametrize("decode", [True, False])
@pytest.mark.parametrize("group", [None, "inner/most"])
def test_as_h5netcdf(ocean, group, decode):
    how = {"group": group, "decode_cf": decode}
    with open_with(ocean, "onecast", **how) as found, open_with(ocean, "h5netcdf", **how) as other:
        expect_alike(found, other)


@pytest.mark.parametrize("writer", ["netcdf4", "h5netcdf"])
def test_variables_before_their_dimensions(path, writer):
    """Also a variable has the number of a dimension: that of its first."""
    data = xarray.Dataset(
        {"t": (("time", "x"), np.arange(20).reshape(4, 5)), "s": ("x", np.ones(5, int))},
        {"time": np.arange(4), "x": np.arange(5)},
    )
    data.to_netcdf(path, engine=writer)
    with open_with(path, "onecast") as found, open_with(path, "h5netcdf") as other:
        expect_alike(found, other)
    with open_with(path, "onecast") as found:
        xarray.testing.assert_identical(found.load(), data)


def test_as_netcdf4(ocean):
    with open_with(ocean, "onecast") as found, open_with(ocean, "netcdf4") as other:
        xarray.testing.assert_identical(found.load(), other.load())


def test_a_tree(ocean):
    found = xarray.open_datatree(ocean, engine=OnecastBackend)
    other = xarray.open_datatree(ocean, engine="h5netcdf")
    xarray.testing.assert_identical(found.load(), other.load())
    found.close()
    other.close()


def test_a_file_without_dimensions(path):
    with h5py.File(path, "w") as f:
        f["a"], f["b"] = np.zeros((3, 3)), np.zeros((2, 3))
        f.create_dataset("empty", dtype="f4")
    del_empty = {"drop_variables": "empty"}
    with (
        open_with(path, "onecast", **del_empty) as found,
        open_with(path, "h5netcdf", phony_dims="access", **del_empty) as other,
    ):
        assert dict(found.sizes) == dict(other.sizes)
        xarray.testing.assert_identical(found.load(), other.load())


def test_selections_are_read_alone(ocean):
    with open_with(ocean, "onecast") as found, open_with(ocean, "h5netcdf") as other:
        for part in (
            {"time": 1},
            {"x": slice(None, None, -1)},
            {"x": [3, 0], "time": slice(1, 3)},
            {"x": [True, False, True, True]},
            {"time": xarray.DataArray([0, 2], dims="p"), "x": xarray.DataArray([1, 1], dims="p")},
        ):
            xarray.testing.assert_identical(found.isel(part).load(), other.isel(part).load())


def test_dask(ocean):
    pytest.importorskip("dask.array")
    chunks = {"time": 1}
    with open_with(ocean, "onecast", chunks=chunks) as found, open_with(ocean, "h5netcdf") as other:
        mean = found["temperature"].mean("x").compute(scheduler="threads")
        xarray.testing.assert_allclose(mean, other["temperature"].mean("x"))


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        open_with(tmp_path / "missing.nc", "onecast")
    (tmp_path / "old.nc").write_bytes(b"CDF\x01" + bytes(100))
    with pytest.raises(ValueError, match="netCDF-3"):
        open_with(tmp_path / "old.nc", "onecast")
    with pytest.raises(TypeError, match="no_such_option"):
        with h5py.File(tmp_path / "a.nc", "w"):
            pass
        open_with(tmp_path / "a.nc", "onecast", no_such_option=1)
    with pytest.raises(OSError, match="group not found: none"):
        open_with(tmp_path / "a.nc", "onecast", group="none")


def test_the_entry_point_leads_to_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (target,) = project["entry-points"]["xarray.backends"].values()
    module, _, name = target.partition(":")
    assert getattr(import_module(module), name) is OnecastBackend
    assert issubclass(OnecastBackend, xarray.backends.BackendEntrypoint)
    assert "h5py" in sys.modules  # it does not need Onecast in h5py's place
    assert not hasattr(sys.modules["h5py"], "_is_onecast")


PROGRAM = """
import sys
import numpy as np
import xarray
from onecast.xarray import OnecastBackend

path = sys.argv[1]
ds = xarray.open_dataset(path, engine=OnecastBackend, comm=comm)
whole = ds["big"].load().values
assert np.array_equal(whole, np.arange(1_000_000.0).reshape(1000, 1000)), whole
assert list(ds["names"].values) == ["a", "ä"]
assert ds["time"].values[1] == np.datetime64("2020-01-02")
ds.close()

alone = xarray.open_dataset(path, engine=OnecastBackend, comm=comm, together=False)
rows = slice(comm.rank * 1000 // comm.size, (comm.rank + 1) * 1000 // comm.size)
part = alone["big"].isel(y=rows).values
assert np.array_equal(part, whole[rows])
if comm.rank == 0:
    alone["big"][5, 7].values
alone.close()
try:
    xarray.open_dataset(path + ".missing", engine=OnecastBackend, comm=comm)
    raise SystemExit("opened")
except FileNotFoundError:
    pass
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_ranks(mpirun, path, ranks):
    xarray.Dataset(
        {
            "big": (("y", "x"), np.arange(1_000_000.0).reshape(1000, 1000)),
            "names": ("n", np.array(["a", "ä"], object)),
        },
        coords={"time": ("time", np.array(["2020-01-01", "2020-01-02"], "M8[ns]"))},
    ).to_netcdf(path, engine="netcdf4")
    mpirun(ranks, PROGRAM, path)
