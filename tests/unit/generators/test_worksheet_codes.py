"""Worksheet codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import TILINGS, Board, NotationError, paper_puzzle_rules, paper_puzzles, tiling
from sapper.generators.exercises import exercise_rules
from sapper.generators.worksheet_codes import DIGITS, decode, encode


@given(
    st.sampled_from(sorted(TILINGS)),
    st.sampled_from(["checkerboard", "pattern", "fewest"]),
    st.sampled_from([None, "one", "three", "four"]),
    st.integers(1, 999),
    st.integers(1, 1000),
    st.integers(0, 2**64 - 1),
)
def test_code_contains_the_rules_count_and_seed(name, open_set, difficulty, density, count, seed):
    rules = paper_puzzle_rules(
        tiling(name, 6, 8), open_set=open_set, difficulty=difficulty, mine_density=density / 1000
    )
    code = decode(encode(rules, count, seed))
    assert (code.rules(), code.count, code.seed) == (rules, count, seed)


@given(
    st.sampled_from(sorted(TILINGS)),
    st.sampled_from([("proof", "one"), ("proof", "count"), ("probability", None)]),
    st.integers(30, 400),
    st.integers(1, 1000),
    st.integers(0, 2**64 - 1),
)
def test_code_of_exercises_contains_the_rules_count_and_seed(name, kind, density, count, seed):
    rules = exercise_rules(
        tiling(name, 6, 8), kind[0], difficulty=kind[1], mine_density=density / 1000
    )
    code = decode(encode(rules, count, seed))
    assert (code.kind, code.rules(), code.count, code.seed) == (kind[0], rules, count, seed)


def test_code_makes_the_same_puzzles_again():
    rules = paper_puzzle_rules(tiling("hexagonal", 6, 6), difficulty="two")
    code = decode(encode(rules, 3, 99).lower().replace("-", " "))
    again = paper_puzzles(code.rules(), code.count, code.seed)
    assert [p.position for p in again] == [p.position for p in paper_puzzles(rules, 3, 99)]


def test_code_of_a_graph_or_of_chosen_cells_needs_them():
    board = Board.from_edges([("a", "b"), ("b", "c")])
    other = Board.from_edges([("a", "b"), ("a", "c")])
    code = decode(encode(paper_puzzle_rules(board), 1, 5))
    assert code.rules(board).board == board
    for wrong in (None, other):
        with pytest.raises(NotationError, match=r"this code is for (a|another) graph"):
            code.rules(wrong)
    rules = paper_puzzle_rules(tiling("square", 3, 1), open_set=(1,))
    code = decode(encode(rules, 1, 5))
    assert code.rules(open_cells=(1,)) == rules
    with pytest.raises(NotationError, match="--open-cells"):
        code.rules()


def test_every_single_wrong_digit_is_detected():
    code = encode(paper_puzzle_rules(tiling("square", 9, 10), difficulty="two"), 30, 1023)
    for k, letter in enumerate(code):
        for other in DIGITS if letter != "-" else "":
            if other != letter:
                with pytest.raises(NotationError, match="code"):
                    decode(code[:k] + other + code[k + 1 :])


def test_invalid_code_is_refused():
    for text in ["", "-", "0", "UUUU", "é", "0" * 200, "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ"]:
        with pytest.raises(NotationError, match="code"):
            decode(text)
    assert encode(paper_puzzle_rules(tiling("square", 9, 10)), 1001, 1) is None
