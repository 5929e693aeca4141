"""Watching a game on a terminal: header, keys, the fatal move, boards larger than the screen."""

import re

import pytest

from sapper.cli.games.live import QUICKEST, SLOWEST, Pace

LOST = ("watch", "8x8/20", "--player", "random", "--seed", 1)


def test_the_header_names_the_player_the_seed_the_move_and_the_mines_left(terminal):
    shown = terminal("watch", "beginner", "--player", "careful", "--seed", 4, "--pace", 0).text
    assert "careful · seed 4 · move 1 · 0 s a move · 10 mines left" in shown
    assert re.search(r"careful · seed 4 · move 17 · 0 s a move · \d mines? left", shown)


def test_rows_and_columns_are_numbered(terminal):
    shown = terminal("watch", "beginner", "--seed", 4, "--pace", 0).text
    assert re.search(r"^ *1 2 3 4 5 6 7 8 9$", shown, re.M)


def test_the_fatal_move_stays_with_its_mine_shown(terminal):
    shown = terminal(*LOST, "--pace", 0).text
    lost = re.search(r"lost at r(\d)c(\d) after", shown)
    assert lost is not None
    last = shown[: lost.start()].rstrip().splitlines()[-8:]
    cells = [line.split()[1:] for line in last]
    assert cells[int(lost[1]) - 1][int(lost[2]) - 1] == "*"
    assert sum(row.count("*") for row in cells) == 1


def test_plain_output_says_how_it_ended_and_where(sapper):
    _, out, _ = sapper(*LOST)
    *_, summary = out.splitlines()
    assert re.match(r"lost at r\dc\d after \d+ moves? \(", summary)
    assert out.count("*") == 1


@pytest.mark.parametrize("tiling", ["square", "hexagonal", "triangular"])
def test_a_board_larger_than_the_terminal_follows_the_action(terminal, tiling):
    first = "r55c70"
    wish = ("watch", "80x60/600", "--tiling", tiling, "--solver", "human", "--first", first)
    shown = terminal(*wish, "--seed", 3, "--pace", 0, columns=60, lines=24, keys=b"q").text
    part = re.search(r"rows (\d+) to (\d+) of 60, columns (\d+) to (\d+) of 80", shown)
    top, bottom, left, right = map(int, part.groups())
    assert top <= 55 <= bottom and left <= 70 <= right
    picture = shown[: shown.index("space: pause")].splitlines()
    assert len(picture) < 24 and max(map(len, picture)) <= 60


def test_q_goes_to_the_end_at_once(terminal):
    shown = terminal("watch", "beginner", "--seed", 4, "--pace", 60, keys=b"q").text
    assert "move 1 " in shown and "move 2 " not in shown
    assert "won after 20 moves" in shown


def test_space_pauses_n_steps_and_space_goes_on(terminal):
    keys = b" nn+++q"
    shown = terminal("watch", "beginner", "--seed", 4, "--pace", 60, keys=keys).text
    assert "move 1 · paused" in shown and "move 3 · paused" in shown and "move 4 " not in shown


def test_plus_and_minus_change_the_pace_within_bounds():
    pace = Pace(0.5)
    for _ in range(30):
        pace.press("+")
    assert pace.seconds == QUICKEST
    for _ in range(30):
        pace.press("-")
    assert pace.seconds == SLOWEST
    assert pace.press("x") is False and not pace.paused
