"""Search random games for puzzles: positions of a given difficulty, and their easiest proofs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.random_stream import RandomStream
from sapper.board.rules import Rules
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import MINE, PROVED, SAFE, UNKNOWN
from sapper.kernels.generators.puzzles import PuzzleGame, advance, count_moves, start_game
from sapper.kernels.proofs.search import prove, set_weights
from sapper.proofs.constraints import Constraints, Knowledge, initial_knowledge
from sapper.proofs.difficulty import DIFFICULTIES, Difficulty
from sapper.proofs.prover import Proof, Prover
from sapper.proofs.steps import MAX_PROOF_STEPS, StepFinder, found_moves
from sapper.solvers.human import make_human_state
from sapper.wording import count_text

# The kernel finds moves from up to this many numbers at once; the exact engine finds the others.
MAX_COMPILED_NUMBERS = 3

PositionMoves = tuple[Position, Knowledge]
"""A position with flags, and SAFE or MINE for each cell that is a move, else UNKNOWN."""


class PositionSearch:
    """Finds positions of one difficulty in random games; a seed fixes the result.

    A game begins with a random click that the rule allows. It continues with moves below the
    difficulty, then with those of the difficulty, then with a guess that is safe. All positions of
    the difficulty in a game are equally likely to be chosen.
    """

    def __init__(self, rules: Rules, difficulty: Difficulty):
        self.rules, self.difficulty = rules, difficulty
        board, n = rules.board, len(rules.board)
        self._stream = RandomStream(0)
        self._marks = np.empty(n, dtype=np.int32)
        self._finder_state = make_human_state(board, self._marks)
        self._game_state = make_human_state(board, np.empty(n, dtype=np.int32))
        numbers_needed = MAX_COMPILED_NUMBERS + 1
        if not difficulty.uses_mine_count and difficulty.numbers is not None:
            numbers_needed = min(numbers_needed, difficulty.numbers)
        self._compiled = numbers_needed <= MAX_COMPILED_NUMBERS
        self._puzzle_game = PuzzleGame(
            self._game_state, self._finder_state, self._stream.state, numbers_needed
        )
        self._cells = np.arange(n, dtype=np.int32)
        self._first_clicks = self._cells
        if rules.rule == "zero":
            allowed_mines = n - 1 - board.neighbour_counts
            self._first_clicks = self._cells[allowed_mines >= rules.mines]

    def find(self, seed: int, limit: Limit) -> Iterator[PositionMoves]:
        """Yield one position of each game that has any; the iterator never ends."""
        self._stream.reseed(seed)
        games = 0
        while True:
            limit.check(f"{count_text(games, 'game')} without such a position")
            games += 1
            chosen = None
            # Reservoir sampling: the n-th position replaces the choice with probability 1/n.
            for n, candidate in enumerate(self._positions(limit), 1):
                if self._stream.below(n) == 0:
                    chosen = candidate
            if chosen is not None:
                yield chosen

    def _positions(self, limit: Limit) -> Iterator[PositionMoves]:
        """Yield the positions of the difficulty in the next game."""
        layout, game = self._random_layout(), self._puzzle_game
        first = layout.click
        assert first is not None
        start_game(game, view(layout.numbers), view(layout.mine_mask), first)
        while advance(game):
            # For variety, half of the puzzles of single numbers have flags on known mines.
            flag_mines = game.numbers_needed == 1 and self._stream.below(2) == 1
            if count_moves(game, flag_mines):
                if self._compiled:
                    moves = found_moves(self._finder_state, len(self._cells))
                    yield self._position(self._marks), moves
                elif (position_moves := self._moves_from_engine(limit)) is not None:
                    yield position_moves

    def _random_layout(self) -> Layout:
        rules, stream = self.rules, self._stream
        first = int(self._first_clicks[stream.below(len(self._first_clicks))])
        allowed = np.delete(self._cells, [first, *rules.mine_free_cells(first)])
        return Layout(rules.board, stream.draw_mines(allowed, rules.mines, len(self._cells)), first)

    def _moves_from_engine(self, limit: Limit) -> PositionMoves | None:
        """Return the moves from more than three numbers, if no easier step finds a safe cell."""
        finder = StepFinder(
            self._position(self._marks),
            trust_flags=True,
            use_mine_count=self.difficulty.uses_mine_count,
            limit=limit,
        )
        while (graded_moves := finder.moves()) is not None:
            difficulty, moves = graded_moves
            if difficulty == self.difficulty.name:
                marks = np.where(finder.known == MINE, FLAG, self._marks)
                return self._position(marks), moves
            harder = DIFFICULTIES.index(difficulty) > DIFFICULTIES.index(self.difficulty.name)
            if harder or (moves == SAFE).any():
                return None
            finder.known[moves == MINE] = MINE
        return None

    def _position(self, marks: Ints) -> Position:
        return Position(self.rules.board, marks, self.rules.mines)


# At most this many moves are proved; the moves of one position are similar.
MAX_PROOFS = 6


def easiest_proof(
    position: Position, moves: Knowledge, difficulty: Difficulty, limit: Limit
) -> Proof:
    """Return the proof with the fewest numbers, then the nearest numbers, then the lowest cell.

    Flags are trusted. If there are many moves, a sample spread over the board is proved.
    """
    cells = np.flatnonzero(moves != UNKNOWN)
    sample = cells[np.linspace(0, len(cells) - 1, min(len(cells), MAX_PROOFS)).astype(int)]
    proofs: Iterator[Proof]
    if difficulty.uses_mine_count:
        prover = Prover(position, limit, trust_flags=True)
        proofs = map(prover.proof, sample.tolist())
    else:
        proofs = _proofs_without_mine_count(position, moves, sample.tolist(), limit)
    return min(
        proofs, key=lambda proof: (len(proof.number_cells), total_distance(proof), proof.move.cell)
    )


def _proofs_without_mine_count(
    position: Position, moves: Knowledge, cells: list[int], limit: Limit
) -> Iterator[Proof]:
    """Yield smallest proofs of known moves without the mine count."""
    constraints = Constraints.read(position, initial_knowledge(position, trust_flags=True))
    search = constraints.search(moves, limit)
    graph = view(position.board.offsets), view(position.board.neighbours)
    for cell in cells:
        set_weights(search, *graph, cell)
        if (
            prove(search, constraints.index_of[cell], len(constraints.cells), MAX_PROOF_STEPS)
            == PROVED
        ):
            action = "flag" if moves[cell] == MINE else "reveal"
            numbers = constraints.cells_of(search.best, search.best_count)
            yield Proof(position, Move(action, cell), numbers, False, True, trust_flags=True)
        else:
            # The short search found none; this one takes longer and raises OutOfBudget.
            yield Prover(position, limit, trust_flags=True).proof(cell)


def total_distance(proof: Proof) -> int:
    """Return the sum of the distances from the cell of a proof to each of its numbers."""
    assert proof.move.cell is not None
    steps = distances(proof.position.board, proof.move.cell, proof.number_cells)
    return sum(steps.values())


def distances(board: Board, start: int, cells: Iterable[int]) -> dict[int, int]:
    """Return the distance from *start* to each of *cells* that can be reached."""
    targets, visited, ring = set(cells), {start}, {start}
    distance_of_cell: dict[int, int] = {}
    distance = 0
    while ring and len(distance_of_cell) < len(targets):
        distance_of_cell.update(dict.fromkeys(targets & ring, distance))
        ring = {other for cell in ring for other in board.around(cell).tolist()} - visited
        visited |= ring
        distance += 1
    return distance_of_cell
