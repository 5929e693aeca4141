"""`sapper nudge`: as much help as was asked for."""

import json

import pytest

FRAME = "mines: 2\n1##\n1##\n###\n"
STUCK = "mines: 1\n1#\n##\n"


@pytest.mark.parametrize(
    ("degree", "words"),
    [
        (1, "Look around r2c1.\n"),
        (2, "Look at r1c1 and r2c1.\n"),
        (3, "so r3c1 is free. The same hints also give: reveal r3c2.\n"),
        (4, "Do: reveal r3c1, reveal r3c2.\n"),
    ],
)
def test_each_degree_tells_one_thing_more(ask, degree, words):
    status, out, err = ask("nudge", FRAME, "--degree", degree)
    assert (status, err) == (0, "")
    assert out.endswith(words)
    assert ("r3c1" in out) == (degree >= 3)


def test_the_first_degree_is_usual(ask):
    assert ask("nudge", FRAME) == ask("nudge", FRAME, "--degree", 1)


def test_json_has_the_keys_of_the_design(ask):
    told = json.loads(ask("nudge", FRAME, "--degree", 3, "--json")[1])
    assert (told["degree"], told["hints"]) == (3, ["r1c1", "r2c1"])
    assert told["moves"] == ["reveal r3c1", "reveal r3c2"]
    assert "so r3c1 is free" in told["text"]
    assert json.loads(ask("nudge", FRAME, "--json")[1])["moves"] == []


def test_a_guess_is_told_with_its_odds(ask):
    told = json.loads(ask("nudge", STUCK, "--degree", 3, "--json")[1])
    assert not told["certain"]
    assert told["odds"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("text", "options", "status", "message"),
    [
        (FRAME, ["--degree", "5"], 2, "expected a degree of help from 1 to 4, got 5"),
        (FRAME, ["--degree", "0"], 2, "expected a degree of help from 1 to 4, got 0"),
        ("..\n", [], 2, "cannot help: every cell is revealed"),
        ("8#\n", [], 1, "expected at most 1 around r1c1, got hint 8"),
    ],
)
def test_errors_are_one_line(ask, text, options, status, message):
    got, out, err = ask("nudge", text, *options)
    assert (got, out, err.count("\n")) == (status, "", 1)
    assert err.startswith("sapper: ") and message in err
