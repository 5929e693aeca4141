"""Tracked positions against an analysis from scratch, after every move and every what-if."""

import random

import numpy as np
import pytest

from sapper import COVERED, FLAG, Budget, Contradiction, IllegalMove, Position, SapperError, tiling
from sapper.engine import workspace
from sapper.engine.tracked import SAFE, TrackedPosition
from sapper.kernels import STATUS, view
from sapper.kernels.codes import OK
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.tracked import marks as kernel_marks
from sapper.kernels.tracked import queries, values
from tests.oracle import naive
from tests.random_positions import KINDS, random_position
from tests.sampling import cases
from tests.stuck_positions import stuck_positions

LIMIT = Budget(seconds=1e8).start()


class TrackedAndReference:
    """A tracked position, compared with the general engine after every change."""

    def __init__(self, board, **limits):
        self.board = board
        self.reference = Workspace()
        self.reference.trust_flags = True
        self.state = workspace.make_tracked(board)
        for name, value in limits.items():
            setattr(self.state, name, value)

    def read(self, marks, mines):
        """Read a position and compare; return whether it has a solution."""
        self.marks, self.mines = np.array(marks), mines
        count = -1 if mines is None else mines
        status = kernel_marks.read_marks(self.state, view(self.marks), 0, count, True)
        return status == OK and self.compare()

    def set_mark(self, cell, mark):
        """Make a move and compare; return whether the position has a solution."""
        self.marks[cell] = mark
        return kernel_marks.set_mark(self.state, cell, mark) == OK and self.compare()

    def what_if(self, cell, mark, then=lambda: None):
        """Set a mark, compare, call *then*, restore the position, and compare again."""
        before = int(self.marks[cell])
        self.marks[cell] = mark
        status = queries.what_if(self.state, cell, mark)
        if self.compare(status):
            then()
        queries.restore_state(self.state)
        self.marks[cell] = before
        self.compare()

    def compare(self, status=OK):
        """Compare all results with the engine; return whether the position has a solution."""
        tracked, n = self.state, len(self.board)
        expected = workspace.run(self.reference, self.board, self.marks, self.mines, LIMIT)
        if status == OK:
            status = queries.answer(tracked)
        while status >= workspace.GROW:
            assert tracked.general.grow(status)
            status = queries.answer(tracked)
        assert (status == OK) == (expected == OK)
        if status != OK:
            return False
        queries.write_probabilities(tracked)
        risk = workspace.copy_probabilities(tracked, n)
        general = workspace.copy_probabilities(self.reference, n)
        exact = np.where(self.marks == SAFE, 0.0, general)
        np.testing.assert_allclose(risk, exact, rtol=0, atol=1e-12)
        assert ((risk == 0) == (exact == 0)).all()
        assert ((risk == 1) == (exact == 1)).all()
        ln_solutions = self.reference.ln_solutions
        assert tracked.ln_solutions == pytest.approx(ln_solutions, rel=1e-12, abs=1e-11)
        covered = np.asarray(tracked.marks) == COVERED
        safest = np.sort(risk[covered & ~np.isnan(risk)])[:2].tolist()
        assert [tracked.least, tracked.second][: len(safest)] == pytest.approx(safest)
        if not tracked.used_general:
            assert (covered & (np.asarray(tracked.box_of) < 0)).sum() == tracked.interior
        assert tracked.safe_count == ((self.marks < 0) & (risk == 0)).sum()
        return True

    def random_what_ifs(self, rng, depth, most=3):
        """Compare after 1 to *most* random what-ifs, nested up to *depth* levels."""
        for _ in range(rng.randint(1, most)):
            covered = np.flatnonzero((self.marks == COVERED) | (self.marks == SAFE)).tolist()
            if not covered:
                return
            cell = rng.choice(covered)
            marks = [SAFE, *range(self.board.neighbour_count(cell) + 1)]
            if self.marks[cell] == COVERED:
                marks.append(FLAG)
            then = (lambda: self.random_what_ifs(rng, depth - 1)) if depth else (lambda: None)
            self.what_if(cell, rng.choice(marks), then)


def play(kind, seed, positions, **limits):
    """Play a game with what-ifs between the moves; return the number of positions compared."""
    rng = random.Random(f"{kind} {seed}")
    start = random_position(kind, rng)
    board = start.board
    mined = [rng.random() < rng.random() * 0.6 for _ in board.cells]
    tracked = TrackedAndReference(board, **limits)
    mines = rng.choice((None, sum(mined), sum(mined)))
    assert tracked.read(np.full(len(board), COVERED, dtype=np.int32), mines)
    order = [cell for cell in board.cells if not mined[cell]]
    rng.shuffle(order)
    for cell in order[:positions]:
        if rng.random() < 0.1:
            assert tracked.set_mark(cell, SAFE)
        assert tracked.set_mark(cell, sum(mined[d] for d in board.around(cell)))
        tracked.random_what_ifs(rng, 2, 2)
    return len(order[:positions])


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_tracked_positions_equal_the_engine_from_scratch_along_games(kind):
    positions = 20 if STATUS == "compiled" else 3
    compared = sum(play(kind, seed, positions) for seed in range(cases(12, plain=1)))
    assert compared > (50 if STATUS == "compiled" else 0)


@pytest.mark.parametrize("kind", KINDS)
def test_wide_components_and_full_pools_fall_back_to_the_general_engine(kind):
    for limits in (
        {"max_layer": 3},
        {"state_capacity": 12, "link_capacity": 9},
        {"member_capacity": 4, "number_capacity": 3},
    ):
        assert sum(play(kind, seed, 6, **limits) for seed in range(4)) > 5


def test_values_with_little_memory_equal_those_with_enough():
    position = next(stuck_positions("expert", range(1)))
    tables = []
    for weights in (None, 200, 0):
        state = workspace.make_tracked(position.board)
        state.allocate_lists()
        if weights is not None:
            state.weights = view(np.zeros(weights))
        kernel_marks.read_marks(state, view(position.marks), 0, position.mines, False)
        tables.append(np.zeros((len(position.board), 9)))
        assert values.cell_values(state, view(tables[-1])) == OK
    enough, little, none = tables
    assert enough.any()
    np.testing.assert_allclose(little, enough, rtol=0, atol=1e-12)
    np.testing.assert_allclose(none, enough, rtol=0, atol=1e-12)


def test_stuck_expert_positions_need_no_fallback_to_the_general_engine():
    positions = list(stuck_positions("expert", range(6)))
    tracked = TrackedAndReference(positions[0].board)
    rng = random.Random("expert")
    for position in positions:
        assert tracked.read(position.marks, position.mines)
        assert not tracked.state.used_general
        tracked.random_what_ifs(rng, 1, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_tracked_positions_equal_brute_force(kind):
    rng = random.Random(f"position {kind}")
    for _ in range(20):
        position = random_position(kind, rng, 9)
        expected = naive.exact_probabilities(position)
        if expected is None:
            with pytest.raises(Contradiction):
                TrackedPosition(position).probability_array  # noqa: B018 (read for its error)
            continue
        probability = TrackedPosition(position).probability_array
        for cell, p in expected[1].items():
            assert p is None or probability[cell] == pytest.approx(float(p), abs=1e-12)


def test_updates_accept_cell_names_and_what_ifs_are_undone():
    tracked = TrackedPosition(Position.initial(tiling("square", 9, 9), 10))
    before = tracked.ln_solutions
    with tracked.what_if("r1c1", 0) as summary:
        assert summary.safe_count == 3
        assert summary.ln_solutions < before
        with tracked.what_if("r2c2", FLAG) as impossible:
            assert impossible.ln_solutions == -np.inf
    assert tracked.ln_solutions == pytest.approx(before)
    tracked.update({"r1c1": 1})
    assert tracked.probability(0) is None
    with pytest.raises(IllegalMove, match="it shows a number"):
        tracked.update({0: 1})


def test_no_cell_has_a_probability_inside_an_impossible_what_if():
    # r1c3 shows a zero, so r1c2 is safe and r1c1 the mine.
    tracked = TrackedPosition(Position.parse("# # . #", mines=1))
    with tracked.what_if("r1c2", FLAG) as impossible:
        assert impossible.ln_solutions == tracked.ln_solutions == -np.inf
        assert tracked.probability("r1c1") is None
        assert np.isnan(tracked.probability_array).all()
        with tracked.what_if("r1c1", FLAG) as nested:
            assert nested.ln_solutions == -np.inf
        assert tracked.probability("r1c1") is None
    assert tracked.probability("r1c1") == 1


def test_every_query_after_an_impossible_mark_raises_a_contradiction():
    tracked = TrackedPosition(Position.parse("# # . #", mines=1))
    for query in (lambda: tracked.update({"r1c2": FLAG}), lambda: tracked.summary):
        with pytest.raises(Contradiction, match=r"the 0 at r1c3 has 1 flag around it"):
            query()
    tracked = TrackedPosition(Position.parse("# 1 # #", mines=2))
    tracked.update({"r1c1": SAFE})
    with pytest.raises(Contradiction, match="a cell that was marked as safe must be a mine"):
        tracked.update({"r1c1": FLAG})


def test_illegal_mark_is_refused_and_changes_nothing():
    tracked = TrackedPosition(Position.parse("# 1 # #", mines=2))
    with pytest.raises(IllegalMove, match="cannot mark r1c2: it shows a number"):
        tracked.update({"r1c1": FLAG, "r1c2": 0})
    assert tracked.probability("r1c1") == 0.5
    for mark in [COVERED, -7, None, "1", 1.0]:
        tracked = TrackedPosition(Position.parse("# 1 # #", mines=1))
        with pytest.raises(SapperError, match="expected a number, FLAG or SAFE, got"):
            tracked.update({"r1c1": mark})
        with pytest.raises(SapperError, match="expected a number, FLAG or SAFE, got"):
            tracked.what_if("r1c1", mark).__enter__()
        assert tracked.probability("r1c1") == 0.5
