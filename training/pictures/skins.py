"""Skins: how a program could draw the cells of a board.

A `Skin` says how each state of a cell is drawn; `random_skin` invents one. States are the
characters of a transcription: `#` covered, `?` covered with a question mark, `F` flag, `.` zero,
`1` to `8`, `*` mine, `X` the mine that ended the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from training.pictures.colours import (
    CLASSIC,
    Colour,
    Random,
    any_colour,
    contrasting,
    distance,
    from_hls,
    luminance,
    mixed,
    number_colours,
    random_colour,
    shade,
)
from training.pictures.glyphs import DRAWN_FONTS, EMOJI_FONT, SYMBOL_FONTS

COVERS = ("flat", "bevel", "gradient", "glossy", "outline", "texture", "badge", "inner", "plain")
OPENS = ("flat", "sunken", "lined", "clear", "outline", "ring", "tinted", "dark_edge")
FLAGS = (
    "pennant",
    "rectangle",
    "swallow",
    "pole",
    "letter",
    "emoji",
    "pin",
    "cross",
    "mark",
    "dot",
)
MINES = ("spiked", "ball", "emoji", "letter", "star", "fuse")
BADGES = ["dot", "ring", "square", "hatch", "dot", "ring", "#", "-", ".", "+", "o", "■"]
FLAG_EMOJI = ["🚩", "🚩", "🚩", "⛳", "🏁", "🏴", "📍", "❗", "🚫"]
FLAG_LETTERS = ["F", "F", "P", "M", "X", "!", "B"]
COVERED_CHARACTERS = ["#", ".", "-", "?", "*", "X", "+", "o", "_", "~", "=", "O", "dot", "block"]
ZERO_CHARACTERS = ["", "", "", "", "0", ".", "-", "_", "dot"]


@dataclass(frozen=True)
class Skin:
    """How the cells of a board are drawn; colours are RGB, lengths shares of a cell."""

    name: str = "random"
    cover: str = "bevel"
    cover_colours: tuple[Colour, Colour] = ((192, 192, 192), (192, 192, 192))
    """The two colours of a checkerboard; equal if there is none."""
    open: str = "lined"
    open_colours: tuple[Colour, Colour] = ((192, 192, 192), (192, 192, 192))
    zero_colours: tuple[Colour, Colour] | None = None
    """The colours of zeros, if they differ from those of numbers."""
    zero_mark: str = ""
    """The content of a zero: a character, or dot."""
    page: Colour = (192, 192, 192)
    line: Colour = (128, 128, 128)
    line_width: float = 0.06
    gap: float = 0.0
    radius: float = 0.0
    bevel: float = 0.12
    bevel_shades: tuple[float, float] = (0.75, -0.35)
    """How much lighter and darker the sides of a bevel are."""
    font: str = "5x7"
    font_size: float = 0.7
    colours: dict[int, Colour] = field(default_factory=lambda: dict(CLASSIC))
    shadow: Colour | None = None
    flag: str = "pennant"
    flag_colour: Colour = (255, 0, 0)
    flag_second: Colour = (0, 0, 0)
    flag_background: Colour | None = None
    flag_tint: Colour | None = None
    """The colour of a flagged cell that is drawn like a covered one, but in another colour."""
    flag_size: float = 0.7
    mine: str = "spiked"
    mine_colour: Colour = (0, 0, 0)
    mine_background: Colour | None = None
    mine_covered: bool = False
    """Whether mines are drawn on a covered cell."""
    exploded: Colour = (255, 0, 0)
    smooth: bool = True
    offset: tuple[float, float] = (0.0, 0.0)
    letter: str = "F"
    light: float = 0.0
    """Strength of a gradient over the whole board."""
    badge: str = ""
    """The decoration of a covered cell: dot, ring, square, block, hatch, or a character."""
    badge_colour: Colour | None = None
    zero: str | None = None
    """How zeros are drawn, if unlike numbers: one of OPENS."""
    stroke: Colour | None = None
    """The colour of the outline of glyphs."""
    mirrored: bool = False
    jitter: float = 0.0
    """How much the brightness of cells differs."""
    glow: float = 0.0
    wallpaper: float = 0.0
    """Strength of a picture over the whole board."""
    crossed: bool = False
    """Whether a mine that ended the game is crossed out."""
    opacities: tuple[float, float] = (1.0, 1.0)
    """The opacities of covered and of open cells."""
    rim: Colour | None = None
    """The colour of a line between covered and open cells."""
    number_box: Colour | None = None
    """The colour of a box around each number, smaller than the cell."""
    seed: int = 0


def _pick(rng: Random, options: tuple[str, ...] | list[str], weights: list[float] | None) -> str:
    p = None if weights is None else np.asarray(weights) / sum(weights)
    return str(options[int(rng.choice(len(options), p=p))])


def random_skin(rng: Random, fonts: list[str], flags: tuple[str, ...] = FLAGS) -> Skin:
    """Invent a skin."""

    def chance(p: float) -> bool:
        return bool(rng.random() < p)

    def pick(options: tuple[str, ...] | list[str], weights: list[float] | None = None) -> str:
        return _pick(rng, options, weights)

    cover = pick(COVERS, [4, 7, 2, 2, 1, 1.5, 1, 1, 3])
    open_ = pick(OPENS, [4, 3, 7, 1.5, 0.7, 0.5, 0.7, 1])
    if cover == "bevel" and chance(0.6):
        grey = int(rng.integers(165, 225))
        first: Colour = (grey, grey, grey)
    else:
        first = random_colour(rng, (0.12, 0.92), (0.0, 1.0) if chance(0.6) else (0.0, 0.15))
    opened = _open_colour(rng, cover, first)
    checker = rng.random()
    step = rng.uniform(0.05, 0.14) * (1 if chance(0.5) else -1)
    covers = (first, shade(first, step) if checker < 0.13 else first)
    opens = (opened, shade(opened, step) if checker < 0.1 or 0.13 < checker < 0.15 else opened)
    page = (
        opened
        if chance(0.2)
        else first
        if chance(0.25)
        else random_colour(rng, (0.0, 1.0), (0.0, 0.6))
    )
    ground = page if open_ in ("clear", "outline", "ring") else opened
    if cover == "outline" and distance(covers[0], page) < 45:
        covers = (contrasting(rng, page),) * 2
    if open_ in ("outline", "ring") and distance(opens[0], page) < 25:
        opens = (contrasting(rng, page),) * 2
    colours = number_colours(rng, ground)
    line = shade(opened, -rng.uniform(0.15, 0.6)) if chance(0.7) else contrasting(rng, opened)
    if open_ == "tinted":
        line = (20, 20, 20) if chance(0.6) else (255, 255, 255)
        base = rng.uniform(0.25, 0.7)
        towards = -0.5 if luminance(line) > 128 else 0.4
        colours = {n: shade(from_hls((0.33 - 0.04 * n) % 1, base, 0.7), towards) for n in range(9)}
    separated = chance(0.3)
    gap = rng.uniform(0.03, 0.14) if separated else 0.0
    if cover == "plain" and covers[0] == covers[1]:  # else the cells have no borders
        gap = max(gap, 0.06) if chance(0.6) else gap
        if not gap:
            cover = "flat"
    font = pick(DRAWN_FONTS, [3, 0.5, 1, 0.7, 0.9, 2])
    if fonts and chance(0.75):
        font = pick(fonts)
    badge = pick(BADGES) if cover != "badge" and chance(0.1) else ""
    skin = Skin(
        badge=badge,
        zero=None if chance(0.88) else pick(["clear", "outline", "flat", "lined"]),
        stroke=contrasting(rng, ground) if chance(0.07) else None,
        mirrored=chance(0.3),
        jitter=rng.uniform(0.01, 0.06) if chance(0.07) else 0.0,
        glow=rng.uniform(0.3, 0.9) if chance(0.04) else 0.0,
        cover=cover,
        cover_colours=covers,
        open=open_,
        open_colours=opens,
        zero_colours=None if chance(0.85) else (shade(opened, step), shade(opened, step)),
        zero_mark="0" if chance(0.06) else "",
        page=page,
        line=line,
        line_width=rng.choice([0.0, 0.02, 0.04, 0.06, 0.09])
        if open_ != "lined"
        else rng.uniform(0.02, 0.08),
        gap=gap,
        radius=rng.uniform(0.04, 0.3) if chance(0.25) else 0.0,
        bevel=rng.uniform(0.05, 0.17),
        font=font,
        font_size=rng.uniform(0.35, 0.8),
        colours=colours,
        shadow=shade(ground, -0.5) if chance(0.08) else None,
        flag=pick(list(flags)),
        flag_colour=(230, 20, 20) if chance(0.45) else contrasting(rng, covers[0]),
        flag_second=(0, 0, 0)
        if chance(0.5) and luminance(covers[0]) > 60
        else contrasting(rng, covers[0]),
        flag_background=None if chance(0.85) else random_colour(rng, (0.2, 0.9), (0.1, 1.0)),
        flag_size=rng.uniform(0.4, 0.82),
        mine=pick(MINES),
        mine_colour=(0, 0, 0) if chance(0.6) else contrasting(rng, opened),
        mine_covered=chance(0.3),
        exploded=(255, 0, 0) if chance(0.7) else random_colour(rng, (0.3, 0.7), (0.5, 1)),
        smooth=chance(0.75),
        offset=(rng.normal(0, 0.02), rng.normal(0, 0.025)),
        letter=pick(FLAG_EMOJI) if EMOJI_FONT and chance(0.6) else pick(FLAG_LETTERS),
        light=rng.uniform(0.1, 0.5) if chance(0.12) else 0.0,
        seed=int(rng.integers(1 << 30)),
    )
    if cover == "flat" and covers[0] == covers[1] and not gap:
        skin = replace(skin, line_width=max(0.02, skin.line_width))
    return skin


def _open_colour(rng: Random, cover: str, first: Colour) -> Colour:
    """Return a colour for open cells: lighter, darker, the same, or another."""
    is_even = cover in ("flat", "plain", "texture")
    kind = rng.random()
    if kind < 0.3:
        opened = shade(first, rng.uniform(0.12, 0.7))
    elif kind < 0.45:
        opened = shade(first, -rng.uniform(0.12, 0.6))
    elif kind < 0.6 and not is_even:
        opened = first
    elif kind < 0.8:
        opened = random_colour(rng, (0.7, 0.97), (0.0, 0.3))
    else:
        opened = random_colour(rng, (0.08, 0.95), (0.0, 0.8))
    if distance(first, opened) < 22 and (is_even or cover == "badge"):
        opened = shade(first, 0.45 if luminance(first) < 150 else -0.3)
    return opened


def with_rare_traits(skin: Skin, rng: Random, fonts: list[str]) -> Skin:
    """Return a skin, sometimes with rarer traits; the held-out skins have none of them."""
    kinds = [*SYMBOL_FONTS, "shapes"]
    if rng.random() < 0.3:
        skin = replace(skin, flag=kinds[int(rng.integers(len(kinds)))])
    if SYMBOL_FONTS and rng.random() < 0.25:
        skin = replace(skin, mine=kinds[int(rng.integers(len(SYMBOL_FONTS)))])
    if rng.random() < 0.07:
        skin = replace(skin, wallpaper=rng.uniform(0.1, 0.6))
    if skin.cover == "bevel" and rng.random() < 0.5:
        skin = replace(skin, bevel_shades=(rng.uniform(0.2, 1.0), -rng.uniform(0.15, 0.65)))
    skin = replace(skin, crossed=rng.random() < 0.3)
    change = rng.random()
    if change < 0.09:
        skin = _as_text(skin, rng, fonts)
    elif change < 0.13:
        skin = _as_rings(skin, rng)
    elif change < 0.17:
        skin = _as_buttons(skin, rng)
    elif change < 0.21:  # another kind of cover
        skin = replace(skin, cover=("ledge", "radial", "soft")[int(rng.integers(3))])
    elif change < 0.24:  # covered cells without a border between them
        skin = replace(skin, cover="plain", gap=0.0, badge="")
    if rng.random() < 0.12:  # numbers that hardly differ from the ground
        ground, share = skin.open_colours[0], rng.uniform(0.3, 0.8)
        faint = {n: mixed(ground, colour, share) for n, colour in skin.colours.items()}
        skin = replace(skin, colours=faint)
    if rng.random() < 0.05:
        skin = replace(skin, opacities=(rng.uniform(0.35, 1), rng.uniform(0.2, 1)))
    if rng.random() < 0.06:
        skin = replace(skin, rim=shade(skin.cover_colours[0], rng.uniform(-0.7, 0.4)))
    if rng.random() < 0.04:
        skin = replace(skin, number_box=contrasting(rng, skin.colours[1]))
    if rng.random() < 0.05:  # a flag is only another colour
        background = contrasting(rng, skin.cover_colours[0], 60)
        if distance(background, skin.open_colours[0]) > 60:
            skin = replace(skin, flag="none", flag_background=background)
    elif rng.random() < (0.4 if skin.open == "ring" else 0.04):
        tint = contrasting(rng, skin.cover_colours[0], 60)
        if min(distance(tint, skin.open_colours[0]), distance(tint, skin.page)) > 60:
            skin = replace(skin, flag="none", flag_background=None, flag_tint=tint)
    if rng.random() < 0.08:
        skin = replace(skin, mine_background=random_colour(rng, (0.3, 0.7), (0.4, 1)))
    if rng.random() < 0.07:
        skin = replace(skin, offset=(rng.uniform(-0.16, 0.16), rng.uniform(-0.16, 0.16)))
    return skin


def _as_text(skin: Skin, rng: Random, fonts: list[str]) -> Skin:
    """Return a skin of characters, as in a terminal."""
    mono = [font for font in fonts if any(w in font for w in ("Mono", "Code", "Cons", "Hack"))]
    page = random_colour(rng, (0.0, 0.15) if rng.random() < 0.65 else (0.85, 1.0), (0.0, 0.5))
    ink = contrasting(rng, page, 110)
    covered = _pick(rng, COVERED_CHARACTERS, None)
    zero = _pick(rng, [mark for mark in ZERO_CHARACTERS if mark != covered], None)
    letter = _pick(rng, [mark for mark in FLAG_LETTERS if mark != covered], None)
    is_reversed = rng.random() < 0.25
    cover = mixed(page, ink, rng.uniform(0.15, 0.6))
    colours = dict.fromkeys(range(9), ink) if rng.random() < 0.5 else number_colours(rng, page)
    usable = mono if mono and rng.random() < 0.8 else fonts
    return replace(
        skin,
        page=page,
        cover="plain" if is_reversed else "clear",
        cover_colours=(cover, cover),
        open="lined" if rng.random() < 0.2 else "clear",
        open_colours=(page, page),
        zero=None,
        zero_colours=None,
        zero_mark=zero,
        badge="" if is_reversed else covered,
        badge_colour=ink if rng.random() < 0.6 else mixed(page, ink, rng.uniform(0.3, 0.8)),
        colours=colours,
        line=mixed(page, ink, rng.uniform(0.3, 1.0)),
        gap=0.0,
        radius=0.0,
        font=_pick(rng, usable, None) if usable else "default",
        font_size=rng.uniform(0.45, 0.75),
        flag="letter" if rng.random() < 0.7 else skin.flag,
        letter=letter,
        flag_colour=ink if rng.random() < 0.5 else contrasting(rng, page),
        flag_second=ink,
        flag_background=None,
        mine="letter" if rng.random() < 0.7 else skin.mine,
        mine_colour=contrasting(rng, page),
    )


def _as_rings(skin: Skin, rng: Random) -> Skin:
    """Return a skin of outlined shapes on a dark page, with rings around numbers."""
    page = random_colour(rng, (0.02, 0.25), (0.2, 1.0))
    first, second = contrasting(rng, page), contrasting(rng, page)
    return replace(
        skin,
        page=page,
        cover="outline",
        cover_colours=(first, first),
        gap=rng.uniform(0.02, 0.28),
        radius=rng.uniform(0.05, 0.45),
        open="ring" if rng.random() < 0.7 else "clear",
        open_colours=(second, second),
        zero=None,
        zero_mark="dot" if rng.random() < 0.5 else "",
        colours=dict.fromkeys(range(9), contrasting(rng, page, 110)),
        badge="dot" if rng.random() < 0.6 else "",
        badge_colour=first,
        font_size=rng.uniform(0.35, 0.55),
        flag=("dot", "ring", "shapes", skin.flag)[int(rng.integers(4))],
        flag_colour=contrasting(rng, page),
        flag_second=contrasting(rng, page),
        flag_background=None,
        line_width=rng.uniform(0.02, 0.07),
        glow=rng.uniform(0.3, 0.9) if rng.random() < 0.5 else 0.0,
    )


def _as_buttons(skin: Skin, rng: Random) -> Skin:
    """Return a skin in which open cells are buttons too, often in another colour."""
    grey = int(rng.integers(190, 245))
    first: Colour = (grey, grey, grey) if rng.random() < 0.7 else any_colour(rng)
    opened = first if rng.random() < 0.3 else shade(first, rng.choice([-0.25, -0.12, 0.4]))
    open_style = "inset" if opened == first else ("raised", "inset", "flat")[int(rng.integers(3))]
    return replace(
        skin,
        cover=("bevel", "soft", "gradient")[int(rng.integers(3))],
        cover_colours=(first, first),
        open=open_style,
        open_colours=(opened, opened),
        zero=None,
        zero_colours=None,
        colours=number_colours(rng, opened),
        bevel=rng.uniform(0.03, 0.1),
        font_size=rng.uniform(0.3, 0.55),
        flag="letter" if rng.random() < 0.4 else skin.flag,
        page=first,
    )
