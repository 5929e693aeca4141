"""Positions that follow a game against the engine from scratch, with what-ifs taken back."""

import os
import random

import numpy as np
import pytest

from sapper import (
    COVERED,
    FLAG,
    Budget,
    Contradiction,
    IllegalMove,
    Position,
    Rules,
    SapperError,
)
from sapper.board.random_layout import random_layout
from sapper.engine import workspace
from sapper.engine.tracked import SAFE, TrackedPosition
from sapper.kernels import view
from sapper.kernels.codes import OK
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.tracked import marks as kernel_marks
from sapper.kernels.tracked import queries
from tests.oracle import naive
from tests.random_positions import KINDS, random_position
from tests.stuck_positions import stuck_positions

LIMIT = Budget(seconds=1e8).start()


class Twin:
    """A position and, beside it, the general engine that starts from scratch each time."""

    def __init__(self, board, **limits):
        self.board = board
        self.scratch = Workspace()
        self.scratch.trust = True
        self.memory = workspace.make_tracked(board)
        for name, value in limits.items():
            setattr(self.memory, name, value)

    def read(self, marks, mines):
        """Take over a position; whether it can be satisfied."""
        self.marks, self.mines = np.array(marks), mines
        count = -1 if mines is None else mines
        return (
            kernel_marks.read_marks(self.memory, view(self.marks), 0, count, True) == OK
            and self.agree()
        )

    def follow(self, cell, mark):
        """A real move."""
        self.marks[cell] = mark
        return kernel_marks.set_mark(self.memory, cell, mark) == OK and self.agree()

    def what_if(self, cell, mark, then=lambda: None):
        """Suppose a mark, compare, go on, take it back, compare again."""
        before = int(self.marks[cell])
        self.marks[cell] = mark
        status = queries.what_if(self.memory, cell, mark)
        if self.agree(status):
            then()
        queries.restore_state(self.memory)
        self.marks[cell] = before
        self.agree()

    def agree(self, status=OK):
        """Whether the position can be satisfied; position and engine must say the same of it."""
        memory, n = self.memory, len(self.board)
        expected = workspace.run(self.scratch, self.board, self.marks, self.mines, LIMIT)
        if status == OK:
            status = queries.answer(memory)
        while status >= workspace.GROW:
            assert memory.general.grow(status)
            status = queries.answer(memory)
        assert (status == OK) == (expected == OK)
        if status != OK:
            return False
        queries.write_probabilities(memory)
        probability = workspace.copy_probabilities(memory, n)
        wanted = np.where(self.marks == SAFE, 0.0, workspace.copy_probabilities(self.scratch, n))
        np.testing.assert_allclose(probability, wanted, rtol=0, atol=1e-12)
        assert ((probability == 0) == (wanted == 0)).all()
        assert ((probability == 1) == (wanted == 1)).all()
        wanted_ln = self.scratch.ln_solutions
        assert memory.ln_solutions == pytest.approx(wanted_ln, rel=1e-12, abs=1e-11)
        covered = np.sort(
            probability[(np.asarray(memory.marks) == COVERED) & ~np.isnan(probability)]
        )
        assert [memory.least, memory.second][: len(covered)] == pytest.approx(covered[:2].tolist())
        if not memory.by_general:
            inside = (np.asarray(memory.marks) == COVERED) & (np.asarray(memory.box_of) < 0)
            assert inside.sum() == memory.interior
        assert memory.safe_count == ((self.marks < 0) & (probability == 0)).sum()
        return True

    def suppose(self, rng, depth, most=3):
        """Some what-ifs, some of them nested."""
        for _ in range(rng.randint(1, most)):
            covered = np.flatnonzero((self.marks == COVERED) | (self.marks == SAFE)).tolist()
            if not covered:
                return
            cell = rng.choice(covered)
            marks = [SAFE, *range(self.board.neighbour_count(cell) + 1)]
            if self.marks[cell] == COVERED:
                marks.append(FLAG)
            then = (lambda: self.suppose(rng, depth - 1)) if depth else (lambda: None)
            self.what_if(cell, rng.choice(marks), then)


def play(kind, seed, positions, **limits):
    """Play a game with what-ifs between the moves; return how many positions it had."""
    rng = random.Random(f"{kind} {seed}")
    start = random_position(kind, rng)
    board = start.board
    mined = [rng.random() < rng.random() * 0.6 for _ in board.cells]
    twin = Twin(board, **limits)
    mines = rng.choice((None, sum(mined), sum(mined)))
    assert twin.read(np.full(len(board), COVERED, dtype=np.int32), mines)
    order = [cell for cell in board.cells if not mined[cell]]
    rng.shuffle(order)
    for cell in order[:positions]:
        if rng.random() < 0.1:
            assert twin.follow(cell, SAFE)
        assert twin.follow(cell, sum(mined[d] for d in board.around(cell)))
        twin.suppose(rng, 2, 2)
    return len(order[:positions])


@pytest.mark.parametrize("kind", KINDS)
def test_a_tracked_position_equals_the_engine_from_scratch_along_games(kind):
    assert sum(play(kind, seed, 20) for seed in range(12)) > 50


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_a_tracked_position_equals_the_engine_in_plain_python_too(kind):
    assert play(kind, "plain", 3) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_wide_components_and_full_pools_are_left_to_the_general_engine(kind):
    assert sum(play(kind, seed, 6, max_layer=3) for seed in range(4)) > 5
    assert sum(play(kind, seed, 6, state_capacity=12, link_capacity=9) for seed in range(4)) > 5
    assert sum(play(kind, seed, 6, member_capacity=4, number_capacity=3) for seed in range(4)) > 5


@pytest.mark.parametrize("kind", KINDS)
def test_any_position_may_come_after_any_other_on_one_board(kind):
    rng = random.Random(f"positions of one board {kind}")
    for _ in range(10):
        board = random_position(kind, rng).board
        twin = Twin(board)
        for _ in range(6):
            marks = np.full(len(board), COVERED, dtype=np.int32)
            mined = [rng.random() < 0.3 for _ in board.cells]
            for cell in board.cells:
                if not mined[cell] and rng.random() < 0.5:
                    marks[cell] = sum(mined[d] for d in board.around(cell))
            assert twin.read(marks, sum(mined))
            twin.suppose(rng, 1)


def test_stuck_expert_positions_one_after_another_keep_their_components():
    positions = list(stuck_positions("expert", range(6)))
    twin = Twin(positions[0].board)
    rng = random.Random("expert")
    for position in positions:
        assert twin.read(position.marks, position.mines)
        assert not twin.memory.by_general
        twin.suppose(rng, 1, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tracked_position_equals_plain_enumeration(kind):
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


def test_updates_by_name_and_what_ifs_that_end():
    rules = Rules.parse("9x9/10")
    layout = random_layout(rules, 5, rules.board.middle)
    tracked = TrackedPosition(Position(rules.board, np.full(81, COVERED, dtype=np.int32), 10))
    before = tracked.ln_solutions
    with tracked.what_if("r1c1", 0) as summary:
        assert summary.safe_count == 3
        assert summary.ln_solutions < before
        with tracked.what_if("r2c2", FLAG) as never:
            assert never.ln_solutions == -np.inf
    assert tracked.ln_solutions == pytest.approx(before)
    cell = int(np.flatnonzero(layout.mine_mask == 0)[0])
    tracked.update({rules.board.name(cell): int(layout.numbers[cell])})
    assert tracked.probability(cell) is None
    with pytest.raises(IllegalMove, match="it shows a number"):
        tracked.update({cell: 1})


def test_nothing_has_a_probability_inside_an_impossible_what_if():
    # r1c3 shows a zero, so r1c2 is safe and r1c1 the mine.
    tracked = TrackedPosition(Position.parse("# # . #", mines=1))
    with tracked.what_if("r1c2", FLAG) as never:
        assert never.ln_solutions == tracked.ln_solutions == -np.inf
        assert tracked.probability("r1c1") is None
        assert np.isnan(tracked.probability_array).all()
        with tracked.what_if("r1c1", FLAG) as within:
            assert within.ln_solutions == -np.inf
        assert tracked.probability("r1c1") is None
    assert tracked.probability("r1c1") == 1


def test_impossible_marks_are_reported_from_then_on():
    tracked = TrackedPosition(Position.parse("# # . #", mines=1))
    for ask in (lambda: tracked.update({"r1c2": FLAG}), lambda: tracked.summary):
        with pytest.raises(Contradiction, match=r"the 0 at r1c3 has 1 flag around it"):
            ask()
    tracked = TrackedPosition(Position.parse("# 1 # #", mines=2))
    tracked.update({"r1c1": SAFE})
    with pytest.raises(Contradiction, match="a cell that was marked as safe must be a mine"):
        tracked.update({"r1c1": FLAG})


def test_no_mark_is_set_if_one_is_illegal():
    tracked = TrackedPosition(Position.parse("# 1 # #", mines=2))
    with pytest.raises(IllegalMove, match="cannot mark r1c2: it shows a number"):
        tracked.update({"r1c1": FLAG, "r1c2": 0})
    assert tracked.probability("r1c1") == 0.5


@pytest.mark.parametrize("mark", [COVERED, -7, None, "1", 1.0])
def test_an_invalid_mark_is_refused_and_changes_nothing(mark):
    tracked = TrackedPosition(Position.parse("# 1 # #", mines=1))
    with pytest.raises(SapperError, match="expected a number, FLAG or SAFE, got"):
        tracked.update({"r1c1": mark})
    with pytest.raises(SapperError, match="expected a number, FLAG or SAFE, got"):
        tracked.what_if("r1c1", mark).__enter__()
    assert tracked.probability("r1c1") == 0.5


@pytest.mark.skipif(not os.environ.get("SAPPER_GAMES"), reason="by make check-long SUITE=tracking")
@pytest.mark.parametrize("kind", KINDS)
def test_a_tracked_position_equals_the_engine_on_every_position_of_many_games(kind):
    games = int(os.environ["SAPPER_GAMES"]) // len(KINDS)
    positions = sum(play(kind, f"many {seed}", 99) for seed in range(games))
    assert positions >= games, f"{positions:,} positions of {games:,} games"
