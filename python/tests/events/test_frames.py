"""Columns and tables of pandas"""

import numpy as np
import pytest

from onecast import events

ak = pytest.importorskip("awkward")
pd = pytest.importorskip("pandas")

COLUMNS = {
    "texts": (["a", None], None, "?string"),
    "texts with NaN": (["a", np.nan], object, "?string"),
    "strings": (["a", None], "string", "?string"),
    "categories": (["a", None], "category", "?string"),
    "whole texts": (["a", "b"], None, "string"),
    "integers": ([1, None], "Int64", "?int64"),
    "small integers": ([1, None], "UInt8", "?uint8"),
    "whole integers": ([1, 2], "Int64", "int64"),
    "plain integers": ([1, 2], "i4", "int32"),
    "bools": ([True, None], "boolean", "?bool"),
    "nullable floats": ([1.5, None], "Float32", "?float32"),
    "lists": ([[1], [2, 3]], None, "var * int64"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column(path, name):
    values, dtype, kind = COLUMNS[name]
    series = pd.Series(values, dtype=dtype, index=[7, 7])
    wanted = [None if value is np.nan else value for value in values]
    for column in (series, series.array):
        events.write(path, {"x": column})
        with events.open(path) as opened:
            assert opened["x"].to_list() == wanted
            assert str(opened["x"].type.content) == kind


def test_nan_of_floats_stays(path):
    events.write(path, {"x": pd.Series([1.5, np.nan])})
    with events.open(path) as opened:
        assert np.isnan(opened.to_numpy()["x"]).tolist() == [False, True]


def test_a_table(path):
    frame = pd.DataFrame({"x": [1, 2, 3], "s": ["a", None, "c"]}, index=[5, 6, 7])
    events.write(path, frame[frame["x"] > 1])
    with events.open(path) as opened:
        assert opened.to_awkward().to_list() == [{"x": 2, "s": None}, {"x": 3, "s": "c"}]


def test_what_is_no_column(path):
    twice = pd.concat([pd.DataFrame({"x": [1]})] * 2, axis=1)
    with pytest.raises(ValueError, match="column x: the DataFrame has several"):
        events.write(path, twice)
    with pytest.raises(TypeError, match=r"column y: .*DataFrame"):
        events.write(path, {"y": twice})
    with pytest.raises(TypeError, match="column t: elements of datetime64"):
        events.write(path, pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])}))
    table = type("Table", (), {"__module__": "pyarrow.lib"})()
    with pytest.raises(TypeError, match="from_arrow"):
        events.write(path, table)
