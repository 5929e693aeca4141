"""The exact engine against enumeration, other orders of elimination, and ms-toollib."""

import math
import random

import numpy as np
import pytest

from sapper import Budget, Contradiction, analyse, analyse_many
from sapper.engine import workspace
from sapper.kernels.codes import AS_LISTED, BREADTH_FIRST, BY_CELL, MIN_DEGREE, MIN_WEIGHT
from sapper.kernels.engine.workspace import Workspace
from tests.oracle import naive
from tests.random_positions import KINDS, random_position
from tests.sampling import cases
from tests.stuck_positions import opened_position, patterned_position, stuck_positions


def check_probabilities(probabilities, ln_solutions, expected):
    """Compare probabilities with those of the reference: certain cells exactly."""
    solutions, exact = expected
    assert ln_solutions == pytest.approx(math.log(solutions), abs=1e-11)
    for cell, p in exact.items():
        if p is None:
            assert math.isnan(probabilities[cell])
        else:
            assert probabilities[cell] == pytest.approx(float(p), abs=1e-13)
            assert (probabilities[cell] in (0, 1)) == (p in (0, 1))


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_equal_enumeration(kind):
    rng = random.Random(f"probabilities {kind}")
    for _ in range(cases(100, plain=5)):
        position = random_position(kind, rng, max_covered=11)
        expected = naive.exact_probabilities(position)
        if expected is None:
            with pytest.raises(Contradiction):
                analyse(position)
            continue
        analysis = analyse(position)
        check_probabilities(analysis.probability_array, analysis.ln_solutions, expected)
        exact = expected[1]
        assert analysis.safe_cells.tolist() == [c for c in sorted(exact) if exact[c] == 0]
        assert analysis.certain_mine_cells.tolist() == [c for c in sorted(exact) if exact[c] == 1]
        assert np.isnan(analysis.probability_array[position.marks >= 0]).all()


def possible_positions(kind, seed, count, max_covered=9):
    """Yield random positions with at least one solution, and their exact probabilities."""
    rng = random.Random(seed)
    for _ in range(count):
        position = random_position(kind, rng, max_covered)
        expected = naive.exact_probabilities(position)
        if expected is not None:
            yield position, expected


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_fractions_and_solutions_equal_enumeration(kind):
    for position, (solutions, exact) in possible_positions(kind, f"fractions {kind}", 25):
        analysis = analyse(position)
        assert analysis.solutions == solutions
        assert {c: analysis.fractions[c] for c in exact} == exact


@pytest.mark.parametrize("kind", KINDS)
def test_values_equal_enumeration(kind):
    for position, _ in possible_positions(kind, f"numbers {kind}", 20, 8):
        analysis = check_values(position)
        if position.mines is not None:
            for cell in np.flatnonzero(position.marks < 0)[:3].tolist():
                expected = naive.value_probabilities(position, cell)
                assert analysis.value_fractions(cell) == expected
                assert sum(expected.values()) == 1 - analysis.fractions[cell]


def check_values(position):
    """Compare the values of all cells at once with exact ones."""
    analysis = analyse(position)
    for cell in np.flatnonzero(position.marks < 0).tolist():
        expected = analysis.value_fractions(cell)
        assert analysis.values(cell) == pytest.approx(expected, abs=1e-12)
    return analysis


class FixedEngine:
    """The engine with fixed choices: order of elimination, bits of a key, scaling."""

    def __init__(self, policy=-1, word_bits=64, portfolio_from=3000.0, max_ln_range=550.0):
        self.ws = Workspace()
        self.ws.policy, self.ws.word_bits = policy, word_bits
        self.ws.portfolio_from, self.ws.max_ln_range = portfolio_from, max_ln_range

    def probabilities(self, position):
        status = workspace.run(
            self.ws, position.board, position.marks, position.mines, Budget().start()
        )
        assert status == workspace.OK
        return workspace.copy_probabilities(self.ws, len(position.board)), self.ws.ln_solutions


ORDERS = [
    FixedEngine(policy) for policy in (MIN_DEGREE, MIN_WEIGHT, AS_LISTED, BY_CELL, BREADTH_FIRST)
]
NARROW_KEYS = [FixedEngine(policy, word_bits=11) for policy in (MIN_DEGREE, BY_CELL)]
RESCALED = [FixedEngine(max_ln_range=0.0), FixedEngine(BY_CELL, word_bits=11, max_ln_range=0.0)]


def check_orders(position, engines):
    analysis = analyse(position)
    expected = analysis.probability_array
    for engine in engines:
        probabilities, ln_solutions = engine.probabilities(position)
        assert ln_solutions == pytest.approx(analysis.ln_solutions, rel=1e-12)
        np.testing.assert_allclose(probabilities, expected, rtol=0, atol=1e-12)
        assert ((probabilities == 0) == (expected == 0)).all()
        assert ((probabilities == 1) == (expected == 1)).all()
    assert np.nansum(expected) == pytest.approx(position.mines, rel=1e-12, abs=1e-11)


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_all_fixed_engines_equal_enumeration(kind):
    for position, expected in possible_positions(kind, f"forced {kind}", 8):
        for engine in ORDERS + NARROW_KEYS + RESCALED:
            check_probabilities(*engine.probabilities(position), expected)


@pytest.mark.parametrize("tiling", ["square", "hexagonal", "torus"])
def test_orders_and_key_widths_agree_on_expert_positions(tiling):
    for position in stuck_positions("30x16/99", range(cases(6)), tiling):
        check_orders(position, ORDERS + NARROW_KEYS + RESCALED)


# The linear orders are too wide for boards of 100x100; the two tree orders are not.
TREE_ORDERS = [*ORDERS[:2], FixedEngine(MIN_DEGREE, word_bits=11)]


def test_orders_and_key_widths_agree_on_100x100_positions():
    for seed in range(cases(3)):
        check_orders(opened_position(100, 100, 0.2, 10, seed), TREE_ORDERS)


@pytest.mark.parametrize(
    ("pattern", "side", "share"),
    [("lattice", 13, 0.3), ("checkerboard", 16, 0.35), ("random", 24, 0.3)],
)
def test_components_of_more_numbers_than_a_key_holds_agree(pattern, side, share):
    position = patterned_position(pattern, side, share)
    check_orders(
        position,
        [FixedEngine(MIN_DEGREE), FixedEngine(BY_CELL, word_bits=17), FixedEngine(-1, 23, 5.0)],
    )


def test_probabilities_equal_those_of_ms_toollib():
    ms_toollib = pytest.importorskip("ms_toollib")
    positions = list(stuck_positions("expert", range(cases(10))))[: cases(100)]
    for position, analysis in zip(positions, analyse_many(positions), strict=True):
        covered = position.marks < 0
        rows = np.where(covered, 10, position.marks).reshape(16, 30).tolist()
        expected, _ = ms_toollib.cal_probability_onboard(rows, position.mines)
        found = analysis.probability_array[covered]
        np.testing.assert_allclose(found, np.ravel(expected)[covered], rtol=0, atol=1e-9)


def test_values_of_expert_positions_equal_those_of_the_general_engine(monkeypatch):
    for position in list(stuck_positions("expert", range(3)))[::5]:
        analysis = analyse(position)
        table = analysis._all_values(Budget().start())
        covered = position.marks < 0
        np.testing.assert_allclose(
            table.sum(axis=1)[covered], 1 - analysis.probability_array[covered]
        )
        general = analyse(position)
        monkeypatch.setitem(general.__dict__, "_value_rows", None)
        for cell in np.flatnonzero(covered & (analysis.probability_array < 1))[::23].tolist():
            assert analysis.values(cell) == pytest.approx(general.values(cell), abs=1e-12)
