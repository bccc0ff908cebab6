"""Virtual datasets, as h5py reads them; test_virtual_growing.py has those without limits."""

import concurrent.futures

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from virtual_files import SELECTIONS, UNLIMITED, compare, set_virtual, write, write_virtual

import onecast

LIBVERS = ["earliest", "v110", "latest"]


# --- side by side --------------------------------------------------------------------------------
@pytest.mark.parametrize("libver", LIBVERS)
def test_stacked(elsewhere, libver):
    """This includes names that entries share in version 1 of the list."""
    layout = h5py.VirtualLayout((6, 7), "<i4")
    for i in range(6):
        file = elsewhere / f"a_source_with_a_long_name_{i // 2}.h5"
        write(file, np.arange(7, dtype="<i4") + 10 * i, f"a_dataset_with_a_long_name_{i % 2}")
        source = h5py.VirtualSource(file.name, f"a_dataset_with_a_long_name_{i % 2}", (7,))
        layout[i] = source
    write_virtual(elsewhere / "v.h5", layout, libver=libver)
    values = compare(elsewhere / "v.h5")
    assert values[5, 6] == 56


@pytest.mark.parametrize("libver", LIBVERS)
def test_parts_with_strides(elsewhere, libver):
    """The parts are interleaved rows, blocks of columns, and reversed dimensions of size 1."""
    data = np.arange(240, dtype="<i4").reshape(12, 20)
    write(elsewhere / "s.h5", data)
    write(elsewhere / "s.h5", data[:, :, None] * 10, "deep")
    layout = h5py.VirtualLayout((8, 9), "<i4")
    source = h5py.VirtualSource("s.h5", "x", data.shape)
    layout[::3, ::2] = source[2:11:4, 1:20:4]
    layout[1::3, :5] = h5py.VirtualSource("s.h5", "deep", (12, 20, 1))[::5, 3:8, 0]
    layout[2, 5:] = source[3:11:2, 6]
    write_virtual(elsewhere / "v.h5", layout, libver=libver)
    values = compare(elsewhere / "v.h5")
    assert (values == -1).any()


def test_same_file(elsewhere):
    with h5py.File(elsewhere / "v.h5", "w") as f:
        x = f.create_dataset("group/x", data=np.arange(12.0).reshape(3, 4))
        layout = h5py.VirtualLayout((6, 4), "<f8")
        layout[:3] = h5py.VirtualSource(x)
        layout[3:] = h5py.VirtualSource(x)
        f.create_virtual_dataset("v", layout)
    compare(elsewhere / "v.h5")


def test_other_types_are_converted(elsewhere):
    write(elsewhere / "s.h5", np.array([1, 2, 300, -4], ">i2"))
    write(elsewhere / "s.h5", np.array([0.5, 1e10, -3.25, 7]), "f")
    for dtype in ("<i8", "<f4", ">u4", "<i2"):
        layout = h5py.VirtualLayout((2, 4), dtype)
        layout[0] = h5py.VirtualSource("s.h5", "x", (4,))
        layout[1, ::2] = h5py.VirtualSource("s.h5", "f", (4,))[2:]
        with h5py.File(elsewhere / "v.h5", "w") as f:
            f.create_virtual_dataset("v", layout, fillvalue=9)
        compare(elsewhere / "v.h5")


def test_compounds_by_their_members(elsewhere):
    stored = np.dtype([("b", "<i2"), ("a", "<f8"), ("c", "S3")])
    values = np.array([(1, 2.5, b"xy"), (3, 4.5, b"zzz")], stored)
    write(elsewhere / "s.h5", values)
    layout = h5py.VirtualLayout((3,), np.dtype([("a", "<f4"), ("b", "<i8")]))
    layout[:2] = h5py.VirtualSource("s.h5", "x", (2,))
    with h5py.File(elsewhere / "v.h5", "w") as f:
        f.create_virtual_dataset("v", layout)
    compare(elsewhere / "v.h5", selections=(np.s_[...], 1))


def test_chunked_and_filtered_sources(elsewhere):
    data = np.random.default_rng(0).integers(0, 9, (50, 60), "<i4")
    write(elsewhere / "s.h5", data, chunks=(7, 11), compression="gzip", shuffle=True)
    layout = h5py.VirtualLayout((100, 60), "<i4")
    layout[::2] = h5py.VirtualSource("s.h5", "x", data.shape)
    layout[1::2, :30] = h5py.VirtualSource("s.h5", "x", data.shape)[:, ::2]
    write_virtual(elsewhere / "v.h5", layout)
    compare(elsewhere / "v.h5")


def test_unions(elsewhere):
    """The selections are irregular on both sides."""
    data = np.arange(100, dtype="<i4").reshape(10, 10)
    write(elsewhere / "s.h5", data)
    spaces = []
    for corners in (((0, 0), (5, 5)), ((3, 1), (7, 7))):
        space = h5py.h5s.create_simple((10, 10))
        space.select_hyperslab(corners[0], (2, 3))
        space.select_hyperslab(corners[1], (3, 2), op=h5py.h5s.SELECT_OR)
        spaces.append(space)
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_virtual(spaces[0], b"s.h5", b"x", spaces[1])
    with h5py.File(elsewhere / "v.h5", "w") as f:
        h5py.h5d.create(f.id, b"v", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((10, 10)), dcpl)
    values = compare(elsewhere / "v.h5")
    assert values[0, 0] == 31


def test_a_mapping_of_nothing(elsewhere):
    write(elsewhere / "s.h5", np.arange(5, dtype="<i4"))
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    for nothing in (True, False):
        spaces = [h5py.h5s.create_simple((5,)) for _ in range(2)]
        if nothing:
            for space in spaces:
                space.select_none()
        dcpl.set_virtual(spaces[0], b"s.h5", b"x", spaces[1])
    with h5py.File(elsewhere / "v.h5", "w") as f:
        h5py.h5d.create(f.id, b"v", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((5,)), dcpl)
    with onecast.File(elsewhere / "v.h5") as ours:
        assert ours["v"][...].tolist() == [0, 1, 2, 3, 4]
        assert [m.vspace.is_none for m in ours["v"].virtual_sources()] == [True, False]


def test_one_element(elsewhere):
    write(elsewhere / "s.h5", np.arange(5, dtype="<i4"))
    layout = h5py.VirtualLayout((1,), "<i4")
    layout[0] = h5py.VirtualSource("s.h5", "x", (5,))[3]
    write_virtual(elsewhere / "v.h5", layout)
    compare(elsewhere / "v.h5", selections=(np.s_[...], 0))


def test_of_no_mappings(elsewhere):
    with h5py.File(elsewhere / "v.h5", "w") as f:
        f.create_virtual_dataset("v", h5py.VirtualLayout((3, 4), "<i4"), fillvalue=5)
        f.create_virtual_dataset("w", h5py.VirtualLayout((3, 4), "<i4"))
    with onecast.File(elsewhere / "v.h5") as ours, h5py.File(elsewhere / "v.h5") as theirs:
        for name in "vw":
            assert ours[name].layout == (
                "virtual_dataset" if theirs[name].is_virtual else "contiguous"
            )
            np.testing.assert_array_equal(ours[name][...], theirs[name][...])


# --- missing sources -----------------------------------------------------------------------------
def test_missing_files_and_datasets_are_fill(elsewhere):
    write(elsewhere / "s.h5", np.arange(4, dtype="<i4"))
    layout = h5py.VirtualLayout((4, 4), "<i4")
    for i, (file, name) in enumerate(
        [("s.h5", "x"), ("no.h5", "x"), ("s.h5", "no"), ("s.h5", "x")]
    ):
        layout[i] = h5py.VirtualSource(file, name, (4,))
    write_virtual(elsewhere / "v.h5", layout, fill=42)
    values = compare(elsewhere / "v.h5")
    np.testing.assert_array_equal(values[1:3], 42)
    write(elsewhere / "no.h5", np.arange(4, dtype="<i4") + 100)
    assert compare(elsewhere / "v.h5")[1, 3] == 103


def test_a_source_that_shrank(elsewhere):
    """The library reads the previous contents, or nothing; here it is the fill value."""
    write(elsewhere / "s.h5", np.arange(40).reshape(5, 8), maxshape=(None, None))
    layout = h5py.VirtualLayout((3, 6), "<i8")
    layout[...] = h5py.VirtualSource("s.h5", "x", (5, 8))[2:, 1:7]
    write_virtual(elsewhere / "v.h5", layout)
    with h5py.File(elsewhere / "s.h5", "a") as f:
        f["x"].resize((4, 5))
    expected = np.full((3, 6), -1)
    expected[:2, :4] = np.arange(40).reshape(5, 8)[2:4, 1:5]
    with onecast.File(elsewhere / "v.h5") as ours:
        for args in SELECTIONS:
            np.testing.assert_array_equal(ours["v"][args], expected[args])


def test_a_source_of_another_size(elsewhere):
    write(elsewhere / "s.h5", np.arange(5))
    layout = h5py.VirtualLayout((8,), "<i8")
    layout[...] = h5py.VirtualSource("s.h5", "x", (8,))
    write_virtual(elsewhere / "v.h5", layout)
    with (
        onecast.File(elsewhere / "v.h5") as ours,
        pytest.raises(onecast.FormatError, match="5 elem"),
    ):
        ours["v"][...]


def test_damaged_sources_are_errors(elsewhere):
    (elsewhere / "s.h5").write_bytes(b"not HDF5" * 100)
    layout = h5py.VirtualLayout((8,), "<i8")
    layout[...] = h5py.VirtualSource("s.h5", "x", (8,))
    write_virtual(elsewhere / "v.h5", layout)
    with (
        onecast.File(elsewhere / "v.h5") as ours,
        pytest.raises(onecast.FormatError, match=r"s\.h5"),
    ):
        ours["v"][...]


def test_sources_that_do_not_fit(elsewhere):
    write(elsewhere / "s.h5", np.array([b"a", b"b"]), "text")
    write(elsewhere / "s.h5", np.zeros((2, 3)), "group/x")
    for name, what in (
        ("text", "conversion"),
        ("group", "not a dataset"),
        ("group/x", "dimensions"),
    ):
        layout = h5py.VirtualLayout((2,), "<i4")
        layout[...] = h5py.VirtualSource("s.h5", name, (4,))[1:3]
        write_virtual(elsewhere / f"{name[-1]}.h5", layout)
        with onecast.File(elsewhere / f"{name[-1]}.h5") as ours:
            assert ours["v"].shape == (2,)
            with pytest.raises(onecast.FormatError, match=rf"s\.h5.*{what}"):
                ours["v"][...]


# --- nested datasets -----------------------------------------------------------------------------
def nested(elsewhere, depth):
    write(elsewhere / "s0.h5", np.arange(6, dtype="<i4").reshape(2, 3), "v")
    for i in range(1, depth + 1):
        layout = h5py.VirtualLayout((2 + i, 3), "<i4")
        layout[i - 1 : i + 1] = h5py.VirtualSource(f"s{i - 1}.h5", "v", (1 + i, 3))[i - 1 : i + 1]
        layout[0] = h5py.VirtualSource(f"s{i - 1}.h5", "v", (1 + i, 3))[0]
        write_virtual(elsewhere / f"s{i}.h5", layout)
    return elsewhere / f"s{depth}.h5"


def test_nested(elsewhere):
    compare(nested(elsewhere, 5))


def test_nested_too_deep(elsewhere):
    with (
        onecast.File(nested(elsewhere, 18)) as ours,
        pytest.raises(onecast.FormatError, match="in a loop"),
    ):
        ours["v"][...]


def test_growing_nested(elsewhere):
    along = (0, 1, UNLIMITED, 1)
    most = (UNLIMITED,)
    for i in (1, 2):
        set_virtual(
            elsewhere / f"s{i}.h5",
            (1,),
            most,
            [((along,), f"s{i - 1}.h5", "v" if i > 1 else "x", (along,), ((1,), most))],
        )
    write(elsewhere / "s0.h5", np.arange(7, dtype="<i4"), maxshape=(None,))
    with onecast.File(elsewhere / "s2.h5") as ours:  # h5py sees its state at creation
        assert ours["v"].shape == (7,)
        np.testing.assert_array_equal(ours["v"][...], np.arange(7))
        assert ours["v"][2:5].tolist() == [2, 3, 4]


@pytest.mark.parametrize("file", [".", "v.h5", "w.h5"])
@pytest.mark.parametrize("limited", [True, False])
def test_loops_end(elsewhere, file, limited):
    """h5py does not survive them."""
    side = (0, 1, 1, 4) if limited else (0, 1, UNLIMITED, 1)
    most = (4,) if limited else (UNLIMITED,)
    for name, source in (("v.h5", file), ("w.h5", "v.h5")):
        set_virtual(elsewhere / name, (4,), most, [((side,), source, "v", (side,), ((4,), most))])
    with onecast.File(elsewhere / "v.h5") as ours, pytest.raises(onecast.FormatError, match="loop"):
        ours["v"][...]


def test_many_times_over(elsewhere):
    """Each level reads the next one eight times."""
    for i in range(10):
        layout = h5py.VirtualLayout((1000,), "<i4")
        for _ in range(8):
            layout[...] = h5py.VirtualSource(f"s{i + 1}.h5", "v", (1000,))
        write_virtual(elsewhere / f"s{i}.h5", layout)
    write(elsewhere / "s10.h5", np.arange(1000, dtype="<i4"), "v")
    with onecast.File(elsewhere / "s0.h5") as ours, pytest.raises(onecast.UnsupportedError):
        ours["v"][...]


# --- where files are searched --------------------------------------------------------------------
def test_where_files_are_looked_for(elsewhere, monkeypatch):
    places = {"prefix": elsewhere / "prefix", "beside": elsewhere, "here": elsewhere / "elsewhere"}
    for number, place in enumerate(places.values()):
        place.mkdir(exist_ok=True)
        write(place / "s.h5", np.full(3, number, "<i4"))
    layout = h5py.VirtualLayout((3,), "<i4")
    layout[...] = h5py.VirtualSource("s.h5", "x", (3,))
    write_virtual(elsewhere / "v.h5", layout)

    def first():
        with onecast.File(elsewhere / "v.h5") as ours:
            return list(places)[ours["v"][0]]

    assert first() == "beside"
    monkeypatch.setenv("HDF5_VDS_PREFIX", f"{elsewhere / 'nowhere'}:{places['prefix']}")
    assert first() == "prefix"
    monkeypatch.delenv("HDF5_VDS_PREFIX")
    (elsewhere / "s.h5").unlink()
    assert first() == "here"


def test_follow_external_off(elsewhere):
    along = (0, 1, UNLIMITED, 1)
    set_virtual(
        elsewhere / "v.h5",
        (3,),
        (UNLIMITED,),
        [((along,), "s.h5", "x", (along,), ((1,), (UNLIMITED,)))],
    )
    write(elsewhere / "s.h5", np.arange(9, dtype="<i4"), maxshape=(None,))
    with onecast.File(elsewhere / "v.h5", follow_external=False) as ours:
        assert ours["v"].shape == (3,)
        with pytest.raises(onecast.UnsupportedError, match=r"s\.h5.*follow_external"):
            ours["v"][...]


def test_closed_with_its_file(elsewhere):
    write(elsewhere / "s.h5", np.arange(4, dtype="<i4"))
    layout = h5py.VirtualLayout((4,), "<i4")
    layout[...] = h5py.VirtualSource("s.h5", "x", (4,))
    write_virtual(elsewhere / "v.h5", layout)
    ours = onecast.File(elsewhere / "v.h5")
    v = ours["v"]
    assert v[2] == 2
    ours.close()
    with pytest.raises(ValueError, match="closed"):
        v[2]


def test_many_sources(elsewhere):
    """These are more than a process may have open."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    layout = h5py.VirtualLayout((300, 4), "<i4")
    for i in range(300):
        write(elsewhere / f"s{i}.h5", np.arange(4, dtype="<i4") + i)
        layout[i] = h5py.VirtualSource(f"s{i}.h5", "x", (4,))
    write_virtual(elsewhere / "v.h5", layout)
    resource.setrlimit(resource.RLIMIT_NOFILE, (150, limits[1]))
    try:
        with onecast.File(elsewhere / "v.h5") as ours:
            for _ in range(2):
                np.testing.assert_array_equal(
                    ours["v"][...], np.arange(300)[:, None] + np.arange(4)
                )
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_many_threads(elsewhere):
    """They open the sources at the same time."""
    layout = h5py.VirtualLayout((80, 50), "<i4")
    for i in range(80):
        write(elsewhere / f"s{i}.h5", np.arange(50, dtype="<i4") + i, chunks=(7,))
        layout[i] = h5py.VirtualSource(f"s{i}.h5", "x", (50,))
    write_virtual(elsewhere / "v.h5", layout)
    expected = np.arange(80)[:, None] + np.arange(50)
    with (
        onecast.File(elsewhere / "v.h5") as ours,
        concurrent.futures.ThreadPoolExecutor(8) as pool,
    ):
        v = ours["v"]
        parts = [np.s_[...], np.s_[::3], np.s_[:, 7], np.s_[40:, ::9]] * 8
        for args, found in zip(parts, pool.map(v.__getitem__, parts), strict=True):
            np.testing.assert_array_equal(found, expected[args])


def test_eager_open_brings_the_mappings(elsewhere):
    write(elsewhere / "s.h5", np.arange(4, dtype="<i4"))
    layout = h5py.VirtualLayout((400, 4), "<i4")
    for i in range(400):
        layout[i] = h5py.VirtualSource("s.h5", "x", (4,))
    write_virtual(elsewhere / "v.h5", layout)
    with onecast.File(elsewhere / "v.h5", load_policy="eager") as ours:
        before = ours.io_stats()
        assert ours["v"].shape == (400, 4)
        assert len(ours["v"].virtual_sources()) == 400
        assert ours["v"][17, 3] == 3  # in another file
        assert ours.io_stats() == before


TOGETHER = """
folder = sys.argv[1]
expected = np.load(folder + "/expected.npy")
with onecast.File(folder + "/v.h5", comm=comm) as f:
    assert (f["v"].read_all() == expected).all()
    part = np.s_[rank::3, rank]
    assert (f["v"].read_all(part) == expected[part]).all()
    raw = np.arange(40).reshape(10, 4)
    assert (f["raw"].read_all() == raw).all()
    assert (f["raw"].read_all(np.s_[rank]) == raw[rank]).all()
    one_or_the_other = lambda: f["raw" if rank else "v"].read_all(np.s_[:3])
    same_everywhere(one_or_the_other, onecast.DivergedError)
"""


def test_together(elsewhere, mpirun):
    write(elsewhere / "s.h5", np.arange(40, dtype="<i4").reshape(10, 4))
    (elsewhere / "a.raw").write_bytes(np.arange(40, dtype="<i4").tobytes())
    layout = h5py.VirtualLayout((20, 4), "<i4")
    layout[::2] = h5py.VirtualSource("s.h5", "x", (10, 4))
    write_virtual(elsewhere / "v.h5", layout)
    with h5py.File(elsewhere / "v.h5", "a") as f:
        f.create_dataset("raw", (10, 4), "<i4", external=[("a.raw", 0, 160)])
        expected = f["v"][...]
    np.save(elsewhere / "expected.npy", expected)
    mpirun(3, TOGETHER, elsewhere)


def test_values_of_variable_length(elsewhere):
    with h5py.File(elsewhere / "v.h5", "w") as f:
        f["x"] = ["one", "", "three"]
        layout = h5py.VirtualLayout((2, 3), f["x"].dtype)
        layout[0] = h5py.VirtualSource(".", "x", (3,))
        f.create_virtual_dataset("v", layout)
    with onecast.File(elsewhere / "v.h5") as ours:
        assert ours["v"][0].tolist() == [b"one", b"", b"three"]
        assert ours["v"][1].tolist() == [b"", b"", b""]


# --- random mappings -----------------------------------------------------------------------------
@st.composite
def sides(draw, extent, count):
    """Draws a slice of `count` coordinates."""
    step = draw(st.integers(1, max(1, (extent - 1) // max(1, count - 1)) if count > 1 else 1))
    start = draw(st.integers(0, extent - 1 - (count - 1) * step))
    return slice(start, start + (count - 1) * step + 1, step)


@st.composite
def parts(draw, shape):
    return tuple(
        slice(
            *sorted(draw(st.tuples(st.integers(0, n), st.integers(0, n)))), draw(st.integers(1, 4))
        )
        for n in shape
    )


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random(elsewhere, data):
    """Random rectangles of random sources are read in random parts."""
    for file in elsewhere.glob("*.h5"):
        file.unlink()
    rank = data.draw(st.integers(1, 3))
    shape = tuple(data.draw(st.integers(1, 12)) for _ in range(rank))
    layout = h5py.VirtualLayout(shape, "<i4")
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    expected = np.full(shape, -1)
    for i in range(data.draw(st.integers(1, 4))):
        counts = [data.draw(st.integers(1, n)) for n in shape]
        extents = [n + data.draw(st.integers(0, 8)) for n in counts]
        values = rng.integers(0, 1000, extents, dtype="<i4")
        write(elsewhere / f"s{i}.h5", values, chunks=data.draw(st.sampled_from([None, True])))
        mapped = tuple(data.draw(sides(n, c)) for n, c in zip(shape, counts, strict=True))
        taken = tuple(data.draw(sides(n, c)) for n, c in zip(extents, counts, strict=True))
        layout[mapped] = h5py.VirtualSource(f"s{i}.h5", "x", tuple(extents))[taken]
        expected[mapped] = values[taken]
    write_virtual(elsewhere / "v.h5", layout)
    with onecast.File(elsewhere / "v.h5") as ours:
        np.testing.assert_array_equal(ours["v"][...], expected)
        for _ in range(5):
            part = data.draw(parts(shape))
            np.testing.assert_array_equal(ours["v"][part], expected[part])
        mask = rng.integers(0, 2, shape).astype(bool)
        np.testing.assert_array_equal(ours["v"][mask], expected[mask])


def test_a_copy_needs_all_sources(tmp_path):
    with h5py.File(tmp_path / "source.h5", "w") as f:
        f["d"] = np.arange(4)
    layout = h5py.VirtualLayout((4,), "i8")
    layout[:] = h5py.VirtualSource(tmp_path / "source.h5", "d", (4,))
    with h5py.File(tmp_path / "virtual.h5", "w") as f:
        f.create_virtual_dataset("v", layout, fillvalue=-1)
    with onecast.File(tmp_path / "virtual.h5", "a") as f:
        f.copy("v", "there")
        (tmp_path / "source.h5").unlink()
    with onecast.File(tmp_path / "virtual.h5", "a") as f:
        with pytest.raises(KeyError, match=r"/v: .*source .*source\.h5.*does not exist"):
            f.copy("v", "missing")
        assert sorted(f) == ["there", "v"]
        assert f["there"][:].tolist() == [0, 1, 2, 3]
