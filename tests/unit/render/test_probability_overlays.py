"""Overlays of mine probabilities: certain cells, the interior, the best guess."""

import random
from itertools import combinations

from tests.oracle.naive import distances

from sapper import TILINGS, Position, analyse, probability_svg, tiling
from sapper.render.palette import faded, ramp
from sapper.render.scene import label_cell, probability_overlays
from sapper.wording import percent, percent_label

# r3c1 and r3c2 are safe; the right column is the interior.
POSITION = Position.parse("mines: 2\n1##\n1##\n###\n")


def overlays(position: Position, best: int | None = None):
    return probability_overlays(position, analyse(position).probabilities, best)


def test_certain_cells_have_a_tick_or_a_cross_and_no_label():
    drawn = overlays(POSITION)
    assert drawn["glyphs"] == {6: "safe", 7: "safe"}
    assert not {6, 7} & set(drawn["labels"])
    mines = overlays(Position.parse("mines: 1\n1#\n"))
    assert mines["glyphs"] == {1: "certain-mine"} and mines["colours"] == {1: "certain-mine"}
    drawn = overlays(Position.parse("mines: 1\n1F\n"))
    assert drawn["glyphs"] == {} and drawn["labels"] == {1: "mine"}


def test_interior_is_faded_and_labelled_once():
    drawn = overlays(POSITION)
    assert drawn["labels"] == {1: "50", 4: "50", 2: "33.3"}
    assert {drawn["colours"][cell] for cell in (2, 5, 8)} == {faded(1 / 3)}
    assert drawn["colours"][1] == ramp(0.5)
    drawn = overlays(Position.parse("1###\n####\n"))
    assert drawn["labels"] == {1: "33.3", 4: "33.3", 5: "33.3", 2: "?"}


def test_best_guess_is_outlined():
    assert overlays(POSITION, 4)["outlined"] == (4,)
    risk = analyse(POSITION).probabilities
    by_name, by_index = (probability_svg(POSITION, risk, best=best) for best in ("r2c2", 4))
    assert by_name == by_index != probability_svg(POSITION, risk)


def test_label_cell_is_the_farthest_from_outside_cells_and_from_the_edge():
    for name in TILINGS:
        board, rng = tiling(name, 5, 4), random.Random(5)
        for _ in range(10):
            inside = set(rng.sample(range(len(board)), 12))
            full = max(board.neighbour_counts)
            clearance = {}
            for cell in inside:
                steps = distances(board, cell)
                outside = [steps[c] for c in board.cells if c not in inside]
                border = [1 + steps[c] for c in inside if board.neighbour_count(c) < full]
                clearance[cell] = min(*outside, *border, len(board))
            best = max(clearance.values())
            assert label_cell(board, inside) == min(c for c in inside if clearance[c] == best)


def test_cells_and_sentences_show_the_same_digits():
    for a, b in combinations(range(1, 60), 2):
        assert percent(a / b) == f"{percent_label(a / b).removesuffix('.0')}%"
