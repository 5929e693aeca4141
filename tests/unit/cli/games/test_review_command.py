"""`sapper review`: one game in words, JSON, steps and as a strip; several with their luck."""

import json
from xml.etree import ElementTree

import pytest
from tests.random_session import random_session

from sapper import analyse, review
from sapper.cli.main import run
from sapper.games.review import Luck
from sapper.render.svg import CHART_HEIGHT

GAME = """
sapper: game 1
board: square 5x3
layout: r1c4 r3c5

0.000 reveal r1c1
2.500 reveal r3c5
"""


def test_the_command_prints_the_review(tmp_path, capsys):
    path = tmp_path / "game.txt"
    session = random_session(5)
    path.write_text(session.save())
    assert run(["review", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    found = review(session)
    assert answer["mistakes"] == len(found.mistakes) and answer["outcome"] == found.outcome
    assert [move["class"] for move in answer["moves"]] == [move.kind for move in found.moves]
    assert set(answer["moves"][0]) >= {"move", "class", "risk", "least_risk", "seconds"}
    assert isinstance(answer["missed"], list) and answer["luck"] == found.luck


def test_steps_show_the_probabilities_that_each_move_met_and_the_move_in_brackets(sapper, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME)
    status, told, _ = sapper("review", path, "--steps")
    first, second, *_ = told.split("\n\n")
    # The interior is told once.
    assert status == 0 and first.splitlines()[:2] == [
        "[ #  ] #    #    #    #",
        "  #   13.3  #    #    #",
    ]
    assert second.splitlines() == [
        "  .    .    1   mine safe",
        "  .    .    1    2   50.0",
        "  .    .    .    1  [50.0]",
        "2. reveal r3c5: mistake, 50% risk where 0% was possible, and lost; certain: r1c5",
    ]


def test_steps_name_the_safest_cells_where_nothing_was_certain(sapper, tmp_path):
    path = tmp_path / "game.txt"
    session = next(s for s in map(random_session, range(99)) if bad_guesses(s))
    path.write_text(session.save())
    told = sapper("review", path, "--steps")[1]
    move = bad_guesses(session)[0]
    probabilities = analyse(move.position).probabilities
    least = [name for name, p in probabilities.items() if p <= move.least_risk + 1e-9]
    line = next(line for line in told.splitlines() if line.startswith(f"{move.number}. "))
    assert line.endswith(f"; safest: {' '.join(least[:8])}")


def bad_guesses(session):
    return [m for m in review(session).moves if m.kind == "mistake" and m.least_risk > 0]


def test_several_games_have_a_line_each_and_their_luck_together(sapper, tmp_path):
    paths = []
    for seed in (3, 5, 7):
        paths.append(tmp_path / f"{seed}.txt")
        paths[-1].write_text(random_session(seed).save())
    found = [review(random_session(seed)) for seed in (3, 5, 7)]
    _, told, _ = sapper("review", *paths)
    *lines, last = told.splitlines()
    assert [line.split(": ")[0] for line in lines] == [str(path) for path in paths]
    assert last.startswith(f"3 games: luck {Luck.of(found).luck:+.2f}, standard deviation ")
    answer = json.loads(sapper("review", *paths, "--json")[1])
    assert [game["luck"] for game in answer["games"]] == [one.luck for one in found]
    assert answer["luck"] == Luck.of(found).luck and answer["error"] == Luck.of(found).error
    status, _, problem = sapper("review", *paths, "--steps")
    assert status == 2 and "expected one game for --steps and --svg, got several" in problem
    paths[1].write_text("1#")
    status, _, problem = sapper("review", *paths)
    assert status == 2 and f"sapper: {paths[1]}: expected a saved game" in problem


def test_the_strip_has_a_bar_for_each_move_as_high_as_its_risk(tmp_path, capsys):
    from sapper.cli.main import run

    path, svg = tmp_path / "game.txt", tmp_path / "strip.svg"
    session = random_session(5)
    path.write_text(session.save())
    assert run(["review", str(path), "--svg", str(svg)]) == 0
    assert "luck" in capsys.readouterr().out
    drawn = list(ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}rect"))
    moves = review(session).moves
    assert len(drawn) == len(moves)
    for bar, move in zip(drawn, moves, strict=True):
        assert float(bar.get("height")) == pytest.approx(max(2, CHART_HEIGHT * move.risk), abs=0.06)
        assert move.kind in bar[0].text
    assert run(["review", str(path), "--svg", "-"]) == 0
    assert capsys.readouterr().out == svg.read_text()


def test_a_position_is_not_a_game(tmp_path, capsys):
    path = tmp_path / "position.txt"
    path.write_text("1#\n")
    assert run(["review", str(path)]) == 2
    assert "expected" in capsys.readouterr().err


def profile(*games, form="sapper profile 1"):
    return json.dumps({"format": form, "documents": [], "results": [], "games": list(games)})


def kept(session, **changes):
    """A game as the page exports it."""
    events = [[event.at, event.what] for event in session.log]
    game = {"id": "a", "start": session.setup.format(), "events": events}
    return {**game, "again": False, "over": True, **changes}


def test_the_luck_of_a_score_book_is_that_of_the_games_that_count_in_it(sapper, tmp_path):
    path = tmp_path / "profile.json"
    sessions = [random_session(seed) for seed in (3, 5, 7)]
    others = kept(sessions[0], again=True), kept(sessions[1], over=False)
    path.write_text(profile(*map(kept, sessions), *others))
    answer = json.loads(sapper("review", path, "--json")[1])
    luck = Luck.of(map(review, sessions))
    assert [game["file"] for game in answer["games"]] == [f"{path}: game {k}" for k in (1, 2, 3)]
    assert (answer["luck"], answer["error"]) == (luck.luck, luck.error)
    path.write_text(profile(kept(sessions[0])))
    _, told, _ = sapper("review", path)
    assert told.splitlines()[0].startswith(f"{path}: game 1: ")
    assert told.splitlines()[1].startswith("1 game: luck ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (profile(form="sapper statistics 1"), "got 'sapper statistics 1'"),
        (profile(), "expected a game that is over, got none"),
        (profile(7), "game 1: expected an object, got 7"),
        (profile({"over": True, "again": False}), "game 1: expected the keys 'start' and 'events'"),
        (
            profile(kept(random_session(3), events=[["x", 1]])),
            "game 1: expected the keys 'start' and 'events'",
        ),
        (profile(kept(random_session(3), events=[[0, "fly"]])), "game 1: "),
        (profile(kept(random_session(3), start="hello")), "game 1: expected a saved game"),
        ('{"numbers": {}}', "expected saved games or an exported profile, got 'other JSON'"),
    ],
)
def test_what_is_no_profile_is_one_line(sapper, tmp_path, text, message):
    path = tmp_path / "profile.json"
    path.write_text(text)
    status, _, told = sapper("review", path)
    assert status == 2 and message in told and told.count("\n") == 1
