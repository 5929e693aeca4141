"""`--set NAME=VALUE`: settings of a player that are not to be the usual ones."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from sapper.errors import NotationError
from sapper.games.campaign import Setting

settings_option = click.option(
    "--set",
    "chosen",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the player that is not to be the usual one; may be given several times.",
)


def read_settings(texts: Iterable[str]) -> dict[str, Setting]:
    """The settings that were given, by name."""
    return dict(map(_setting, texts))


def _setting(text: str) -> tuple[str, Setting]:
    """A setting as name and value; what is JSON is a number, true, false or null, else text."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise NotationError(f"expected a setting such as NAME=VALUE, got {text!r:.60}")
    try:
        found = json.loads(value, parse_constant=str)
    except ValueError:
        return name, value
    return name, found if isinstance(found, Setting) else value
