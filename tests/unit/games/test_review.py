"""Reviews: classes, risks, luck and missed cells."""

import math
import statistics

import pytest
from tests.oracle.naive import review_risks
from tests.random_session import random_session

from sapper import Game, GameSetup, Layout, Rules, Session, review, watch
from sapper.games.review import MISTAKE_MARGIN, Luck
from sapper.serialize.reviews import review_json, review_lines


def played(size, seed, player):
    game = Game.new(size, seed)
    for _ in watch(game, player=player, first=len(game.board) // 2, seed=seed):
        pass
    return game


def test_careful_makes_no_mistakes_and_random_makes_many():
    careful = [review(played("intermediate", seed, "careful")) for seed in range(10)]
    chance = [review(played("intermediate", seed, "random")) for seed in range(10)]
    assert sum(len(found.mistakes) for found in careful) == 0
    assert all(found.accuracy == 1 for found in careful)
    assert not any(missed.guessed for found in careful for missed in found.missed)
    assert sum(len(found.mistakes) for found in chance) > 20


def lucky(games):
    """The reviews of games by a good and a bad player."""
    players = ("careful", "random")
    return [review(played("5x5/6", seed, players[seed % 2])) for seed in range(games)]


def check_mean_luck(found):
    lucks = [one.luck for one in found]
    error = statistics.stdev(lucks) / math.sqrt(len(lucks))
    assert error > 0 and abs(statistics.mean(lucks)) < 4 * error
    # The error that the risks themselves give is that of the sample.
    assert Luck.of(found).error / len(found) == pytest.approx(error, rel=0.2)


def test_luck_is_zero_on_average_and_its_error_is_known_beforehand():
    check_mean_luck(lucky(400))


@pytest.mark.slow
def test_luck_is_zero_on_average_over_ten_thousand_games():
    check_mean_luck(lucky(10_000))


def test_luck_is_what_was_survived_minus_what_was_expected():
    found = lucky(12)
    luck = Luck.of(found)
    assert luck.games == 12 and luck.luck == pytest.approx(sum(one.luck for one in found))
    # Each risk by itself, as two outcomes with their weights.
    risks = [move for one in found for move in one.moves if move.counts and 0 < move.risk < 1]
    earned = [(-math.log10(1 - m.risk), 1 - m.risk) for m in risks]
    assert luck.expected == pytest.approx(
        sum(probabilities * earn for earn, probabilities in earned)
    )
    assert luck.survived == pytest.approx(
        sum(earn for (earn, _), move in zip(earned, risks, strict=True) if move.survived)
    )
    spread = sum(
        probabilities * earn**2 - (probabilities * earn) ** 2 for earn, probabilities in earned
    )
    assert luck.error == pytest.approx(math.sqrt(spread))
    halves = Luck.of(found[:5]) + Luck.of(found[5:])
    assert (halves.games, halves.luck) == (12, pytest.approx(luck.luck))
    assert repr(Luck(1, 1.0, 0.5, 0.25)) == "<Luck +0.50 +- 0.50 of 1 game>"


@pytest.mark.parametrize("seed", range(25))
def test_classes_and_risks_agree_with_counting_all_solutions(seed):
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
        assert move.kind == expected
        if expected == "mistake":
            assert move.cost == pytest.approx(float(risk - least), abs=1e-9)


@pytest.mark.parametrize("tiling", ["square", "hexagonal"])
@pytest.mark.parametrize(
    ("generator", "rule", "kind"),
    [
        ("plain", "any", "only-guess"),
        ("plain", "safe", "certain"),
        ("plain", "zero", "certain"),
        ("no-guess", "any", "certain"),
        ("no-guess", "zero", "certain"),
    ],
)
def test_the_first_click_of_a_game_and_of_a_session_is_judged_by_what_keeps_it_safe(
    tiling, generator, rule, kind
):
    rules = Rules.parse("4x4/4", tiling, rule)
    for seed in range(4):
        session = Session(GameSetup(rules, seed, generator), clock=lambda: 0.0)
        session.act("reveal r1c1")
        found = review(session)
        assert found.moves[0].kind == kind
        assert found.uniform == (generator == "plain")
        assert review(Game.new(rules, seed, "r1c1", generator=generator)) == found


def test_a_second_first_click_on_a_given_layout_is_not_safe_by_the_rule():
    layout = Layout.parse("*.")
    session = Session(GameSetup.from_layout(layout, "safe"), clock=lambda: 0.0)
    for event in ("reveal r1c2", "undo", "reveal r1c1"):
        session.act(event)
    assert [move.kind for move in review(session).moves] == ["certain", "only-guess"]


def test_a_safe_cell_left_covered_through_a_guess_is_missed():
    session = Session(GameSetup.from_layout(Layout.parse("...*.\n.....\n....*")), clock=lambda: 0.0)
    session.act("reveal r1c1")
    certain = review(session)
    assert not certain.missed
    session.act("reveal r3c5")
    found = review(session)
    assert found.outcome == "lost" and found.moves[-1].kind == "mistake"
    assert found.missed and all(m.guessed and m.since == 2 for m in found.missed)


def test_luck_does_not_count_after_an_undo_or_a_loss():
    session = Session(GameSetup.from_layout(Layout.parse("*..\n...\n..*")), clock=lambda: 0.0)
    session.act("reveal r1c1")
    session.act("undo")
    session.act("reveal r2c2")
    first, second = review(session).moves
    assert not first.survived and first.luck < 0 and first.counts
    assert second.risk > 0 and second.luck == 0 and not second.counts


def test_a_game_without_moves_has_an_empty_review():
    found = review(Game.new("beginner", 1))
    assert (found.moves, found.luck, found.accuracy, found.outcome) == ((), 0, None, "playing")


def test_history_has_every_event_with_its_position():
    session = random_session(3)
    entries = list(session.history())
    assert [entry.event for entry in entries] == session.log
    again = Session(session.setup, clock=lambda: 0.0)
    for entry in entries:
        assert entry.position == again.position and entry.seconds == entry.event.milliseconds / 1000
        again.act(entry.event.text)
    assert again.position == session.position


def test_the_review_of_a_no_guess_game_says_that_its_layouts_are_not_uniform():
    for generator, uniform in (("plain", True), ("no-guess", False)):
        setup = GameSetup(Rules.parse("beginner"), 1, generator)
        session = Session(setup, clock=lambda: 0.0)
        session.act("reveal r5c5")
        found = review(session)
        assert found.uniform == review_json(found)["uniform"] == uniform
        assert any("relative to random layouts" in line for line in review_lines(found)) != uniform
