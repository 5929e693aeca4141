"""The exact engine against plain enumeration, other orders of elimination, and ms-toollib."""

import math
import random

import numpy as np
import pytest

from sapper import Analysis, Budget, Contradiction, Frame, analyse, analyse_many
from sapper.infer.odds import engine
from sapper.kernels.codes import FEWEST, LIGHTEST, STRAIGHT, SWEEP, WAVE
from sapper.kernels.odds.workspace import Workspace
from tests.frames import KINDS, random_frame
from tests.oracle import naive
from tests.stuck_frames import opened_frame, patterned_frame, stuck_frames


def check_against_enumeration(frame: Frame) -> None:
    expected = naive.exact_odds(frame)
    if expected is None:
        with pytest.raises(Contradiction):
            analyse(frame)
        return
    check_answer(frame, analyse(frame), *expected)


def check_answer(frame, analysis, placements, odds):
    assert analysis.ln_placements == pytest.approx(math.log(placements), abs=1e-11)
    assert [int(c) for c in analysis.reveal_cells] == [c for c in sorted(odds) if odds[c] == 0]
    assert [int(c) for c in analysis.flag_cells] == [c for c in sorted(odds) if odds[c] == 1]
    for cell, p in odds.items():
        if p is None:
            assert math.isnan(analysis.probability[cell]), frame
        else:
            assert analysis.probability[cell] == pytest.approx(float(p), abs=1e-13), frame
            assert (analysis.probability[cell] in (0, 1)) == (p in (0, 1)), frame
    assert np.isnan(analysis.probability[frame.marks >= 0]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_odds_equal_plain_enumeration(kind):
    rng = random.Random(f"odds {kind}")
    for _ in range(220):
        check_against_enumeration(random_frame(kind, rng, 11))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_odds_equal_plain_enumeration_on_many_frames(kind):
    rng = random.Random(f"many odds {kind}")
    for _ in range(1500):
        check_against_enumeration(random_frame(kind, rng))


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_odds_equal_plain_enumeration_in_plain_python_too(kind):
    rng = random.Random(f"plain odds {kind}")
    for _ in range(6):
        check_against_enumeration(random_frame(kind, rng, 8))


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_fractions_and_placements_equal_plain_enumeration(kind):
    rng = random.Random(f"fractions {kind}")
    for _ in range(25):
        frame = random_frame(kind, rng, 9)
        expected = naive.exact_odds(frame)
        if expected is not None:
            analysis = analyse(frame)
            assert analysis.placements == expected[0]
            assert {c: analysis.fractions[c] for c in expected[1]} == expected[1]


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_equal_plain_enumeration(kind):
    rng = random.Random(f"numbers {kind}")
    for _ in range(15):
        frame = random_frame(kind, rng, 8)
        if frame.mines is None or naive.exact_odds(frame) is None:
            continue
        analysis = analyse(frame)
        for cell in np.flatnonzero(frame.marks < 0)[:3].tolist():
            expected = naive.number_odds(frame, cell)
            assert analysis.number_fractions(cell) == expected
            assert analysis.numbers(cell) == pytest.approx(expected, abs=1e-12)
            assert sum(expected.values()) == 1 - analysis.fractions[cell]


class Forced:
    """The kernel with its choices taken away from it: order, bits of a key, scaling."""

    def __init__(self, policy=-1, word_bits=64, portfolio_from=3000.0, moderate=550.0):
        self.ws = Workspace()
        self.ws.policy, self.ws.word_bits = policy, word_bits
        self.ws.portfolio_from, self.ws.moderate = portfolio_from, moderate

    def odds(self, frame):
        status = engine.run(self.ws, frame.board, frame.marks, frame.mines, Budget().start())
        assert status == engine.OK
        return engine.odds_of_cells(self.ws, len(frame.board)), self.ws.ln_placements


ORDERS = [Forced(policy) for policy in (FEWEST, LIGHTEST, STRAIGHT, SWEEP, WAVE)]
NARROW = [Forced(policy, word_bits=11) for policy in (FEWEST, SWEEP)]
CAREFUL = [Forced(moderate=0.0), Forced(SWEEP, word_bits=11, moderate=0.0)]


def check_orders(frame, twins):
    analysis = analyse(frame)
    for twin in twins:
        odds, ln_placements = twin.odds(frame)
        assert ln_placements == pytest.approx(analysis.ln_placements, rel=1e-12)
        np.testing.assert_allclose(odds, analysis.probability, rtol=0, atol=1e-12)
        assert ((odds == 0) == (analysis.probability == 0)).all()
        assert ((odds == 1) == (analysis.probability == 1)).all()
    check_sum(frame, analysis)


def check_sum(frame: Frame, analysis: Analysis) -> None:
    assert np.nansum(analysis.probability) == pytest.approx(frame.mines, rel=1e-12, abs=1e-11)


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_force_the_kernel_equals_plain_enumeration(kind):
    rng = random.Random(f"forced {kind}")
    for _ in range(8):
        frame = random_frame(kind, rng, 9)
        expected = naive.exact_odds(frame)
        if expected is None:
            continue
        for twin in ORDERS + NARROW + CAREFUL:
            odds, ln_placements = twin.odds(frame)
            assert ln_placements == pytest.approx(math.log(expected[0]), abs=1e-11)
            for cell, p in expected[1].items():
                if p is not None:
                    assert odds[cell] == pytest.approx(float(p), abs=1e-13)
                    assert (odds[cell] in (0, 1)) == (p in (0, 1))


@pytest.mark.parametrize("tiling", ["square", "hexagonal", "torus"])
def test_orders_and_key_widths_agree_on_expert_frames(tiling):
    for frame in stuck_frames("30x16/99", range(8), tiling):
        check_orders(frame, ORDERS + NARROW + CAREFUL)


@pytest.mark.parametrize("seed", range(4))
def test_orders_and_key_widths_agree_on_100x100_frames(seed):
    # Sweeps of whole fronts are too wide here; the two tree orders are not.
    frame = opened_frame(100, 100, 0.2, 10, seed)
    check_orders(frame, [*ORDERS[:2], Forced(FEWEST, word_bits=11)])


@pytest.mark.slow
def test_orders_agree_on_thousands_of_expert_frames():
    for frame in stuck_frames("30x16/99", range(1000, 1200)):
        check_orders(frame, ORDERS + NARROW + CAREFUL)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.18, 0.2, 0.22, 0.25])
def test_orders_agree_on_many_100x100_frames(share):
    for seed in range(250):
        frame = opened_frame(100, 100, share, 10, seed)
        check_orders(frame, [*ORDERS[:2], Forced(FEWEST, word_bits=11)])


@pytest.mark.parametrize(
    ("pattern", "side", "share"),
    [("lattice", 13, 0.3), ("checkerboard", 16, 0.35), ("random", 24, 0.3)],
)
def test_fronts_of_more_hints_than_a_key_holds_agree(pattern, side, share):
    frame = patterned_frame(pattern, side, share)
    check_orders(frame, [Forced(FEWEST), Forced(SWEEP, word_bits=17), Forced(-1, 23, 5.0)])


def ms_toollib_odds(frame: Frame) -> np.ndarray:
    import ms_toollib

    width, height = frame.board.size
    board = np.where(frame.marks < 0, 10, frame.marks).reshape(height, width).tolist()
    odds, _ = ms_toollib.cal_probability_onboard(board, frame.mines)
    return np.array(odds).reshape(-1)


def check_ms_toollib(frames):
    pytest.importorskip("ms_toollib")
    for frame, analysis in zip(frames, analyse_many(frames), strict=True):
        blank = frame.marks < 0
        theirs = ms_toollib_odds(frame)
        np.testing.assert_allclose(analysis.probability[blank], theirs[blank], rtol=0, atol=1e-9)


def test_odds_equal_those_of_ms_toollib():
    check_ms_toollib(list(stuck_frames("expert", range(10)))[:100])


@pytest.mark.slow
def test_odds_equal_those_of_ms_toollib_on_a_thousand_frames():
    check_ms_toollib(list(stuck_frames("expert", range(100)))[:1000])


@pytest.mark.parametrize("kind", KINDS)
def test_all_numbers_at_once_equal_those_of_one_cell_after_another(kind):
    rng = random.Random(f"all numbers {kind}")
    for _ in range(12):
        frame = random_frame(kind, rng, 9)
        if naive.exact_odds(frame) is None:
            continue
        analysis = analyse(frame)
        for cell in np.flatnonzero(frame.marks < 0).tolist():
            expected = analysis.number_fractions(cell)
            assert analysis.numbers(cell) == pytest.approx(expected, abs=1e-12)


@pytest.mark.plain
def test_numbers_of_cells_between_fronts_and_beside_the_interior():
    frame = Frame.parse("# # # 1 # # # 1 # #\n# # # # # # # # # #\n1 # # # # # # # # 1", mines=6)
    analysis = analyse(frame)
    for cell in np.flatnonzero(frame.marks < 0).tolist():
        expected = analysis.number_fractions(cell)
        assert analysis.numbers(cell) == pytest.approx(expected, abs=1e-12)


def test_numbers_of_expert_frames_add_up_and_equal_those_of_the_general_engine(monkeypatch):
    for frame in list(stuck_frames("expert", range(3)))[::5]:
        analysis = analyse(frame)
        table = analysis._all_numbers(Budget().start())
        blank = frame.marks < 0
        np.testing.assert_allclose(table.sum(axis=1)[blank], 1 - analysis.probability[blank])
        general = analyse(frame)
        monkeypatch.setitem(general.__dict__, "_numbers", None)
        for cell in np.flatnonzero(blank & (analysis.probability < 1))[::23].tolist():
            assert analysis.numbers(cell) == pytest.approx(general.numbers(cell), abs=1e-12)
