"""One-click boards: found exactly if they exist, and won by one click."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.error_messages import assert_refused
from tests.one_click_judge import is_one_click
from tests.oracle import naive
from tests.strategies import boards

from sapper import TILINGS, Board, OutOfBudget, RulesError, tiling
from sapper.generators import one_click_openings as openings_module
from sapper.generators.one_click import (
    count_one_click,
    impossible_reason,
    one_click,
)
from sapper.kernels import view
from sapper.kernels.board import seed_state
from sapper.kernels.generators.one_click import grow_opening

# Published numbers of layouts with 0, 1, 2, ... mines that one click wins, by rows and columns.
PUBLISHED = {
    (3, 3): "1 4 0 4 0 4 0 0 9 0",
    (4, 4): "1 4 10 4 8 8 8 4 8 0 8 0 4 0 0 16 0",
    (5, 5): "1 9 32 56 69 76 66 64 60 44 30 44 16 24 16 12 9 12 0 12 0 4 0 0 25 0",
    (2, 5): "1 0 2 0 3 0 2 0 0 10 0",
    (1, 5): "1 2 3 2 5 0",
}


def test_numbers_of_layouts_are_the_published_ones():
    for (rows, columns), text in PUBLISHED.items():
        board = tiling("square", columns, rows)
        published = list(map(int, text.split()))
        assert [count_one_click(board, mines) for mines in range(len(board) + 1)] == published


@given(boards(max_side=3), st.data())
@pytest.mark.plain
def test_boards_exist_exactly_if_the_reference_finds_a_layout(board, data):
    counts = naive.one_click_counts(board)
    mines_for_brute = data.draw(st.integers(0, len(board)))
    for mines, count in enumerate(counts):
        assert count_one_click(board, mines) == count
        answers = [one_click(board, mines, seed=mines)]
        answers += [one_click(board, mines, method="brute")] if mines == mines_for_brute else []
        for answer in answers:
            assert answer.possible == (answer.reason is None) == (count > 0)
            if answer.layout is not None:
                assert answer.layout.mine_count == mines
                assert is_one_click(answer.layout)
                placed = set(answer.layout.mine_cells.tolist())
                assert answer.layout.click in naive.winning_clicks(board, placed)


def test_all_methods_agree_with_brute_force_up_to_5x5():
    for rows, columns in product(range(1, 6), repeat=2):
        board = tiling("square", columns, rows)
        for mines in range(len(board) + 1):
            expected = one_click(board, mines, method="brute")
            for method in ("cases", "closed", "backtrack", "varied"):
                answer = one_click(board, mines, method=method)
                assert (answer.possible, answer.method) == (expected.possible, method)
                assert answer.reason == expected.reason


@given(boards(), st.integers(0, 2**64 - 1), st.integers(0, 256), st.data())
@pytest.mark.plain
def test_growing_kernel_agrees_with_the_reference(board, seed, newest_share, data):
    start = data.draw(st.sampled_from(board.cells))
    target = data.draw(st.integers(1, len(board)))
    state = np.empty(4, dtype=np.uint64)
    seed_state(seed, view(state))
    queue = np.empty(len(board), dtype=np.int32)
    safe = np.zeros(len(board), dtype=np.uint8)
    graph = (view(board.offsets), view(board.neighbours))
    size = grow_opening(*graph, view(state), start, target, newest_share, view(queue), view(safe))
    expected = naive.grow(board, naive.random_words(seed), start, target, newest_share)
    assert set(np.flatnonzero(safe).tolist()) == expected
    assert size == len(expected)


# Numbers of empty cells that no click opens, by tiling and size (width, height).
IMPOSSIBLE = {
    ("square", 9, 9): [0, 2, 3, 5, 7],
    ("torus", 4, 4): [0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13],
    ("torus", 9, 7): [0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13],
    ("torus", 3, 6): [0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 16, 17],
    ("hexagonal", 2, 2): [0, 2],
    ("hexagonal", 9, 8): [0, 2],
    # On triangles this depends on the corners: 9 columns and 8 rows have no acute one.
    ("triangular", 9, 9): [0, 2, 3, 4],
    ("triangular", 9, 8): [0, 2, 3, 4, 5],
    ("triangular-edge", 9, 9): [0],
    ("triangular-edge", 9, 8): [0, 2],
}


def test_exactly_the_impossible_numbers_of_a_tiling_are_refused():
    for key in IMPOSSIBLE:
        board = tiling(*key)
        impossible = []
        for empty in range(len(board) + 1):
            answer = one_click(board, len(board) - empty, seed=1)
            if answer.layout is None:
                impossible.append(empty)
                assert answer.reason
            else:
                assert is_one_click(answer.layout)
        assert impossible == IMPOSSIBLE[key]


def test_seed_fixes_the_board_and_all_layouts_are_reached():
    board = tiling("square", 8, 8)
    texts = {str(one_click(board, 30, seed=seed)) for seed in range(50)}
    assert len(texts) == 50
    assert str(one_click(board, 30, seed=7)) == str(one_click(board, 30, seed=7))
    board = tiling("square", 4, 4)
    layouts = {one_click(board, 5, seed=seed).layout.mine_mask.tobytes() for seed in range(300)}
    assert len(layouts) == 8


def test_boards_match_the_golden_file(golden):
    requests = [(name, mines) for name in TILINGS for mines in (0, 9, 21, 35)]
    answers = [one_click(tiling(name, 6, 6), mines, seed=5) for name, mines in requests]
    golden("one-click.txt", "\n".join(f"{answer}\n" for answer in answers))


def test_impossible_number_has_its_reason():
    for board, mines, reason in (
        ("square 3x3", 9, "a click needs an empty cell, and there is none"),
        ("square 4x4", 9, "2, 3, 5 or 7 empty cells cannot be opened by one click on a board"),
        ("square 7x2", 5, "2 empty cells, or an odd number above 1, cannot be opened by one click"),
        ("torus 3x5", 5, "one click on a torus three cells wide opens 1 cell or whole lines"),
        ("hexagonal 5x5", 23, "one click on hexagonal 5x5 opens 1 cell or 3 and more"),
        ("torus 1000x1000", 10**6 - 13, "every opening of up to 13 cells on torus 1000x1000 was"),
    ):
        answer = one_click(Board.parse(board), mines)
        assert not answer.possible and answer.reason.startswith(reason)
        assert str(answer) == "Impossible"


def test_graph_in_parts_can_open_one_part_only():
    board = Board.from_edges([("a", "b"), ("b", "c"), ("d", "e")])
    assert impossible_reason(board, 5) == (
        "the largest connected part of graph of 5 cells has only 3 cells"
    )
    layout = one_click(board, 2, seed=1).layout
    assert is_one_click(layout)
    assert layout.mine_mask.tolist() == [0, 0, 0, 1, 1]


def test_search_with_too_many_openings_is_reported(monkeypatch):
    # A star of stars: every opening beyond a leaf takes a hub with all of its leaves.
    hubs = [f"h{i}" for i in range(6)]
    edges = [(hub, f"{hub}-{j}") for hub in hubs for j in range(5)]
    edges += [("centre", hub) for hub in hubs]
    board = Board.from_edges(edges)
    assert "was tried, and none has 3" in one_click(board, len(board) - 3, seed=1).reason
    monkeypatch.setattr(openings_module, "MAX_CELLS_WRITTEN", 10)
    with pytest.raises(OutOfBudget, match="with 3 empty cells on graph of 37 cells; there may be"):
        one_click(board, len(board) - 3, seed=1)
    monkeypatch.setattr(openings_module, "MAX_CELLS_WRITTEN", 1000)
    with pytest.raises(OutOfBudget, match="too many openings"):
        count_one_click(tiling("square", 9, 9), 20)


def test_search_finds_what_random_growth_misses(monkeypatch):
    monkeypatch.setattr(openings_module, "MAX_TRIES", 0)
    layout = one_click(tiling("hexagonal", 5, 5), 15, seed=1).layout
    assert layout.mine_count == 15
    assert is_one_click(layout)


def test_impossible_arguments_are_refused():
    cases = [
        ({"mines": 26}, "expected from 0 to 25 mines on square 5x5, got 26"),
        ({"mines": -1}, "expected from 0 to 25 mines on square 5x5, got -1"),
        ({"method": "magic"}, "no such method 'magic'"),
        ({"method": "cases", "seed": 1}, "a seed needs the method 'varied'"),
        ({"seed": 2**64}, "expected a seed from 0 to"),
        ({"board": tiling("square", 6, 5), "method": "brute"}, "'brute' takes at most 25 cells"),
    ]
    for method in ("cases", "closed", "backtrack"):
        torus = {"board": tiling("torus", 5, 5), "method": method}
        cases.append((torus, f"the method '{method}' needs a square board"))
    usual = {"board": tiling("square", 5, 5), "mines": 3}
    assert_refused(lambda given: one_click(**{**usual, **given}), cases, RulesError)
