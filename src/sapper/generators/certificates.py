"""The certificate of a board without a guess: the way from its click to the win, step by step."""

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
from sapper.generators.grading import hardest
from sapper.generators.playthrough import Playthrough, require_click
from sapper.proofs.difficulty import difficulty_of
from sapper.proofs.prover import Prover
from sapper.values import check_type
from sapper.wording import counted


@dataclass(frozen=True)
class CertificateStep:
    """Cells that one set of numbers settles, given the mines that earlier steps found."""

    reveal: tuple[int, ...]
    flag: tuple[int, ...]
    difficulty: str
    numbers: tuple[int, ...]
    uses_mine_count: bool


@dataclass(frozen=True)
class Certificate:
    """The steps that win a layout from its click; the easiest moves come first."""

    layout: Layout
    use_mine_count: bool
    steps: tuple[CertificateStep, ...]

    @property
    def difficulty(self) -> str:
        """The hardest step."""
        return hardest(step.difficulty for step in self.steps)

    def check(self, budget: Budget = DEFAULT_BUDGET) -> None:
        """Play the steps: each must follow from its own numbers, and the last one must win.

        Of a step its numbers alone are looked at, with the mines that earlier steps flagged, and the
        mine count where it says so: nothing that found the board or wrote the certificate is
        trusted. Raises NotCertain otherwise.
        """
        limit = start_limit(budget)
        game = _begun(self.layout)
        for number, step in enumerate(self.steps, 1):
            found = self._wrong(step, game.position, limit)
            if found:
                raise NotCertain(f"expected a certificate of proofs, got step {number} {found}")
            _make(game, step.flag, step.reveal)
        if game.outcome != "won":
            raise NotCertain("expected a certificate that ends with a win, got one that stops")

    def _wrong(self, step: CertificateStep, position: Position, limit: Limit) -> str:
        """What a step promises and does not keep, in words; nothing where it keeps all."""
        if step.difficulty != difficulty_of(len(step.numbers), step.uses_mine_count):
            return (
                f"of difficulty {step.difficulty!r:.60} with {counted(len(step.numbers), 'number')}"
            )
        if step.uses_mine_count and not self.use_mine_count:
            return "with the mine count where the numbers alone should do"
        if (position.marks[list(step.numbers)] < 0).any():
            return "with a number that is not revealed by then"
        mines, free = _settled(position, step, limit)
        doubtful = sorted({*step.flag} - mines | {*step.reveal} - free)
        return f"without a proof of {', '.join(position.names(doubtful))}" if doubtful else ""


def _settled(position: Position, step: CertificateStep, limit: Limit) -> tuple[set[int], set[int]]:
    """The cells that the numbers of a step settle: mines, and free ones or revealed already.

    A single number settles all it sees or nothing. About several the engine is asked, on a graph of
    these numbers and the covered cells that they see, or all covered cells where the mine count is used.
    Flags are the mines that earlier steps found.
    """
    marks, revealed = position.marks, set(position.revealed.tolist())
    seen = {number: position.board.around(number).tolist() for number in step.numbers}
    in_play = {c for around in seen.values() for c in around if marks[c] == COVERED}
    needs = [marks[h] - sum(marks[c] == FLAG for c in seen[h]) for h in seen]
    if step.difficulty == "one":
        mines = in_play if needs[0] == len(in_play) else set()
        return mines, revealed | (in_play if needs[0] == 0 else set())
    covered = position.covered.tolist() if step.uses_mine_count else sorted(in_play)
    cells, name = [*step.numbers, *covered], position.board.name
    edges = [(name(h), name(c)) for h in seen for c in seen[h] if c in in_play]
    left = int(position.mines or 0) - int((marks == FLAG).sum()) if step.uses_mine_count else None
    graph = Board.from_edges(edges, map(name, cells))
    found = analyse(Position(graph, needs + [COVERED] * len(covered), left), budget=limit)
    mines = {cells[i] for i in found.certain_mine_cells.tolist()}
    free = {cells[i] for i in found.safe_cells.tolist()}
    return mines, free | revealed


def certify(
    layout: Layout, *, use_mine_count: bool = True, budget: Budget = DEFAULT_BUDGET
) -> Certificate:
    """The way from a layout's click to its win without a guess, checked by playing it.

    Raises NotCertain where the layout cannot be won so.
    """
    check_type(layout, Layout, "a layout")
    limit = start_limit(budget)
    steps = _until_won(layout, _steps(layout, use_mine_count, limit))
    certificate = Certificate(layout, use_mine_count, tuple(steps))
    certificate.check(limit)
    return certificate


def _steps(layout: Layout, use_mine_count: bool, limit: Limit) -> Iterator[CertificateStep]:
    """Climb the difficulties over the whole game, with the proof of every move."""
    playthrough = Playthrough(layout, limit, use_mine_count=use_mine_count)
    while playthrough.left:
        position = playthrough.flagged
        made = playthrough.step()
        if made is None:
            raise NotCertain(
                "expected a layout that needs no guess, "
                f"got one that stops with {playthrough.left} to open"
            )
        step, _ = made
        yield from _proved(position, (*step.flag, *step.reveal), limit)


def _until_won(layout: Layout, steps: Iterable[CertificateStep]) -> Iterator[CertificateStep]:
    """The steps up to the win: a reveal may win before the mines beside it are flagged."""
    game = _begun(layout)
    for step in steps:
        if game.over:
            return
        yield step
        _make(game, step.flag, step.reveal)


def _proved(position: Position, cells: tuple[int, ...], limit: Limit) -> Iterator[CertificateStep]:
    """The moves of one step of a climb, together where the same numbers prove them."""
    prover = Prover(position, limit, trust_flags=True)
    together: dict[tuple[tuple[int, ...], bool], tuple[list[int], list[int]]] = {}
    for cell in cells:
        proof = prover.proof(cell)
        key = proof.number_cells, proof.uses_mine_count
        flag, reveal = together.setdefault(key, ([], []))
        (flag if proof.move.action == "flag" else reveal).append(cell)
    for (numbers, uses_mine_count), (flag, reveal) in together.items():
        difficulty = difficulty_of(len(numbers), uses_mine_count)
        yield CertificateStep(tuple(reveal), tuple(flag), difficulty, numbers, uses_mine_count)


def _begun(layout: Layout) -> Game:
    game = Game.from_layout(layout)
    game.play(Move("reveal", require_click(layout)))
    return game


def _make(game: Game, flag: Iterable[int], reveal: Iterable[int]) -> None:
    """Flag mines and reveal free cells, those that an opening has not revealed already."""
    for action, cells in (("flag", flag), ("reveal", reveal)):
        for cell in cells:
            if game.position.marks[cell] == COVERED:
                game.play(Move(action, cell))
