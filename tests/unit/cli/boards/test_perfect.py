"""The command `sapper perfect`."""

from fractions import Fraction

import pytest


@pytest.fixture
def perfect(run_json):
    """Run the command and return its JSON."""
    return lambda line: run_json("perfect", *line.split())


def test_value_is_the_share_of_won_layouts_for_the_best_first_clicks(perfect):
    found = perfect("4x4/4 --rule safe")
    assert found["value"] == "961/1365"
    assert found["win_rate"] == pytest.approx(961 / 1365)
    assert found["first"] == ["r1c2", "r1c3", "r2c1", "r2c4", "r3c1", "r3c4", "r4c2", "r4c3"]
    assert found["seconds"] >= 0
    # `best` is the default, in upper or lower case.
    best = perfect("4x4/4 --rule safe --first Best")
    assert (best["value"], best["first"]) == (found["value"], found["first"])


def test_first_click_can_be_chosen(perfect):
    found = perfect("4x4/4 --rule any --first r1c1")
    assert found["first"] == ["r1c1"]
    assert Fraction(found["value"]) == Fraction(949, 1820)


def test_rule_is_zero_by_default_on_other_tilings(perfect):
    assert perfect("4x4/2 --tiling hexagonal")["rule"] == "zero"


def test_board_can_be_a_graph(perfect, tmp_path):
    path = tmp_path / "path.json"
    path.write_text('{"edges": [["a", "b"], ["b", "c"]], "mines": 1}')
    found = perfect(f"--board {path} --rule safe")
    # An end shows whether the middle is the mine; the middle shows 1 and leaves a 50/50.
    assert (found["value"], found["first"]) == ("2/2", ["a", "c"])
    assert perfect(f"1 --board {path} --rule any --first b")["value"] == "1/3"


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("3x3/4 --tiling torus", 2, "expected at most 0 mines"),
        ("3x3/6", 2, "expected at most 5 mines"),
        ("4x4/99", 2, "expected from 0 to 15 mines"),
        ("4x4/4 --first r9c9", 2, "r9c9"),
        ("4x4/4 --rule kind", 2, "no such rule"),
        ("9x9/10", 1, "536,211,932,256 solutions"),
        ("1000x1000/10", 1, "about 10^53 solutions"),
        ("200x200/20000", 1, "about 10^12036 solutions"),
        ("40x40/0 --seconds 0.2", 1, "0.2 s"),
    ],
)
def test_error_names_the_problem_in_one_line(sapper, line, status, message):
    got, out, err = sapper("perfect", *line.split())
    assert (got, out, err.count("\n")) == (status, "", 1) and message in err
