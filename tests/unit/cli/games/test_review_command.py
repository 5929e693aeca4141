"""`sapper review`."""

import json
from xml.etree import ElementTree

import pytest
from tests.sessions import random_session

from sapper import analyse, review
from sapper.games.review import LuckStatistics
from sapper.games.win_review import win_review
from sapper.render.svg import CHART_HEIGHT

GAME = """
sapper: game 1
board: square 5x3
layout: r1c4 r3c5

0.000 reveal r1c1
2.500 reveal r3c5
"""


def test_json_has_the_documented_keys(run_on_text):
    session = random_session(5)
    answer = json.loads(run_on_text("review", session.save(), "--json")[1])
    found = review(session)
    assert answer["mistakes"] == len(found.mistakes) and answer["outcome"] == found.outcome
    assert [move["class"] for move in answer["moves"]] == [move.move_class for move in found.moves]
    assert set(answer["moves"][0]) >= {"move", "class", "risk", "least_risk", "seconds"}
    assert isinstance(answer["missed"], list) and answer["luck"] == found.luck
    win = win_review(found)
    assert (answer["win_cost"], answer["win_luck"]) == (win.cost, win.luck)
    assert [move["win_before"] for move in answer["moves"]] == [move.before for move in win.moves]


def test_samples_0_leaves_out_win_chances(run_on_text):
    _, out, _ = run_on_text("review", GAME)
    assert out.splitlines()[-1].startswith("win chance by learned: ")
    assert "blunder (-" in out.splitlines()[1]
    assert "win chance" not in run_on_text("review", GAME, "--samples", 0)[1]
    answer = json.loads(run_on_text("review", GAME, "--samples", 0, "--json")[1])
    assert (answer["win_cost"], answer["moves"][0]["severity"]) == (None, None)
    assert run_on_text("review", GAME, "--samples", -1)[0] == 2


def test_win_chances_of_several_games_are_estimated_on_request(sapper, run_json, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME)
    assert run_json("review", path, path)["win_cost"] is None
    answer = run_json("review", path, path, "--samples", 20)
    costs = [game["win_cost"] for game in answer["games"]]
    assert answer["win_cost"] == pytest.approx(sum(costs)) and min(costs) > 0
    _, out, _ = sapper("review", path, path, "--samples", 20)
    assert out.count("win chance by learned") == 2


def test_steps_show_probabilities_and_the_move_in_brackets(run_on_text):
    status, out, _ = run_on_text("review", GAME, "--steps", "--samples", 0)
    first, second, *_ = out.split("\n\n")
    # The interior has one label.
    assert status == 0 and first.splitlines()[:2] == [
        "[ #  ] #    #    #    #",
        "  #   13.3  #    #    #",
    ]
    assert second.splitlines() == [
        "  .    .    1   mine safe",
        "  .    .    1    2    50",
        "  .    .    .    1  [ 50 ]",
        "2. reveal r3c5: mistake, 50% risk where 0% was possible, and lost; safe: r1c5",
    ]


def test_steps_name_the_safest_cells_if_nothing_was_certain(run_on_text):
    session = next(s for s in map(random_session, range(99)) if bad_guesses(s))
    out = run_on_text("review", session.save(), "--steps", "--samples", 0)[1]
    move = bad_guesses(session)[0]
    probabilities = analyse(move.position).probabilities
    least = [name for name, p in probabilities.items() if p <= move.least_risk + 1e-9]
    line = next(line for line in out.splitlines() if line.startswith(f"{move.number}. "))
    assert line.endswith(f"; safest: {' '.join(least[:8])}")


def bad_guesses(session):
    return [m for m in review(session).moves if m.move_class == "mistake" and m.least_risk > 0]


def test_several_games_have_a_line_each_and_a_total(sapper, run_json, tmp_path):
    sessions = [random_session(seed) for seed in (3, 5, 7)]
    paths = [tmp_path / f"{k}.txt" for k in range(3)]
    for path, session in zip(paths, sessions, strict=True):
        path.write_text(session.save())
    reviews = [review(session) for session in sessions]
    total = LuckStatistics.of(reviews)
    *lines, last = sapper("review", *paths)[1].splitlines()
    assert [line.split(": ")[0] for line in lines] == [str(path) for path in paths]
    assert last.startswith(f"3 games: luck {total.luck:+.2f}, standard deviation ")
    answer = run_json("review", *paths)
    assert [game["luck"] for game in answer["games"]] == [review.luck for review in reviews]
    assert (answer["luck"], answer["error"]) == (total.luck, total.error)
    status, _, message = sapper("review", *paths, "--steps")
    assert status == 2 and "--steps and --svg take one game" in message
    paths[1].write_text("1#")
    status, _, message = sapper("review", *paths)
    assert status == 2 and f"sapper: {paths[1]}: expected a saved game" in message


def test_chart_has_a_bar_for_each_move_as_high_as_its_risk(run_on_text, tmp_path):
    svg = tmp_path / "chart.svg"
    session = random_session(5)
    status, out, _ = run_on_text("review", session.save(), "--svg", svg)
    assert status == 0 and "luck" in out
    drawn = list(ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}rect"))
    moves = review(session).moves
    assert len(drawn) == len(moves)
    for bar, move in zip(drawn, moves, strict=True):
        assert float(bar.get("height")) == pytest.approx(max(2, CHART_HEIGHT * move.risk), abs=0.06)
        assert move.move_class in bar[0].text
    assert run_on_text("review", session.save(), "--svg", "-")[:2] == (0, svg.read_text())
    assert run_on_text("review", session.save(), "--svg", "-", "--json")[:2] == (2, "")


def profile(*games, format_name="sapper profile 1"):
    rows = [{"format": format_name}, {"result": {}}, *({"game": game} for game in games)]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def exported_game(session, **changes):
    """Return a game as the page exports it."""
    events = [[event.milliseconds, event.text] for event in session.log]
    game = {"id": "a", "setup": session.setup.format(), "events": events}
    return {**game, "repeated": False, "finished": True, **changes}


def test_luck_of_a_profile_counts_finished_first_attempts(sapper, run_json, tmp_path):
    path = tmp_path / "profile.json"
    sessions = [random_session(seed) for seed in (3, 5, 7)]
    others = exported_game(sessions[0], repeated=True), exported_game(sessions[1], finished=False)
    path.write_text(profile(*map(exported_game, sessions), *others))
    answer = run_json("review", path)
    luck = LuckStatistics.of(map(review, sessions))
    assert [game["file"] for game in answer["games"]] == [f"{path}: game {k}" for k in (1, 2, 3)]
    assert (answer["luck"], answer["error"]) == (luck.luck, luck.error)
    path.write_text(profile(exported_game(sessions[0])))
    _, out, _ = sapper("review", path)
    assert out.splitlines()[0].startswith(f"{path}: game 1: ")
    assert out.splitlines()[1].startswith("1 game: luck ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (profile(format_name="sapper statistics 1"), "got 'sapper statistics 1'"),
        (profile(), "no finished game to review"),
        (profile(7), "game 1: expected an object, got 7"),
        (profile({"finished": True, "repeated": False}), "game 1: expected the keys 'setup' and"),
        (profile(exported_game(random_session(3), events=[["x", 1]])), "game 1: expected the keys"),
        (profile(exported_game(random_session(3), events=[[0, "fly"]])), "game 1: "),
        (profile(exported_game(random_session(3), setup="hello")), "game 1: expected a saved game"),
        ('{"numbers": {}}', "expected saved games or an exported profile, got other JSON"),
    ],
)
def test_invalid_profile_is_reported_in_one_line(run_on_text, text, message):
    status, _, error = run_on_text("review", text)
    assert status == 2 and message in error and error.count("\n") == 1
