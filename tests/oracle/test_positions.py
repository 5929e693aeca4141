"""Positions that follow a game against the engine from scratch, with what-ifs taken back."""

import os
import random

import numpy as np
import pytest

from sapper import (
    BLANK,
    FLAG,
    Budget,
    Contradiction,
    Frame,
    IllegalMove,
    Rules,
    SapperError,
    deal,
)
from sapper.infer.odds import engine
from sapper.infer.odds.position import FREE, Position
from sapper.kernels import view
from sapper.kernels.codes import OK
from sapper.kernels.odds import asking, cells
from sapper.kernels.odds.workspace import Workspace
from tests.frames import KINDS, random_frame
from tests.oracle import naive
from tests.stuck_frames import stuck_frames

LIMIT = Budget(seconds=1e8).start()


class Twin:
    """A position and, beside it, the general engine that starts from scratch each time."""

    def __init__(self, board, **limits):
        self.board = board
        self.scratch = Workspace()
        self.scratch.trust = True
        self.memory = engine.make_position(board)
        for name, value in limits.items():
            setattr(self.memory, name, value)

    def read(self, marks, mines):
        """Take over a frame; whether it can be satisfied."""
        self.marks, self.mines = np.array(marks), mines
        count = -1 if mines is None else mines
        return cells.read(self.memory, view(self.marks), 0, count, True) == OK and self.agree()

    def follow(self, cell, mark):
        """A real move."""
        self.marks[cell] = mark
        return cells.follow(self.memory, cell, mark) == OK and self.agree()

    def what_if(self, cell, mark, then=lambda: None):
        """Suppose a mark, compare, go on, take it back, compare again."""
        before = int(self.marks[cell])
        self.marks[cell] = mark
        status = asking.what_if(self.memory, cell, mark)
        if self.agree(status):
            then()
        cells.take_back(self.memory)
        self.marks[cell] = before
        self.agree()

    def agree(self, status=OK):
        """Whether the frame can be satisfied; position and engine must say the same of it."""
        memory, n = self.memory, len(self.board)
        expected = engine.run(self.scratch, self.board, self.marks, self.mines, LIMIT)
        if status == OK:
            status = asking.answer(memory)
        while status >= engine.GROW:
            assert memory.general.grow(status)
            status = asking.answer(memory)
        assert (status == OK) == (expected == OK)
        if status != OK:
            return False
        asking.write_odds(memory)
        odds = engine.odds_of_cells(memory, n)
        wanted = np.where(self.marks == FREE, 0.0, engine.odds_of_cells(self.scratch, n))
        np.testing.assert_allclose(odds, wanted, rtol=0, atol=1e-12)
        assert ((odds == 0) == (wanted == 0)).all()
        assert ((odds == 1) == (wanted == 1)).all()
        wanted_ln = self.scratch.ln_placements
        assert memory.ln_placements == pytest.approx(wanted_ln, rel=1e-12, abs=1e-11)
        blank = np.sort(odds[(np.asarray(memory.marks) == BLANK) & ~np.isnan(odds)])
        assert [memory.least, memory.second][: len(blank)] == pytest.approx(blank[:2].tolist())
        if not memory.by_general:
            inside = (np.asarray(memory.marks) == BLANK) & (np.asarray(memory.box_of) < 0)
            assert inside.sum() == memory.interior
        assert memory.free_cells == ((self.marks < 0) & (odds == 0)).sum()
        return True

    def suppose(self, rng, depth, most=3):
        """Some what-ifs, some of them nested."""
        for _ in range(rng.randint(1, most)):
            blanks = np.flatnonzero((self.marks == BLANK) | (self.marks == FREE)).tolist()
            if not blanks:
                return
            cell = rng.choice(blanks)
            marks = [FREE, *range(self.board.neighbour_count(cell) + 1)]
            if self.marks[cell] == BLANK:
                marks.append(FLAG)
            then = (lambda: self.suppose(rng, depth - 1)) if depth else (lambda: None)
            self.what_if(cell, rng.choice(marks), then)


def play(kind, seed, frames, **limits):
    """Follow a game on the true layout, with what-ifs between the moves; how many frames it had."""
    rng = random.Random(f"{kind} {seed}")
    start = random_frame(kind, rng)
    board = start.board
    mined = [rng.random() < rng.random() * 0.6 for _ in board.cells]
    twin = Twin(board, **limits)
    mines = rng.choice((None, sum(mined), sum(mined)))
    assert twin.read(np.full(len(board), BLANK, dtype=np.int32), mines)
    order = [cell for cell in board.cells if not mined[cell]]
    rng.shuffle(order)
    for cell in order[:frames]:
        if rng.random() < 0.1:
            assert twin.follow(cell, FREE)
        assert twin.follow(cell, sum(mined[d] for d in board.around(cell)))
        twin.suppose(rng, 2, 2)
    return len(order[:frames])


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_equals_the_engine_from_scratch_along_games(kind):
    assert sum(play(kind, seed, 20) for seed in range(12)) > 50


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_a_position_equals_the_engine_in_plain_python_too(kind):
    assert play(kind, "plain", 3) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_wide_fronts_and_full_pools_are_left_to_the_general_engine(kind):
    assert sum(play(kind, seed, 6, most_layer=3) for seed in range(4)) > 5
    assert sum(play(kind, seed, 6, state_rooms=12, link_rooms=9) for seed in range(4)) > 5
    assert sum(play(kind, seed, 6, member_rooms=4, hint_rooms=3) for seed in range(4)) > 5


@pytest.mark.parametrize("kind", KINDS)
def test_any_frame_may_come_after_any_other_on_one_board(kind):
    rng = random.Random(f"frames of one board {kind}")
    for _ in range(10):
        board = random_frame(kind, rng).board
        twin = Twin(board)
        for _ in range(6):
            marks = np.full(len(board), BLANK, dtype=np.int32)
            mined = [rng.random() < 0.3 for _ in board.cells]
            for cell in board.cells:
                if not mined[cell] and rng.random() < 0.5:
                    marks[cell] = sum(mined[d] for d in board.around(cell))
            assert twin.read(marks, sum(mined))
            twin.suppose(rng, 1)


def test_stuck_expert_frames_one_after_another_keep_their_fronts():
    frames = list(stuck_frames("expert", range(6)))
    twin = Twin(frames[0].board)
    rng = random.Random("expert")
    for frame in frames:
        assert twin.read(frame.marks, frame.mines)
        assert not twin.memory.by_general
        twin.suppose(rng, 1, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_equals_plain_enumeration(kind):
    rng = random.Random(f"position {kind}")
    for _ in range(20):
        frame = random_frame(kind, rng, 9)
        expected = naive.exact_odds(frame)
        if expected is None:
            with pytest.raises(Contradiction):
                Position(frame).probability  # noqa: B018 (read for its error)
            continue
        odds = Position(frame).probability
        for cell, p in expected[1].items():
            assert p is None or odds[cell] == pytest.approx(float(p), abs=1e-12)


def test_a_game_is_followed_by_names_and_what_ifs_are_taken_back():
    rules = Rules.parse("9x9/10")
    layout = deal(rules, 5).layout
    position = Position(Frame(rules.board, np.full(81, BLANK, dtype=np.int32), 10))
    before = position.ln_placements
    with position.what_if("r1c1", 0) as outlook:
        assert outlook.free_cells == 3
        assert outlook.ln_placements < before
        with position.what_if("r2c2", FLAG) as never:
            assert never.ln_placements == -np.inf
    assert position.ln_placements == pytest.approx(before)
    cell = int(np.flatnonzero(layout.mine_mask == 0)[0])
    position.follow({rules.board.name(cell): int(layout.hints[cell])})
    assert np.isnan(position.odds(cell))
    with pytest.raises(IllegalMove, match="it shows a hint"):
        position.follow({cell: 1})


def test_inside_a_what_if_that_cannot_be_nothing_has_odds():
    # r1c3 shows a zero, so r1c2 is free and r1c1 the mine.
    position = Position(Frame.parse("# # . #", mines=1))
    with position.what_if("r1c2", FLAG) as never:
        assert never.ln_placements == position.ln_placements == -np.inf
        assert np.isnan(position.odds("r1c1")) and np.isnan(position.probability).all()
        with position.what_if("r1c1", FLAG) as within:
            assert within.ln_placements == -np.inf
        assert np.isnan(position.odds("r1c1"))
    assert position.odds("r1c1") == 1


def test_a_position_told_what_cannot_be_says_so_from_then_on():
    position = Position(Frame.parse("# # . #", mines=1))
    for ask in (lambda: position.follow({"r1c2": FLAG}), lambda: position.outlook):
        with pytest.raises(Contradiction, match=r"expected at most 0 flags around .* r1c3, got 1"):
            ask()
    position = Position(Frame.parse("# 1 # #", mines=2))
    position.follow({"r1c1": FREE})
    with pytest.raises(Contradiction, match="expected cells that were said to be free, got a mine"):
        position.follow({"r1c1": FLAG})


def test_marks_of_which_one_is_illegal_are_not_followed_at_all():
    position = Position(Frame.parse("# 1 # #", mines=2))
    with pytest.raises(IllegalMove, match="cannot mark r1c2: it shows a hint"):
        position.follow({"r1c1": FLAG, "r1c2": 0})
    assert position.odds("r1c1") == 0.5


@pytest.mark.parametrize("mark", [BLANK, -7, None, "1", 1.0])
def test_a_mark_that_says_nothing_is_refused_and_changes_nothing(mark):
    position = Position(Frame.parse("# 1 # #", mines=1))
    with pytest.raises(SapperError, match="expected a hint, FLAG or FREE, got"):
        position.follow({"r1c1": mark})
    with pytest.raises(SapperError, match="expected a hint, FLAG or FREE, got"):
        position.what_if("r1c1", mark).__enter__()
    assert position.odds("r1c1") == 0.5


@pytest.mark.skipif(not os.environ.get("SAPPER_GAMES"), reason="by make check-position")
@pytest.mark.parametrize("kind", KINDS)
def test_a_position_equals_the_engine_on_every_frame_of_many_games(kind):
    games = int(os.environ["SAPPER_GAMES"]) // len(KINDS)
    frames = sum(play(kind, f"many {seed}", 99) for seed in range(games))
    assert frames >= games, f"{frames:,} frames of {games:,} games"
