"""`sapper hint`: as much help as was asked for."""

import json

import pytest

POSITION = "mines: 2\n1##\n1##\n###\n"
STUCK = "mines: 1\n1#\n##\n"


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        (1, "Look around r2c1.\n"),
        (2, "Look at r1c1 and r2c1.\n"),
        (3, "so r3c1 is free. The same numbers also give: reveal r3c2.\n"),
        (4, "Do: reveal r3c1, reveal r3c2.\n"),
    ],
)
def test_each_degree_tells_one_thing_more(ask, detail, words):
    status, out, err = ask("hint", POSITION, "--degree", detail)
    assert (status, err) == (0, "")
    assert out.endswith(words)
    assert ("r3c1" in out) == (detail >= 3)


def test_the_first_degree_is_usual(ask):
    assert ask("hint", POSITION) == ask("hint", POSITION, "--degree", 1)


def test_json_has_the_keys_of_the_design(ask):
    told = json.loads(ask("hint", POSITION, "--degree", 3, "--json")[1])
    assert (told["detail"], told["numbers"]) == (3, ["r1c1", "r2c1"])
    assert told["moves"] == ["reveal r3c1", "reveal r3c2"]
    assert "so r3c1 is free" in told["text"]
    assert json.loads(ask("hint", POSITION, "--json")[1])["moves"] == []


def test_a_guess_is_told_with_its_probabilities(ask):
    told = json.loads(ask("hint", STUCK, "--degree", 3, "--json")[1])
    assert not told["certain"]
    assert told["probabilities"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("text", "options", "status", "message"),
    [
        (POSITION, ["--degree", "5"], 2, "expected a degree of help from 1 to 4, got 5"),
        (POSITION, ["--degree", "0"], 2, "expected a degree of help from 1 to 4, got 0"),
        ("..\n", [], 2, "cannot help: every cell is revealed"),
        ("8#\n", [], 1, "expected at most 1 around r1c1, got number 8"),
    ],
)
def test_errors_are_one_line(ask, text, options, status, message):
    got, out, err = ask("hint", text, *options)
    assert (got, out, err.count("\n")) == (status, "", 1)
    assert err.startswith("sapper: ") and message in err
