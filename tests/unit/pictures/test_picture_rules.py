"""Labels of cells, chosen by the output of the network and the rules of the game."""

import numpy as np

from sapper.pictures.network import CLASSES
from sapper.pictures.rules import (
    LABEL_COUNT,
    MAX_EXTRA_COST,
    count_neighbours,
    decide,
    label_costs,
    regions,
    rule_costs,
)

CLOSED = (False, False, False, False)


def log_probabilities(*rows, alternatives=None, share=0.3):
    """Return the output of the network for rows; *alternatives* gives cells a second class."""
    probabilities = np.full((len(rows), len(rows[0]), len(CLASSES)), 1e-7)
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            first = CLASSES.index("0" if character == "." else character)
            second = (alternatives or {}).get((y, x))
            probabilities[y, x, first] = 1 if second is None else 1 - share
            if second is not None:
                probabilities[y, x, CLASSES.index(second)] = share
    return np.log(probabilities / probabilities.sum(axis=2, keepdims=True)).astype(np.float32)


def text(decision):
    """Return the labels as rows."""
    return ["".join(".12345678#F"[k] for k in row) for row in decision.labels]


def test_a_number_that_its_neighbours_do_not_allow_is_read_as_its_alternative():
    # The corner touches one covered cell only.
    decision = decide(
        label_costs(log_probabilities("3#", "1#", alternatives={(0, 0): "2"})), CLOSED
    )
    assert text(decision) == ["2#", "1#"] and not decision.violated.any()


def test_empty_cells_beside_a_zero_are_read_as_zeros_together():
    alternatives = {(y, x): "0" for y in range(3) for x in range(2)}
    decision = decide(
        label_costs(log_probabilities("##1F1", "##111", "##...", alternatives=alternatives)), CLOSED
    )
    assert text(decision) == ["..1F1", "..111", "....."]


def test_a_hidden_cell_is_filled_in_where_the_rules_determine_it():
    # It is next to a zero, so it is revealed, and one flag touches it.
    decision = decide(label_costs(log_probabilities("F1.", "1?.", "...")), CLOSED)
    assert text(decision)[1] == "11."
    assert decision.probabilities[1, 1, 1] > 0.9
    # Nothing determines this one.
    unknown = decide(label_costs(log_probabilities("###", "#?#", "###")), CLOSED)
    assert unknown.probabilities[1, 1].max() < 0.3


def test_mines_of_a_lost_game_are_flags():
    assert text(decide(label_costs(log_probabilities("*1", "11")), CLOSED)) == ["F1", "11"]


def test_numbers_at_a_side_that_needs_mines_outside_the_picture_are_not_changed():
    rows = ("1....", "1....", "2....", "1....")
    decision = decide(label_costs(log_probabilities(*rows)), CLOSED)
    assert text(decision) == list(rows)
    assert decision.open_sides == (False, False, True, False) and not decision.violated.any()


def test_every_side_may_be_open_unless_numbers_inside_need_mines_too():
    rows = np.array([list("1....."), list("1....."), list("2....."), list("1.....")])
    for turns, side in enumerate((2, 1, 3, 0)):
        turned = np.rot90(rows, turns)
        decision = decide(label_costs(log_probabilities(*map("".join, turned))), CLOSED)
        assert [k for k in range(4) if decision.open_sides[k]] == [side]
        for y, x in ((1, 1), (1, -2), (-2, 1), (-2, -2)):
            wrong = turned.copy()
            wrong[y, x] = "3"
            assert not any(
                decide(label_costs(log_probabilities(*map("".join, wrong))), CLOSED).open_sides
            )


def test_neighbours_are_counted_without_the_cell_itself():
    mask = np.array([[True, True, False], [False, True, False]])
    assert count_neighbours(mask).tolist() == [[2, 2, 2], [3, 2, 2]]


def test_the_probabilities_of_all_labels_add_up_to_one():
    probabilities = decide(label_costs(log_probabilities("1#", "1#")), CLOSED).probabilities
    assert probabilities.shape == (2, 2, LABEL_COUNT)
    assert np.allclose(probabilities.sum(axis=2), 1, atol=1e-5)


def test_no_other_label_of_a_cell_near_a_violated_rule_costs_less():
    rng = np.random.default_rng(5)
    exempt = np.zeros((4, 5), bool)
    for _ in range(30):
        costs = rng.exponential(3.0, (4, 5, LABEL_COUNT)).astype(np.float32)
        decision = decide(costs, CLOSED)
        if any(decision.open_sides):
            continue

        def total(labels, costs=costs):
            own = np.take_along_axis(costs, labels[..., None].astype(int), 2).sum()
            return own + rule_costs(labels, exempt).sum()

        near = decision.violated | (count_neighbours(decision.violated) > 0)
        for y, x, label in np.ndindex(costs.shape):
            other = decision.labels.copy()
            other[y, x] = label
            if near[y, x] and costs[y, x, label] <= costs[y, x].min() + MAX_EXTRA_COST:
                assert total(other) >= total(decision.labels) - 0.01


def test_regions_are_the_cells_that_can_be_reached_from_each_other():
    rng = np.random.default_rng(6)
    for _ in range(20):
        mask = rng.random((6, 7)) < 0.3
        listed = [list(zip(ys.tolist(), xs.tolist(), strict=True)) for ys, xs in regions(mask)]
        found = list(map(set, listed))
        assert list(map(len, listed)) == list(map(len, found))
        cells = {(y, x) for y, x in np.ndindex(mask.shape) if mask[y, x]}
        assert sorted(cell for region in found for cell in region) == sorted(cells)
        for region in found:
            near = {(y + v, x + u) for y, x in region for v in (-1, 0, 1) for u in (-1, 0, 1)}
            assert near & cells == region
            # Grown from any of its cells, a region is complete.
            grown, size = {min(region)}, 0
            while len(grown) > size:
                size = len(grown)
                grown |= {
                    (y + v, x + u) for y, x in grown for v in (-1, 0, 1) for u in (-1, 0, 1)
                } & region
            assert grown == region
