"""What a notebook shows: boards, layouts, positions, games, analyses and proofs draw themselves."""

from sapper import Board, Game, Layout, Position, analyse, explain, tiling

POSITION = Position.parse("1 # #\n1 # #\n# # #", mines=2)
SMALL = {
    "board": tiling("hexagonal", 3, 3),
    "graph": Board.from_edges([("a", "b")]),
    "layout": Layout.parse("*.c"),
    "position": POSITION,
    "game": Game.new("beginner", seed=1, first="r5c5"),
    "analysis": analyse(POSITION),
    "proof": explain(POSITION, "reveal r3c1"),
}


def test_value_draws_itself_in_a_notebook():
    for what, value in SMALL.items():
        assert value._repr_svg_().startswith("<svg"), what


def test_analysis_proof_and_lost_game_show_what_they_are():
    picture = analyse(POSITION)._repr_svg_()
    assert all(f">{label}<" in picture for label in ("50", "33.3"))
    assert picture != POSITION._repr_svg_()
    proof = explain(POSITION, "reveal r3c1")
    assert proof._repr_svg_() != POSITION._repr_svg_()
    assert "f-certain-safe" in proof._repr_svg_() and "f-certain-mine" not in proof._repr_svg_()
    assert "f-certain-mine" in explain(Position.parse("1#"), "flag r1c2")._repr_svg_()
    game = Game.from_layout(Layout.parse("*.."))
    before = game._repr_svg_()
    game.play("reveal r1c1")
    assert game._repr_svg_() != before


def test_large_board_is_shown_by_its_repr():
    board = tiling("square", 300, 300)
    layout = Layout(board, [0] * len(board))
    values = (board, Position.initial(board), layout, Game.from_layout(layout))
    assert [value._repr_svg_() for value in values] == [None] * 4
