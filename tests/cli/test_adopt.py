"""onecast adopt, and other changes of files that another program wrote"""

import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast as oc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "interop"))
from compare import examine

FOLDERS = ("h5dump", "jhdf", "cgns")
MARK = "added by onecast"
IN_USE = "another program has open for writing, or had when it ended"
# Files of the corpus that Onecast reads, but does not change -> the reason in the message.
REFUSED = {
    "test_byteshuffle_compressed_datasets_latest.hdf5": IN_USE,
}


@pytest.fixture
def stock(path):
    with h5py.File(path, "w") as f:
        f["x"] = np.arange(10)
        f.create_group("g").attrs["a"] = 1
    return path


def test_added_then_nothing_to_do_then_renewed(onecast, stock):
    result = onecast("adopt", stock)
    assert (result.code, result.err) == (0, "")
    assert "page list added: " in result.out
    assert " pages of 4096 bytes" in result.out
    before = stock.read_bytes()
    result = onecast("adopt", stock)
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{stock}: nothing to do: the page list is valid\n"
    assert stock.read_bytes() == before
    with h5py.File(stock, "r+") as f:
        assert f["x"][3] == 3
        f["y"] = 1
    assert "page list renewed: " in onecast("adopt", stock).out
    assert onecast("check", "--data", stock).code == 0
    with oc.File(stock) as f:
        report = f.metadata_report()
        assert (report.page_list_stale, report.extents > 0) == (False, True)
        assert f["y"][()] == 1


def test_page_size(onecast, stock):
    assert " pages of 65536 bytes" in onecast("adopt", "--page-size", 65536, stock).out
    assert "page_size" in onecast("adopt", "--page-size", 5, stock).err


def test_refusals(onecast, tmp_path):
    text = tmp_path / "text"
    text.write_text("text")
    result = onecast("adopt", tmp_path / "missing", text)
    assert result.code == 1
    assert "missing: open: No such file" in result.err
    assert "text: not an HDF5 file" in result.err


def in_corpus(corpus):
    for path in sorted(p for folder in FOLDERS for p in (corpus / folder).iterdir()):
        if not path.is_file():
            continue
        try:
            oc.File(path).close()
        except (OSError, oc.UnsupportedError):
            continue
        yield path


def copied(path, tmp_path):
    copy = tmp_path / "copy.h5"
    shutil.copyfile(path, copy)
    return copy


def test_corpus_adopted(onecast, corpus, tmp_path):
    """Every file stays equal and as sound as before, and opens without a walk."""
    refused, wrong = {}, {}
    for path in in_corpus(corpus):
        copy = copied(path, tmp_path)
        result = onecast("adopt", copy)
        if result.code != 0:
            refused[path.name] = result.err
            continue
        difference = onecast("diff", path, copy)
        if difference.code == 1 or difference.out:
            wrong[path.name] = difference.out
        elif oc.check(copy)["damaged"] != oc.check(path)["damaged"]:
            wrong[path.name] = oc.check(copy)["findings"]
        with oc.File(copy, load_policy="eager") as f:
            report = f.metadata_report()
            if not report.complete or report.page_list_stale or report.extents == 0:
                wrong[path.name] = report
    assert wrong == {}
    assert refused.keys() == REFUSED.keys()
    for name, reason in REFUSED.items():
        assert reason in refused[name]


def objects(f):
    """Yields all objects to which hard links lead, each once."""
    found = {f: None}

    def visit(group):
        for name in group:
            if not isinstance(group.get(name, getlink=True), oc.HardLink):
                continue
            try:
                thing = group[name]
            except (OSError, oc.UnsupportedError):
                continue
            if thing not in found:
                found[thing] = None
                if isinstance(thing, oc.Group):
                    visit(thing)

    visit(f)
    return list(found)


def change(path):
    with oc.File(path, "r+") as f:
        moved = [name for name in list(f)[:3] if len(name) < 1000]
        for name in moved:
            f.move(name, f"{name} moved")
        for thing in objects(f)[:200]:
            thing.attrs[MARK] = "text"
            if isinstance(thing, oc.Group):
                thing.create_group(MARK)
        f[f"{MARK}/texts"] = ["a", "bb"]
        f[f"{MARK}/large"] = np.arange(3000.0)
        f.copy(f[MARK], f"{MARK} twice")
    return moved


def change_back(path, moved):
    with oc.File(path, "r+") as f:
        del f[f"{MARK} twice"]
        for thing in objects(f):
            if MARK in thing.attrs:
                del thing.attrs[MARK]
            if isinstance(thing, oc.Group) and MARK in thing:
                del thing[MARK]
        for name in moved:
            f.move(f"{name} moved", name)


def test_corpus_changed_and_changed_back(onecast, corpus, tmp_path):
    """Objects of every kind are changed, and changed back."""
    refused, wrong = {}, {}
    for path in in_corpus(corpus):
        copy = copied(path, tmp_path)
        try:
            moved = change(copy)
        except (OSError, ValueError, NotImplementedError) as error:
            refused[path.name] = str(error)
            continue
        changed = [d for d in examine(copy).differences if "moved" not in d]
        if changed and changed != examine(path).differences:
            wrong[path.name] = changed[:3]
        change_back(copy, moved)
        difference = onecast("diff", path, copy)
        # Links that were moved away and back are the last ones that were created.
        different = [
            line
            for line in difference.out.splitlines()
            if not (moved and line.startswith("/: order of links: "))
        ]
        if different or (difference.code == 1 and not difference.out):
            wrong[path.name] = different
        elif oc.check(copy, data=True)["damaged"] != oc.check(path, data=True)["damaged"]:
            wrong[path.name] = "damaged"
    assert wrong == {}
    assert refused.keys() == REFUSED.keys()
    for name, reason in REFUSED.items():
        assert reason in refused[name]


@pytest.mark.skipif(shutil.which("/usr/bin/h5dump") is None, reason="no h5dump")
def test_older_stock_reads_what_was_changed(corpus, tmp_path):
    for name in ("tall.h5", "tattrreg.h5", "tordergr.h5", "tsplit_file", "charsets.h5", "tnbit.h5"):
        path = corpus / "h5dump" / name
        if not path.exists():
            continue
        copy = copied(path, tmp_path)
        change(copy)
        done = subprocess.run(["/usr/bin/h5dump", copy], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
