"""The judge of one-click boards: it plays their click."""

from sapper.board.layout import Layout
from sapper.games.game import Game


def is_one_click(layout: Layout) -> bool:
    """Return whether the click of a layout wins the game."""
    game = Game.from_layout(layout)
    game.play(f"reveal {layout.board.name(layout.click)}")
    return game.outcome == "won"
