# Made by tools/stubs.py from what is built: change the bindings.

from collections.abc import Sequence
from typing import Any

import numpy
import numpy.typing

usual_identities: list[list[str]]

def columns_of(
    products: Sequence[tuple[str, str]], serializer: str
) -> list[tuple[str, str, str, Any]]: ...

class ProductFile:
    def __init__(self, path: str) -> None: ...
    def columns(self) -> list[tuple[str, str, str, Any]]: ...
    def serializer(self) -> str: ...
    def size(self) -> int: ...
    def is_interrupted(self) -> bool: ...
    def problem(self) -> str | None: ...
    def read(
        self, products: Sequence[int], start: int, stop: int
    ) -> tuple[
        numpy.typing.NDArray[numpy.uint32],
        numpy.typing.NDArray[numpy.uint32],
        numpy.typing.NDArray[numpy.uint64],
        list[tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]],
    ]: ...
    def find(self, run: int, lumi: int, event: int) -> int | None: ...
