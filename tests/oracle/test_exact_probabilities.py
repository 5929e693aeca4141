"""The exact engine against enumeration, other orders of elimination, and ms-toollib."""

import math
import random

import numpy as np
import pytest

from sapper import Analysis, Budget, Contradiction, Position, analyse, analyse_many
from sapper.engine import workspace
from sapper.kernels.codes import AS_LISTED, BREADTH_FIRST, BY_CELL, MIN_DEGREE, MIN_WEIGHT
from sapper.kernels.engine.workspace import Workspace
from tests.oracle import naive
from tests.random_positions import KINDS, random_position
from tests.stuck_positions import opened_position, patterned_position, stuck_positions


def check_against_enumeration(position: Position) -> None:
    expected = naive.exact_probabilities(position)
    if expected is None:
        with pytest.raises(Contradiction):
            analyse(position)
        return
    check_answer(position, analyse(position), *expected)


def check_answer(position, analysis, solutions, probabilities):
    assert analysis.ln_solutions == pytest.approx(math.log(solutions), abs=1e-11)
    assert [int(c) for c in analysis.safe_cells] == [
        c for c in sorted(probabilities) if probabilities[c] == 0
    ]
    assert [int(c) for c in analysis.certain_mine_cells] == [
        c for c in sorted(probabilities) if probabilities[c] == 1
    ]
    for cell, p in probabilities.items():
        if p is None:
            assert math.isnan(analysis.probability_array[cell]), position
        else:
            assert analysis.probability_array[cell] == pytest.approx(float(p), abs=1e-13), position
            assert (analysis.probability_array[cell] in (0, 1)) == (p in (0, 1)), position
    assert np.isnan(analysis.probability_array[position.marks >= 0]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_equal_enumeration(kind):
    rng = random.Random(f"probabilities {kind}")
    for _ in range(100):
        check_against_enumeration(random_position(kind, rng, 11))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_equal_enumeration_on_many_positions(kind):
    rng = random.Random(f"many probabilities {kind}")
    for _ in range(1500):
        check_against_enumeration(random_position(kind, rng))


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_equal_enumeration_without_compiled_kernels(kind):
    rng = random.Random(f"plain probabilities {kind}")
    for _ in range(6):
        check_against_enumeration(random_position(kind, rng, 8))


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_fractions_and_solutions_equal_enumeration(kind):
    rng = random.Random(f"fractions {kind}")
    for _ in range(25):
        position = random_position(kind, rng, 9)
        expected = naive.exact_probabilities(position)
        if expected is not None:
            analysis = analyse(position)
            assert analysis.solutions == expected[0]
            assert {c: analysis.fractions[c] for c in expected[1]} == expected[1]


@pytest.mark.parametrize("kind", KINDS)
def test_values_equal_enumeration(kind):
    rng = random.Random(f"numbers {kind}")
    for _ in range(15):
        position = random_position(kind, rng, 8)
        if position.mines is None or naive.exact_probabilities(position) is None:
            continue
        analysis = analyse(position)
        for cell in np.flatnonzero(position.marks < 0)[:3].tolist():
            expected = naive.value_probabilities(position, cell)
            assert analysis.value_fractions(cell) == expected
            assert analysis.values(cell) == pytest.approx(expected, abs=1e-12)
            assert sum(expected.values()) == 1 - analysis.fractions[cell]


class FixedEngine:
    """The engine with fixed choices: order of elimination, bits of a key, scaling."""

    def __init__(self, policy=-1, word_bits=64, portfolio_from=3000.0, moderate=550.0):
        self.ws = Workspace()
        self.ws.policy, self.ws.word_bits = policy, word_bits
        self.ws.portfolio_from, self.ws.max_ln_range = portfolio_from, moderate

    def probabilities(self, position):
        status = workspace.run(
            self.ws, position.board, position.marks, position.mines, Budget().start()
        )
        assert status == workspace.OK
        return workspace.copy_probabilities(self.ws, len(position.board)), self.ws.ln_solutions


ORDERS = [
    FixedEngine(policy) for policy in (MIN_DEGREE, MIN_WEIGHT, AS_LISTED, BY_CELL, BREADTH_FIRST)
]
NARROW = [FixedEngine(policy, word_bits=11) for policy in (MIN_DEGREE, BY_CELL)]
CAREFUL = [FixedEngine(moderate=0.0), FixedEngine(BY_CELL, word_bits=11, moderate=0.0)]


def check_orders(position, engines):
    analysis = analyse(position)
    for engine in engines:
        probabilities, ln_solutions = engine.probabilities(position)
        assert ln_solutions == pytest.approx(analysis.ln_solutions, rel=1e-12)
        np.testing.assert_allclose(probabilities, analysis.probability_array, rtol=0, atol=1e-12)
        assert ((probabilities == 0) == (analysis.probability_array == 0)).all()
        assert ((probabilities == 1) == (analysis.probability_array == 1)).all()
    check_sum(position, analysis)


def check_sum(position: Position, analysis: Analysis) -> None:
    assert np.nansum(analysis.probability_array) == pytest.approx(
        position.mines, rel=1e-12, abs=1e-11
    )


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_all_fixed_engines_equal_enumeration(kind):
    rng = random.Random(f"forced {kind}")
    for _ in range(8):
        position = random_position(kind, rng, 9)
        expected = naive.exact_probabilities(position)
        if expected is None:
            continue
        for engine in ORDERS + NARROW + CAREFUL:
            probabilities, ln_solutions = engine.probabilities(position)
            assert ln_solutions == pytest.approx(math.log(expected[0]), abs=1e-11)
            for cell, p in expected[1].items():
                if p is not None:
                    assert probabilities[cell] == pytest.approx(float(p), abs=1e-13)
                    assert (probabilities[cell] in (0, 1)) == (p in (0, 1))


@pytest.mark.parametrize("tiling", ["square", "hexagonal", "torus"])
def test_orders_and_key_widths_agree_on_expert_positions(tiling):
    for position in stuck_positions("30x16/99", range(8), tiling):
        check_orders(position, ORDERS + NARROW + CAREFUL)


@pytest.mark.parametrize("seed", range(4))
def test_orders_and_key_widths_agree_on_100x100_positions(seed):
    # The linear orders are too wide here; the two tree orders are not.
    position = opened_position(100, 100, 0.2, 10, seed)
    check_orders(position, [*ORDERS[:2], FixedEngine(MIN_DEGREE, word_bits=11)])


@pytest.mark.slow
def test_orders_agree_on_thousands_of_expert_positions():
    for position in stuck_positions("30x16/99", range(1000, 1200)):
        check_orders(position, ORDERS + NARROW + CAREFUL)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.18, 0.2, 0.22, 0.25])
def test_orders_agree_on_many_100x100_positions(share):
    for seed in range(250):
        position = opened_position(100, 100, share, 10, seed)
        check_orders(position, [*ORDERS[:2], FixedEngine(MIN_DEGREE, word_bits=11)])


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


def ms_toollib_probabilities(position: Position) -> np.ndarray:
    import ms_toollib

    width, height = position.board.size
    board = np.where(position.marks < 0, 10, position.marks).reshape(height, width).tolist()
    probabilities, _ = ms_toollib.cal_probability_onboard(board, position.mines)
    return np.array(probabilities).reshape(-1)


def check_ms_toollib(positions):
    pytest.importorskip("ms_toollib")
    for position, analysis in zip(positions, analyse_many(positions), strict=True):
        covered = position.marks < 0
        theirs = ms_toollib_probabilities(position)
        np.testing.assert_allclose(
            analysis.probability_array[covered], theirs[covered], rtol=0, atol=1e-9
        )


def test_probabilities_equal_those_of_ms_toollib():
    check_ms_toollib(list(stuck_positions("expert", range(10)))[:100])


@pytest.mark.slow
def test_probabilities_equal_those_of_ms_toollib_on_a_thousand_positions():
    check_ms_toollib(list(stuck_positions("expert", range(100)))[:1000])


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_all_cells_at_once_equal_exact_fractions(kind):
    rng = random.Random(f"all numbers {kind}")
    for _ in range(12):
        position = random_position(kind, rng, 9)
        if naive.exact_probabilities(position) is None:
            continue
        analysis = analyse(position)
        for cell in np.flatnonzero(position.marks < 0).tolist():
            expected = analysis.value_fractions(cell)
            assert analysis.values(cell) == pytest.approx(expected, abs=1e-12)


@pytest.mark.plain
def test_values_of_cells_between_components_and_beside_the_interior():
    position = Position.parse(
        "# # # 1 # # # 1 # #\n# # # # # # # # # #\n1 # # # # # # # # 1", mines=6
    )
    analysis = analyse(position)
    for cell in np.flatnonzero(position.marks < 0).tolist():
        expected = analysis.value_fractions(cell)
        assert analysis.values(cell) == pytest.approx(expected, abs=1e-12)


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
