"""Pictures as pixels."""

import numpy as np
import pytest

from sapper import TILINGS, Board, Position, Unavailable, tiling
from sapper.render.palette import light
from sapper.render.pixels import scene_pixels
from sapper.render.scene import Scene


def rgb(role):
    return [int(light(role)[k : k + 2], 16) for k in (1, 3, 5)]


def test_cell_has_its_background_and_the_colour_of_its_number():
    pixels = scene_pixels(Scene.of(Position.parse("1#", mines=1)))
    height, width, _ = pixels.shape
    assert (height, width) == (40, 72)
    # Near the corners of the two cells, away from number and edges.
    assert pixels[9, 9].tolist() == rgb("revealed")
    assert pixels[9, 63].tolist() == rgb("covered")
    left = pixels[4:36, 4:36].reshape(-1, 3).tolist()
    assert rgb("number-1") in left


def test_every_tiling_is_drawn_within_its_margin():
    for name in TILINGS:
        pixels = scene_pixels(Scene.of(Position.initial(tiling(name, 5, 4))))
        # The dashes around a torus and strokes lie outside the cells, never outside the picture.
        assert (pixels[0] == 255).all()
        assert (pixels[:, 0] == 255).all()
        assert (pixels.reshape(-1, 3) == rgb("covered")).all(axis=1).mean() > 0.3


def test_flags_mines_and_links_are_drawn():
    plain = scene_pixels(Scene.of(Position.parse("##")))
    marked = scene_pixels(Scene.of(Position.parse("#F"), glyphs={0: "mine"}, outlined=[0]))
    assert plain.shape == marked.shape
    assert not np.array_equal(plain[:, :36], marked[:, :36])
    assert not np.array_equal(plain[:, 36:], marked[:, 36:])
    pixels = scene_pixels(Scene.of(Board.from_edges([("a", "b"), ("b", "c")])))
    colours = set(map(tuple, pixels.reshape(-1, 3).tolist()))
    assert tuple(rgb("link")) in colours


def test_large_board_has_smaller_cells_and_a_huge_one_is_refused():
    assert scene_pixels(Scene.of(Position.initial(tiling("square", 130, 80)))).size < 3 * 8_100_000
    with pytest.raises(Unavailable, match="the board is too large for a picture: square"):
        scene_pixels(Scene.of(Position.initial(tiling("square", 500, 500))))
