import json

import pytest

from sapper.proofs.difficulty import DIFFICULTIES

PAPER = "#####\n#222#\n#2.2#\n#222#\n#####\n"


def test_explain_prints_a_line_for_each_certain_move(ask):
    status, out, err = ask("explain", PAPER)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 16
    assert out.startswith("reveal r1c1: Numbers r2c2, r2c3 and r3c2 leave 4 ways")


def test_explain_gives_json_with_the_keys_of_the_design(ask):
    status, out, _ = ask("explain", PAPER, "--cell", "r1c3", "--json")
    proofs = json.loads(out)["proofs"]
    assert status == 0
    assert len(proofs) == 1
    assert list(proofs[0]) == [
        "move",
        "numbers",
        "uses_mine_count",
        "smallest",
        "difficulty",
        "text",
    ]
    assert proofs[0]["move"] == "reveal r1c3"
    assert (len(proofs[0]["numbers"]), proofs[0]["difficulty"]) == (5, "four")


def test_no_certain_move_is_an_answer(ask):
    assert ask("explain", "1##\n###\n")[:2] == (0, "no certain move\n")
    assert json.loads(ask("explain", "1##\n###\n", "--json")[1]) == {"proofs": []}


@pytest.mark.parametrize(
    ("text", "options", "status", "message"),
    [
        ("1##\n###\n", ["--cell", "r1c2"], 1, "expected a cell that is certain, got r1c2"),
        ("1##\n", ["--cell", "r1c1"], 2, "cannot explain r1c1: it is revealed and shows 1"),
        ("1##\n", ["--cell", "r7c1"], 2, "expected a cell of square 3x1, got 'r7c1'"),
        ("1#1#1\n", [], 1, "numbers that can hold together, got 1 at r1c1, 1 at r1c3, 1 at r1c5"),
        ("1##x\n", [], 2, "line 1, cell 4"),
        ("1#\n", ["--seconds", "-1"], 2, "seconds"),
    ],
)
def test_errors_of_explain_are_one_line(ask, text, options, status, message):
    got, out, err = ask("explain", text, *options)
    assert (got, out) == (status, "")
    assert err.startswith("sapper: ")
    assert err.count("\n") == 1
    assert message in err


def test_trusted_flags_are_mines(ask):
    assert ask("explain", "F1#\n", "--cell", "r1c3")[0] == 1
    _, out, _ = ask("explain", "F1#\n", "--cell", "r1c3", "--trust-flags")
    assert out == "reveal r1c3: r1c2 shows 1 and has its mine, r1c1, so r1c3 is free.\n"


def test_grade_tells_difficulty_steps_and_guesses(ask):
    layout = "*....\n..c..\n....*\n"
    status, out, _ = ask("grade", layout, "--json")
    graded = json.loads(out)
    assert status == 0
    assert list(graded) == ["difficulty", "steps", "guesses"]
    assert list(graded["steps"]) == list(DIFFICULTIES)
    assert ask("grade", layout)[1].startswith(f"difficulty {graded['difficulty']}, 0 guesses\n")


def test_a_layout_without_click_cannot_be_graded(ask):
    status, _, err = ask("grade", "*..\n...\n")
    assert (status, err) == (2, "sapper: expected a layout with its click, marked 'c', got none\n")
    assert ask("grade", "1##\n")[0] == 2
