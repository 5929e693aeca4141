"""`sapper demo`: the first thing that a new user sees."""

import os
import subprocess
import sys

PARTS = (
    "An Expert game, 30x16 with 99 mines (seed 16).",
    "Its first click opens 55 cells",
    "was the hardest: nothing is certain. The probabilities of a mine",
    "Its proof:\n\nflag r14c2: Numbers r13c1, r13c3, r15c2 and r16c2 leave 2 ways",
    "The end: won after 294 moves",
    "What to try next:",
)


def test_elsewhere_than_on_a_terminal_it_is_a_summary_of_two_screens_at_most(sapper):
    status, out, err = sapper("demo")
    assert (status, err) == (0, "")
    assert [out.index(part) for part in PARTS] == sorted(out.index(part) for part in PARTS)
    assert out.count("\n") <= 66
    assert max(map(len, out.splitlines())) <= 100


def test_the_probabilities_are_shown_where_it_was_hardest(sapper):
    _, out, _ = sapper("demo")
    assert "[33.3]33.3 33.3" in out
    assert "reveal r16c3: guess at 33.3% risk, one of 4 equals" in out


def test_on_a_terminal_the_game_is_played_in_place(terminal):
    shown = terminal("demo", "--pace", 0)
    assert shown.status == 0
    assert "careful · seed 16 · move 294" in shown.text
    assert "won after 294 moves" in shown.text and "What to try next:" in shown.text


def test_a_lost_game_or_one_without_a_guess_is_told_too(sapper):
    for seed in (1, 2, 3, 4, 5, 6):
        status, out, err = sapper("demo", "--seed", seed)
        assert (status, err) == (0, "")
        assert "The end: " in out and "What to try next:" in out


def test_it_runs_at_once_with_plain_kernels_as_on_a_fresh_clone():
    environment = {**os.environ, "SAPPER_PLAIN": "1"}
    command = [sys.executable, "-m", "sapper", "demo"]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert PARTS[-2] in out.stdout
