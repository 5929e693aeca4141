"""Overlays of mine probabilities: certain cells, the interior, the best guess."""

import random
from itertools import combinations

import pytest

from sapper import TILINGS, Position, analyse, probability_svg, tiling
from sapper.render.palette import PALETTE, contrast, faded, ink_on, ramp
from sapper.render.probabilities import label_cell, probability_overlays
from sapper.wording import percent, percent_label

# r3c1 and r3c2 are safe; the right column is the interior.
POSITION = Position.parse("mines: 2\n1##\n1##\n###\n")


def overlays(position: Position, best: int | None = None):
    return probability_overlays(position, analyse(position).probabilities, best)


def test_certain_cells_have_a_tick_or_a_cross_and_no_label():
    found = overlays(POSITION)
    assert found["glyphs"] == {6: "safe", 7: "safe"}
    assert not {6, 7} & set(found["labels"])
    mines = overlays(Position.parse("mines: 1\n1#\n"))
    assert mines["glyphs"] == {1: "certain-mine"} and mines["colours"] == {1: "certain-mine"}


def test_the_interior_is_faded_and_labelled_once():
    found = overlays(POSITION)
    assert found["labels"] == {1: "50", 4: "50", 2: "33.3"}
    assert {found["colours"][cell] for cell in (2, 5, 8)} == {faded(1 / 3)}
    assert found["colours"][1] == ramp(0.5)


def test_an_interior_without_probabilities_is_labelled_once_too():
    found = overlays(Position.parse("1###\n####\n"))
    assert found["labels"] == {1: "33.3", 4: "33.3", 5: "33.3", 2: "?"}


def test_flag_keeps_its_glyph_and_gets_a_label():
    found = overlays(Position.parse("mines: 1\n1F\n"))
    assert found["glyphs"] == {} and found["labels"] == {1: "mine"}


def test_best_guess_is_outlined():
    assert overlays(POSITION, 4)["outlined"] == (4,)
    probabilities = analyse(POSITION).probabilities
    assert probability_svg(POSITION, probabilities, best="r2c2") == probability_svg(
        POSITION, probabilities, best=4
    )
    assert probability_svg(POSITION, probabilities, best=4) != probability_svg(
        POSITION, probabilities
    )


def steps_between(board, one: int, other: int) -> int:
    seen, steps = {one}, 0
    while other not in seen:
        seen |= {c for cell in seen for c in board.around(cell).tolist()}
        steps += 1
    return steps


@pytest.mark.parametrize("name", TILINGS)
def test_label_cell_is_the_farthest_from_outside_cells_and_from_the_edge(name):
    board, rng = tiling(name, 5, 4), random.Random(5)
    for _ in range(10):
        inside = set(rng.sample(range(len(board)), 12))
        outside = [cell for cell in board.cells if cell not in inside]
        full = max(board.neighbour_counts)
        border = [cell for cell in inside if board.neighbour_count(cell) < full]
        clearance = {
            cell: min(
                *(steps_between(board, cell, c) for c in outside),
                *(1 + steps_between(board, cell, c) for c in border),
                len(board),
            )
            for cell in inside
        }
        best = max(clearance.values())
        assert label_cell(board, inside) == min(c for c in inside if clearance[c] == best)


def rgb(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


@pytest.mark.parametrize("role", ["certain-safe", "certain-mine"])
def test_no_probability_has_the_colour_of_a_certain_cell(role):
    for background in (PALETTE[role].light, PALETTE[role].dark):
        for step in range(101):
            for other in (ramp(step / 100), ramp(step / 100, "clear"), faded(step / 100)):
                distance = sum(abs(a - b) for a, b in zip(rgb(background), rgb(other), strict=True))
                assert distance > 90, (role, step)
        assert contrast(background, PALETTE[ink_on(role, "ink")].light) >= 4.5


def test_safe_cells_and_mines_differ_in_lightness():
    for page in ("light", "dark"):
        one, other = (getattr(PALETTE[role], page) for role in ("certain-safe", "certain-mine"))
        assert contrast(one, other) > 1.5


@pytest.mark.parametrize("step", range(0, 101, 5))
def test_label_of_the_interior_has_enough_contrast(step):
    background = faded(step / 100)
    assert contrast(ink_on(background, "ink"), background) >= 4.5


def test_cells_and_sentences_show_the_same_digits():
    for a, b in combinations(range(1, 60), 2):
        assert percent(a / b) == f"{percent_label(a / b).removesuffix('.0')}%"
