"""The player `shrewd`: its games and its explanations."""

import sapper
from sapper import PLAYERS, Budget
from sapper.games.play_many import play_each
from sapper.players.hints import best_guess
from sapper.players.patient import PatientSettings
from sapper.players.shrewd import ShrewdSettings

USUAL = ShrewdSettings()
END_GAME = {name: getattr(USUAL, name) for name in ("end_game", "thin_end_game", "nodes")}
# What each player with a network plays where there is none.
WITHOUT_NETWORK = {
    "learned": PLAYERS["thoughtful"],
    "shrewd": PLAYERS["thoughtful"].with_settings(END_GAME),
}


def test_board_without_a_network_is_played_as_thoughtful():
    for player in WITHOUT_NETWORK:
        players = (player, WITHOUT_NETWORK[player])
        games = [play_each("8x8/12", name, 20, seed=9, tiling="torus") for name in players]
        assert (games[0] == games[1]).all()


def test_guess_has_the_networks_values_of_its_candidates():
    for player in ("learned", "shrewd"):
        position = sapper.Position.initial(sapper.tiling("square", 9, 9), mines=10)
        reason = sapper.advise(position, player).reason
        assert reason.candidates[0].relative_value == 0.0 and reason.candidates[0].score is None
        known = [candidate.relative_value for candidate in reason.candidates]
        values = [value for value in known if value is not None]
        assert len(values) >= 3 and max(values) <= 0.0


def test_more_candidates_than_cells_are_all_cells():
    for player, name in [
        ("learned", "candidates"),
        ("shrewd", "many"),
        ("shrewd", "keep"),
        ("shrewd", "keep_ahead"),
    ]:
        many, all_cells = (
            PLAYERS.find(player).with_settings({name: count}) for count in (10**9, 36)
        )
        games = [play_each("6x6/7", row, 20, seed=5) for row in (many, all_cells)]
        assert (games[0] == games[1]).all()


def test_without_networks_shrewd_plays_as_thoughtful():
    rows = [
        play_each("9x9/14", PLAYERS.find("shrewd").with_settings({"network": False}), 20, seed=2),
        play_each("9x9/14", PLAYERS.find("thoughtful").with_settings(END_GAME), 20, seed=2),
    ]
    assert (rows[0] == rows[1]).all()


def test_patient_adds_rollouts_to_the_candidates_of_shrewd_except_at_the_start():
    board = sapper.tiling("square", 9, 9)
    settings = PatientSettings()
    shrewd = PLAYERS.find("shrewd").with_settings(
        {"keep": settings.keep, "keep_ahead": settings.keep_ahead}
    )
    position = sapper.Position.initial(board, mines=16).with_marks({board.cell("r5c5"): 1})
    entry = PLAYERS.find("patient").with_settings({"samples": 20})
    reason = sapper.advise(position, entry).reason
    first = sapper.advise(position, shrewd).reason.cell
    assert first in {candidate.cell for candidate in reason.candidates}
    for candidate in reason.candidates:
        assert candidate.rate is not None and candidate.samples >= 20
    assert any(candidate.relative_value is not None for candidate in reason.candidates)
    position = sapper.Position.initial(sapper.tiling("square", 9, 9), mines=16)
    assert sapper.advise(position, "patient").reason == sapper.advise(position, shrewd).reason


def test_hints_give_the_guess_of_shrewd_on_boards_with_a_network():
    for tiling, player in [("square", "shrewd"), ("hexagonal", "shrewd"), ("torus", "thoughtful")]:
        board = sapper.tiling(tiling, 9, 9)
        covered = sapper.Position.initial(board, mines=16)
        position = covered.with_marks({board.cell("r5c5"): 1})
        wanted = sapper.advise(position, player).reason
        shown = sapper.hint(position, 4)
        assert [move.cell for move in shown.moves] == [wanted.cell]
        guess = best_guess(sapper.analyse(position), Budget().start())
        assert guess is not None and guess.cell == wanted.cell
        assert guess.explanation == wanted.explanation
