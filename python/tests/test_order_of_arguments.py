"""Arguments that are given by position have the order of h5py"""

import inspect

import h5py
import pytest

import onecast

KINDS = ("File", "Group", "Dataset", "VirtualLayout", "VirtualSource", "AttributeManager")
CALLS = [
    (kind, name)
    for kind in KINDS
    for name, call in inspect.getmembers(getattr(h5py, kind), inspect.isfunction)
    if not name.startswith("_") and hasattr(getattr(onecast, kind), name)
] + [("VirtualLayout", "__init__"), ("VirtualSource", "__init__")]


def by_position(call):
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in inspect.signature(call).parameters.values() if p.kind in kinds]


@pytest.mark.parametrize(("kind", "name"), CALLS)
def test_calls(kind, name):
    expected = by_position(getattr(getattr(h5py, kind), name))
    found = by_position(getattr(getattr(onecast, kind), name))
    both = min(len(found), len(expected))
    assert found[:both] == expected[:both]


def test_file(lib, path):
    with lib.File(path, "w", None, "latest", 512, False, 521, 1 << 20, 0.5, True) as f:
        assert f.libver[0] == f.libver[1]
        assert f.userblock_size == 512
        f["b"], f["a"] = 1, 2
        assert list(f) == ["b", "a"]
    with lib.File(path, "r", None, None, None, True) as f:
        assert f.swmr_mode


def test_all_of_file(lib, path):
    defaults = [
        parameter.default
        for parameter in inspect.signature(h5py.File).parameters.values()
        if parameter.kind == inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    with lib.File(path, "w", *defaults[2:]) as f:
        assert f.userblock_size == 0
    with pytest.raises(TypeError):
        lib.File(path, "w", *defaults[2:], None)
    with pytest.raises(TypeError, match="multiple values"):
        lib.File(path, "w", None, None, 512, userblock_size=512)


def test_file_name_of_a_virtual_layout(lib, path, monkeypatch):
    monkeypatch.chdir(path.parent)
    with lib.File("here.h5", "w") as f:
        f["x"] = [1, 2]
        for filename in ("here.h5", b"here.h5"):
            layout = lib.VirtualLayout((2,), "i8", filename=filename)
            layout[:] = lib.VirtualSource("here.h5", "x", (2,))
            v = f.create_virtual_dataset(f"to {filename}", layout)
            assert v[...].tolist() == [1, 2]
            assert v.virtual_sources()[0].file_name == "."
        with pytest.raises(Exception, match="there"):
            f.create_virtual_dataset("v", lib.VirtualLayout((2,), "i8", None, "there.h5"))
        assert "v" not in f
