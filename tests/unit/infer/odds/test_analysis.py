"""Analyses: certain moves, odds, counts, numbers; contradictions and limits."""

import math
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from tests.strategies import true_frames
from tests.stuck_frames import patterned_frame
from tests.time_limits import assert_ends

from sapper import (
    Board,
    Budget,
    Cancel,
    Contradiction,
    Frame,
    OutOfBudget,
    RulesError,
    analyse,
    analyse_many,
    tiling,
)
from sapper.infer.odds import engine, integers
from sapper.kernels.codes import PLANNING
from sapper.kernels.odds.workspace import Workspace
from sapper.percent import percent_label

F = Frame.parse


@pytest.mark.plain
def test_the_first_page_of_the_readme():
    analysis = analyse(
        F(
            """
            1 # #
            1 # #
            # # #
            """,
            mines=2,
        )
    )
    assert analysis.reveal == ("r3c1", "r3c2")
    assert analysis.flag == ()
    assert (analysis.odds["r1c2"], analysis.odds["r1c3"]) == (0.5, 1 / 3)
    assert analysis.odds[8] == analysis.odds["r3c3"] == 1 / 3
    assert analysis.fractions["r3c3"] == Fraction(1, 3)
    assert (analysis.placements, round(math.exp(analysis.ln_placements))) == (6, 6)
    assert list(analysis.odds) == ["r1c2", "r1c3", "r2c2", "r2c3", "r3c1", "r3c2", "r3c3"]
    assert len(analysis.odds) == 7
    assert "r1c1" not in analysis.odds
    assert "r9c9" not in analysis.odds
    with pytest.raises(KeyError):
        analysis.odds["r1c1"]
    assert repr(analysis) == (
        "<Analysis of <Frame square 3x3, mines 2, 2 revealed>: "
        "2 certain reveals, 0 certain flags, ln placements 1.79176>"
    )


def test_an_analysis_does_not_change():
    analysis = analyse(F("1 #"))
    with pytest.raises(AttributeError, match="does not change"):
        analysis.frame = None
    with pytest.raises(ValueError, match="read-only"):
        analysis.probability[0] = 1


@pytest.mark.plain
def test_the_mine_count_decides_the_interior():
    frame = "1 # # #"
    assert analyse(F(frame, mines=1)).reveal == ("r1c3", "r1c4")
    assert analyse(F(frame, mines=3)).flag == ("r1c2", "r1c3", "r1c4")
    assert analyse(F(frame, mines=2)).odds["r1c4"] == 0.5
    assert analyse(F(frame)).odds["r1c4"] is None


def test_without_a_count_placements_of_the_perimeter_weigh_the_same():
    # One mine in the middle, or two at the ends; the interior does not matter.
    path = Board.from_edges([("p", "a"), ("p", "b"), ("q", "b"), ("q", "c"), ("c", "far")])
    analysis = analyse(Frame.of(path, {"p": 1, "q": 1}))
    assert dict(analysis.odds) == {"a": 0.5, "b": 0.5, "c": 0.5, "far": None}
    assert analysis.placements == 2
    assert analysis.numbers("far") is None
    assert analysis.numbers("c") is None
    assert analysis.numbers("b") == {0: 0.5}


def test_flags_are_opinions_unless_they_are_trusted():
    frame = F("F 1 #", mines=1)
    assert analyse(frame).odds["r1c1"] == 0.5
    trusting = analyse(frame, trust_flags=True)
    assert trusting.reveal == ("r1c3",)
    assert trusting.flag == ()
    assert trusting.odds["r1c1"] == 1
    assert analyse(F("F 1 ."), trust_flags=False).flag == ("r1c1",)


def test_a_wrong_flag_is_a_contradiction_only_where_it_is_trusted():
    frame = F("F 0 #", mines=0)
    assert analyse(frame).reveal == ("r1c1", "r1c3")
    with pytest.raises(Contradiction, match="flags around the hint 0"):
        analyse(frame, trust_flags=True)


@pytest.mark.parametrize(
    ("text", "mines", "hints", "count"),
    [
        ("3 #\n# 0", None, ("r1c1",), False),
        ("1 # 1\n# # #\n1 # 3", None, ("r3c1", "r3c3"), False),
        ("# # #", 9, (), True),
        ("1 # #\n# # #", 5, ("r1c1",), True),
        ("1 # # 1", 0, ("r1c4",), True),
        # All four corners want a mine of their own, and there are only three.
        ("1 # # 1\n# # # #\n# # # #\n1 # # 1", 3, ("r1c1", "r1c4", "r4c1", "r4c4"), True),
    ],
)
def test_a_contradiction_names_a_small_set_of_hints(text, mines, hints, count):
    with pytest.raises(Contradiction) as caught:
        analyse(F(text, mines=mines))
    assert (caught.value.hints, caught.value.mine_count) == (hints, count)
    assert "\n" not in str(caught.value)


def test_a_contradiction_on_a_big_board_is_found_where_it_is():
    board = tiling("square", 300, 300)
    mines = np.random.default_rng(1).random(len(board)) < 0.1
    marks = np.array([-1 if m else 0 for m in mines], dtype=np.int32)
    hits = np.concatenate(([0], np.cumsum(mines[board.neighbours])))
    marks[~mines] = (hits[board.offsets[1:]] - hits[board.offsets[:-1]])[~mines]
    cell = next(c for c in board.cells if marks[c] == 2)
    marks[cell] = 3
    with pytest.raises(Contradiction) as caught:
        analyse(Frame(board, marks, int(mines.sum())))
    assert len(caught.value.hints) <= 3
    assert not caught.value.mine_count


def test_hints_of_any_size_work_on_a_star():
    leaves = [f"v{i}" for i in range(5000)]
    star = Board.from_edges([("hub", leaf) for leaf in leaves])
    analysis = analyse(Frame.of(star, {"hub": 2000}, mines=2000))
    assert analysis.probability[1:] == pytest.approx(np.full(5000, 0.4), abs=1e-12)
    assert analysis.ln_placements == pytest.approx(math.log(math.comb(5000, 2000)), rel=1e-12)
    assert analysis.placements == math.comb(5000, 2000)
    two = Board.from_edges(
        [("p", leaf) for leaf in leaves[:3000]] + [("q", leaf) for leaf in leaves[2000:]]
    )
    analysis = analyse(Frame.of(two, {"p": 40, "q": 1500}))
    assert analysis.placements == sum(
        math.comb(1000, k) * math.comb(2000, 40 - k) * math.comb(2000, 1500 - k) for k in range(41)
    )
    share = Fraction(
        sum(
            k * math.comb(1000, k) * math.comb(2000, 40 - k) * math.comb(2000, 1500 - k)
            for k in range(41)
        ),
        1000 * analysis.placements,
    )
    assert analysis.odds["v2500"] == pytest.approx(float(share), rel=1e-11)


def two_hubs(shared: int, own: int, hint: int, alone: int = 0, mines: int | None = None) -> Frame:
    """Two hints that see *shared* blanks together and *own* blanks each, and *alone* lone cells."""
    seen = {hub: [f"{hub}{k}" for k in range(own)] for hub in "ab"}
    common = [f"s{k}" for k in range(shared)]
    edges = [(hub, cell) for hub in "ab" for cell in (*common, *seen[hub])]
    cells = ["a", "b", *common, *seen["a"], *seen["b"], *(f"i{k}" for k in range(alone))]
    board = Board.from_edges(edges, cells)
    marks = np.full(len(board), -1, dtype=np.int32)
    marks[[board.cell("a"), board.cell("b")]] = hint
    return Frame(board, marks, mines)


def test_boxes_of_thousands_of_cells_do_not_overflow():
    analysis = analyse(two_hubs(1500, 1500, 750))
    ways = [math.comb(1500, k) * math.comb(1500, 750 - k) ** 2 for k in range(751)]
    mean = Fraction(sum(k * way for k, way in enumerate(ways)), 1500 * sum(ways))
    assert analysis.odds["s0"] == pytest.approx(float(mean), rel=1e-12)
    assert analysis.placements == sum(ways)


def test_a_full_box_among_thousands_of_blanks_does_not_underflow():
    # 250 mines for 250 at both hints: every shared cell is one, however unlikely that looked.
    analysis = analyse(two_hubs(250, 250, 250, alone=8_000, mines=250))
    assert len(analysis.flag) == 250
    assert analysis.odds["a0"] == analysis.odds["i0"] == 0
    assert analysis.placements == 1


def test_odds_beyond_all_floats_are_still_not_certain():
    # 3 ** 1001 placements against one: the odds of the even blanks are near 1e-478.
    chain = long_chain(2000)
    analysis = analyse(chain)
    assert analysis.ln_placements == pytest.approx(1001 * math.log(3), rel=1e-12)
    assert analysis.placements == 1 + 3**1001
    assert analysis.fractions["b0"] == Fraction(1, 1 + 3**1001)
    assert (analysis.reveal, analysis.flag) == ((), ())
    blank = analysis.probability[chain.marks < 0]
    assert ((blank > 0) & (blank < 1)).all()


def long_chain(links):
    """Hints of 1 between neighbours on a path: all odd blanks are mines, or all even ones.

    Beside each even blank three others share a 1 with it: where it is free, one of them is a mine.
    """
    edges = []
    for i in range(links):
        edges += [(f"h{i}", f"b{i}"), (f"h{i}", f"b{i + 1}")]
    for i in range(0, links + 1, 2):
        edges += [(f"g{i}", f"b{i}"), (f"g{i}", f"x{i}"), (f"g{i}", f"y{i}"), (f"g{i}", f"z{i}")]
    board = Board.from_edges(edges)
    hints = {f"h{i}": 1 for i in range(links)} | {f"g{i}": 1 for i in range(0, links + 1, 2)}
    return Frame.of(board, hints)


def test_a_long_chain_is_exact_in_fractions_and_floats():
    chain = long_chain(60)
    analysis = analyse(chain)
    # Even blanks mines: x, y, z are free. Even blanks free: one of three each.
    assert analysis.placements == 1 + 3**31
    assert analysis.odds["b1"] == pytest.approx(3**31 / (1 + 3**31), rel=1e-14)
    assert 0 < analysis.odds["b0"] == pytest.approx(1 / (1 + 3**31), rel=1e-12)


def test_magnitudes_that_no_float_holds_are_counted_with_integers(monkeypatch):
    frame = F("1 # # #\n2 # # #\n1 # # #", mines=4)
    expected = analyse(frame)
    floats = engine.run

    def give_up(*arguments):
        return floats(*arguments) or engine.IMPRECISE

    monkeypatch.setattr(engine, "run", give_up)
    analysis = analyse(frame)
    np.testing.assert_allclose(analysis.probability, expected.probability, atol=1e-15)
    assert (analysis.reveal, analysis.flag) == (expected.reveal, expected.flag)
    assert analysis.ln_placements == pytest.approx(expected.ln_placements)


@pytest.mark.plain
def test_numbers_add_up_to_what_is_free():
    analysis = analyse(F("1 # #\n1 # #\n# # #", mines=2))
    assert analysis.numbers("r1c2") == pytest.approx({1: 1 / 6, 2: 1 / 3})
    assert analysis.number_fractions("r1c2") == {1: Fraction(1, 6), 2: Fraction(1, 3)}
    assert analysis.numbers("r1c1") is None
    sure = analyse(F("1 # #", mines=1))
    assert sure.numbers("r1c2") == {}
    assert sure.number_fractions("r1c2") == {}
    assert sure.numbers("r1c3") == {1: 1.0}


def test_many_frames_on_several_boards_and_threads_keep_their_order():
    frames = [F("1 #"), F("1 # #", mines=1), F("1 # #"), F("# 1 #")] * 50
    for threads in (1, 2, 3):
        answers = analyse_many(frames, threads=threads)
        assert [a.frame for a in answers] == frames
        assert [a.flag for a in answers[:4]] == [("r1c2",), ("r1c2",), ("r1c2",), ()]
    assert analyse_many([]) == []
    with pytest.raises(RulesError, match="at least 1 thread, got 0"):
        analyse_many(frames, threads=0)


def test_one_contradictory_frame_among_many_is_reported():
    with pytest.raises(Contradiction, match="hint 2"):
        analyse_many([F("1 #"), F("2 #"), F("1 #")])


def test_a_frame_beyond_its_time_says_what_was_too_wide():
    frame = patterned_frame("lattice", 41, 0.3)
    message = r"at most [\d.]+ s, got a front of \d+ hints, of which \d+"
    assert_ends(lambda budget: analyse(frame, budget=budget), message, 0.2)


def test_a_frame_beyond_its_memory_says_what_was_too_wide():
    frame = patterned_frame("lattice", 41, 0.3)
    with pytest.raises(OutOfBudget, match=r"at most 0.05 GB, got a front of \d+ hints"):
        analyse(frame, budget=Budget(memory=50_000_000))


def test_another_thread_can_cancel():
    cancel = Cancel()
    timer = threading.Timer(0.1, cancel.set)
    timer.start()
    with pytest.raises(OutOfBudget, match="cancelled"):
        analyse(patterned_frame("lattice", 41, 0.3), cancel=cancel, budget=Budget(60, 10**10))
    assert cancel.is_set
    with pytest.raises(OutOfBudget, match="cancelled"):
        analyse(patterned_frame("lattice", 19, 0.3), cancel=cancel)


@pytest.mark.plain
def test_a_batch_of_small_frames_can_be_cancelled():
    cancel = Cancel()
    cancel.set()
    frame = F("1 # #", mines=1)
    with pytest.raises(OutOfBudget, match="cancelled"):
        analyse_many([frame] * 3, cancel=cancel)


@pytest.mark.plain
def test_the_clock_is_asked_while_planning():
    frame = patterned_frame("random", 12, 0.3)
    ws = Workspace()
    ws.polls = 1
    with pytest.raises(OutOfBudget, match="expected to need at most 1e-09 s"):
        engine.run(ws, frame.board, frame.marks, frame.mines, Budget(seconds=1e-9).start())
    assert ws.stage == PLANNING


def test_pools_that_start_too_small_grow():
    frame = patterned_frame("random", 8, 0.3)
    roomy, tight = Workspace(), Workspace(room=3)
    for ws in (roomy, tight):
        assert engine.run(ws, frame.board, frame.marks, frame.mines, Budget().start()) == engine.OK
    odds = [engine.odds_of_cells(ws, 64) for ws in (roomy, tight)]
    np.testing.assert_array_equal(*odds)
    np.testing.assert_allclose(analyse(frame).probability, odds[0], rtol=0, atol=1e-12)


@given(true_frames())
@settings(max_examples=150)
def test_what_is_certain_holds_in_the_layout_that_the_frame_came_from(frame):
    analysis = analyse(frame)
    p = analysis.probability[frame.marks < 0]
    assert ((np.isnan(p)) | ((p >= 0) & (p <= 1))).all()
    if frame.mines is not None:
        assert np.nansum(analysis.probability) == pytest.approx(frame.mines, abs=1e-11)


def test_percentages_never_lie_about_certainty():
    shown = [percent_label(p) for p in (0.0, 1e-300, 0.005, 0.006, 0.5, 0.994, 0.996, 1.0, None)]
    assert shown == ["free", "<0.1", "0.5", "0.6", "50.0", "99.4", "99.6", "mine", "?"]
    for p in np.linspace(1e-9, 1 - 1e-9, 5001):
        assert percent_label(float(p)) not in ("free", "mine")


@pytest.mark.parametrize("beyond_floats", [False, True])
def test_exact_odds_and_placements_are_counted_once(monkeypatch, beyond_floats):
    counted = []
    real = integers._Joins.__init__
    monkeypatch.setattr(integers._Joins, "__init__", lambda *a: counted.append(1) or real(*a))
    analysis = analyse(long_chain(2000) if beyond_floats else F("1 # #\n1 # #\n# # #", mines=2))
    assert len(analysis.fractions) == len(analysis.odds)
    assert analysis.placements == (1 + 3**1001 if beyond_floats else 6)
    assert counted == [1]
