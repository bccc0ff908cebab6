"""Tables and columns of pandas, which are recognized without importing pandas."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def columns_of_frame(data: Any) -> dict[str, Any] | None:
    """Returns {name: column} of a DataFrame, without its index; None for anything else. Raises
    ValueError for duplicate names, TypeError for a table of arrow."""
    if type(data).__module__.partition(".")[0] == "pyarrow":
        raise TypeError(f"{type(data).__name__} of pyarrow: pass awkward.from_arrow(table)")
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(data, pandas.DataFrame):
        return None
    if not data.columns.is_unique:
        twice = data.columns[data.columns.duplicated()][0]
        raise ValueError(f"column {twice}: the DataFrame has several of that name")
    return {name: data[name] for name in data}


def without_pandas(array: Any) -> Any:
    """Masks missing values in texts, objects, categories and nullable numbers, or makes them None.
    NaN in floats stays."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return array
    if isinstance(array, pandas.Series | pandas.Index):
        array = array.array
    if isinstance(array, pandas.DataFrame):
        raise TypeError("one column was expected, not a DataFrame")
    if not isinstance(array, pandas.api.extensions.ExtensionArray):
        return array
    is_missing = np.asarray(array.isna())
    is_numpy = isinstance(array, pandas.arrays.NumpyExtensionArray)
    if isinstance(array.dtype, np.dtype) or (is_numpy and array.to_numpy().dtype != object):
        return array.to_numpy()
    nullable = None if is_numpy else getattr(array.dtype, "numpy_dtype", None)
    if nullable is not None:
        values = array.to_numpy(dtype=nullable, na_value=nullable.type(0))
        return np.ma.MaskedArray(values, is_missing) if is_missing.any() else values
    objects = np.array(array, dtype=object)
    objects[is_missing] = None
    return objects.tolist()
