"""ROOT files through uproot: every column equals uproot's."""

import json
import warnings

import numpy as np
import pytest
from event_files import BUILD, convert

import onecast
from onecast import events

ak = pytest.importorskip("awkward")
uproot = pytest.importorskip("uproot")

# Files of the corpus: file, tree, number of readable columns
REAL = [
    ("nanoAOD_2015_CMS_Open_Data_ttbar.root", "Events", 947),
    ("nano_tt_v12.root", "Events", 654),
    ("edm4hep.root", "events", 297),
    ("pduneana.root", "pduneana/beamana", 398),
]


def made(count=120):
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 4, count)
    total = int(counts.sum())
    return {
        "run": np.full(count, 3, "u4"),
        "luminosityBlock": np.arange(count, dtype="u4") // 10,
        "event": rng.permutation(count).astype("u8"),
        "Muon": ak.zip(
            {
                "pt": ak.unflatten(rng.random(total).astype("f4"), counts),
                "charge": ak.unflatten(rng.integers(-1, 2, total).astype("i4"), counts),
            }
        ),
        "flag": rng.random(count) < 0.5,
        "matrix": rng.random((count, 2, 3)),
    }


@pytest.fixture
def tree(tmp_path):
    path = tmp_path / "tree.root"
    with uproot.recreate(path) as file:
        data = made()
        file.mktree("Events", {name: ak.type(data[name]).content for name in data}).extend(data)
    return path


@pytest.fixture
def ntuple(tmp_path):
    whole = ak.Array(
        [
            {"x": [1.0, 2.0], "s": "hi", "n": [[1], [2, 3]], "r": {"a": 1, "b": [1, 2]}, "run": 1},
            {"x": [], "s": "", "n": [], "r": {"a": 2, "b": []}, "run": 2},
        ]
    )
    path = tmp_path / "ntuple.root"
    with uproot.recreate(path) as file:
        file.mkrntuple("Events", whole)
    return path, whole


def equal_to_uproot(root, name, path, plainly):
    """Compares every branch through onecast.events and with h5py and awkward alone."""
    group = name.rpartition("/")[2]
    with events.open(f"{root}:{name}") as source, events.open(path) as found:
        assert found.columns == source.columns and len(found) == len(source)
        assert found.products == source.products and found.titles == source.titles
        whole, plain = found.to_awkward(), plainly(path, name=group)
        tree = uproot.open(root)[name]
        for column, branch in source.branches.items():
            wanted = tree[branch.name].array() if branch.name in tree else branch.array()
            for array in (whole[column], plain[column]):
                assert ak.array_equal(array, wanted, equal_nan=True, check_parameters=True), column
                assert array.type == wanted.type
        return len(found.columns)


def test_a_tree(tree, path, plainly):
    assert events.convert(f"{tree}:Events", path, compression="lz4", batch=50) == 120
    assert equal_to_uproot(tree, "Events", path, plainly) == 8
    with events.open(path) as opened:
        offsets = [name for name in opened.group if name.endswith("-offsets")]
        assert offsets == ["Muon-offsets"]
        number = int(np.flatnonzero(made()["event"] == 17)[0])
        assert opened.find(3, number // 10, 17) == number
    assert events.check(path, data=True) == []
    assert onecast.check(path, data=True)["findings"] == []


def test_an_ntuple(ntuple, path, plainly):
    root, whole = ntuple
    assert events.convert(root, path) == 2
    assert plainly(path).to_list() == whole.to_list()
    with events.open(root) as opened:
        assert opened.kind == "root" and opened.products["s"] == "std::string"
        assert opened.to_awkward().to_list() == whole.to_list()
        assert opened[1].to_list() == whole[1].to_list()


def test_a_part(tree, path):
    assert events.convert(tree, path, columns=["Muon_pt", "run"], start=10, stop=-10) == 100
    with events.open(tree) as source, events.open(path) as found:
        assert found.columns == ["Muon_pt", "run"]
        wanted = source.to_awkward(["Muon_pt", "run"], 10, 110)
        assert found.to_awkward().to_list() == wanted.to_list()
        assert [len(batch) for batch in source.batches(50, ["run"])] == [50, 50, 20]
        assert source.to_padded(["Muon_pt"], 3)["Muon_pt"].shape == (120, 3)
        with pytest.raises(KeyError, match="there is no event 1, 1, 1"):
            source.find(1, 1, 1)


def test_what_is_not_there(tree, path):
    path.write_bytes(b"what was there")
    for wrong, kind, text in (
        (f"{tree}:Runs", KeyError, "Runs.*Events"),
        (f"{tree}.no", FileNotFoundError, "no"),
    ):
        with pytest.raises(kind, match=text):
            events.convert(wrong, path)
    with pytest.raises(KeyError, match="'Muon_no'"):
        events.convert(tree, path, columns=["Muon_no"])
    with pytest.raises(ValueError, match="layout 'no': one of columnar"):
        events.convert(tree, path, layout="no")
    with pytest.raises(ValueError, match="has no index"):
        events.index(tree)
    assert path.read_bytes() == b"what was there"


def test_a_cycle_of_a_tree(tree, path):
    """The name is in the form in which uproot lists trees."""
    with uproot.open(tree) as file:
        name = file.keys()[0]
    assert name.endswith(";1")
    events.convert(f"{tree}:{name}", path)
    with events.open(path) as opened, events.open(tree) as whole:
        assert opened.group.name == f"/{name[:-2]}" and len(opened) == len(whole)
    with pytest.raises((KeyError, LookupError), match=f"{tree}"):
        events.open(f"{tree}:{name[:-1]}7")


def test_a_file_does_not_become_itself(tree):
    before = tree.read_bytes()
    link = tree.with_name("link.h5")
    link.symlink_to(tree)
    with pytest.raises(ValueError, match="its own source"):
        events.convert(tree, link)
    assert tree.read_bytes() == before


def test_several_trees(tmp_path, path):
    root = tmp_path / "trees.root"
    with uproot.recreate(root) as file:
        for name, count in (("a", 3), ("b", 4)):
            file.mktree(name, {"x": "i8"}).extend({"x": np.arange(count)})
    with pytest.raises(ValueError, match=r"one tree was expected, not 2; .*\(a, b\)"):
        events.open(root)
    assert events.convert(f"{root}:b", path) == 4
    with events.open(path) as opened:
        assert opened.group.name == "/b"


@pytest.mark.parametrize("file,name,columns", REAL)
def test_real_files(corpus, path, plainly, file, name, columns):
    root = corpus / "hep" / file
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        events.convert(f"{root}:{name}", path)
    assert equal_to_uproot(root, name, path, plainly) == columns
    assert events.check(path, data=True) == []


def test_a_real_file_has_few_offsets(corpus, path):
    """344 of its 947 columns are lists, with 21 different offsets."""
    events.convert(corpus / "hep" / REAL[0][0], path)
    with events.open(path) as opened:
        form = json.loads(opened.group.attrs["form"])
        lists = [content for content in form["contents"] if content["class"] == "ListOffsetArray"]
        assert len(lists) == 344
        assert len({content["form_key"] for content in lists}) == 21
        assert sum(name.endswith("-offsets") for name in opened.group) == 21
        before = opened.file.io_stats().reads
        opened.to_awkward(["Muon_pt", "Muon_eta", "MET_pt"], lazy=False)
        assert opened.file.io_stats().reads - before <= 4


def test_what_uproot_cannot_read_is_named(corpus, path):
    root = f"{corpus / 'hep' / 'edm4hep.root'}:podio_metadata"
    column = "events___CollectionTypeInfo._1"
    with pytest.warns(events.UnreadColumnWarning, match=f"column {column} is left out: uproot"):
        events.convert(root, path)
    with events.open(path) as opened:
        assert column not in opened.columns and "m_names" in opened.columns
    with pytest.raises(KeyError, match=f"column {column}: uproot"):
        events.convert(root, path, columns=[column])
    assert column in events.check(root)[0]


def test_leaves_of_one_name_in_two_branches(corpus):
    root = corpus / "hep" / "edm4hep.root"
    names = [
        f"{of}/{n}" for of in ("PodioBuildVersion", "edm4hep___Version") for n in ("major", "minor")
    ]
    with uproot.open(root) as file, events.open(f"{root}:podio_metadata") as opened:
        read = opened.to_awkward([*names, "m_names"] if "m_names" in opened.columns else names)
        for name in names:
            assert read[name].tolist() == file["podio_metadata"][name].array().tolist()
        assert read["edm4hep___Version/minor"].tolist() == [99]


@pytest.mark.parametrize("file,name,columns", REAL)
def test_branches_are_read_together(corpus, file, name, columns, monkeypatch):
    """This includes nested ones: one by one, or by names, reading takes ten times as long."""
    with events.open(f"{corpus / 'hep' / file}:{name}") as opened:
        alone = []
        read = events.RootEvents._read
        monkeypatch.setattr(
            events.RootEvents, "_read", lambda *of: (alone.append(of[1]), read(*of))[1]
        )
        found = opened.to_awkward(None, 1, 3)
        assert [name for name in alone if not name.startswith("EventID_")] == []
        for column, branch in opened.branches.items():
            wanted = branch.array(entry_start=1, entry_stop=3)
            assert ak.array_equal(found[column], wanted, equal_nan=True), column


def test_branches_of_one_path(tmp_path):
    """A slash in a name does not divide a path."""
    root = tmp_path / "slash.root"
    columns = {"a/b": np.arange(3), "b": np.arange(3, 6), "a": np.arange(6, 9)}
    with uproot.recreate(root) as file:
        file.mktree("Events", dict.fromkeys(columns, "i8")).extend(columns)
    with events.open(root) as opened:
        read = opened.to_awkward()
        assert {name: read[name].to_list() for name in read.fields} == {
            name: values.tolist() for name, values in columns.items()
        }


def test_a_field_with_a_dot_in_its_name(tmp_path, path):
    root = tmp_path / "dot.root"
    with uproot.recreate(root) as file:
        file.mkrntuple("Events", {"with.dot": np.arange(3), "a": np.ones(3)})
    assert events.convert(root, path) == 3
    with events.open(path) as found:
        assert found.to_numpy()["with.dot"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("kind", ["tree", "ntuple"])
def test_a_column_that_cannot_be_read(tree, ntuple, path, monkeypatch, kind):
    root, column = (tree, "flag") if kind == "tree" else (ntuple[0], "s")
    with events.open(root) as source:
        unreadable, columns = type(source.branches[column]), source.columns
    read = unreadable.array

    def array(self, *arguments, **options):
        if self.name == column:
            raise NotImplementedError("no such thing")
        return read(self, *arguments, **options)

    def together(self, *_, **options):
        raise NotImplementedError("no such thing")

    monkeypatch.setattr(unreadable, "array", array)
    monkeypatch.setattr(uproot.TTree, "arrays", together)
    with pytest.warns(events.UnreadColumnWarning, match=rf"column {column} .*no such thing"):
        events.convert(root, path)
    with events.open(path) as found:
        assert found.columns == [name for name in columns if name != column]
    with pytest.raises(ValueError, match=rf"column {column}: .*no such thing"):
        events.convert(root, path, columns=[column])


def test_event_by_event_out_of_batches(nano, monkeypatch):
    """Like those of a file of columns, they do not read all columns for each event."""
    with events.open(nano) as opened:
        times = 0
        read = events.RootEvents.to_awkward

        def counted(self, *arguments, **options):
            nonlocal times
            times += 1
            return read(self, *arguments, **options)

        monkeypatch.setattr(events.RootEvents, "to_awkward", counted)
        found = [opened[n].event for n in range(10)]
        assert times == 2
        monkeypatch.undo()
        assert found == opened["event"][:10].to_list()


def test_what_is_no_root_file(nano, tmp_path):
    fake = tmp_path / "passwd"
    fake.write_text("root:x:0:0:root:/root:/bin/bash\n" * 10)
    with pytest.raises(onecast.FormatError, match="passwd: holds no events of a known kind"):
        events.open(fake)
    cut = tmp_path / "cut.root"
    for size in (100, 20_000, nano.stat().st_size - 1):
        cut.write_bytes(nano.read_bytes()[:size])
        wanted = f"cut.root: cut off: it has {size} bytes, and {nano.stat().st_size} were written$"
        with pytest.raises(onecast.FormatError, match=wanted):
            events.open(cut)


def test_a_file_without_its_end(corpus, tmp_path, path):
    """It opens, and many of its columns can be read."""
    whole = corpus / "hep" / "nano_tt_v12.root"
    cut = tmp_path / "cut.root"
    cut.write_bytes(whole.read_bytes()[:500_000])
    wanted = "cut.root: cut off: it has 500000 bytes, and 980772 were written$"
    for call in (
        lambda: events.check(cut),
        lambda: events.convert(cut, path),
        lambda: events.convert([whole, cut], path),
        lambda: events.convert([cut, whole], path),
    ):
        with pytest.raises(onecast.FormatError, match=wanted):
            call()
    assert not path.exists()


def test_products_in_a_blob_that_uproot_cannot_read(tmp_path, path):
    library = BUILD / "libonecast_events_root.so"
    if not library.exists():
        pytest.skip("the components for ROOT are not built: make events-root")
    root = tmp_path / "a.root"
    convert("TestProducts:events=2:size=50", f"ROOTEvent={root}:pair", "--load", library)
    said = "column offsetsAndBlob is left out: .*`onecast-events convert`"
    with (
        pytest.warns(events.UnreadColumnWarning, match=said) as caught,
        events.open(root) as opened,
    ):
        assert opened.columns == ["EventID_run", "EventID_lumi", "EventID_event"]
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(events.UnreadColumnWarning, match=said) as caught:
        events.convert(root, path)
    assert len(caught) == 1
    with warnings.catch_warnings(action="error"):
        (wrong,) = events.check(root)
    assert "offsetsAndBlob" in wrong
