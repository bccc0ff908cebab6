"""Files whose events have products: PDS, and the layouts product, event and batch in HDF5."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from .._core import FormatError
from .._file import File
from .._opening import is_hdf5
from ._events import Columns, Events, WayBack, way_back
from ._index import IDENTITY, SHOWN
from ._optional import require

PRODUCT_LAYOUTS = ("product", "event", "batch")
# With the magic numbers here, the error can say that the events layer is missing.
_PDS = tuple((3141592 * 256 + last).to_bytes(4, "little") for last in (1, 2))  # serializers
_CHECKED_AT_ONCE = 1000  # events


def is_product_file(path: str) -> bool:
    if not is_hdf5(path):
        with open(path, "rb") as file:
            return file.read(4) in _PDS
    with File(path, "r") as file:
        events = file.get("Events")
        if events is not None and "version" in events.attrs and "layout" in events.attrs:
            return "form" not in events.attrs
        return "Lumi" in file


def compiled() -> ModuleType:
    try:
        from .. import _events
    except ImportError as error:
        raise ImportError(
            "files with products are read by the events layer, which this Onecast was built "
            "without: it needs oneTBB (README.md)"
        ) from error
    return _events


class Planned(NamedTuple):
    """A column as the library plans it (events/src/hdf5/column_plan.hpp)."""

    class_name: str
    kind: str  #: "identity", "number", "list", "bytes"
    dtype: np.dtype | None  #: of the elements; None: bytes


class ProductEvents(Events):
    """Events with products. The columns are the identity (`run`, `lumi`, `event`) and one for each
    product. Products of one integer may be the identity, if they have the usual names. If another
    product has one of these names, the identity is `EventID_run`, `EventID_lumi`, `EventID_event`.

    A product is bytes, or numbers if its class says so: `float` is one number, `Float_t[nMuon]` a
    list, leaves of ROOT (`id/I:weight/D`) a list of records, and with the serializer `raw` also
    `std::vector<float>`. In an event without the product a number is None, and a list is empty.
    """

    kind = "products"

    def __init__(self, path: str, name: str | None = None, comm: Any = None, **options: Any):
        if name is not None:
            raise KeyError(f"{path}: holds one kind of events, and none named {name!r}")
        if options:
            raise TypeError(f"{path}: a file with products has no option {min(options)}")
        self.path, self.comm = str(path), comm
        self.file: Any = self._opened()
        self._length = int(self.file.size())
        self._is_unfinished = bool(self.file.is_interrupted())
        self.serializer: str = self._text(self.file.serializer)  #: what made bytes of the values
        self.planned = {
            name: Planned(class_name, kind, None if dtype is None else np.dtype(dtype))
            for name, class_name, kind, dtype in self._text(self.file.columns)
        }
        self.identity = [n for n, column in self.planned.items() if column.kind == "identity"]
        products = (name for name in self.planned if name not in self.identity)
        self.numbers = {product: number for number, product in enumerate(products)}

    def _opened(self) -> Any:
        return compiled().ProductFile(self.path)

    def _text(self, describe: Callable[[], Any]) -> Any:
        try:
            return describe()
        except UnicodeDecodeError as error:
            raise FormatError(
                f"{self.path}: the name of a product or class is no UTF-8: {error.object!r}"
            ) from None

    def __reduce__(self) -> WayBack:
        return way_back(self)

    def __len__(self) -> int:
        return self._length

    @property
    def is_unfinished(self) -> bool:
        return self._is_unfinished

    @property
    def columns(self) -> list[str]:
        return list(self.planned)

    @property
    def products(self) -> dict[str, str]:
        return {name: column.class_name for name, column in self.planned.items()}

    @property
    def titles(self) -> dict[str, str]:
        return {}

    def bytes_per_event(self, columns: Columns = None) -> float:
        """Returns the bytes of the first event."""
        names = self.named(columns)
        first = self._read(names, 0, min(1, len(self))).values()
        return sum(column.nbytes for column, _ in first)

    def _read(
        self, names: list[str], start: int, stop: int
    ) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
        """Returns for each name the elements and the start of each event among them; None instead
        of the starts if each event has one element."""
        wanted = [name for name in names if name not in self.identity]
        *identity, products = self._open_file().read(
            [self.numbers[name] for name in wanted], start, stop
        )
        found: dict[str, tuple[np.ndarray, np.ndarray | None]] = {
            name: (numbers, None)
            for names_of in (IDENTITY, SHOWN)
            for name, numbers in zip(names_of, identity, strict=True)
        }
        for name, (data, offsets) in zip(wanted, products, strict=True):
            found[name] = self._elements(name, data, offsets, start)
        return {name: found[name] for name in names}

    def _elements(
        self, name: str, data: np.ndarray, offsets: np.ndarray, start: int
    ) -> tuple[np.ndarray, np.ndarray]:
        class_name, _, dtype = self.planned[name]
        if dtype is None:
            return data, offsets
        if (uneven := offsets % dtype.itemsize != 0).any():
            raise ValueError(
                f"{self.path}: event {start + int(uneven.argmax()) - 1}: product {name}: its bytes "
                f"are no elements of {class_name}"
            )
        # Every byte but 0 is a true boolean; numpy accepts only 0 and 1.
        elements = data != 0 if dtype.kind == "b" else data.view(dtype)
        return elements, offsets // dtype.itemsize

    def _to_awkward(self, names: list[str], span: tuple[int, int], lazy: bool) -> Any:
        ak = require("awkward")
        first, last = span
        found = self._read(names, first, last)
        contents = [self._layout(ak, name, *found[name]) for name in names]
        return ak.Array(ak.contents.RecordArray(contents, names, length=last - first))

    def _layout(self, ak: Any, name: str, data: np.ndarray, offsets: np.ndarray | None) -> Any:
        if offsets is None:
            return ak.contents.NumpyArray(data)
        places, column = ak.index.Index64(offsets), self.planned[name]
        if column.kind == "bytes":
            byte = ak.contents.NumpyArray(data, parameters={"__array__": "byte"})
            parameters = {"__array__": "bytestring"}
            return ak.contents.ListOffsetArray(places, byte, parameters=parameters)
        elements = _numbers(ak, data)
        if column.kind == "list":
            return ak.contents.ListOffsetArray(places, elements)
        counts = np.diff(offsets)
        if (counts == 1).all():
            return elements
        if (counts > 1).any():
            raise ValueError(f"{self.path}: product {name}: several {column.class_name}")
        index = np.where(counts == 1, offsets[:-1], -1)
        return ak.contents.IndexedOptionArray(ak.index.Index64(index), elements)

    def to_numpy(
        self, columns: Columns = None, start: int = 0, stop: int | None = None
    ) -> dict[str, np.ndarray]:
        names = self.named(columns)
        if columns is None:
            names = [n for n in names if self.planned[n].kind in ("identity", "number")]
        found = {}
        for name, (data, offsets) in self._read(names, *self.span(start, stop)).items():
            has_numbers = self.planned[name].dtype is not None
            if offsets is not None and not (has_numbers and (np.diff(offsets) == 1).all()):
                raise TypeError(f"column {name}: numbers were expected; see to_padded")
            found[name] = data
        return found

    def find(self, run: int, lumi: int, event: int) -> int:
        wanted = (run, lumi, event)
        is_possible = all(
            0 <= number <= np.iinfo(dtype).max
            for number, dtype in zip(wanted, IDENTITY.values(), strict=True)
        )
        entry = self._open_file().find(*wanted) if is_possible else None
        if entry is None:
            raise KeyError(f"{self.path}: there is no event {run}, {lumi}, {event}")
        return int(entry)

    @property
    def is_closed(self) -> bool:  # type: ignore[override]
        return self.file is None

    def close(self) -> None:
        self.file = None

    def _open_file(self) -> Any:
        if self.is_closed:
            raise ValueError(f"{self.path}: the file is closed")
        return self.file


def _numbers(ak: Any, data: np.ndarray) -> Any:
    """Returns an array of awkward; a structured array becomes records."""
    if data.dtype.names is None:
        return ak.contents.NumpyArray(data)
    members = [ak.contents.NumpyArray(np.ascontiguousarray(data[n])) for n in data.dtype.names]
    return ak.contents.RecordArray(members, list(data.dtype.names), length=len(data))


def check_products(events: ProductEvents, data: bool) -> list[str]:
    """Returns what cannot be read: with `data` of all products, otherwise of the identities. Events
    that cannot be read together are tried one by one. Also returns what an interrupted writer left
    at the end."""
    names = events.columns if data else events.identity
    found = [said for said in (events.file.problem(),) if said is not None]
    if events.is_unfinished and not found:
        found = [f"its writer was interrupted: it has {len(events)} complete events"]
    for start in range(0, len(events), _CHECKED_AT_ONCE):
        stop = min(start + _CHECKED_AT_ONCE, len(events))
        if _failure(events, names, start, stop) is None:
            continue
        failures = (_failure(events, names, n, n + 1) for n in range(start, stop))
        found += [text for text in failures if text]
    return found


def _failure(events: ProductEvents, names: list[str], start: int, stop: int) -> str | None:
    try:
        events._read(names, start, stop)
    except (OSError, ValueError, NotImplementedError) as error:
        return str(error)
    return None
