"""h5py's low level, as far as Onecast has it: the same calls with both libraries"""

import importlib
import zlib

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def low(lib):
    """Returns the module of a name."""
    return lambda name: (
        importlib.import_module(f"{lib.__name__}.{name}")
        if lib.__name__ == "h5py"
        else getattr(lib, name)
    )


def test_datasets(lib, low, file):
    h5d, h5s, h5t, h5p = map(low, ("h5d", "h5s", "h5t", "h5p"))
    space = h5s.create_simple((4, 6), (h5s.UNLIMITED, 6))
    dcpl = h5p.create(h5p.DATASET_CREATE)
    dcpl.set_chunk((2, 3))
    dcpl.set_deflate(4)
    dcpl.set_fill_value(np.array(7, "i4"))
    made = h5d.create(file.id, b"x", h5t.STD_I32LE, space, dcpl)
    assert made.shape == (4, 6) and made.rank == 2 and made.dtype == np.dtype("<i4")
    assert made.get_space().get_simple_extent_dims(True) == (h5s.UNLIMITED, 6)
    again = h5d.open(file.id, b"x").get_create_plist()
    fill = np.zeros((), "i4")
    again.get_fill_value(fill)
    assert again.get_chunk() == (2, 3) and again.get_nfilters() == 1 and fill == 7
    assert again.get_filter(0)[0] == 1 and again.get_layout() == h5d.CHUNKED

    part = made.get_space()
    part.select_hyperslab((1, 0), (2, 2), (1, 3), (1, 2))
    values = np.arange(8, dtype="i4").reshape(2, 4)
    made.write(h5s.ALL, part, values) if lib is onecast else made.write(
        h5s.create_simple((2, 4)), part, values
    )
    out = np.zeros((2, 4), "i8")
    made.read(h5s.create_simple((2, 4)), part, out)
    assert (out == values).all()
    memory = h5s.create_simple((10,))
    memory.select_hyperslab((2,), (4,), (2,))
    column = made.get_space()
    column.select_hyperslab((0, 0), (4, 1))
    into = np.full(10, -1, "i4")
    made.read(memory, column, into)
    assert into.tolist() == [-1, -1, 7, -1, 0, -1, 4, -1, 7, -1]
    made.set_extent((5, 6))
    assert lib.Dataset(made)[4].tolist() == [7] * 6


def test_points_and_combined_selections(lib, low, file):
    h5s = low("h5s")
    data = file.create_dataset("x", data=np.arange(20).reshape(4, 5))
    space = data.id.get_space()
    space.select_elements([(0, 1), (3, 4), (2, 0)])
    out = np.zeros(3, int)
    data.id.read(h5s.create_simple((3,)), space, out)
    assert out.tolist() == [1, 19, 10] and space.get_select_npoints() == 3
    assert space.get_select_elem_pointlist().tolist() == [[0, 1], [3, 4], [2, 0]]
    space.select_hyperslab((0, 0), (1, 5))
    space.select_hyperslab((2, 1), (2, 2), op=h5s.SELECT_OR)
    assert space.get_select_npoints() == 9
    assert space.get_select_bounds() == ((0, 0), (3, 4))
    out = np.zeros(9, int)
    data.id.read(h5s.create_simple((9,)), space, out)
    assert out.tolist() == [0, 1, 2, 3, 4, 11, 12, 16, 17]
    space.select_hyperslab((0, 0), (3, 5), op=h5s.SELECT_AND)
    assert space.get_select_npoints() == 7 and space.select_valid()
    space.select_none()
    assert space.get_select_type() == h5s.SEL_NONE and space.get_select_npoints() == 0
    space.select_all()
    assert space.get_select_npoints() == 20


def test_types(lib, low, file):
    h5t = low("h5t")
    pair = h5t.create(h5t.COMPOUND, 12)
    pair.insert(b"a", 0, h5t.STD_I32BE)
    pair.insert(b"b", 4, h5t.IEEE_F64LE)
    assert pair.dtype == np.dtype([("a", ">i4"), ("b", "<f8")])
    assert pair.get_nmembers() == 2 and pair.get_member_name(1) == b"b"
    assert pair.get_member_offset(1) == 4 and pair.get_member_index(b"b") == 1
    text = h5t.C_S1.copy()
    text.set_size(12)
    text.set_strpad(h5t.STR_SPACEPAD)
    text.set_cset(h5t.CSET_UTF8)
    assert (text.get_size(), text.get_strpad(), text.get_cset()) == (12, 2, 1)
    text.set_size(h5t.VARIABLE)
    assert text.is_variable_str()
    colour = h5t.enum_create(h5t.STD_I8LE)
    colour.enum_insert(b"red", 1)
    colour.enum_insert(b"blue", 2)
    assert lib.check_enum_dtype(colour.dtype) == {"red": 1, "blue": 2}
    assert colour.enum_nameof(2) == b"blue" and colour.enum_valueof(b"red") == 1
    array = h5t.array_create(h5t.STD_U8LE, (2, 3))
    assert array.get_array_dims() == (2, 3) and array.get_super() == h5t.STD_U8LE
    assert h5t.vlen_create(h5t.STD_U8LE).get_class() == h5t.VLEN
    whole = h5t.py_create(np.dtype([("s", "S3"), ("r", lib.ref_dtype)]), logical=True)
    assert whole.get_member_type(1) == h5t.STD_REF_OBJ
    pair.commit(file.id, b"pair")
    assert pair.committed() and file["pair"].dtype == pair.dtype
    assert h5t.open(file.id, b"pair") == pair
    number = h5t.STD_I32LE.copy()
    number.set_sign(h5t.SGN_NONE)
    number.set_order(h5t.ORDER_BE)
    number.set_size(2)
    assert number.dtype == np.dtype(">u2")
    with pytest.raises(TypeError):
        h5t.STD_I32LE.set_size(8)


def test_classes_are_derived_from_each_other_as_in_h5py():
    """Programs call isinstance in an order that suits h5py."""
    for module in onecast.low.MODULES:
        name = module.__name__.rpartition(".")[2]
        theirs = {
            name: kind
            for name, kind in vars(importlib.import_module(f"h5py.{name}")).items()
            if isinstance(kind, type) and not name.startswith("_")
        }
        ours = {name: getattr(module, name) for name in theirs if name in vars(module)}
        for one in ours:
            for other in ours:
                derived = issubclass(theirs[one], theirs[other])
                assert issubclass(ours[one], ours[other]) == derived, (one, other)


def test_members_of_composite_types(lib, low):
    h5t = low("h5t")
    pair = h5t.create(h5t.COMPOUND, 12)
    colour = h5t.enum_create(h5t.STD_I8LE)
    for made in (pair, colour):
        assert isinstance(made, h5t.TypeCompositeID) and made.get_nmembers() == 0
    assert not isinstance(colour, h5t.TypeCompoundID)
    pair.insert(b"a", 4, h5t.STD_I32BE)
    colour.enum_insert(b"a", 5)
    for made in (pair, colour):
        assert made.get_nmembers() == 1 and made.get_member_name(0) == b"a"
        assert made.get_member_index(b"a") == 0
    assert pair.get_member_offset(0) == 4 and colour.get_member_value(0) == 5
    pair.pack()
    assert pair.get_size() == 4


def test_values_without_elements_have_no_shape(lib, file):
    file["x"] = file.attrs["x"] = lib.Empty("i4")
    assert file["x"].id.shape is file.attrs.get_id("x").shape is None
    assert file["x"].id.rank == file["x"].id.get_storage_size() == 0


def test_the_size_of_a_text_of_variable_length_is_that_of_a_pointer(lib, low, file):
    h5t = low("h5t")
    file["x"] = "text"
    made = h5t.C_S1.copy()
    made.set_size(h5t.VARIABLE)
    assert made.get_size() == file["x"].id.get_type().get_size() == 8


def test_extend_makes_nothing_smaller(lib, file):
    data = file.create_dataset("x", (1, 2, 3), "i4", maxshape=(None, None, None))
    data.id.extend((4, 1, 3))
    assert data.shape == (4, 2, 3)
    for wrong in ((5,), (5, 5, 5, 5), ()):
        with pytest.raises(TypeError):
            data.id.extend(wrong)
    data.id.set_extent((1, 1, 1))
    assert data.shape == (1, 1, 1)


def test_attributes(lib, low, file):
    h5a, h5s, h5t = map(low, ("h5a", "h5s", "h5t"))
    made = h5a.create(file.id, b"a", h5t.STD_I32LE, h5s.create_simple((3,)))
    made.write(np.array([1, 2, 3], "i4"))
    out = np.zeros(3, "i4")
    h5a.open(file.id, b"a").read(out)
    assert out.tolist() == [1, 2, 3] and made.shape == (3,) and made.dtype == np.dtype("i4")
    assert made.get_name() == b"a" if lib is onecast else made.name == b"a"
    assert made.get_storage_size() == 12
    h5a.rename(file.id, b"a", b"b")
    assert h5a.exists(file.id, b"b") and not h5a.exists(file.id, b"a")
    assert h5a.get_num_attrs(file.id) == 1 and file.attrs["b"].tolist() == [1, 2, 3]
    names = []
    h5a.iterate(file.id, lambda name: names.append(name))
    assert names == [b"b"]
    assert file.attrs.get_id("b").get_type() == h5t.STD_I32LE
    h5a.delete(file.id, b"b")
    assert not len(file.attrs)
    if lib is onecast:
        with pytest.raises(KeyError):
            file.attrs.get_id("b")


def test_groups_links_and_objects(lib, low, file):
    h5g, h5l, h5o, h5i = map(low, ("h5g", "h5l", "h5o", "h5i"))
    made = h5g.create(file.id, b"g")
    file["g/x"] = [1, 2]
    made.links.create_soft(b"soft", b"/g/x")
    made.links.create_external(b"out", b"other.h5", b"/y")
    made.links.create_hard(b"hard", file.id, b"g/x")
    assert made.links.get_val(b"soft") == b"/g/x"
    assert made.links.get_val(b"out") == (b"other.h5", b"/y")
    kinds = [made.links.get_info(name).type for name in (b"x", b"soft", b"out")]
    assert kinds == [h5l.TYPE_HARD, h5l.TYPE_SOFT, h5l.TYPE_EXTERNAL]
    assert len(made) == made.get_num_objs() == 4 and b"x" in made and b"y" not in made
    assert sorted(made) == [b"hard", b"out", b"soft", b"x"]
    info = h5o.get_info(file["g/x"].id)
    assert info.type == h5o.TYPE_DATASET and info.rc == 2 and info.num_attrs == 0
    assert h5o.get_info(file.id, b"g/hard").addr == info.addr
    file["kind"] = np.dtype("i4")
    for name in ("g", "g/x", "kind"):
        file[name].attrs["unit"] = file[name].attrs["note"] = "m"
        assert h5o.get_info(file[name].id).num_attrs == 2
    del file["kind"]
    assert h5o.exists_by_name(file.id, b"g/x") and h5o.open(file.id, b"g/x") == file["g/x"].id
    names = []
    h5o.visit(file.id, lambda name: names.append(name))
    assert names == [b"g", b"g/hard"]
    links = []
    made.links.visit(lambda name: links.append(name))
    assert links == [b"hard", b"out", b"soft", b"x"]
    h5o.copy(file.id, b"g/x", file.id, b"copy")
    h5o.link(file["copy"].id, made, b"again")
    assert file["g/again"] == file["copy"]
    made.links.move(b"again", made, b"moved")
    made.unlink(b"moved")
    assert h5g.get_objinfo(file.id, b"g").type == h5g.GROUP
    assert h5i.get_name(made) == b"/g" and h5i.get_type(made) == h5i.GROUP
    assert h5i.get_type(file["copy"].id) == h5i.DATASET
    with pytest.raises((KeyError, ValueError)):
        h5g.open(file.id, b"missing")


def test_references_and_scales(lib, low, file):
    h5r, h5ds, h5s = map(low, ("h5r", "h5ds", "h5s"))
    data = file.create_dataset("x", data=np.arange(10))
    reference = h5r.create(file.id, b"x", h5r.OBJECT)
    assert h5r.dereference(reference, file.id) == data.id
    assert h5r.get_name(reference, file.id) == b"/x"
    gone = file.create_dataset("gone", data=1)
    nowhere = gone.ref
    del file["gone"]
    assert h5r.get_name(nowhere, file.id) is None
    space = data.id.get_space()
    space.select_hyperslab((2,), (3,))
    region = h5r.create(file.id, b"x", h5r.DATASET_REGION, space)
    assert data[region].tolist() == [2, 3, 4]
    assert h5r.get_region(region, file.id).get_select_npoints() == 3
    scale = file.create_dataset("s", data=np.arange(10)).id
    h5ds.set_scale(scale, b"n")
    h5ds.attach_scale(data.id, scale, 0)
    h5ds.set_label(data.id, 0, b"label")
    assert h5ds.is_scale(scale) and h5ds.is_attached(data.id, scale, 0)
    assert h5ds.get_scale_name(scale) == b"n" and h5ds.get_label(data.id, 0) == b"label"
    assert h5ds.get_num_scales(data.id, 0) == 1
    h5ds.detach_scale(data.id, scale, 0)
    assert h5ds.get_num_scales(data.id, 0) == 0
    assert h5s is not None


def test_stored_chunks(lib, file):
    data = file.create_dataset("x", (4, 4), "i4", chunks=(2, 4), compression="gzip")
    data[:2] = 5
    file.flush()
    assert data.id.get_num_chunks() == 1
    info = data.id.get_chunk_info(0)
    assert info.chunk_offset == (0, 0) and info.filter_mask == 0 and info.size > 0
    assert info.byte_offset is not None
    assert data.id.get_chunk_info_by_coord((0, 0)) == info
    mask, stored = data.id.read_direct_chunk((0, 0))
    assert mask == 0 and len(stored) == info.size
    data.id.write_direct_chunk((2, 0), zlib.compress(np.full((2, 4), 9, "i4").tobytes()))
    assert data[2:].tolist() == [[9] * 4] * 2
    out = bytearray(info.size)
    assert data.id.read_direct_chunk((0, 0), out=out)[0] == 0 and bytes(out) == bytes(stored)
    found = []
    data.id.chunk_iter(lambda chunk: found.append(chunk.chunk_offset))
    assert sorted(found) == [(0, 0), (2, 0)]
    with pytest.raises(ValueError):
        data.id.read_direct_chunk((0, 0), out=bytearray(1))


def test_files(lib, low, path):
    h5f, h5p = low("h5f"), low("h5p")
    fcpl, fapl = h5p.create(h5p.FILE_CREATE), h5p.create(h5p.FILE_ACCESS)
    fcpl.set_userblock(512)
    fcpl.set_link_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)
    fapl.set_libver_bounds(h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)
    fid = h5f.create(str(path).encode(), h5f.ACC_TRUNC, fcpl, fapl)
    f = lib.File(fid)
    f["b"] = f["a"] = 1
    assert list(f) == ["a", "b"][::-1] and f.userblock_size == 512
    assert f.id.name == str(path).encode() and f.id.get_intent() == h5f.ACC_RDWR
    assert fid.get_create_plist().get_userblock() == 512
    assert fid.get_access_plist().get_libver_bounds()[0] == h5f.LIBVER_LATEST
    h5f.flush(fid)
    f.close()
    assert not fid.valid and h5f.is_hdf5(str(path).encode())
    with lib.File(h5f.open(str(path).encode(), h5f.ACC_RDONLY)) as f:
        assert f.mode == "r"


def test_filters(low):
    h5z = low("h5z")
    assert h5z.filter_avail(h5z.FILTER_DEFLATE) and not h5z.filter_avail(400)
    both = h5z.FILTER_CONFIG_ENCODE_ENABLED | h5z.FILTER_CONFIG_DECODE_ENABLED
    assert h5z.get_filter_info(h5z.FILTER_SHUFFLE) == both


def test_filters_of_a_property_list(lib, file):
    filters = lib.filters
    assert filters.h5z is lib.h5z and filters.DEFAULT_GZIP == 4
    for options in (
        {"compression": "gzip", "shuffle": True, "fletcher32": True},
        {"compression": "lzf"},
        {"compression": "szip", "compression_opts": ("ec", 16)},
        {"compression": 32008, "compression_opts": (0, 0)},
        {},
    ):
        if lib.__name__ == "h5py" and options.get("compression") == 32008:
            pytest.importorskip("hdf5plugin")
        data = file.create_dataset(None, (64, 64), "i4", chunks=(32, 32), **options)
        found = filters.get_filters(data.id.get_create_plist())
        assert set(found) == (
            {str(options["compression"])} if "compression" in options else set()
        ) | {name for name in ("shuffle", "fletcher32") if name in options}
        if options.get("compression") == "gzip":
            assert found["gzip"] == 4
        if options.get("compression") == "szip":
            assert found["szip"] == ("ec", 16)
    assert filters.get_filter_name(3) == "fletcher32" and filters.get_filter_name(400) == "400"
    with pytest.raises(AttributeError):
        filters.no_such_name  # noqa: B018


def test_what_is_missing_says_what_to_use():
    for module, name, instead in (
        (onecast.h5f, "mount", "an external link"),
        (onecast.h5d, "no_such_call", "high-level"),
        (onecast.h5z, "unregister", "high-level"),
    ):
        with pytest.raises(onecast.UnsupportedError, match=f"{name} is not supported: .*{instead}"):
            getattr(module, name)
        assert not hasattr(module, name)


def test_texts_of_the_stored_type_need_no_end(lib, path):
    with lib.File(path, "w") as f:
        kind = lib.h5t.C_S1.copy()
        kind.set_size(4)
        made = lib.h5a.create(f.id, b"title", kind, lib.h5s.create(lib.h5s.SCALAR))
        made.write(np.array(b"text"), mtype=made.get_type())
        assert f.attrs["title"] in (b"text", "text")
    with h5py.File(path) as f:
        assert f.attrs["title"] == b"text"


def test_texts_that_fill_a_null_terminated_type_are_not_cut(path):
    with onecast.File(path, "w") as f:
        kind = onecast.h5t.C_S1.copy()
        kind.set_size(4)
        onecast.h5d.create(f.id, b"x", kind, onecast.h5s.create_simple((2,)))
        f["x"][:] = np.array([b"full", b"ab"], "S4")
    with h5py.File(path) as f:
        assert f["x"][:].tolist() == [b"full", b"ab"]


def test_a_closed_identifier_closes_the_object(file):
    file["x"] = [1, 2]
    file.create_group("g")
    for name in ("x", "g"):
        held, other = file[name], file[name]
        held.id._close()
        assert not held and not held.id.valid and repr(held).startswith("<Closed HDF5 ")
        with pytest.raises((ValueError, RuntimeError)):
            len(held)
        assert other and other == file[name] and len(other) == len(file[name])


def test_blocks_are_those_that_were_selected(low):
    h5s = low("h5s")
    space = h5s.create_simple((3, 8))
    for *selection, blocks in (
        ((1, 0), (2, 4), 8),
        ((1, 0), (1, 2), (1, 4), (2, 3), 2),
        ((0, 0), (1, 1), (1, 1), (3, 8), 1),
    ):
        space.select_hyperslab(*selection)
        found = space.get_select_hyper_blocklist()
        assert len(found) == space.get_select_hyper_nblocks() == blocks
    space.select_hyperslab((1, 0), (2, 2), (1, 4), (1, 2))
    assert space.get_select_hyper_blocklist().tolist() == [
        [[1, 0], [1, 1]],
        [[1, 4], [1, 5]],
        [[2, 0], [2, 1]],
        [[2, 4], [2, 5]],
    ]
    space.select_hyperslab((1, 2), (2, 2), op=h5s.SELECT_OR)
    assert space.get_select_hyper_blocklist().tolist() == [[[1, 0], [2, 5]]]
