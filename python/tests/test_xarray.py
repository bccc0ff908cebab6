"""xarray's engine "onecast", compared with its engines h5netcdf and netcdf4"""

import io
import pickle
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
    """Writes a file with the netCDF library that has everything at which xarray looks."""
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


STORAGE = (
    "dtype contiguous chunksizes preferred_chunks zlib complevel shuffle fletcher32 szip bzip2 zstd"
)
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
    """A variable also has the number of a dimension: that of its first one."""
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


SOURCES = {
    "path": lambda path: path,
    "text": str,
    "home": lambda path: f"~/{path.name}",
    "path of home": lambda path: Path("~") / path.name,
    "bytes": lambda path: path.read_bytes(),
    "memory": lambda path: memoryview(path.read_bytes()),
    "BytesIO": lambda path: io.BytesIO(path.read_bytes()),
    "file": lambda path: path.open("rb"),
    "plain file": lambda path: path.open("rb", buffering=0),
    "URL": lambda path: f"file://{path}",
}


@pytest.mark.parametrize("kind", SOURCES)
def test_sources(ocean, kind, monkeypatch):
    if kind == "URL":
        pytest.importorskip("fsspec")
    monkeypatch.setenv("HOME", str(ocean.parent))
    with (
        open_with(SOURCES[kind](ocean), "onecast") as found,
        open_with(SOURCES[kind](ocean), "h5netcdf") as other,
    ):
        xarray.testing.assert_identical(found.load(), other.load())
        if kind in ("path", "text", "home", "path of home"):
            assert found["x"].encoding["source"] == other["x"].encoding["source"] == str(ocean)
    tree = xarray.open_datatree(SOURCES[kind](ocean), engine=OnecastBackend)
    xarray.testing.assert_identical(tree["inner/most"]["v"].load(), tree["inner/most/v"])
    tree.close()


@pytest.mark.parametrize("kind", ["path", "BytesIO", "bytes", "URL"])
def test_a_dataset_travels_and_opens_again(ocean, kind):
    if kind == "URL":
        pytest.importorskip("fsspec")
    with open_with(ocean, "h5netcdf") as other:
        wanted = other.load()
    found = open_with(SOURCES[kind](ocean), "onecast")
    copies = [pickle.loads(pickle.dumps(found)), pickle.loads(pickle.dumps(found["temperature"]))]
    assert (copies[1] == wanted["temperature"]).all() or np.isnan(copies[1]).any()
    xarray.testing.assert_identical(copies[0].load(), wanted)
    found.close()
    xarray.testing.assert_identical(found.load(), wanted)
    found.close()
    for one in copies:
        one.close()


def test_attributes(path):
    """Every kind is tested, for a file and for a variable."""
    kinds = {
        "one letter": np.bytes_(b"K"),
        "no letter": np.bytes_(b""),
        "letters": np.bytes_(b"abc"),
        "text": "K",
        "not ASCII": "é",
        "not UTF-8": np.bytes_(b"\xff"),
        "array of letters": np.array([b"a", b"b"]),
        "array of one letter": np.array([b"a"]),
        "array of bytes": np.array([b"ab", b"c"]),
        "array of texts": np.array(["ab", "c"], object),
        "array of one text": np.array(["ab"], object),
        "array of no text": np.array([], "S3"),
        "two dimensions": np.array([[b"aaa", b"b"], [b"c", b"d"]]),
        "empty": h5py.Empty("f4"),
        "empty letter": h5py.Empty("S1"),
        "empty text": h5py.Empty(h5py.string_dtype()),
        "truth": True,
        "number": 1.5,
        "array of one": np.array([5]),
        "array of arrays": np.array([[5]]),
        "array": np.arange(3),
        "complex": 1 + 2j,
    }
    with h5py.File(path, "w") as f:
        for name in ("numbers", "letters"):
            x = f.create_dataset(name, data=np.array([b"a", b"b"] if name == "letters" else [1, 2]))
            x.make_scale(name)
            for kind, value in kinds.items():
                f.attrs[kind] = x.attrs[kind] = value
        for special in ("_FillValue", "missing_value"):
            x.attrs[special] = np.bytes_(b"b")
    for decode in (True, False):
        shown = []
        for engine in ("onecast", "h5netcdf"):
            with (
                pytest.warns(UnicodeWarning, match="not UTF-8"),
                open_with(path, engine, decode_cf=decode) as ds,
            ):
                things = (ds, ds["numbers"], ds["letters"])
                shown.append([list(map(described, thing.attrs.items())) for thing in things])
                shown[-1].append([described(ds["letters"].encoding.get("_FillValue"))])
                shown[-1].append(ds.load())
        assert shown[0][:-1] == shown[1][:-1]
        assert shown[0][-1].equals(shown[1][-1])


@pytest.mark.parametrize("value", [b"", b"x", b"xy"])
@pytest.mark.parametrize("dtype", ["S1", "S5"])
def test_letters_that_are_values(path, value, dtype):
    with h5py.File(path, "w") as f:
        x = f.create_dataset("x", data=np.array([b"x", b""]))
        x.make_scale("x")
        for name in ("_FillValue", "missing_value"):
            x.attrs.create(name, value, dtype=dtype)
    shown = []
    for engine in ("onecast", "h5netcdf"):
        with open_with(path, engine, decode_cf=False) as ds:
            shown.append([described(item) for item in ds["x"].attrs.items()])
    assert shown[0] == shown[1]


def described(value):
    """Returns the value with its types."""
    if isinstance(value, tuple | list):
        return type(value), [described(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tolist()
    return type(value), value


@pytest.fixture
def unnamed(path):
    """Writes groups whose datasets lack scales."""
    with h5py.File(path, "w", track_order=True) as f:
        f["a"], f["few"] = np.zeros((4, 4)), np.zeros((2, 4))
        f.create_dataset("x", data=np.arange(4.0)).make_scale("x")
        f["t"] = np.zeros(4)
        f["t"].dims[0].attach_scale(f["x"])
        for name, shape in (("g/b", (3, 3)), ("g/h/c", (4, 5)), ("z/d", (7,)), ("g/s", ())):
            f[name] = np.zeros(shape)
    return path


@pytest.mark.parametrize("how", [{}, {"phony_dims": "access"}, {"phony_dims": "sort"}])
def test_numbers_of_unnamed_dimensions(unnamed, how):
    other = {"phony_dims": "access"} | how
    for group in (None, "g", "g/h", "/z"):
        with (
            open_with(unnamed, "onecast", group=group, **how) as found,
            open_with(unnamed, "h5netcdf", group=group, **other) as wanted,
        ):
            xarray.testing.assert_identical(found.load(), wanted.load())
    for group in (None, "g"):
        found = xarray.open_datatree(unnamed, engine=OnecastBackend, group=group, **how)
        wanted = xarray.open_datatree(unnamed, engine="h5netcdf", group=group, **other)
        xarray.testing.assert_identical(found.load(), wanted.load())
        found.close()
        wanted.close()


def test_keywords_of_the_engine_h5netcdf(ocean):
    for how in (
        {"lock": False, "invalid_netcdf": True, "format": "NETCDF4", "driver_kwds": {}},
        {"decode_vlen_strings": False, "drop_variables": "names"},
        {"driver": "core"},
    ):
        with (
            open_with(ocean, "onecast", **how) as found,
            open_with(ocean, "h5netcdf", **how) as other,
        ):
            xarray.testing.assert_identical(found.load(), other.load())
    for wrong, text in (({"format": "NETCDF3"}, "format 'NETCDF3'"), ({"phony_dims": "x"}, "'x'")):
        with pytest.raises(ValueError, match=text):
            open_with(ocean, "onecast", **wrong)


def test_a_group_in_another_file(tmp_path):
    with h5py.File(tmp_path / "other.nc", "w") as f:
        f["deep/in/x"] = np.arange(3)
    with h5py.File(tmp_path / "one.nc", "w") as f:
        f["link"] = h5py.ExternalLink("other.nc", "deep")
        f["x"] = h5py.ExternalLink("other.nc", "deep/in/x")
    with open_with(tmp_path / "one.nc", "onecast", group="link/in") as found:
        assert found["x"].values.tolist() == [0, 1, 2]
    with open_with(tmp_path / "one.nc", "onecast") as found:
        assert found["x"].values.tolist() == [0, 1, 2]


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
    for junk in (b"", b"CDF\x01" + bytes(100), io.BytesIO(b"junk" * 99)):
        with pytest.raises(ValueError, match="is not an HDF5 file"):
            open_with(junk, "onecast")
    with pytest.raises(TypeError, match="not int"):
        open_with(5, "onecast")
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
