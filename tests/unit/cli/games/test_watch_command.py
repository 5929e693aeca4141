"""`sapper watch`: plain output, and live games on a terminal."""

import re
from functools import partial

import pytest

from sapper import Budget, Game, win_chance
from sapper.cli.commands import watch as watch_command
from sapper.cli.commands.watch import FASTEST, SLOWEST, Pace, win_chance_text

PAPER_SOLVERS = ("human", "brute-board", "brute", "backtrack", "hybrid")
LOST = ("8x8/20", "--player", "random", "--seed", 1)
WON = ("beginner", "--seed", 4)


@pytest.fixture
def watch(sapper):
    return partial(sapper, "watch")


def test_every_move_has_a_line_with_its_reason(watch):
    status, out, err = watch(*WON, "--solver", "human", "--plain")
    lines = out.splitlines()
    assert (status, err) == (0, "seed 4\n")
    assert lines[0] == "reveal r5c5: first click"
    assert "flag r8c1: strategy 4 on r6c2 and r7c2" in lines
    assert lines[-1].startswith("won after 20 moves (first click: 1, strategy 1: 3")


def test_stuck_solver_stops(watch):
    status, out, _ = watch("expert", "--seed", 3, "--plain")
    assert status == 0
    assert out.splitlines()[-1].startswith("stuck with 155 covered cells left")


def test_solver_beyond_its_budget_stops(watch):
    status, out, _ = watch("expert", "--solver", "brute-board", "--seed", 4, "--plain")
    assert status == 0
    assert "brute-board" in out.splitlines()[-1] and "stuck" in out.splitlines()[-1]


def test_lost_game_says_where_and_shows_the_mine(watch):
    line = "2x2/3 --rule any --first r1c1 --seed 1 --plain"
    status, out, _ = watch(*line.split())
    assert status == 0
    assert out.splitlines()[-1] == "lost at r1c1 after 1 move (first click: 1)"
    _, out, _ = watch(*LOST)
    assert re.match(r"lost at r\dc\d after \d+ moves? \(", out.splitlines()[-1])
    assert out.count("*") == 1


@pytest.mark.parametrize("solver", PAPER_SOLVERS)
@pytest.mark.parametrize("tiling", ["torus", "hexagonal", "triangular", "triangular-edge"])
def test_every_solver_plays_on_every_tiling(watch, solver, tiling):
    status, out, _ = watch("5x4/2", "--solver", solver, "--tiling", tiling, "--seed", 1, "--plain")
    assert status == 0
    assert out.splitlines()[-1].startswith(("won", "stuck"))


# On a terminal.


@pytest.fixture
def no_time_limit(monkeypatch):
    """Let every estimate of a win chance finish, however busy the machine is."""
    monkeypatch.setattr(watch_command, "WIN_BUDGET", Budget(seconds=100))


def test_header_has_the_win_chance_while_the_game_is_played(terminal, no_time_limit):
    shown = terminal("watch", *WON, "--pace", 0).text
    assert re.search(r"move 11 .* \d mines? left · win chance \d+%", shown)
    assert "win chance" not in shown[shown.rindex(" · move 20 ") :]
    shown = terminal("watch", *WON, "--pace", 0, "--no-win-chance").text
    assert "win chance" not in shown and "move 20" in shown


def test_win_chance_in_the_header_is_left_out_if_it_takes_too_long(no_time_limit, monkeypatch):
    game = Game.new("16x16/40", 9, "r8c8")
    expected = win_chance(game.position, player="learned", samples=100)
    assert win_chance_text(game.position, False) == f" · win chance {100 * expected.value:.0f}%"
    assert win_chance_text(game.position, True) == ""
    monkeypatch.setattr(watch_command, "WIN_BUDGET", Budget(seconds=1e-9))
    assert win_chance_text(game.position, False) == ""
    assert win_chance_text(Game.new("100x100/1000", 1, "r50c50").position, False) == ""


def test_board_is_drawn_in_place_with_a_header_and_coordinates(terminal):
    shown = terminal("watch", *WON, "--player", "careful", "--pace", 0)
    assert (shown.status, shown.error) == (0, "seed 4\n")
    assert b"\x1b[" in shown.raw
    assert "careful · seed 4 · move 1 · 0 s per move · 10 mines left" in shown.text
    assert re.search(r"careful · seed 4 · move 17 · 0 s per move · \d mines? left", shown.text)
    assert re.search(r"^ *1 2 3 4 5 6 7 8 9$", shown.text, re.M)


def test_reasons_are_visible_on_a_terminal_lower_than_the_board(terminal):
    shown = terminal("watch", *WON, "--pace", 0, lines=9)
    assert "reveal r5c5: first click" in shown.text


def test_last_board_of_a_lost_game_shows_the_mine(terminal):
    shown = terminal("watch", *LOST, "--pace", 0).text
    lost = re.search(r"lost at r(\d)c(\d) after", shown)
    assert lost is not None
    last = shown[: lost.start()].rstrip().splitlines()[-8:]
    cells = [line.split()[1:] for line in last]
    assert cells[int(lost[1]) - 1][int(lost[2]) - 1] == "*"
    assert sum(row.count("*") for row in cells) == 1


@pytest.mark.parametrize("tiling", ["square", "hexagonal", "triangular"])
def test_board_larger_than_the_terminal_follows_the_moves(terminal, tiling):
    line = f"watch 50x30/375 --tiling {tiling} --solver human --first r25c45 --seed 3 --pace 60"
    shown = terminal(*line.split(), columns=50, lines=20, keys=b"q").text
    part = re.search(r"rows (\d+) to (\d+) of 30, columns (\d+) to (\d+) of 50", shown)
    top, bottom, left, right = map(int, part.groups())
    assert top <= 25 <= bottom and left <= 45 <= right
    picture = shown[: shown.index("space: pause")].splitlines()
    assert len(picture) < 20 and max(map(len, picture)) <= 50


def test_q_skips_to_the_end(terminal):
    shown = terminal("watch", *WON, "--pace", 60, keys=b"q").text
    assert "move 1 " in shown and "move 2 " not in shown
    assert "won after 20 moves" in shown


def test_space_pauses_and_n_steps(terminal):
    shown = terminal("watch", *WON, "--pace", 60, keys=b" nn+++q").text
    assert "move 1 · paused" in shown and "move 3 · paused" in shown and "move 4 " not in shown


def test_plus_and_minus_change_the_pace_within_bounds():
    pace = Pace(0.5)
    for _ in range(30):
        pace.press("+")
    assert pace.seconds == FASTEST
    for _ in range(30):
        pace.press("-")
    assert pace.seconds == SLOWEST
    assert pace.press("x") is False and not pace.paused


def test_keys_pause_step_and_skip():
    pace = Pace(0.5)
    for key in "n.":
        assert pace.press(key) and pace.paused
        assert not pace.press(" ") and not pace.paused
    assert not pace.skip_to_end
    for key in "q\x1b":
        pace = Pace(0.5)
        assert pace.press(key) and pace.skip_to_end and not pace.paused
