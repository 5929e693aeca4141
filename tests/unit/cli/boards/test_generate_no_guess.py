"""Boards without a guess from the command line: what is printed, kept to, refused and read."""

import json
import re

import pytest
from tests.time_limits import assert_told

from sapper.board.layout import Layout
from sapper.board.rules import Rules
from sapper.games.session import Session
from sapper.games.setup import GameSetup
from sapper.generators.grading import grade
from sapper.generators.layout_sources import LAYOUT_GENERATORS
from sapper.generators.no_guess import no_guess


def test_json_tells_method_and_difficulty_and_with_a_certificate_its_steps(sapper):
    command = ("deal", "9x9/10", "--no-guess", "--seed", 5, "--count", 2, "--json")
    plain, certified = (
        json.loads(sapper(*command, *more)[1])["layouts"] for more in ((), ("--certificate",))
    )
    for seed, told, long in zip((5, 6), plain, certified, strict=True):
        board = no_guess("9x9/10", seed)
        assert Layout.parse(told["text"]) == board.layout
        assert (told["method"], told["difficulty"]) == (
            board.method,
            grade(board.layout).difficulty,
        )
        steps = long.pop("certificate")
        assert long == told
        assert steps
        for step in steps:
            assert list(step) == ["reveal", "flag", "difficulty", "numbers", "uses_mine_count"]
            assert step["uses_mine_count"] == (step["difficulty"] == "count")


def test_the_certificate_follows_the_layout_step_by_step(sapper):
    status, out, err = sapper("deal", "5x5/4", "--no-guess", "--seed", 4, "--certificate")
    assert (status, err) == (0, "seed 4\n")
    assert out.splitlines() == [
        "....*",
        ".....",
        "..c.*",
        ".....",
        "...**",
        "1. flag r5c4 (one: r4c3)",
        "2. flag r1c5; reveal r4c5 (two: r2c4, r3c4)",
        "3. flag r3c5 (two: r1c4, r2c4)",
        "4. flag r5c5; reveal r2c5 (two: r3c4, r4c4)",
    ]


@pytest.mark.parametrize(
    "size, options, status, message",
    [
        ("9x9/80", (), 2, "expected at most 72 mines so that the first click at r5c5 keeps the"),
        ("9x9/10", ("--first", "r10c1"), 2, "expected a cell of square 9x9, got 'r10c1'"),
        (
            "9x9/10",
            ("--difficulty", "six"),
            2,
            "no such difficulty",
        ),
        ("9x9/10", ("--at-most",), 2, "expected a difficulty to go with 'at most', got none"),
        (
            "9x9/10",
            ("--difficulty", "count", "--without-count"),
            2,
            "expected a difficulty up to 'four' for",
        ),
        ("9x9/10", ("--3bv", "30"), 2, "expected bounds of the 3BV such as 150-180, got '30'"),
        ("9x9/10", ("--3bv", "9-3"), 2, "expected 3BV from a lower to an upper bound, got 9-3"),
        ("9x9/10", ("--method", "luck"), 2, "no such method"),
        (
            "9x9/0",
            ("--difficulty", "two"),
            1,
            "expected a board without a guess of difficulty 'two', got",
        ),
        ("9x9/2", ("--3bv", "99-99"), 1, "expected a board without a guess of 3BV 99-99 within"),
        ("2x9/7", ("--rule", "safe"), 1, "expected to need at most"),
    ],
)
def test_what_cannot_be_had_is_refused_with_one_line(sapper, size, options, status, message):
    def told(seconds):
        answer = sapper("deal", size, "--no-guess", "--seed", 1, "--seconds", seconds, *options)
        assert answer[:2] == (status, "") and answer[2].count("\n") == 1
        return answer[2]

    assert_told(told, f"^{re.escape(f'sapper: {message}')}", 0.2)


@pytest.mark.parametrize(
    "option", [("--difficulty", "two"), ("--without-count",), ("--certificate",)]
)
def test_an_option_of_no_guess_alone_is_not_passed_over_in_silence(sapper, option):
    status, out, err = sapper("deal", "9x9/10", *option)
    assert (status, out) == (2, "")
    assert err == f"sapper: expected --no-guess to go with {option[0]}, got it alone\n"


def test_a_watched_game_without_a_guess_is_won_by_certain_moves(sapper):
    status, out, err = sapper("watch", "9x9/12", "--no-guess", "--seed", 3, "--plain")
    assert (status, err) == (0, "seed 3\n")
    assert out.splitlines()[-1].startswith("won after ")
    assert "guess" not in out


@pytest.mark.parametrize("who", [("--solver", "exact"), ("--player", "careful")])
def test_a_game_that_cannot_be_dealt_is_not_watched(sapper, who):
    command = ("watch", "2x9/7", "--rule", "safe", "--no-guess", "--plain", *who)
    status, out, err = sapper(*command, "--seed", 1, "--seconds", 0.2)
    assert (status, out) == (1, "")
    assert err.startswith("sapper: expected to need at most 0.2 s, got ")


@pytest.mark.parametrize("deal", LAYOUT_GENERATORS)
@pytest.mark.parametrize("command", ["show", "solve", "probabilities", "explain", "hint"])
def test_a_saved_game_is_read_however_it_was_dealt(ask, command, deal):
    session = Session(
        GameSetup(Rules.parse("9x9/10"), 5, deal), layout_generators=LAYOUT_GENERATORS
    )
    session.act("reveal r3c4")
    assert ask(command, session.save()) == ask(command, str(session.position))
