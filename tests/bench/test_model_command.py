"""The command `onecast model`"""

import json
import sys

import pytest

from onecast_cli.main import main
from onecast_model.methods import METHODS


@pytest.fixture
def model(capfd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main(["model", *map(str, arguments)])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


def test_prints_parameters_points_and_predictions(model):
    code, out, err = model()
    assert (code, err) == (0, "")
    for text in ("hand_over", "over 600. s", "left out", "median", "100,000", "ranks on"):
        assert text in out
    for method in METHODS.values():
        assert method.title in out


def test_json(model, tmp_path):
    path = tmp_path / "model.json"
    arguments = ("--machine", "Edison", "--ranks", "1,64", "--objects", 1000, "--json", path)
    assert model(*arguments)[0] == 0
    document = json.loads(path.read_text())
    assert document["format"] == "onecast-model 1"
    assert document["ranks"] == [1, 64]
    assert document["work"]["objects"] == 1000
    assert list(document["predictions"]) == ["Edison"]
    (opening,) = [p for p in document["predictions"]["Edison"] if p["operation"] == "open"]
    assert opening["seconds"]["open.onecast"][1] < opening["seconds"]["open.compact"][1]
    assert len(document["points"]) == document["errors"]["points"]
    parameter = document["machines"]["Edison"]["parameters"]["open"]
    assert parameter["unit"] == "s"
    assert parameter["origin"] == "fitted"


def test_fewer_servers_and_larger_sizes_take_longer(model, tmp_path):
    def seconds(*arguments: object) -> float:
        path = tmp_path / "model.json"
        assert model("--no-points", "--ranks", 4096, "--json", path, *arguments)[0] == 0
        found = json.loads(path.read_text())["predictions"]["Sky Bridge"]
        return next(
            p["seconds"]["large_write.onecast"][0] for p in found if "large" in p["operation"]
        )

    plain = seconds()
    assert seconds("--osts", 4) > plain
    assert seconds("--bytes-per-rank", 10 << 20) > plain


@pytest.mark.long
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_picture(model, tmp_path, ending):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"model.{ending}"
    code, out, _ = model("--machine", "two cores", "--machine", "Edison", "--picture", path)
    assert code == 0
    assert f"Saved {path}" in out.replace("\n", "")
    assert path.stat().st_size > 1000


def test_picture_of_an_unknown_kind(model, tmp_path):
    pytest.importorskip("matplotlib")
    code, _, err = model("--picture", tmp_path / "model.xyz")
    assert code == 1
    assert "xyz" in err


@pytest.mark.parametrize("arguments", [("--machine", "Titan"), ("--ranks", "0"), ("--osts", "0")])
def test_wrong_usage(model, arguments):
    code, _, err = model(*arguments)
    assert code == 2
    assert arguments[0] in err


def test_without_scipy(model, monkeypatch):
    for name in ("scipy", "scipy.optimize"):
        monkeypatch.setitem(sys.modules, name, None)
    assert model("--no-points")[0] == 0
    code, out, err = model("fit")
    assert (code, out) == (1, "")
    assert "scipy" in err
