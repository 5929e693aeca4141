"""The review of a game: classes, luck, what was missed, and the history it is made from."""

import json
import math
import random
import statistics

import pytest
from tests.oracle.naive import reviewed

from sapper import Game, Layout, Session, Start, review
from sapper.infer.budget import DEFAULT
from sapper.model.frame import BLANK, FLAG
from sapper.model.rules import Rules
from sapper.play.players import PLAYERS
from sapper.play.review import CLEARLY, LONG
from sapper.play.watch import Playing


def played(size, seed, player):
    game = Game.deal(size, seed)
    playing = Playing.player(game, PLAYERS[player], len(game.board) // 2, seed)
    while playing.step(DEFAULT.start()) is not None:
        pass
    return game


def test_careful_makes_no_mistakes_and_random_makes_many():
    careful = [review(played("intermediate", seed, "careful")) for seed in range(10)]
    chance = [review(played("intermediate", seed, "random")) for seed in range(10)]
    assert sum(len(found.mistakes) for found in careful) == 0
    assert all(found.accuracy == 1 for found in careful)
    assert not any(missed.guessed for found in careful for missed in found.missed)
    assert sum(len(found.mistakes) for found in chance) > 20


def mean_luck(games):
    lucks = [
        review(played("5x5/6", seed, ("careful", "random")[seed % 2])).luck for seed in range(games)
    ]
    return statistics.mean(lucks), statistics.stdev(lucks) / math.sqrt(games)


def test_luck_is_zero_on_average():
    mean, error = mean_luck(400)
    assert 0 < error < 0.02 and abs(mean) < 4 * error


@pytest.mark.slow
def test_luck_is_zero_on_average_over_ten_thousand_games():
    mean, error = mean_luck(10_000)
    assert 0 < error < 0.004 and abs(mean) < 4 * error


def wandering(seed):
    """A session of reveals, flags and chords at random, to the end of its game."""
    dice = random.Random(seed)
    session = Session(Start(Rules.parse("4x3/3", rule="any"), seed), clock=lambda: 0.0)
    while not session.game.over:
        marks = session.frame.marks
        cell = dice.randrange(12)
        if marks[cell] == BLANK:
            session.act(f"{dice.choice(['reveal', 'flag'])} {session.game.board.name(cell)}")
        elif marks[cell] == FLAG:
            session.act(f"unflag {session.game.board.name(cell)}")
        elif session.frame.need(cell) == 0 and session.frame.blanks_around(cell):
            session.act(f"chord {session.game.board.name(cell)}")
    return session


@pytest.mark.parametrize("seed", range(25))
def test_classes_and_risks_agree_with_the_count_of_all_placements(seed):
    session = wandering(seed)
    for move in review(session).moves:
        opened = [move.move.cell]
        if move.move.action == "chord":
            opened = list(move.frame.blanks_around(move.move.cell))
        risk, least, equal = reviewed(move.frame, opened)
        assert move.risk == pytest.approx(float(risk), abs=1e-9)
        if risk == 0:
            expected = "certain"
        elif least == 0 or float(risk - least) > CLEARLY:
            expected = "mistake"
        else:
            expected = "only-guess" if equal else "best-guess"
        assert move.kind == expected
        if expected == "mistake":
            assert move.cost == pytest.approx(float(risk - least), abs=1e-9)


def test_a_first_click_that_the_rule_promises_is_no_risk():
    for rule, kind in (("any", "only-guess"), ("safe", "certain"), ("zero", "certain")):
        session = Session(Start(Rules.parse("beginner", rule=rule), 1))
        session.act("reveal r5c5")
        assert review(session).moves[0].kind == kind


def test_a_certain_reveal_that_stood_through_a_guess_is_missed():
    session = Session(Start.on(Layout.parse("...*.\n.....\n....*")), clock=lambda: 0.0)
    session.act("reveal r1c1")
    certain = review(session)
    assert not certain.missed
    session.act("reveal r3c5")
    found = review(session)
    assert found.outcome == "lost" and found.moves[-1].kind == "mistake"
    assert found.missed and all(m.guessed and m.since == 2 for m in found.missed)
    assert LONG > 1


def test_luck_does_not_count_after_an_undo_or_a_loss():
    session = Session(Start.on(Layout.parse("*..\n...\n..*")), clock=lambda: 0.0)
    session.act("reveal r1c1")
    session.act("undo")
    session.act("reveal r2c2")
    first, second = review(session).moves
    assert not first.survived and first.luck < 0 and first.counts
    assert second.risk > 0 and second.luck == 0 and not second.counts


def test_a_game_without_moves_has_an_empty_review():
    found = review(Game.deal("beginner", 1))
    assert (found.moves, found.luck, found.accuracy, found.outcome) == ((), 0, None, "playing")


def test_history_gives_every_event_with_the_frame_that_it_met():
    session = wandering(3)
    moments = list(session.history())
    assert [moment.event for moment in moments] == session.log
    assert not len(moments[0].frame.revealed)
    again = Session(session.start, clock=lambda: 0.0)
    for moment in moments:
        assert moment.frame == again.frame and moment.seconds == moment.event.at / 1000
        again.act(moment.event.what)
    assert again.frame == session.frame


def test_the_command_prints_the_review(tmp_path, capsys):
    from sapper.cli.main import run

    path = tmp_path / "game.txt"
    session = wandering(5)
    path.write_text(session.save())
    assert run(["review", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    found = review(session)
    assert answer["mistakes"] == len(found.mistakes) and answer["outcome"] == found.outcome
    assert [move["class"] for move in answer["moves"]] == [move.kind for move in found.moves]
    assert set(answer["moves"][0]) >= {"move", "class", "risk", "least_risk", "seconds"}
    assert isinstance(answer["missed"], list) and answer["luck"] == found.luck
    assert run(["review", str(path), "--steps"]) == 0
    told = capsys.readouterr().out
    assert told.count("\n\n") == len(found.moves) and "luck" in told.splitlines()[-1]


def test_the_strip_has_a_bar_for_each_move_as_high_as_its_risk(tmp_path, capsys):
    from xml.etree import ElementTree

    from sapper.cli.main import run
    from sapper.render.strip import HEIGHT

    path, svg = tmp_path / "game.txt", tmp_path / "strip.svg"
    session = wandering(5)
    path.write_text(session.save())
    assert run(["review", str(path), "--svg", str(svg)]) == 0
    assert "luck" in capsys.readouterr().out
    drawn = list(ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}rect"))
    moves = review(session).moves
    assert len(drawn) == len(moves)
    for bar, move in zip(drawn, moves, strict=True):
        assert float(bar.get("height")) == pytest.approx(max(2, HEIGHT * move.risk), abs=0.06)
        assert move.kind in bar[0].text
    assert run(["review", str(path), "--svg", "-"]) == 0
    assert capsys.readouterr().out == svg.read_text()


def test_a_position_is_not_a_game(tmp_path, capsys):
    from sapper.cli.main import run

    path = tmp_path / "frame.txt"
    path.write_text("1#\n")
    assert run(["review", str(path)]) == 2
    assert "expected" in capsys.readouterr().err
