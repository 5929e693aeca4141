"""Reviews: classes, risks, luck and missed cells."""

import math

import pytest
from tests.oracle.naive import review_risks
from tests.sessions import played_game, random_session, session_on

from sapper import Game, GameSetup, Rules, Session, review
from sapper.games.review import MISTAKE_MARGIN, LuckStatistics
from sapper.serialize.games import review_json, review_lines


def mixed_reviews(games):
    """Return the reviews of games by a good and a bad player in turn."""
    players = ("careful", "random")
    return [review(played_game("5x5/6", seed, players[seed % 2])) for seed in range(games)]


def test_luck_is_the_survived_stakes_minus_the_expected_ones():
    reviews = mixed_reviews(12)
    luck = LuckStatistics.of(reviews)
    assert luck.games == 12 and luck.luck == pytest.approx(sum(game.luck for game in reviews))
    # Each risk by itself, as two outcomes with their weights.
    moves = [move for game in reviews for move in game.moves if move.counts and 0 < move.risk < 1]
    gains = [(-math.log10(1 - move.risk), 1 - move.risk, move.survived) for move in moves]
    assert luck.expected == pytest.approx(sum(p * gain for gain, p, _ in gains))
    assert luck.survived == pytest.approx(sum(gain for gain, _, survived in gains if survived))
    variance = sum(p * gain**2 - (p * gain) ** 2 for gain, p, _ in gains)
    assert luck.error == pytest.approx(math.sqrt(variance))
    halves = LuckStatistics.of(reviews[:5]) + LuckStatistics.of(reviews[5:])
    assert (halves.games, halves.luck) == (12, pytest.approx(luck.luck))
    assert repr(LuckStatistics(1, 1.0, 0.5, 0.25)) == "<LuckStatistics +0.50 +- 0.50 of 1 game>"


def test_classes_and_risks_agree_with_counting_all_solutions():
    for seed in range(25):
        session = random_session(seed)
        for move in review(session).moves:
            opened = [move.move.cell]
            if move.move.action == "chord":
                opened = list(move.position.covered_around(move.move.cell))
            risk, least, equal = review_risks(move.position, opened)
            assert move.risk == pytest.approx(float(risk), abs=1e-9)
            if risk == 0:
                expected = "certain"
            elif least == 0 or float(risk - least) > MISTAKE_MARGIN:
                expected = "mistake"
            else:
                expected = "only-guess" if equal else "best-guess"
            assert move.move_class == expected
            if expected == "mistake":
                assert move.cost == pytest.approx(float(risk - least), abs=1e-9)


def test_first_click_is_certain_if_rule_or_generator_keep_it_safe():
    for tiling in ["square", "hexagonal"]:
        for generator, rule, expected in [
            ("plain", "any", "only-guess"),
            ("plain", "safe", "certain"),
            ("plain", "zero", "certain"),
            ("no-guess", "any", "certain"),
            ("no-guess", "zero", "certain"),
        ]:
            rules = Rules.parse("4x4/4", tiling, rule)
            for seed in range(4):
                session = Session(GameSetup(rules, seed, generator), clock=lambda: 0.0)
                session.act("reveal r1c1")
                result = review(session)
                assert result.moves[0].move_class == expected
                assert result.uniform == (generator == "plain")
                assert review(Game.new(rules, seed, "r1c1", generator=generator)) == result
    session = session_on("*.", "reveal r1c2", "undo", "reveal r1c1", rule="safe")
    assert [move.move_class for move in review(session).moves] == ["certain", "only-guess"]


def test_safe_cell_left_covered_through_a_guess_is_missed():
    session = session_on("...*.\n.....\n....*", "reveal r1c1")
    assert not review(session).missed
    session.act("reveal r3c5")
    result = review(session)
    assert result.outcome == "lost" and result.moves[-1].move_class == "mistake"
    assert result.missed and all(cell.guessed and cell.since == 2 for cell in result.missed)


def test_luck_does_not_count_after_an_undo_or_a_loss():
    session = session_on("*..\n...\n..*", "reveal r1c1", "undo", "reveal r2c2")
    first, second = review(session).moves
    assert not first.survived and first.luck < 0 and first.counts
    assert second.risk > 0 and second.luck == 0 and not second.counts


def test_game_without_moves_has_an_empty_review():
    empty = review(Game.new("beginner", 1))
    assert (empty.moves, empty.luck, empty.accuracy, empty.outcome) == ((), 0, None, "playing")


def test_history_has_every_event_with_its_position():
    session = random_session(3)
    entries = list(session.history())
    assert [entry.event for entry in entries] == session.log
    again = Session(session.setup, clock=lambda: 0.0)
    for entry in entries:
        assert entry.position == again.position and entry.seconds == entry.event.milliseconds / 1000
        again.act(entry.event.text)
    assert again.position == session.position


def test_review_of_a_no_guess_game_says_that_its_layouts_are_not_uniform():
    for generator, uniform in [("plain", True), ("no-guess", False)]:
        result = review(Game.new("beginner", 1, "r5c5", generator=generator))
        assert result.uniform == review_json(result)["uniform"] == uniform
        assert any("relative to random layouts" in line for line in review_lines(result)) != uniform
