"""Numbers as arguments."""

from __future__ import annotations

import math
from typing import Any

import click


class NumberList(click.ParamType):
    """Whole numbers from 1, separated by commas."""

    name = "N,N,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[int]:
        if not isinstance(value, str):
            return value
        try:
            numbers = [int(part) for part in value.split(",")]
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers", param, ctx)
        if min(numbers) < 1:
            self.fail("must be 1 or more", param, ctx)
        return numbers


class Finite(click.FloatRange):
    """A range without infinity and NaN, which lies in every range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number


POSITIVE = Finite(min=0, min_open=True)
