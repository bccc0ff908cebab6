"""onecast events"""

import h5py
import numpy as np
import pytest
from on_ranks import output_of_ranks, require_ranks, run_on_ranks

from onecast import events

ak = pytest.importorskip("awkward")


@pytest.fixture
def whole():
    return ak.Array(
        {
            "run": np.array([1, 1, 2], "u4"),
            "lumi": np.array([5, 6, 5], "u4"),
            "event": np.array([30, 20, 10], "u8"),
            "pt": [[1.5, float("inf")], [], [float("nan")]],
            "name": ["a", "b\n", "c"],
        }
    )


@pytest.fixture
def file(path, whole):
    events.write(path, whole, classes={"pt": "float[]"}, titles={"pt": "momentum\x1b"})
    return path


def test_ls(onecast, file):
    done = onecast("events", "ls", file)
    assert done.code == 0
    assert done.lines[0] == f"{file}: columnar, 3 events"
    assert done.lines[1] == "run  uint32"
    assert done.lines[4:] == ["pt  float[]  momentum\\x1b", "name  string"]


def test_dump(onecast, file):
    done = onecast("events", "dump", file)
    assert done.code == 0 and len(done.lines) == 3
    done = onecast("events", "dump", "-e", -1, "-e", 0, "--find", 1, 6, 20, "-c", "pt", file)
    assert done.lines == ['{"pt": ["NaN"]}', '{"pt": [1.5, "Infinity"]}', '{"pt": []}']
    for one in (("--entry", 0), ("--event", "1:5:30"), ("-e", "1:5:30")):
        assert onecast("events", "dump", *one, "-c", "pt", file).lines == done.lines[1:2]
    for wrong in (("-e", "1:5"), ("--event", 1), ("-e", "x")):
        done = onecast("events", "dump", *wrong, file)
        assert done.code == 2 and f"{wrong[1]}: RUN:LUMI:EVENT was expected" in done.err
    for wrong, text in (
        (("-e", 3), "event 3 of 3"),
        (("-c", "x"), "no column 'x'"),
        (("--find", 1, 1, 1), "no event 1, 1, 1"),
    ):
        done = onecast("events", "dump", *wrong, file)
        assert done.code == 1 and text in done.err and done.err.count("\n") == 1


def test_cat(onecast, file, tmp_path, whole):
    other, out = tmp_path / "other.h5", tmp_path / "out.h5"
    events.write(other, whole[:1])
    done = onecast("events", "cat", "--compression", "gzip", out, file, other)
    assert (done.code, done.out, done.err) == (0, f"{out}: columnar, 4 events\n", "")
    with events.open(out) as opened:
        assert opened["name"].to_list() == [*whole["name"].to_list(), "a"]
        assert opened.titles == {"pt": "momentum\x1b"}
    events.write(other, {"x": [1]})
    before = out.read_bytes()
    way_out = f" as in {file}; name the columns to take, which all files have"
    for wrong, text in (
        ((out, file, other), f"{other}: there is no column 'event'{way_out}"),
        ((out, file, tmp_path / "no.h5"), f"{tmp_path / 'no.h5'}: No such file or directory"),
    ):
        done = onecast("events", "cat", *wrong)
        assert done.code == 1 and done.err == f"onecast: {text}\n"
    assert out.read_bytes() == before


def test_cat_of_an_interrupted_file(onecast, file, tmp_path):
    with h5py.File(file, "r+") as opened:
        opened["Events"].attrs["unfinished"] = 1
    done = onecast("events", "cat", tmp_path / "out.h5", file, file)
    assert done.code == 0 and done.err.count(f"{file}: its writer was interrupted\n") == 2


def test_convert(onecast, file, tmp_path, whole):
    out = tmp_path / "out.h5"
    done = onecast("events", "convert", "--compression", "gzip:1", "--stop", 2, file, out)
    assert (done.code, done.out, done.err) == (0, f"{out}: columnar, 2 events\n", "")
    with events.open(out) as opened:
        assert opened.to_awkward().to_list() == whole[:2].to_list()
        assert opened.products["pt"] == "float[]"
    done = onecast("events", "convert", "--pad", 2, file, out)
    assert done.code == 0
    assert done.err == f"onecast: {file}: column name is left out: it has no lists of numbers\n"
    with h5py.File(out) as opened:
        assert opened["Events/pt-data"].shape == (3, 2)


@pytest.mark.parametrize(
    "wrong,text",
    [
        (("-c", "x"), "there is no column 'x'"),
        (("--pad", 2, "-c", "name"), "column name"),
    ],
)
def test_convert_what_cannot_be(onecast, file, tmp_path, wrong, text):
    out = tmp_path / "out.h5"
    done = onecast("events", "convert", *wrong, file, out)
    assert done.code == 1 and text in done.err and done.err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    "wrong,text",
    [
        (("--compression", "zstd:99"), "compression 'zstd:99': a level from"),
        (("--compression", "zstdd"), "compression 'zstdd': one of none, zstd"),
        (("--identity", "a,b"), "identity: the names of three columns"),
        (("--identity", "a,b,b"), "identity: three columns were expected"),
    ],
)
def test_options_are_wrong_and_no_file(onecast, file, tmp_path, wrong, text):
    done = onecast("events", "convert", *wrong, file, tmp_path / "out.h5")
    assert done.code == 2 and f"Error: {text}" in done.err and file.name not in done.err
    assert [p.name for p in tmp_path.iterdir()] == [file.name]


def test_what_is_wrong_in_a_file_is_no_wrong_usage(onecast, tmp_path, monkeypatch):
    """Whatever the name of the file."""
    monkeypatch.chdir(tmp_path)
    for name in ("target: a.h5", "compression 'a.h5", "identity: three columns.h5"):
        events.write(name, {"x": np.arange(3)})
        done = onecast("events", "index", name)
        assert done.code == 1 and "no columns are run, lumi, event" in done.err, name


def test_a_source_is_not_replaced(onecast, file, tmp_path):
    before = file.read_bytes()
    text = f"Error: {file}: a file cannot take the place of its own source"
    for command in (("convert", file, file), ("cat", file, file), ("cat", file, file, file)):
        done = onecast("events", *command)
        assert done.code == 2 and text in done.err
    done = onecast("events", "convert", file, "")
    assert done.code == 2 and "Error: target: a file was expected, not ''" in done.err
    assert file.read_bytes() == before


def test_convert_to_a_layout_that_is_not_there(onecast, file, tmp_path):
    assert onecast("events", "convert", "--layout", "no", file, tmp_path / "out.h5").code == 2


@pytest.mark.parametrize("name", ["out.pds", "out.PDS", "out.root"])
def test_columns_have_no_names_of_other_kinds(onecast, file, tmp_path, name):
    done = onecast("events", "convert", "--layout", "columnar", file, tmp_path / name)
    assert done.code == 1 and f"{tmp_path / name}: columns are HDF5" in done.err
    assert not (tmp_path / name).exists()


@pytest.mark.leaves_damage
def test_check_and_index(onecast, file):
    done = onecast("events", "check", "--data", file)
    assert (done.code, done.out) == (0, f"{file}: sound\n")
    with h5py.File(file, "r+") as opened:
        opened["Events/pt-offsets"][1] = 7
        del opened["Events/identity"]
    done = onecast("events", "check", file)
    assert done.code == 1
    assert done.lines == [
        f"{file}: column pt: /Events/pt-offsets: decreases behind element 1",
    ]
    assert onecast("events", "index", file).out == f"{file}: index of 3 events\n"
    done = onecast("events", "index", "--identity", "run,lumi,pt", file)
    assert done.code == 1 and "'pt'" in done.err
    done = onecast("events", "check", file, f"{file}.no")
    assert done.code == 2 and "No such file" in done.err


def test_check_looks_at_each_file(onecast, file, tmp_path):
    """Some kinds of files are the library's, others the program's."""
    pds, bad = tmp_path / "a.pds", tmp_path / "bad.pds"
    assert onecast("events", "run", "-q", "-s", "Empty:events=3", "-o", f"PDS={pds}").code == 0
    bad.write_bytes(pds.read_bytes()[:-4])
    for order in ((file, pds, bad), (bad, pds, file)):
        done = onecast("events", "check", *order)
        assert done.code == 1
        assert {f"{file}: sound", f"{pds}: 3 events, no problem"} < set(done.lines)
        assert f"{bad}: 2 events, 1 problems" in done.lines
    assert onecast("events", "check", pds, file).code == 0
    assert onecast("events", "check", pds, f"{file}.no").code == 2


def test_the_file_that_is_wrong_is_named(onecast, file, tmp_path):
    for source, target, wrong in (
        (file, tmp_path / "no" / "x.h5", tmp_path / "no" / "x.h5"),
        (tmp_path / "none.h5", tmp_path / "x.h5", tmp_path / "none.h5"),
    ):
        done = onecast("events", "convert", "--layout", "columnar", source, target)
        assert done.code != 0 and f"{wrong}: No such file" in done.err


@pytest.mark.leaves_damage
def test_a_file_that_was_cut_off(onecast, file, tmp_path):
    path = tmp_path / "cut.h5"
    path.write_bytes(file.read_bytes()[:3000])
    for command in ("check", "ls"):
        done = onecast("events", command, path)
        assert done.code != 0 and "(truncated)" in done.err
        assert "Traceback" not in done.err


def test_a_root_file(onecast, tmp_path):
    uproot = pytest.importorskip("uproot")
    root, out = tmp_path / "in.root", tmp_path / "out.h5"
    with uproot.recreate(root) as file:
        file.mktree("Events", {"x": "f4"}).extend({"x": np.arange(3, dtype="f4")})
    assert onecast("events", "ls", f"{root}:Events").lines[0] == f"{root}: root, 3 events"
    assert onecast("events", "check", "--data", root).code == 0
    assert onecast("events", "convert", f"{root}:Events", out).code == 0
    assert onecast("events", "dump", "-e", 2, out).lines == ['{"x": 2.0}']
    assert onecast("events", "ls", f"{root}:no").code == 1


def test_columns_that_are_left_out(onecast, tmp_path):
    root_files = pytest.importorskip("root_files")
    root, out = tmp_path / "in.root", tmp_path / "out.h5"
    columns = {"aa": np.arange(300), "bb": np.arange(300), "cc": np.arange(300)}
    root_files.write_tree(root, columns, batches=3)
    root_files.shorten(root, "aa")
    said = f"onecast: {root}: column aa is left out: it has 200 of the 300 entries of its tree\n"
    done = onecast("events", "ls", root)
    assert (done.code, done.lines[1:], done.err) == (
        1,
        ["bb  int64_t  bb/L", "cc  int64_t  cc/L"],
        said,
    )
    done = onecast("events", "dump", "-e", 2, root)
    assert (done.code, done.lines, done.err) == (1, ['{"bb": 2, "cc": 2}'], said)
    done = onecast("events", "dump", "-e", 2, "-c", "bb", root)
    assert (done.code, done.lines, done.err) == (0, ['{"bb": 2}'], "")
    assert onecast("events", "check", root).code == 1
    root_files.damage_basket(root, "bb", 1)
    for command in (("convert", root, out), ("cat", out, root)):
        done = onecast("events", *command)
        assert done.code == 1 and done.out == f"{out}: columnar, 300 events\n"
        first, second = done.err.splitlines(keepends=True)
        assert first == said
        assert second.startswith(f"onecast: {root}: column bb is left out: uproot cannot read it: ")
        with events.open(out) as opened:
            assert opened.columns == ["cc"] and len(opened) == 300
    done = onecast("events", "convert", "-c", "cc", root, out)
    assert (done.code, done.err) == (0, "")
    out.unlink()
    root_files.damage_basket(root, "cc", 2)
    done = onecast("events", "convert", root, out)
    assert done.code == 1 and not out.exists()
    assert done.err.endswith(f"onecast: {root}: there is no column that can be read\n")


def test_many_ranks(onecast, file, tmp_path):
    require_ranks()
    program = tmp_path / "program.py"
    program.write_text("import sys\nfrom onecast_cli.main import main\nsys.exit(main())\n")
    out = tmp_path / "out.h5"
    command = ("events", "convert", "--mpi", "--batch", 2, file, out)
    assert output_of_ranks(3, program, *command) == f"{out}: columnar, 3 events\n"
    done = onecast("diff", "--exclude", "/Events@columns", file, out)
    assert (done.code, done.out) == (0, "")
    apart = run_on_ranks(3, program, "events", "convert", file, out)
    assert apart.stderr.count("each of 3 ranks does all of this; --mpi shares it") == 1
    with h5py.File(file, "r+") as changed:
        changed["Events"].attrs["unfinished"] = 1
    said = run_on_ranks(3, program, *command).stderr
    assert said.count("its writer was interrupted") == 1


def test_a_file_whose_writer_was_interrupted(onecast, file):
    with h5py.File(file, "r+") as changed:
        changed["Events"].attrs["unfinished"] = 1
    assert onecast("events", "ls", file).lines[0].endswith("3 events; its writer was interrupted")
    done = onecast("events", "check", file)
    assert done.code == 1 and "its writer was interrupted: 3 events" in done.lines[0]
    assert onecast("events", "index", file).code == 0
    assert onecast("events", "check", file).lines == [f"{file}: sound"]


def test_an_interrupted_file_without_identities(onecast, path):
    events.write(path, {"x": [1]})
    assert "`--identity` names others" in onecast("events", "index", path).err
    done = onecast("events", "dump", "--find", 1, 1, 1, path)
    assert done.code == 1 and "lacks the columns run, luminosityBlock, event" in done.err
    assert "index --identity RUN,LUMI,EVENT" in done.err
    with h5py.File(path, "r+") as changed:
        changed["Events"].attrs["unfinished"] = 1
    done = onecast("events", "index", path)
    assert (done.code, done.out) == (0, "") and "finished, without an index" in done.err


def test_ranks_are_for_columns(onecast, file, tmp_path):
    """If files do not exist, or hold products, the option is not reported as unknown."""
    for command in (("convert", f"{file}.no", "out.h5"), ("cat", "out.h5", f"{file}.no")):
        done = onecast("events", command[0], "--mpi", *command[1:])
        assert done.code == 1 and "No such file" in done.err
    (tmp_path / "a.pds").write_bytes((3141592 * 256 + 1).to_bytes(4, "little"))
    done = onecast("events", "convert", "--mpi", tmp_path / "a.pds", tmp_path / "out.h5")
    assert done.code == 2 and "--layout columnar makes" in done.err


def test_which_file_decides(onecast, file, tmp_path):
    """The result does not depend on the place and form of options."""
    out = tmp_path / "out.h5"
    assert "columnar" in onecast("events", "convert", "--", file, out).out
    assert "columnar" in onecast("events", "convert", "-crun", file, out).out
    assert onecast("events", "ls", "--", file).lines[0].endswith("columnar, 3 events")


@pytest.mark.parametrize(
    "arguments", ["ls FILE", "dump FILE", "check FILE", "index FILE", "cat OUT FILE"]
)
def test_a_file_without_events_is_said_to_be_what_it_is(onecast, tmp_path, arguments):
    ordinary, text = tmp_path / "ordinary.h5", tmp_path / "text"
    with h5py.File(ordinary, "w") as f:
        f["x"] = [1, 2, 3]
    text.write_text("no events")
    for path, what in ((ordinary, "an HDF5 file"), (text, "neither HDF5, ROOT nor PDS")):
        words = arguments.replace("FILE", str(path)).replace("OUT", str(tmp_path / "out"))
        result = onecast("events", *words.split())
        assert result.code == (2 if "check" in words else 1)
        assert result.err.startswith(f"onecast: {path}: holds no events of a known kind")
        assert result.err.endswith(f": it is {what}\n")
