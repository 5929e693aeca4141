"""`sapper solve`, `sapper explain` and `sapper hint`."""

import json

import pytest

RING = "#####\n#222#\n#2.2#\n#222#\n#####\n"
PAIR = "#######\n#32212#\n#1...1#\n"
POSITION = "mines: 2\n1##\n1##\n###\n"
PAPER_SOLVERS = ("human", "brute-board", "brute", "backtrack", "hybrid")


# solve


@pytest.mark.parametrize("solver", PAPER_SOLVERS)
def test_solve_as_json_has_the_documented_keys(run_on_text, solver):
    status, out, err = run_on_text("solve", PAIR, "--solver", solver, "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert list(answer) == ["solver", "safe", "certain_mines", "solutions_checked", "seconds"]
    assert answer["solver"] == solver
    assert answer["certain_mines"] == ["r1c3"] or solver != "human"
    assert set(answer["certain_mines"]) >= {"r1c3"} and set(answer["safe"]) >= {"r1c6"}
    assert (answer["solutions_checked"] is None) == (solver in ("human", "hybrid"))


def test_solve_gives_reasons(run_on_text):
    status, out, _ = run_on_text("solve", PAIR, "--solver", "human")
    assert status == 0
    assert out.splitlines()[3:] == [
        "safe: r1c6",
        "mines: r1c3",
        "",
        "strategy 4 on r2c4 and r2c5: flag r1c3",
        "strategy 6 on r2c4 and r2c5: reveal r1c6",
    ]


def test_solve_uses_the_exact_engine_by_default(run_on_text):
    answer = json.loads(run_on_text("solve", "mines: 1\n1##\n", "--json")[1])
    assert answer["solver"] == "exact"
    assert (answer["certain_mines"], answer["safe"]) == (["r1c2"], ["r1c3"])


def test_no_certain_move_is_an_answer(run_on_text):
    assert run_on_text("solve", RING, "--solver", "human")[:2] == (0, "no certain move\n")
    answer = json.loads(run_on_text("solve", RING, "--solver", "human", "--json")[1])
    assert (answer["certain_mines"], answer["safe"]) == ([], [])
    assert run_on_text("explain", "1##\n###\n")[:2] == (0, "no certain move\n")
    assert json.loads(run_on_text("explain", "1##\n###\n", "--json")[1]) == {"proofs": []}


@pytest.mark.parametrize("solver", PAPER_SOLVERS)
def test_wrong_flag_is_a_contradiction_that_names_the_number(run_on_text, solver):
    status, out, err = run_on_text("solve", "F.#\n", "--solver", solver)
    assert (status, out) == (1, "") and "r1c2" in err


def test_position_beyond_the_budget_is_refused_at_once(run_on_text):
    position = "1" + "#" * 40 + "\n" + "#" * 41 + "\n"
    status, out, err = run_on_text("solve", position, "--solver", "brute-board")
    assert (status, out) == (1, "") and "81" in err


# explain


def test_explain_prints_a_line_for_each_certain_move(run_on_text):
    status, out, err = run_on_text("explain", RING)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 16
    assert out.startswith("reveal r1c1: ")


def test_explain_as_json_has_the_documented_keys(run_on_text):
    status, out, _ = run_on_text("explain", RING, "--cell", "r1c3", "--json")
    (proof,) = json.loads(out)["proofs"]
    assert status == 0
    assert list(proof) == ["move", "numbers", "uses_mine_count", "smallest", "difficulty", "text"]
    assert proof["move"] == "reveal r1c3"
    assert (len(proof["numbers"]), proof["difficulty"]) == (5, "four")


def test_cell_that_is_not_certain_has_status_1(run_on_text):
    status, out, err = run_on_text("explain", "1##\n###\n", "--cell", "r1c2")
    assert (status, out, err.count("\n")) == (1, "", 1) and "r1c2" in err


def test_trusted_flags_are_mines(run_on_text):
    assert run_on_text("explain", "F1#\n", "--cell", "r1c3")[0] == 1
    _, out, _ = run_on_text("explain", "F1#\n", "--cell", "r1c3", "--trust-flags")
    assert out.startswith("reveal r1c3: r1c2") and "r1c1" in out


# hint


def test_each_detail_adds_something(run_on_text):
    texts = [run_on_text("hint", POSITION, "--detail", detail)[1] for detail in (1, 2, 3, 4)]
    assert texts[0] == run_on_text("hint", POSITION)[1] and "r2c1" in texts[0]
    assert "r1c1 and r2c1" in texts[1]
    assert ["r3c1" in text for text in texts] == [False, False, True, True]


def test_hint_as_json_has_the_documented_keys(run_on_text):
    answer = json.loads(run_on_text("hint", POSITION, "--detail", 3, "--json")[1])
    assert {"detail", "text", "numbers", "moves", "premises"} <= answer.keys()
    assert (answer["detail"], answer["numbers"]) == (3, ["r1c1", "r2c1"])
    assert answer["moves"] == ["reveal r3c1", "reveal r3c2"]
    assert json.loads(run_on_text("hint", POSITION, "--json")[1])["moves"] == []


def test_hint_where_nothing_is_certain_has_a_risk(run_on_text):
    answer = json.loads(run_on_text("hint", "mines: 1\n1#\n##\n", "--detail", 3, "--json")[1])
    assert not answer["certain"]
    assert answer["risk"] == pytest.approx(1 / 3)
