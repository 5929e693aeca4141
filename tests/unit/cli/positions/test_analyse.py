"""`sapper probabilities` and `sapper solve --solver exact`, as a user meets them."""

import json

import pytest
from tests.time_limits import assert_told

POSITION = "mines: 2\n1##\n1##\n###\n"


def test_probabilities_are_drawn_with_what_is_certain(ask):
    status, out, err = ask("probabilities", POSITION)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        *(" 1   50.0 33.3", " 1   50.0  #", "free free  #"),
        *("", "interior 33.3%, each of 3 cells"),
        *("reveal r3c1 r3c2", "solutions 6"),
    ]


def test_probabilities_as_json_have_the_promised_keys(ask):
    answer = json.loads(ask("probabilities", POSITION, "--json")[1])
    assert set(answer) == {"probabilities", "flag", "reveal", "ln_solutions", "solutions"}
    assert answer["probabilities"]["r1c2"] == 0.5
    assert (answer["flag"], answer["reveal"]) == ([], ["r3c1", "r3c2"])
    assert answer["solutions"] == "6"
    assert answer["ln_solutions"] == pytest.approx(1.791759469228055)


def test_fractions_and_numbers_can_be_asked_for(ask):
    answer = json.loads(ask("probabilities", POSITION, "--json", "--fractions", "--numbers")[1])
    assert answer["probabilities"]["r1c3"] == "1/3"
    assert answer["probabilities"]["r3c1"] == "0"
    assert answer["numbers"]["r1c2"] == {"1": "1/6", "2": "1/3"}
    answer = json.loads(ask("probabilities", POSITION, "--json", "--numbers")[1])
    assert sum(answer["numbers"]["r1c3"].values()) == pytest.approx(2 / 3)
    _, out, _ = ask("probabilities", POSITION, "--fractions", "--numbers")
    assert "r1c3 1/3" in out
    assert "r1c2 1: 1/6, 2: 1/3" in out


def test_the_interior_is_null_without_a_mine_count(ask):
    answer = json.loads(ask("probabilities", "1##\n", "--json", "--numbers", "--fractions")[1])
    assert answer["probabilities"] == {"r1c2": "1", "r1c3": None}
    assert answer["numbers"] == {"r1c2": None, "r1c3": None}
    assert "?" in ask("probabilities", "1##\n")[1]


def test_a_number_of_solutions_with_too_many_digits_is_null(ask):
    text = "board: square 150x150\nmines: 6000\n" + ("#" * 150 + "\n") * 150
    answer = json.loads(ask("probabilities", text, "--json")[1])
    assert answer["solutions"] is None
    assert answer["ln_solutions"] > 9300
    assert "solutions about " in ask("probabilities", text)[1]


def test_the_picture_can_be_written_as_svg(ask, tmp_path):
    status, out, _ = ask("probabilities", POSITION, "--svg", "-")
    assert status == 0
    assert out.startswith("<svg")
    assert "50.0" in out
    target = tmp_path / "probabilities.svg"
    assert "solutions 6" in ask("probabilities", POSITION, "--svg", str(target))[1]
    assert target.read_text().startswith("<svg")


def test_flags_are_opinions_unless_trusted(ask):
    text = "mines: 1\nF1#\n"
    assert json.loads(ask("probabilities", text, "--json")[1])["probabilities"] == {
        "r1c1": 0.5,
        "r1c3": 0.5,
    }
    trusted = json.loads(ask("probabilities", text, "--json", "--trust-flags")[1])
    assert trusted["probabilities"] == {"r1c1": 1.0, "r1c3": 0.0}
    assert (trusted["flag"], trusted["reveal"]) == ([], ["r1c3"])


@pytest.mark.parametrize("command", ["probabilities", "solve"])
def test_a_contradiction_is_one_line_and_status_1(ask, command):
    status, out, err = ask(command, "3#\n##\n1.\n")
    assert (status, out) == (1, "")
    assert err.startswith("sapper: expected")
    assert err.count("\n") == 1


def test_bad_budgets_and_bad_text_are_status_2(ask):
    for text, *options in (
        (POSITION, "--seconds", "0"),
        (POSITION, "--memory", "nan"),
        (POSITION, "--seconds", "x"),
        ("1#\n1\n",),
    ):
        status, out, err = ask("probabilities", text, *options)
        assert (status, out) == (2, "")
        assert err.startswith("sapper: ")


def test_beyond_the_budget_is_status_1(ask):
    rows = ["#" * 41 if row % 2 == 0 else "#2" * 20 + "#" for row in range(41)]

    def told(seconds):
        status, out, err = ask("probabilities", "\n".join(rows), "--seconds", seconds)
        assert (status, out) == (1, "")
        return err

    assert_told(told, "a front of 400 numbers", 0.2)


def test_solve_uses_the_exact_engine_by_default(ask):
    answer = json.loads(ask("solve", "mines: 1\n1##\n", "--json")[1])
    assert answer["solver"] == "exact"
    assert (answer["flag"], answer["reveal"]) == (["r1c2"], ["r1c3"])


GUESS = "mines: 2\n####\n1###\n"


def test_the_move_of_a_player_can_be_asked_for(ask):
    status, out, _ = ask("probabilities", GUESS, "--guess", "careful")
    assert status == 0
    said, *weighed = out.splitlines()[-8:]
    assert said == (
        "careful: reveal r1c4: guess at 25% risk, one of 4 equals; next best r2c4 at 25%"
    )
    assert weighed[0].startswith("  r1c4 25% risk") and len(weighed) == 7
    assert weighed[0].endswith("may show 1: 75%")
    _, out, _ = ask("probabilities", POSITION, "--guess", "careful")
    assert out.splitlines()[-1] == "careful: reveal r3c1: strategy 6 on r1c1 and r2c1"


def test_the_move_of_a_player_as_json(ask):
    answer = json.loads(ask("probabilities", GUESS, "--guess", "careful", "--json")[1])["guess"]
    assert answer["player"] == "careful" and answer["move"] == "reveal r1c4"
    assert answer["risk"] == pytest.approx(0.25) and not answer["certain"]
    assert answer["next_best"] == {"cell": "r2c4", "risk": pytest.approx(0.25)}
    answer = json.loads(ask("probabilities", POSITION, "--guess", "careful", "--json")[1])["guess"]
    assert (answer["certain"], answer["risk"], answer["next_best"]) == (True, 0.0, None)
    answer = json.loads(ask("probabilities", GUESS, "--guess", "random", "--json")[1])["guess"]
    assert not answer["certain"] and 0 < answer["risk"] < 1


def test_thoughtful_tells_what_it_weighed_and_the_exact_value(ask):
    answer = json.loads(ask("probabilities", ENDING, "--guess", "thoughtful", "--json")[1])["guess"]
    assert answer["move"] == "reveal r2c4" and answer["value"] == "8/11"
    assert answer["why"] == (
        "guess at 18.2% risk: perfect play wins 8 of the 11 solutions left, and begins here"
    )
    best, *others = answer["candidates"]
    assert (best["cell"], best["value"]) == ("r2c4", "8/11")
    assert sum(best["numbers"].values()) == pytest.approx(9 / 11)
    assert others[0]["cell"] == "r4c3" and others[0]["risk"] == pytest.approx(1 / 11)


ENDING = "mines: 6\n.1###\n133##\n#3#2#\n#####\n"


def test_a_player_in_capital_letters_is_told_by_its_own_name(ask):
    small, large = (ask("probabilities", GUESS, "--guess", name) for name in ("careful", "Careful"))
    assert small == large
    _, out, _ = ask("probabilities", GUESS, "--guess", "Careful", "--json")
    assert json.loads(out)["guess"]["player"] == "careful"


@pytest.mark.parametrize("options", [("--guess", "oracle"), ("--guess",)])
def test_a_player_that_does_not_exist_is_bad_input(ask, options):
    status, out, err = ask("probabilities", POSITION, *options)
    assert (status, out) == (2, "") and err.startswith("sapper: ") and err.count("\n") == 1


def test_a_position_with_nothing_to_reveal_has_an_empty_guess(ask):
    status, out, _ = ask("probabilities", "mines: 1\n1#\n", "--guess", "careful")
    assert status == 0 and out.endswith("\ncareful: nothing is left to reveal\n")
    answer = json.loads(ask("probabilities", "mines: 1\n1#\n", "--guess", "careful", "--json")[1])
    assert answer["guess"] is None


def test_numbers_of_all_cells_share_one_budget(ask):
    status, out, err = ask("probabilities", POSITION, "--numbers", "--json", "--seconds", "1e-9")
    assert (status, out) == (1, "")
    assert (
        err == "sapper: expected to need at most 1e-09 s, got the numbers of 0 of 7 cells by then\n"
    )
