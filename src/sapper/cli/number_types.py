"""Numbers as options: what is wrong with one is told as every error is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Base = click.FloatRange
else:
    _Base = object


class _Range(_Base):
    """A range that says what it expected and what it got."""

    what = "a number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = None
        # nan is in every range, and is no number at all.
        if number is None or number != number:
            self.fail(f"expected {self.what}{self._within()}, got {value!r:.60}", param, ctx)
        return number

    def _within(self) -> str:
        least, most = self.min, self.max
        if most is None:
            return "" if least is None else f" of at least {least}"
        return f" of at most {most}" if least is None else f" from {least} to {most}"

    def _describe_range(self) -> str:
        # For --help: what has no most is as many as one likes, and its least can be guessed.
        return "" if self.max is None else super()._describe_range()


class WholeNumber(_Range, click.IntRange):  # type: ignore[misc]  # one base for mypy, two when it runs
    """A whole number, within bounds where it has some."""

    what = "a whole number"


class Number(_Range, click.FloatRange):
    """A number, within bounds where it has some."""
