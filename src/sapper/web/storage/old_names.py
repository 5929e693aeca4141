"""Names of version 0.2 in exported files and links, with their present names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RESULT_KEYS = {"deal": "generator", "bbbv": "three_bv", "again": "repeated"}
GAME_KEYS = {"touched": "updated", "again": "repeated", "over": "finished"}
EVENTS = {"nudge": "hint"}
WORKSHEET_OPTIONS = {"rung": "difficulty", "at_most": "or_easier", "mines_share": "mine_density"}


def rename_keys(item: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return an item with the present names of its keys."""
    return {names.get(key, key): value for key, value in item.items()}
