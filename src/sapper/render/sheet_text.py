"""Worksheets as plain text, for screens without pictures and for Braille displays."""

from __future__ import annotations

import textwrap

from sapper.render.sheet import Sheet, rules_for_pupils, table_scene
from sapper.render.text import scene_text


def sheet_text(sheet: Sheet) -> str:
    """The whole sheet as plain text: a blank is #, a mine x, a free cell -."""
    rules = (textwrap.fill(rule, 78) for rule in rules_for_pupils(sheet))
    parts = [sheet.title, "Name ______________________  Date ____________", "\n".join(rules)]
    for solved in (False, True) if sheet.solutions else (False,):
        if solved:
            parts.append("Solutions (x: mine, -: no mine)")
        for number, entry in enumerate(sheet.entries, start=1):
            label = str(number) if solved else f"{number}   ({entry.label})"
            label += f"   {entry.note}" if entry.note and not solved else ""
            parts += [label, scene_text(table_scene(entry, solved)).plain()]
    return "\n\n".join([*parts, "\n".join(sheet.footer)]) + "\n"
