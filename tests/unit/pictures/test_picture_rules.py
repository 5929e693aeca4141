"""What cells show, decided by their looks and by the rules of the game."""

import numpy as np

from sapper.pictures.network import CLASSES
from sapper.pictures.rules import LABEL_COUNT, count_neighbours, decide, label_costs

CLOSED = (False, False, False, False)


def looks(*rows, doubts=None, share=0.3):
    """Return log-probabilities of cells that look like rows; *doubts* gives cells a second look."""
    chances = np.full((len(rows), len(rows[0]), len(CLASSES)), 1e-7)
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            first = CLASSES.index("0" if character == "." else character)
            second = (doubts or {}).get((y, x))
            chances[y, x, first] = 1 if second is None else 1 - share
            if second is not None:
                chances[y, x, CLASSES.index(second)] = share
    return np.log(chances / chances.sum(axis=2, keepdims=True)).astype(np.float32)


def text(decision):
    """Return the labels as rows."""
    return ["".join(".12345678#F"[k] for k in row) for row in decision.labels]


def test_a_number_that_its_neighbours_do_not_allow_is_read_as_its_second_look():
    # The corner touches one covered cell only.
    decision = decide(label_costs(looks("3#", "1#", doubts={(0, 0): "2"})), CLOSED)
    assert text(decision) == ["2#", "1#"] and not decision.violated.any()


def test_empty_cells_beside_a_zero_are_read_as_zeros_together():
    doubts = {(y, x): "0" for y in range(3) for x in range(2)}
    decision = decide(label_costs(looks("##1F1", "##111", "##...", doubts=doubts)), CLOSED)
    assert text(decision) == ["..1F1", "..111", "....."]


def test_a_hidden_cell_is_filled_in_where_the_rules_determine_it():
    # It is next to a zero, so it is revealed, and one flag touches it.
    decision = decide(label_costs(looks("F1.", "1?.", "...")), CLOSED)
    assert text(decision)[1] == "11."
    assert decision.probabilities[1, 1, 1] > 0.9
    # Nothing is known about this one.
    unknown = decide(label_costs(looks("###", "#?#", "###")), CLOSED)
    assert unknown.probabilities[1, 1].max() < 0.3


def test_mines_of_a_lost_game_are_flags():
    assert text(decide(label_costs(looks("*1", "11")), CLOSED)) == ["F1", "11"]


def test_numbers_at_a_side_that_needs_mines_out_of_view_are_left_as_they_are():
    rows = ("1....", "1....", "2....", "1....")
    decision = decide(label_costs(looks(*rows)), CLOSED)
    assert text(decision) == list(rows)
    assert decision.open_sides == (False, False, True, False) and not decision.violated.any()


def test_every_side_may_be_open_unless_numbers_inside_need_mines_too():
    rows = np.array([list("1....."), list("1....."), list("2....."), list("1.....")])
    for turns, side in enumerate((2, 1, 3, 0)):
        turned = np.rot90(rows, turns)
        decision = decide(evidence(looks(*map("".join, turned))), CLOSED)
        assert [k for k in range(4) if decision.open_sides[k]] == [side]
        for y, x in ((1, 1), (1, -2), (-2, 1), (-2, -2)):
            wrong = turned.copy()
            wrong[y, x] = "3"
            assert not any(decide(evidence(looks(*map("".join, wrong))), CLOSED).open_sides)


def test_neighbours_are_counted_without_the_cell_itself():
    mask = np.array([[True, True, False], [False, True, False]])
    assert count_neighbours(mask).tolist() == [[2, 2, 2], [3, 2, 2]]


def test_the_probabilities_of_all_labels_add_up_to_one():
    probabilities = decide(label_costs(looks("1#", "1#")), CLOSED).probabilities
    assert probabilities.shape == (2, 2, LABEL_COUNT)
    assert np.allclose(probabilities.sum(axis=2), 1, atol=1e-5)
