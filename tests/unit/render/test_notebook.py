"""What a notebook shows: boards, layouts, frames, games, analyses and proofs draw themselves."""

import pytest

from sapper import Board, Frame, Game, Layout, analyse, explain, tiling

FRAME = Frame.parse("1 # #\n1 # #\n# # #", mines=2)
SMALL = {
    "board": tiling("hexagonal", 3, 3),
    "graph": Board.from_edges([("a", "b")]),
    "layout": Layout.parse("*.c"),
    "frame": FRAME,
    "game": Game.deal("beginner", seed=1, first="r5c5"),
    "analysis": analyse(FRAME),
    "proof": explain(FRAME, "reveal r3c1"),
}


@pytest.mark.parametrize("what", SMALL)
def test_it_draws_itself(what):
    assert SMALL[what]._repr_svg_().startswith("<svg")


def test_an_analysis_shows_its_odds():
    picture = analyse(FRAME)._repr_svg_()
    assert all(f">{label}<" in picture for label in ("50.0", "33.3"))
    assert picture != FRAME._repr_svg_()


def test_a_proof_frames_its_hints_and_tells_a_flag_from_a_reveal():
    proof = explain(FRAME, "reveal r3c1")
    assert proof._repr_svg_() != FRAME._repr_svg_()
    assert 'class="f-reveal' in proof._repr_svg_() and 'class="f-mark' not in proof._repr_svg_()
    assert 'class="f-mark' in explain(Frame.parse("1#"), "flag r1c2")._repr_svg_()


def test_a_lost_game_shows_the_mine_that_went_off():
    game = Game.on(Layout.parse("*.."))
    before = game._repr_svg_()
    game.play("reveal r1c1")
    assert game._repr_svg_() != before


def test_a_giant_is_left_to_its_repr():
    board = tiling("square", 300, 300)
    layout = Layout(board, [0] * len(board))
    giants = (board, Frame.blank(board), layout, Game.on(layout))
    assert [giant._repr_svg_() for giant in giants] == [None] * 4
