"""A list of numbers as an argument."""

import click


class NumberList(click.ParamType):
    """Whole numbers from 1, separated by commas."""

    name = "N,N,..."

    def convert(self, value, param, ctx):
        if not isinstance(value, str):
            return value
        try:
            numbers = [int(part) for part in value.split(",")]
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers", param, ctx)
        if min(numbers) < 1:
            self.fail("must be 1 or more", param, ctx)
        return numbers
