"""Pictures that imitate well-known Minesweeper programs, for measuring the reader.

Each imitation of `imitations.toml` is a page of HTML that a browser draws: none of the code and
none of the drawings of the training scenes are used here, and training never sees these pictures.
Fonts that are neither installed nor in the given folder are replaced by the browser; without a
font for emoji it draws boxes instead of some flags.
"""

from __future__ import annotations

import io
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image

from training.pictures.positions import random_position
from training.pictures.scenes import Scene

PALETTES = {
    "classic": "#0000ff #008000 #ff0000 #000080 #800000 #008080 #000000 #808080",
    "bright": "#7cc7ff #66c266 #ff7788 #ee88ff #ddaa22 #66cccc #999999 #d0d8e0",
    "material": "#1976d2 #388e3c #d32f2f #7b1fa2 #ff8f00 #0097a7 #424242 #9e9e9e",
}
DRAWINGS = {
    "pennant": '<svg viewBox="0 0 16 16"><path d="M8 2v7L3 5.5z" fill="red"/>'
    '<path d="M8 8h1v3H8zM6 11h4v1H6zM4 12h8v2H4z" fill="black"/></svg>',
    "waving-flag": '<svg viewBox="0 0 24 24"><path d="M6 3c4-2 6 2 12 0v9c-6 2-8-2-12 0z" '
    'fill="{0}"/><path d="M5 2h1.6v20H5z" fill="{1}"/></svg>',
    "triangle": '<svg viewBox="0 0 24 24"><path d="M7 3l12 5-12 6z" fill="{0}"/>'
    '<path d="M6 3h2v18H6z" fill="{1}"/><path d="M4 20h8v2H4z" fill="{1}"/></svg>',
    "flag": '<svg viewBox="0 0 24 24"><path d="M14.4 6L14 4H5v17h2v-7h5.6l.4 2h7V6z" '
    'fill="{0}"/></svg>',
    "spiked-mine": '<svg viewBox="0 0 16 16"><circle cx="8" cy="8" r="4.5"/><path d="M7.5 1h1v14h'
    '-1zM1 7.5h14v1H1zM3 3l1-1 10 10-1 1zM13 3l1 1L4 14l-1-1z"/>'
    '<path d="M6 6h2v2H6z" fill="white"/></svg>',
    "bomb": '<svg viewBox="0 0 24 24"><circle cx="11" cy="14" r="8" fill="{0}"/>'
    '<path d="M15 8l4-5 1 1-4 5z" fill="{0}"/></svg>',
}
CLASSIC = """<div style="padding:6px;border:3px outset #fff;background:#c0c0c0">
    <div style="border:2px inset #eee;padding:4px 6px;margin-bottom:6px;display:flex;
    justify-content:space-between">COUNTER<span style="border:2px outset #eee;width:22px;
    height:22px;text-align:center;font-size:15px">🙂</span>TIMER</div>
    <div style="border:3px inset #eee;display:inline-block">BOARD</div></div>"""
PAGES = {
    "classic": CLASSIC,
    "classic-window": f"""<div style="padding:40px;background:#3a6ea5"><div style="background:
        #c0c0c0;display:inline-block;border:2px outset #eee"><div style="background:#000080;
        color:#fff;padding:2px 4px;font:bold 12px sans-serif">Minesweeper</div>
        <div style="font:12px sans-serif;padding:2px 6px">Game &nbsp; Help</div>{CLASSIC}
        </div></div>""",
    "phone": """<div style="width:412px;background:{0};color:{1};font-family:Ubuntu,sans-serif">
        <div style="padding:6px 14px;font-size:12px">12:47<span style="float:right">▲ 83%</span>
        </div><div style="padding:12px;font-size:20px">🚩 COUNT<span style="float:right">⏱ 1:23
        </span></div>BOARD<div style="padding:30px;text-align:center;font-size:18px">
        ◁ &nbsp; ○ &nbsp; □</div></div>""",
    "site": """<div style="background:{0};color:{1};font:15px Ubuntu,sans-serif;padding:20px">
        <h2>Minesweeper</h2><p>Left click to reveal a cell, right click to flag it.</p>
        <p>Mines left: COUNT &nbsp; Time: 57</p>BOARD<p>Beginner &nbsp; Intermediate &nbsp;
        Expert &nbsp; <a href="#">Custom</a></p></div>""",
}
SEGMENTS = {
    "a": "M2 1h6l-1.5 2h-3z",
    "b": "M9 2v6l-2-1V4z",
    "c": "M9 10v6l-2-2v-3z",
    "d": "M2 17h6l-1.5-2h-3z",
    "e": "M1 10v6l2-2v-3z",
    "f": "M1 2v6l2-1V4z",
    "g": "M2 9l1-1h4l1 1-1 1H3z",
}
DIGIT_SEGMENTS = (
    "abcdef",
    "bc",
    "abged",
    "abgcd",
    "fgbc",
    "afgcd",
    "afgedc",
    "abc",
    "abcdefg",
    "abcdfg",
)
"""The lit segments of the digits 0 to 9."""
STYLE = """*{box-sizing:border-box;line-height:1} body{margin:0;width:max-content}
    p,h2,a{line-height:1.5} .board{display:grid;width:max-content}
    .cell{display:flex;align-items:center;justify-content:center;overflow:hidden}
    .cell svg{width:74%;height:74%}"""


def load_imitations() -> list[dict[str, Any]]:
    """Return the imitations, each with a value for every key."""
    path = Path(__file__).with_suffix(".toml")
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["imitation"]
    defaults = {
        "colours": "classic",
        "flag": "pennant",
        "mine": "spiked-mine",
        "covered": "",
        "zero": "",
        "page": "BOARD",
        "scale": 1.0,
        "jpeg": 0,
    }
    return [defaults | row for row in rows]


def _named(members: dict[str, str], text: str) -> str:
    """Return a member with its colours filled in, or the text itself if it names none."""
    name, *colours = text.split(" ")
    return members[name].format(*colours) if name in members else text


def _counter(text: str) -> str:
    """Return a counter of seven-segment digits as SVG."""
    paths = "".join(
        f'<path transform="translate({i * 10})" d="{path}" '
        f'fill="{"#f00" if name in DIGIT_SEGMENTS[int(digit)] else "#400"}"/>'
        for i, digit in enumerate(text)
        for name, path in SEGMENTS.items()
    )
    box = f'viewBox="0 0 {10 * len(text)} 18"'
    return f'<svg style="background:#000;height:23px" {box}>{paths}</svg>'


def _html(imitation: dict[str, Any], rows: list[str], mines_left: int) -> str:
    """Return the page that shows a position."""
    width, height = imitation["cell"]
    classes = {"#": "c", "?": "c", "F": "f", ".": "o z", "*": "o m", "X": "o m x"}
    mine = _named(DRAWINGS, imitation["mine"])
    inner = {"#": imitation["covered"], ".": imitation["zero"], "*": mine, "X": mine}
    inner["F"] = _named(DRAWINGS, imitation["flag"])
    cells = ""
    for y, row in enumerate(rows):
        for x, state in enumerate(row):
            name = classes.get(state, f"o n{state}") + (" odd" if (x + y) % 2 else "")
            cells += f'<div class="cell {name}">{inner.get(state, state)}</div>'
    palette = PALETTES.get(imitation["colours"], imitation["colours"]).split()
    colours = "".join(f".n{n}{{color:{palette[(n - 1) % len(palette)]}}}" for n in range(1, 9))
    letters = "".join(
        f'<span style="width:{width}px;text-align:center">{chr(65 + i)}</span>'
        for i in range(len(rows[0]))
    )
    grid = f"grid:auto-flow {height}px/repeat({len(rows[0])},{width}px)"
    replacements = {
        "BOARD": f'<div class="board" style="{grid}">{cells}</div>',
        "COUNTER": _counter(f"{max(0, mines_left):03d}"),
        "TIMER": _counter("024"),
        "COUNT": str(mines_left),
        "LETTERS": letters,
    }
    page = _named(PAGES, imitation["page"])
    for name, html in replacements.items():
        page = page.replace(name, html)
    emoji = f".f,.m{{font:{height * 0.55}px 'Noto Sans','Noto Color Emoji'}}"
    style = STYLE + emoji + imitation["css"] + colours
    return f'<!doctype html><meta charset="utf-8"><style>{style}</style>{page}'


FONT_SETTINGS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
    <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
    <dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>"""


def imitation_scenes(seeds: range, fonts: Path | None = None) -> Iterator[tuple[str, Scene]]:
    """Yield the name and the picture of an imitation for each seed, in turn.

    *fonts* is a folder with fonts that the browser uses in addition to the installed ones.
    """
    from playwright.sync_api import sync_playwright

    imitations = load_imitations()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        environment = dict(os.environ)
        if fonts is not None:
            settings = Path(folder) / "fonts.conf"
            settings.write_text(FONT_SETTINGS.format(fonts=fonts.resolve(), cache=folder))
            environment["FONTCONFIG_FILE"] = str(settings)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", env={**environment}
        )
        page = browser.new_page(viewport={"width": 100, "height": 100})
        for seed in seeds:
            imitation = imitations[seed % len(imitations)]
            rng = np.random.default_rng([20261117, seed])
            rows, mines_left = random_position(rng, *imitation["size"])
            page.set_content(_html(imitation, rows, mines_left))
            picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
            scale = imitation["scale"]
            if scale != 1:
                picture = picture.resize(
                    (round(picture.width * scale), round(picture.height * scale)),
                    Image.Resampling.BICUBIC,
                )
            if imitation["jpeg"]:
                stream = io.BytesIO()
                picture.save(stream, "JPEG", quality=imitation["jpeg"])
                picture = Image.open(stream).convert("RGB")
            width, height = (length * scale for length in imitation["cell"])
            obscured = np.zeros((len(rows), len(rows[0])))
            # Where the board is in the picture is not needed to measure.
            yield imitation["name"], Scene(picture, rows, 0, 0, width, height, obscured, mines_left)
        browser.close()
