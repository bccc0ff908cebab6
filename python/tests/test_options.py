"""The keywords of File that are options"""

import inspect

import numpy as np
import pytest

import onecast

RANKS = [1, 2, 3, 4, 7]


@pytest.mark.parametrize("function", [onecast.File, onecast.adopt, onecast.repack])
def test_keywords_are_shown_with_their_defaults(function):
    shown = inspect.signature(function).parameters
    for name, option in onecast.FILE_OPTIONS.items():
        if function is onecast.repack and name == "follow_external":
            continue  # an option of the source
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[name].default == option.default
    assert "options" not in shown
    assert set(onecast.FileOptions.__annotations__) == set(onecast.FILE_OPTIONS)


def test_help_tells_what_each_is_for():
    text = inspect.getdoc(onecast.File.__init__)
    for name in onecast.FILE_OPTIONS:
        assert f"{name}: " in text, name
    assert text.index("durable: ") < text.index("Leave alone") < text.index("compact_total: ")


def test_each_default_can_be_given(path):
    given = {name: option.default for name, option in onecast.FILE_OPTIONS.items()}
    onecast.File(path, "w", **given).close()
    assert onecast.File(path, **given).mode == "r"


def test_each_choice_can_be_given(path):
    onecast.File(path, "w").close()
    for name, option in onecast.FILE_OPTIONS.items():
        for value in option.values:
            onecast.File(path, **{name: value}).close()
        if option.values:
            with pytest.raises(ValueError, match=rf"{name}: one of {', '.join(option.values)} "):
                onecast.File(path, **{name: "else"})


@pytest.mark.parametrize(
    ("name", "value", "kind", "expected"),
    [
        ("page_size", 1000, ValueError, "0 or a power of two from 4 KiB to 1 GiB .* not 1000"),
        ("page_size", -1, ValueError, "0 or a power of two .* not -1"),
        ("page_size", "many", TypeError, "0 or a power of two .* not 'many'"),
        ("compact_limit", 64001, ValueError, "at most 64,000 bytes was expected, not 64001"),
        ("collective_buffer", 100, ValueError, "0 or at least 64 KiB was expected, not 100"),
        ("stripe_size", 1 << 50, ValueError, "at most 1 TiB"),
        ("stripe_count", 1 << 32, ValueError, "stripe_count"),
        ("metadata_budget", 1 << 64, ValueError, "a number of bytes"),
        ("metadata_budget", None, TypeError, "a number of bytes was expected, not None"),
        ("decode_threads", 1.5, TypeError, "not 1.5"),
        ("durable", "yes", TypeError, "true or false was expected, not 'yes'"),
        ("locking", 1, ValueError, "on, off, best_effort"),
        ("profile", ["latest"], ValueError, "compatible, latest"),
        ("pagesize", 4096, TypeError, "unknown option 'pagesize'; did you mean 'page_size'?"),
        ("colour", "red", TypeError, "unknown option 'colour'$"),
    ],
)
def test_wrong_ones_are_named(path, name, value, kind, expected):
    with pytest.raises(kind, match=expected.replace("?", r"\?")):
        onecast.File(path, "w", **{name: value})
    assert not path.exists()


def test_numbers_of_numpy(path):
    with onecast.File(path, "w", page_size=np.int64(8192), durable=np.bool_(True)) as f:
        f.flush()
        assert f.metadata_report().page_size == 8192
        assert f.io_stats().syncs > 0


# Each rank in turn gives what no rank may give, and the others what is right.
ONE_IS_WRONG = """
import os
for odd in range(size):
    for wrong in ({"colour": "red"}, {"page_size": "many"}, {"durable": 3}, {"page_size": -1},
                  {"method": "fast"}, {"driver": "split"}, {"mode": "z"}, {"libver": 3}):
        given = {"mode": "w"} | (wrong if rank == odd else {})
        try:
            onecast.File("file.h5", comm=comm, **given)
        except Exception as error:
            name = next(iter(wrong))
            words = (name, "different collective calls") if name == "mode" else (name,)
            assert any(word in str(error) for word in words), (given, error)
            expected = (TypeError, ValueError, onecast.UnsupportedError)
            assert isinstance(error, expected if rank == odd else onecast.DivergedError), error
        else:
            raise AssertionError(given)
        assert not os.path.exists("file.h5")
with onecast.File("file.h5", "w", driver="mpio", comm=comm, info=MPI.Info.Create()) as f:
    f["x"] = 1
with onecast.File("file.h5", "r", "mpio", comm=comm) as f:
    assert f["x"][()] == 1
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_what_is_wrong_on_one_rank_all_are_told(mpirun, ranks):
    mpirun(ranks, ONE_IS_WRONG)


def test_driver_as_in_h5py(path):
    onecast.File(path, "w", driver="sec2").close()
    onecast.File(path, "r", None).close()
    for wrong in ({"driver": "mpio"}, {"driver": "mpio", "comm": None}, {"info": {}}):
        with pytest.raises(TypeError, match=r"comm|info"):
            onecast.File(path, **wrong)
    for other in ("split", "ros3", "family"):
        with pytest.raises(onecast.UnsupportedError, match=other):
            onecast.File(path, driver=other)
