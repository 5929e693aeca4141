"""`sapper demo`: a summary without a terminal, a live game on one."""

import pytest

PARTS = (
    "An Expert game, 30x16 with 99 mines (seed 16).",
    "Its first click opens 55 cells",
    "was the hardest: nothing is certain. The chance of a mine",
    "[33.3]33.3 33.3",
    "reveal r16c3: guess at 33.3% risk",
    "Its proof:\n\nflag r14c2: ",
    "Result: won after 294 moves",
    "What to try next:",
)


@pytest.mark.plain  # `make demo` starts before the kernels are compiled
def test_without_a_terminal_the_demo_is_a_summary(sapper):
    status, out, err = sapper("demo")
    assert (status, err) == (0, "")
    assert [out.index(part) for part in PARTS] == sorted(out.index(part) for part in PARTS)
    assert out.count("\n") <= 66
    assert max(map(len, out.splitlines())) <= 100


def test_on_a_terminal_the_game_is_shown_live(terminal):
    shown = terminal("demo", "--pace", 60, keys=b"q")
    assert shown.status == 0
    assert "careful · seed 16 · move 1" in shown.text
    assert "won after 294 moves" in shown.text and "What to try next:" in shown.text


def test_demo_of_lost_games_and_of_games_without_a_guess_ends_with_a_result(sapper):
    for seed in (1, 2, 3, 4, 5, 6):
        status, out, err = sapper("demo", "--seed", seed)
        assert (status, err) == (0, "")
        assert "Result: " in out and "What to try next:" in out
