"""Events of high-energy physics in columns.

    onecast.events.convert("in.root:Events", "out.h5", compression="zstd:3")
    with onecast.events.open("out.h5") as events:
        pt = events["Muon_pt"]

`open` reads files of each kind in `kinds()`: columns in HDF5, files with products (PDS and the
layouts of onecast-events in HDF5), and ROOT files through uproot.
`create` and `write` make files of columns from arrays of awkward and numpy, with or without a
communicator. Arrays of lists need the package awkward, ROOT files the package uproot: `pip install
onecast[events]`.

>>> import numpy as np
>>> from onecast import events
>>> events.write("flat.h5", {"run": np.array([1, 1, 2]), "x": np.array([0.5, 1.5, 2.5])})
>>> with events.open("flat.h5") as e:
...     len(e), e.columns, e.to_numpy(["x"], 1)["x"].tolist()
(3, ['run', 'x'], [1.5, 2.5])
"""

from __future__ import annotations

from .._errors import UsageError
from ._columnar import ColumnarEvents
from ._convert import convert, create, write
from ._events import Events
from ._files import check, index
from ._files import open_events as open
from ._kinds import Kind, kind_of, kinds, register_kind, split_name
from ._products import PRODUCT_LAYOUTS, ProductEvents
from ._root import RootEvents, UnreadColumnWarning
from ._writer import Writer

__all__ = [
    "PRODUCT_LAYOUTS",
    "ColumnarEvents",
    "Events",
    "Kind",
    "ProductEvents",
    "RootEvents",
    "UnreadColumnWarning",
    "UsageError",
    "Writer",
    "check",
    "convert",
    "create",
    "index",
    "kind_of",
    "kinds",
    "open",
    "register_kind",
    "split_name",
    "write",
]
