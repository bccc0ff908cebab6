"""The tree that Jupyter shows"""

from html.parser import HTMLParser

import h5py
import numpy as np
import pytest

import onecast
from onecast._html import MOST_IN_ALL, MOST_OF_ONE


class Reader(HTMLParser):
    """Collects the texts, and fails if opening and closing tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, _attributes):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as f:
        f.attrs["title"] = "flow & <heat>"
        group = f.create_group("zone")
        data = group.create_dataset(
            "p", (4, 5), "f8", maxshape=(None, 5), chunks=(2, 5), compression="gzip"
        )
        data.attrs["unit"] = "Pa"
        data.attrs["many"] = np.arange(100)
        f["nothing"] = h5py.Empty("f4")
        f["committed"] = np.dtype("i4")
        f["soft"] = h5py.SoftLink("/missing")
        f["out"] = h5py.ExternalLink("b.h5", "/x")
        group["circle"] = f["/"]
    with onecast.File(path) as f:
        yield f


def test_a_file_shows_its_tree(file):
    seen = Reader(file._repr_html_())
    for words in ("flow & <heat>", "zone", "group, 2 members", "(4, 5) float64", "(2, 5)", "gzip"):
        assert words in seen.text
    for words in ("(None, 5)", "160", "Pa", "(100,) int64", "→ /missing", "→ b.h5: /x"):
        assert words in seen.text
    assert "script" not in seen.tags


def test_a_dataset_and_a_group(file):
    assert "gzip" in Reader(file["zone/p"]._repr_html_()).text
    assert "float64" in Reader(file["zone"]._repr_html_()).text
    assert "None" in Reader(file["nothing"]._repr_html_()).text


def test_a_closed_file(file):
    dataset = file["zone/p"]
    file.close()
    assert Reader(file._repr_html_()).text == "<Closed HDF5 file>"
    assert Reader(dataset._repr_html_()).text == "<Closed HDF5 dataset>"


def test_names_are_text_and_not_html(tmp_path):
    with onecast.File(tmp_path / "a.h5", "w") as f:
        f.create_group("<script>alert(1)<").attrs["<b>"] = "</div>"
        seen = Reader(f._repr_html_())
    assert "script" not in seen.tags
    assert "<script>alert(1)<" in seen.text


def test_the_tree_of_a_large_file_is_cut(tmp_path):
    with onecast.File(tmp_path / "a.h5", "w") as f:
        for i in range(40):
            for k in range(MOST_OF_ONE + 3):
                f.create_group(f"{i}/{k}")
        assert "… 3 more" in Reader(f["0"]._repr_html_()).text
        assert Reader(f._repr_html_()).tags.count("details") <= MOST_IN_ALL


@pytest.mark.leaves_damage
def test_a_damaged_member_does_not_hide_the_others(tmp_path):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w", libver="latest") as f:
        f["bad"] = np.arange(3)
        f["good"] = np.arange(4)
        address = h5py.h5o.get_info(f["bad"].id).addr
    with path.open("r+b") as raw:
        raw.seek(address)
        raw.write(b"XXXX")
    with onecast.File(path) as f:
        text = Reader(f._repr_html_()).text
    assert "(4,) int64" in text
    assert "Version: is 88, not 1" in text
