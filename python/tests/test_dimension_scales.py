"""Labels and scales of dimensions, as in h5py and netCDF-4"""

import h5py
import numpy as np
import pytest

import onecast


def fill(lib, path):
    with lib.File(path, "w") as f:
        data = f.create_dataset("data", (2, 3, 4), "f4")
        sizes = {"x": 4, "y": 3, "o": 4}
        x, y, other = (f.create_dataset(n, data=np.arange(size)) for n, size in sizes.items())
        x.make_scale("length")
        other.make_scale()
        data.dims[2].label = "ü"
        data.dims[2].attach_scale(x)
        data.dims[2].attach_scale(other)
        data.dims[1].attach_scale(y)


def found(lib, path):
    with lib.File(path) as f:
        data = f["data"]
        dims = [
            (dim.label, dim.keys(), [scale.name for _, scale in dim.items()], len(dim))
            for dim in data.dims
        ]
        users = {
            name: [(f[user].name, int(at)) for user, at in f[name].attrs["REFERENCE_LIST"]]
            for name in ("x", "y", "o")
        }
        return dims, users, [f[name].is_scale for name in ("data", "x", "y", "o")]


def test_both_libraries_find_what_both_wrote(tmp_path):
    results = []
    for writer in (h5py, onecast):
        path = tmp_path / f"{writer.__name__}.h5"
        fill(writer, path)
        results += [found(reader, path) for reader in (h5py, onecast)]
    dims, users, scales = results[0]
    assert dims == [
        ("", [], [], 0),
        ("", [""], ["/y"], 1),
        ("ü", ["length", ""], ["/x", "/o"], 2),
    ]
    assert users == {"x": [("/data", 2)], "y": [("/data", 1)], "o": [("/data", 2)]}
    assert scales == [False, True, True, True]
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize("first", [h5py, onecast], ids=lambda lib: lib.__name__)
def test_detaching_what_the_other_attached(tmp_path, first):
    path = tmp_path / "file.h5"
    second = onecast if first is h5py else h5py
    fill(first, path)
    with second.File(path, "r+") as f:
        data = f["data"]
        data.dims[2].detach_scale(f["x"])
        data.dims[1].detach_scale(f["y"])
        assert data.dims[2].keys() == [""] and len(data.dims[1]) == 0
        assert "REFERENCE_LIST" not in f["x"].attrs
    with first.File(path) as f:
        assert f["data"].dims[2].keys() == [""] and f["x"].is_scale


def test_brackets(lib, file):
    data = file.create_dataset("data", (3,), "f4")
    scale = file.create_dataset("scale", data=[1, 2, 3])
    scale.make_scale("numbers")
    data.dims[0].attach_scale(scale)
    dim = data.dims[0]
    assert dim[0] == dim["numbers"] == scale and list(dim) == ["numbers"]
    assert len(data.dims) == 1 and [d.label for d in data.dims] == [""]
    for key, kind in ((1, (IndexError, RuntimeError)), ("other", KeyError)):
        with pytest.raises(kind):
            dim[key]
    with pytest.raises(IndexError):
        data.dims[1]


def test_errors(file):
    if not isinstance(file, onecast.File):
        pytest.skip("h5py raises other exceptions")
    data = file.create_dataset("data", (3,), "f4")
    scale = file.create_dataset("scale", (3,), "f4")
    with pytest.raises(KeyError, match="/scale is not one of its scales"):
        data.dims[0].detach_scale(scale)
    with pytest.raises(ValueError, match="a scale has no scales itself"):
        data.dims[0].attach_scale(data)
    data.dims[0].attach_scale(scale)
    with pytest.raises(ValueError, match="it has scales itself"):
        data.make_scale()
    with pytest.raises(ValueError, match="a scale has no scales itself"):
        scale.dims[0].attach_scale(data)
    with onecast.File.in_memory() as other, pytest.raises(ValueError, match="another file"):
        data.dims[0].attach_scale(other.create_dataset("x", (3,), "f4"))


def test_other_contents_of_the_attributes(tmp_path):
    path = tmp_path / "file.h5"
    with h5py.File(path, "w") as f:
        d = f.create_dataset("d", (2, 3))
        d.attrs["DIMENSION_LIST"] = [1, 2]
        f.create_dataset("scale", (3,)).attrs["REFERENCE_LIST"] = "none"
    with onecast.File(path, "r+") as f:
        with pytest.raises(onecast.FormatError, match=r'/d: attribute "DIMENSION_LIST"'):
            len(f["d"].dims[0])
        del f["d"].attrs["DIMENSION_LIST"]
        with pytest.raises(onecast.FormatError, match=r'/scale: attribute "REFERENCE_LIST"'):
            f["d"].dims[0].attach_scale(f["scale"])
        assert "DIMENSION_LIST" not in f["d"].attrs and not f["scale"].is_scale


def test_netcdf_reads_the_dimensions(tmp_path):
    netcdf = pytest.importorskip("netCDF4")
    path = tmp_path / "file.nc"
    with onecast.File(path, "w") as f:
        time = f.create_dataset("time", data=np.arange(3.0))
        time.make_scale("time")
        f.create_dataset("v", data=np.ones(3)).dims[0].attach_scale(time)
    with netcdf.Dataset(path) as f:
        assert f["v"].dimensions == ("time",) and f.dimensions["time"].size == 3


@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_on_ranks(mpirun, tmp_path, ranks):
    path = tmp_path / "file.h5"
    mpirun(
        ranks,
        """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    data, x = f.create_dataset("data", (2, 3), "f4"), f.create_dataset("x", data=[1, 2, 3])
    x.make_scale("length")
    data.dims[1].attach_scale(x)
    assert data.dims[1].keys() == ["length"]
    f.flush()
    data.dims[0].label = "rows"
""",
        path,
    )
    with h5py.File(path) as f:
        assert f["data"].dims[1]["length"][:].tolist() == [1, 2, 3]
        assert f["data"].dims[0].label == "rows"


def test_a_scale_without_a_name_has_an_empty_one(lib, file, path):
    file["x"] = [1, 2]
    file["x"].make_scale("before")
    file["x"].make_scale()
    file.close()
    with h5py.File(path) as f:
        assert dict(f["x"].attrs) == {"CLASS": b"DIMENSION_SCALE", "NAME": b""}
        kind = f["x"].attrs.get_id("NAME").get_type()
        stored = kind.get_size(), kind.get_strpad(), kind.get_cset()
        assert stored == (1, h5py.h5t.STR_NULLTERM, h5py.h5t.CSET_ASCII)
