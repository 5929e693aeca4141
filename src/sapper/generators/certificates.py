"""Certificates of no-guess boards: the steps from the first click to the win, with their proofs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Limit, start_limit
from sapper.errors import NotCertain
from sapper.games.game import Game
from sapper.generators.grading import Playthrough, hardest, require_click
from sapper.proofs.difficulty import difficulty_of
from sapper.proofs.prover import Prover
from sapper.values import check_type
from sapper.wording import count_text


@dataclass(frozen=True)
class CertificateStep:
    """Cells that one set of numbers decides, given the mines of earlier steps."""

    reveal: tuple[int, ...]
    flag: tuple[int, ...]
    difficulty: str
    numbers: tuple[int, ...]
    uses_mine_count: bool


@dataclass(frozen=True)
class Certificate:
    """The steps that win a layout from its first click, the easiest possible ones first."""

    layout: Layout
    use_mine_count: bool
    steps: tuple[CertificateStep, ...]

    @property
    def difficulty(self) -> str:
        """The difficulty of the hardest step."""
        return hardest(step.difficulty for step in self.steps)

    def check(self, budget: Budget = DEFAULT_BUDGET) -> None:
        """Play the steps, and raise NotCertain unless each is proved and the last one wins.

        Each step is checked with its own numbers, the mines that earlier steps flagged, and the
        mine count where the step says so. The code that found the board is not trusted.
        """
        limit = start_limit(budget)
        game = _start(self.layout)
        for number, step in enumerate(self.steps, 1):
            fault = self._fault(step, game.position, limit)
            if fault:
                raise NotCertain(f"step {number} of the certificate {fault}")
            _play(game, step)
        if game.outcome != "won":
            raise NotCertain("the certificate does not end with a win")

    def _fault(self, step: CertificateStep, position: Position, limit: Limit) -> str | None:
        """Return what is wrong with a step, or None."""
        if step.difficulty != difficulty_of(len(step.numbers), step.uses_mine_count):
            numbers = count_text(len(step.numbers), "number")
            return f"has difficulty {step.difficulty!r:.60} but uses {numbers}"
        if step.uses_mine_count and not self.use_mine_count:
            return "uses the mine count, which this board must not need"
        if (position.marks[list(step.numbers)] < 0).any():
            return "uses a number that is not revealed yet"
        mines, safe = _decided(position, step, limit)
        unproved = sorted({*step.flag} - mines | {*step.reveal} - safe)
        return f"does not prove {', '.join(position.names(unproved))}" if unproved else None


def _decided(position: Position, step: CertificateStep, limit: Limit) -> tuple[set[int], set[int]]:
    """Return the mines, and the safe or already revealed cells, that the numbers of a step decide.

    A single number decides all of its covered cells or none. For several numbers, the engine
    analyses a graph of these numbers and their covered cells; all covered cells if the mine count
    is used. Flags are the mines of earlier steps.
    """
    marks = position.marks
    revealed = set(position.revealed.tolist())
    around = {number: position.board.around(number).tolist() for number in step.numbers}
    involved = {c for cells in around.values() for c in cells if marks[c] == COVERED}
    remaining = [marks[n] - sum(marks[c] == FLAG for c in around[n]) for n in around]
    if step.difficulty == "one":
        mines = involved if remaining[0] == len(involved) else set()
        return mines, revealed | (involved if remaining[0] == 0 else set())
    covered = position.covered.tolist() if step.uses_mine_count else sorted(involved)
    cells = [*step.numbers, *covered]
    name = position.board.name
    edges = [(name(n), name(c)) for n in around for c in around[n] if c in involved]
    mines_left = None
    if step.uses_mine_count:
        mines_left = int(position.mines or 0) - int((marks == FLAG).sum())
    graph = Board.from_edges(edges, map(name, cells))
    analysis = analyse(
        Position(graph, remaining + [COVERED] * len(covered), mines_left), budget=limit
    )
    mines = {cells[i] for i in analysis.certain_mine_cells.tolist()}
    safe = {cells[i] for i in analysis.safe_cells.tolist()}
    return mines, safe | revealed


def certify(
    layout: Layout, *, use_mine_count: bool = True, budget: Budget = DEFAULT_BUDGET
) -> Certificate:
    """Return the steps that win a layout from its click without a guess, checked by playing them.

    Raises NotCertain if the layout needs a guess.
    """
    check_type(layout, Layout, "a layout")
    limit = start_limit(budget)
    steps = _until_won(layout, _steps(layout, use_mine_count, limit))
    certificate = Certificate(layout, use_mine_count, tuple(steps))
    certificate.check(limit)
    return certificate


def _steps(layout: Layout, use_mine_count: bool, limit: Limit) -> Iterator[CertificateStep]:
    """Play the whole game by the simplest steps, and prove every move."""
    playthrough = Playthrough(layout, limit, use_mine_count=use_mine_count)
    while playthrough.safe_cells_left:
        position = playthrough.flagged_position
        result = playthrough.step()
        if result is None:
            raise NotCertain(
                "the layout needs a guess: certain moves leave "
                f"{playthrough.safe_cells_left} cells to reveal"
            )
        step, _ = result
        yield from _proved_steps(position, (*step.flag, *step.reveal), limit)


def _until_won(layout: Layout, steps: Iterable[CertificateStep]) -> Iterator[CertificateStep]:
    """Yield the steps up to the win: a reveal may win before all mines are flagged."""
    game = _start(layout)
    for step in steps:
        if game.over:
            return
        yield step
        _play(game, step)


def _proved_steps(
    position: Position, cells: tuple[int, ...], limit: Limit
) -> Iterator[CertificateStep]:
    """Yield a step for each set of numbers that proves some of the moves on these cells."""
    prover = Prover(position, limit, trust_flags=True)
    by_proof: dict[tuple[tuple[int, ...], bool], tuple[list[int], list[int]]] = {}
    for cell in cells:
        proof = prover.proof(cell)
        key = proof.number_cells, proof.uses_mine_count
        flag, reveal = by_proof.setdefault(key, ([], []))
        (flag if proof.move.action == "flag" else reveal).append(cell)
    for (numbers, uses_mine_count), (flag, reveal) in by_proof.items():
        difficulty = difficulty_of(len(numbers), uses_mine_count)
        yield CertificateStep(tuple(reveal), tuple(flag), difficulty, numbers, uses_mine_count)


def _start(layout: Layout) -> Game:
    game = Game.from_layout(layout)
    game.play(Move("reveal", require_click(layout)))
    return game


def _play(game: Game, step: CertificateStep) -> None:
    """Make the moves of a step, except those on cells that an opening has already revealed."""
    for action, cells in (("flag", step.flag), ("reveal", step.reveal)):
        for cell in cells:
            if game.position.marks[cell] == COVERED:
                game.play(Move(action, cell))
