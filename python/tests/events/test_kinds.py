"""A program adds a kind of file."""

import json

import pytest

import onecast
from onecast import events
from onecast.events import _kinds

ak = pytest.importorskip("awkward")


class Lines(events.Events):
    """Events in JSON, each on one line"""

    kind = "lines"

    def __init__(self, path, name=None, comm=None):
        self.path, self.comm = path, comm
        with open(path) as file:
            self.array = ak.Array([json.loads(line) for line in file])

    def __len__(self):
        return len(self.array)

    @property
    def columns(self):
        return self.array.fields

    @property
    def products(self):
        return dict.fromkeys(self.columns, "JSON")

    @property
    def titles(self):
        return {}

    def to_awkward(self, columns=None, start=0, stop=None):
        return self.array[self.named(columns)][start:stop]

    def bytes_per_event(self, columns=None):
        return 100.0

    def close(self):
        pass


class Writer:
    def __init__(self, path, *, comm=None, **about):
        self.path, self.about, self.events = path, about, []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None:
            with open(self.path, "w") as file:
                file.writelines(json.dumps(event) + "\n" for event in self.events)

    def append(self, data):
        self.events += data.to_list()


@pytest.fixture
def lines(tmp_path, monkeypatch):
    monkeypatch.setattr(_kinds, "_kinds", dict(_kinds._kinds))
    events.register_kind(
        events.Kind(
            "lines",
            recognizes=lambda path: path.endswith(".lines"),
            open=Lines,
            check=lambda opened, data: [] if len(opened) else ["no events"],
            create=Writer,
        )
    )
    path = tmp_path / "events.lines"
    path.write_text('{"x": [1, 2], "run": 1}\n{"x": [], "run": 2}\n{"x": [3], "run": 2}\n')
    return path


def test_it_is_read_like_others(lines, tmp_path):
    assert [kind.name for kind in events.kinds()] == [
        "columnar",
        "root-blobs",
        "root",
        "products",
        "lines",
    ]
    assert events.kind_of(str(lines)).name == "lines"
    with events.open(lines) as opened:
        assert len(opened) == 3 and opened.columns == ["x", "run"]
        assert opened[-1].to_list() == {"x": [3], "run": 2}
        assert [event["run"] for event in opened] == [1, 2, 2]
        assert opened.to_numpy()["run"].tolist() == [1, 2, 2]
        assert opened.to_padded(["x"], 2)["x"].tolist() == [[1, 2], [0, 0], [3, 0]]
        with pytest.raises(TypeError, match="column x"):
            opened.to_numpy(["x"])
        with pytest.raises(ValueError, match="no index"):
            opened.find(1, 1, 1)
    assert events.check(lines) == []


def test_it_is_converted(lines, tmp_path):
    columns, back = tmp_path / "columns.h5", tmp_path / "back.lines"
    assert events.convert(lines, columns) == 3
    assert events.convert(columns, back, layout="lines", batch=2) == 3
    assert back.read_text() == lines.read_text()
    with events.open(columns) as opened:
        assert opened.products == {"x": "JSON", "run": "JSON"}
    lines.write_bytes(b"not JSON")
    before = columns.read_bytes()
    with pytest.raises(ValueError):
        events.convert(lines, columns)
    assert columns.read_bytes() == before
    assert onecast.check(columns, data=True)["findings"] == []
