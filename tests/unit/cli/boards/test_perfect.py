"""`sapper perfect`."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from sapper.cli.main import cli, run


def answer(*arguments):
    done = CliRunner().invoke(cli, ["perfect", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_value_is_wins_over_deals_with_the_best_first_cells():
    found = answer("4x4/4", "--rule", "safe")
    assert found["value"] == "961/1365"
    assert found["win_rate"] == pytest.approx(961 / 1365)
    assert found["first"] == ["r1c2", "r1c3", "r2c1", "r2c4", "r3c1", "r3c4", "r4c2", "r4c3"]
    assert found["seconds"] >= 0


def test_a_first_cell_that_is_given_is_the_one_that_is_valued():
    found = answer("4x4/4", "--rule", "any", "--first", "r1c1")
    assert found["first"] == ["r1c1"]
    assert Fraction(found["value"]) == Fraction(949, 1820)


def test_the_best_first_cell_may_be_asked_for_by_its_word():
    usual = answer("4x4/4", "--rule", "safe")
    asked = answer("4x4/4", "--rule", "safe", "--first", "Best")
    assert (asked["value"], asked["first"]) == (usual["value"], usual["first"])


def test_other_tilings_and_the_usual_rule():
    assert answer("4x4/2", "--tiling", "hexagonal")["rule"] == "zero"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["9x9/10"], 1, "solutions"),
        (["3x3/4", "--tiling", "torus"], 2, "expected at most 0 mines"),
        (["3x3/6"], 2, "expected at most 5 mines so that the first click at r1c1"),
        (["4x4/99"], 2, "expected from 0 to 15 mines"),
        (["4x4/4", "--first", "r9c9"], 2, "expected a cell"),
        (["4x4/4", "--rule", "kind"], 2, "no such rule"),
    ],
)
def test_what_cannot_be_had_is_one_line(arguments, status, said, capsys):
    assert run(["perfect", *arguments]) == status
    error = capsys.readouterr().err
    assert error.startswith("sapper: ") and error.count("\n") == 1 and said in error


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("1000x1000/10", "about 10^53 solutions"),
        ("200x200/20000", "about 10^12036 solutions"),
        ("9x9/10", "536,211,932,256 solutions"),
    ],
)
def test_a_board_with_too_many_layouts_is_refused_at_once(sapper, size, told):
    assert sapper("perfect", size) == (
        1,
        "",
        f"sapper: expected solutions of at most 2 GB, got {told}\n",
    )


def test_a_large_board_keeps_to_its_seconds(sapper):
    status, out, err = sapper("perfect", "40x40/0", "--seconds", 0.2)
    assert (status, out) == (1, "")
    assert err.startswith("sapper: expected to need at most 0.2 s, got ")
