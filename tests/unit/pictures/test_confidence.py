"""How sure a reading is of its cells, and how labels without a solution are changed."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from tests.unit.pictures.test_picture_rules import log_probabilities

import sapper
from sapper.board.position import COVERED, FLAG
from sapper.pictures import network, reading
from sapper.pictures.boards import FoundBoard
from sapper.pictures.lattice import Lattice
from sapper.pictures.rules import LABEL_COUNT, Decision, label_costs

CLOSED = (False, False, False, False)


def board_of(joint, left=10.0, top=10.0, quality=1.0):
    """Return a board of 20 pixels a cell with this output of the network, all in one colour."""
    rows, columns, _ = joint.shape
    pixels = np.full((rows * network.CELL, columns * network.CELL, 3), 100, np.uint8)
    return FoundBoard(Lattice(left, top, 20, 20, columns, rows), joint, joint, pixels, quality)


def decision_of(*rows, probability=0.99, violated=()):
    """Return labels with this probability each; all others are equally likely."""
    labels = np.array([[".12345678#F".index(c) for c in row] for row in rows], np.int8)
    probabilities = np.full((*labels.shape, LABEL_COUNT), (1 - probability) / (LABEL_COUNT - 1))
    np.put_along_axis(probabilities, labels[..., None].astype(int), probability, 2)
    mask = np.zeros(labels.shape, bool)
    for at in violated:
        mask[at] = True
    return Decision(labels, probabilities.astype(np.float32), mask, CLOSED)


def confidence(decision, quality=1.0):
    board = board_of(log_probabilities(*["." * decision.labels.shape[1]] * len(decision.labels)))
    found = reading._confidence(decision, replace(board, quality=quality))
    return found.reshape(decision.labels.shape)


ROWS = ["1#1...", "111...", "......", ".11111", ".1###1"]


def test_cells_around_a_violated_number_have_less_confidence():
    found = confidence(decision_of(*ROWS, violated=[(1, 1)]))
    expected = np.full((5, 6), 0.99)
    expected[:3, :3] = 0.8
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("count", "doubt"), [(2, 0), (3, 8 / 26 * 0.6), (4, 16 / 26 * 0.6), (9, 0.6)]
)
def test_more_than_two_violated_numbers_reduce_the_confidence_of_all_cells(count, doubt):
    cells = [(y, x) for y in range(3) for x in range(6) if ROWS[y][x] != "#"]
    decision = decision_of(*ROWS, violated=cells[:count])
    assert (decision.labels <= 8).sum() == 26
    assert confidence(decision)[4, 5] == pytest.approx(0.99 * (1 - doubt), abs=1e-6)


@pytest.mark.parametrize(("quality", "factor"), [(0.98, 1.0), (0.87, 0.8), (0.4, 0.1)])
def test_cells_that_hardly_look_like_cells_reduce_the_confidence(quality, factor):
    assert confidence(decision_of(*ROWS), quality) == pytest.approx(0.99 * factor, abs=1e-6)


@pytest.mark.parametrize("label", [0, network.COVERED, network.FLAG, 3])
@pytest.mark.parametrize("rows", [4, 5])
def test_an_odd_cell_looks_unlike_most_others_of_its_label(label, rows):
    labels = np.full((rows, 5), label, np.int8)
    board = board_of(log_probabilities(*["#####"] * rows))
    size = network.CELL
    board.pixels[size : 2 * size, 2 * size : 3 * size] += 40
    board.pixels[:size, 4 * size :] += 10  # too little to matter
    expected = np.zeros((rows, 5), bool)
    # Numbers, and labels with at most 20 cells, are not compared.
    expected[1, 2] = label != 3 and rows == 5
    assert np.array_equal(reading._odd_cells(labels, board), expected)
    # Five cells that look alike are not odd.
    for x in range(5):
        board.pixels[size : 2 * size, x * size : (x + 1) * size] = 140
    assert not reading._odd_cells(labels, board).any()


def test_colour_makes_a_cell_odd_and_fine_stripes_do_not():
    labels = np.full((5, 5), network.COVERED, np.int8)
    board = board_of(log_probabilities(*["#####"] * 5))
    size = network.CELL
    board.pixels[:size, :size] = (160, 100, 40)  # as bright as the others
    board.pixels[4 * size :: 2, 4 * size :] = 140
    board.pixels[4 * size + 1 :: 2, 4 * size :] = 60
    board.pixels[4 * size :, :size:2] = 140
    board.pixels[4 * size :, 1:size:2] = 60
    assert np.argwhere(reading._odd_cells(labels, board)).tolist() == [[0, 0]]


def test_odd_cells_are_unsure():
    decision = decision_of(*["#####"] * 5)
    board = board_of(log_probabilities(*["#####"] * 5))
    board.pixels[: network.CELL, : network.CELL] = 180
    found = reading._reading(decision, board, None, ())
    assert [(item.cell, item.confidence) for item in found.unsure_cells] == [
        (0, pytest.approx(0.9))
    ]


def test_the_least_likely_label_of_a_conflict_is_changed():
    decision = decision_of("###", "131")
    decision.probabilities[1, 1, [3, 2]] = 0.6, 0.39
    changed = reading._make_solvable(decision, (3, 4, 5))
    assert changed.labels.tolist() == [[9, 9, 9], [1, 2, 1]]
    # All numbers of the conflict become less likely; the other cells do not.
    assert changed.probabilities[1, 0, 1] == pytest.approx(0.99 * 0.9)
    assert changed.probabilities[1, 1, 3] == pytest.approx(0.6 * 0.9)
    assert changed.probabilities[0, 0, 9] == pytest.approx(0.99)
    assert decision.labels[1, 1] == 3 and decision.probabilities[1, 1, 3] == pytest.approx(0.6)


def test_labels_without_a_plausible_alternative_are_left_as_they_are():
    decision = decision_of("###", "131", probability=1.0)
    assert np.array_equal(reading._make_solvable(decision, (3, 4, 5)).labels, decision.labels)


@pytest.mark.parametrize("side", range(4), ids=["top", "bottom", "left", "right"])
def test_a_board_without_a_solution_continues_where_it_is_close_to_the_edge(side):
    # Each number is possible by itself: the middle one needs three mines, the others one each.
    joint = log_probabilities("131", "###", "###")
    joint = joint if side < 2 else joint.swapaxes(0, 1)
    joint = np.flip(joint, axis=side // 2) if side % 2 else joint
    for space, open_sides in ((15, []), (13, [side])):  # 0.7 of a cell is 14 pixels
        near = [space if k == side else 30 for k in range(4)]
        image = Image.new("RGB", (60 + near[2] + near[3], 60 + near[0] + near[1]))
        decision = reading._decide(board_of(joint, near[2], near[0]), image)
        assert [k for k in range(4) if decision.open_sides[k]] == open_sides
    # The numbers are in another row, so they do not need mines beyond this side.
    away = [13 if k == side ^ 1 else 30 for k in range(4)]
    image = Image.new("RGB", (60 + away[2] + away[3], 60 + away[0] + away[1]))
    assert not any(reading._decide(board_of(joint, away[2], away[0]), image).open_sides)


def test_an_unsure_cell_lists_up_to_three_other_marks_by_probability():
    decision = decision_of("1#", "11")
    decision.probabilities[0, 0] = 0
    decision.probabilities[0, 0, [1, 7, 10, 9, 2, 3]] = 0.5, 0.2, 0.15, 0.1, 0.046, 0.004
    decision.probabilities[1, 1] = 0
    decision.probabilities[1, 1, [1, 4, 5]] = 0.94, 0.05, 0.01
    decision.probabilities[1, 0] = 0
    decision.probabilities[1, 0, [1, 2, 3]] = 0.945, 0.0049, 0.001
    board = board_of(log_probabilities("1#", "11"))
    found = reading._reading(decision, board, 1, ("note",))
    assert found.unsure == ("r1c1", "r2c1", "r2c2")
    assert [item.alternatives for item in found.unsure_cells] == [
        (7, FLAG, COVERED),
        (2,),  # the most likely one, though it is unlikely
        (4, 5),
    ]
    assert [item.read for item in found.unsure_cells] == [1, 1, 1]
    assert found.confidence == pytest.approx(0.5 * 0.945 * 0.94 * 0.99, abs=1e-4)
    assert found.cell_confidence == pytest.approx((0.5, 0.99, 0.945, 0.94))
    assert found.position == sapper.Position.parse("mines: 1\n1#\n11")
    assert found.notes == ("note",)


def test_the_cost_of_a_label_is_less_the_more_likely_it_is():
    costs = label_costs(log_probabilities("1?", "*#"))
    assert costs[0, 0].argmin() == 1 and costs[0, 0, 1] == pytest.approx(0, abs=1e-4)
    assert costs[0, 0, 2] == pytest.approx(-0.9 * np.log(1.1e-6), abs=0.05)
    # A mine is a flag; what is hidden may be anything.
    assert costs[1, 0].argmin() == network.FLAG
    assert costs[0, 1] == pytest.approx([-0.9 * np.log(1 / 11)] * 11, abs=1e-3)
