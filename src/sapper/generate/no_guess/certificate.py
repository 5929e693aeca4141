"""The certificate of a board without a guess: the way from its click to the win, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sapper.errors import NotCertain
from sapper.generate.ascent import Ascent, click_of
from sapper.generate.grade import hardest
from sapper.infer.budget import DEFAULT, Budget, Limit, started
from sapper.infer.ladder.rungs import rung_of
from sapper.infer.odds.analysis import analyse
from sapper.infer.proofs.prove import Prover
from sapper.model.board import Board
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.model.game import Game
from sapper.model.layout import Layout
from sapper.model.move import Move
from sapper.values import need
from sapper.wording import counted


@dataclass(frozen=True)
class Assured:
    """Cells that one set of hints settles, given the mines that earlier steps found."""

    reveal: tuple[int, ...]
    flag: tuple[int, ...]
    rung: str
    hints: tuple[int, ...]
    mine_count: bool


@dataclass(frozen=True)
class Certificate:
    """The steps that win a layout from its click; the easiest moves come first."""

    layout: Layout
    with_count: bool
    steps: tuple[Assured, ...]

    @property
    def rung(self) -> str:
        """The hardest step."""
        return hardest(step.rung for step in self.steps)

    def check(self, budget: Budget = DEFAULT) -> None:
        """Play the steps: each must follow from its own hints, and the last one must win.

        Of a step its hints alone are looked at, with the mines that earlier steps flagged, and the
        mine count where it says so: nothing that found the board or wrote the certificate is
        trusted. Raises NotCertain otherwise.
        """
        limit = started(budget)
        game = _begun(self.layout)
        for number, step in enumerate(self.steps, 1):
            found = self._wrong(step, game.frame, limit)
            if found:
                raise NotCertain(f"expected a certificate of proofs, got step {number} {found}")
            _make(game, step.flag, step.reveal)
        if game.outcome != "won":
            raise NotCertain("expected a certificate that ends with a win, got one that stops")

    def _wrong(self, step: Assured, frame: Frame, limit: Limit) -> str:
        """What a step promises and does not keep, in words; nothing where it keeps all."""
        if step.rung != rung_of(len(step.hints), step.mine_count):
            return f"of rung {step.rung!r:.60} with {counted(len(step.hints), 'hint')}"
        if step.mine_count and not self.with_count:
            return "with the mine count where the hints alone should do"
        if (frame.marks[list(step.hints)] < 0).any():
            return "with a hint that is not revealed by then"
        mines, free = _settled(frame, step, limit)
        doubtful = sorted({*step.flag} - mines | {*step.reveal} - free)
        return f"without a proof of {', '.join(frame.names(doubtful))}" if doubtful else ""


def _settled(frame: Frame, step: Assured, limit: Limit) -> tuple[set[int], set[int]]:
    """The cells that the hints of a step settle: mines, and free ones or revealed already.

    A single hint settles all it sees or nothing. About several the engine is asked, on a graph of
    these hints and the blanks that they see, or all blanks where the mine count is used.
    Flags are the mines that earlier steps found.
    """
    marks, revealed = frame.marks, set(frame.revealed.tolist())
    seen = {hint: frame.board.around(hint).tolist() for hint in step.hints}
    in_play = {c for around in seen.values() for c in around if marks[c] == BLANK}
    needs = [marks[h] - sum(marks[c] == FLAG for c in seen[h]) for h in seen]
    if step.rung == "one":
        mines = in_play if needs[0] == len(in_play) else set()
        return mines, revealed | (in_play if needs[0] == 0 else set())
    blanks = frame.blanks.tolist() if step.mine_count else sorted(in_play)
    cells, name = [*step.hints, *blanks], frame.board.name
    edges = [(name(h), name(c)) for h in seen for c in seen[h] if c in in_play]
    left = int(frame.mines or 0) - int((marks == FLAG).sum()) if step.mine_count else None
    graph = Board.from_edges(edges, map(name, cells))
    found = analyse(Frame(graph, needs + [BLANK] * len(blanks), left), budget=limit)
    mines = {cells[i] for i in found.flag_cells.tolist()}
    free = {cells[i] for i in found.reveal_cells.tolist()}
    return mines, free | revealed


def certify(layout: Layout, *, with_count: bool = True, budget: Budget = DEFAULT) -> Certificate:
    """The way from a layout's click to its win without a guess, checked by playing it.

    Raises NotCertain where the layout cannot be won so.
    """
    need(layout, Layout, "a layout")
    limit = started(budget)
    steps = _until_won(layout, _steps(layout, with_count, limit))
    certificate = Certificate(layout, with_count, tuple(steps))
    certificate.check(limit)
    return certificate


def _steps(layout: Layout, with_count: bool, limit: Limit) -> Iterator[Assured]:
    """Climb the rungs over the whole game, with the proof of every move."""
    ascent = Ascent(layout, limit, use_count=with_count)
    while ascent.left:
        frame = ascent.flagged
        made = ascent.step()
        if made is None:
            raise NotCertain(
                "expected a layout that needs no guess, "
                f"got one that stops with {ascent.left} to open"
            )
        step, _ = made
        yield from _proved(frame, (*step.flag, *step.reveal), limit)


def _until_won(layout: Layout, steps: Iterable[Assured]) -> Iterator[Assured]:
    """The steps up to the win: a reveal may win before the mines beside it are flagged."""
    game = _begun(layout)
    for step in steps:
        if game.over:
            return
        yield step
        _make(game, step.flag, step.reveal)


def _proved(frame: Frame, cells: tuple[int, ...], limit: Limit) -> Iterator[Assured]:
    """The moves of one step of a climb, together where the same hints prove them."""
    prover = Prover(frame, limit, trust_flags=True)
    together: dict[tuple[tuple[int, ...], bool], tuple[list[int], list[int]]] = {}
    for cell in cells:
        proof = prover.proof(cell)
        key = proof.hint_cells, proof.mine_count
        flag, reveal = together.setdefault(key, ([], []))
        (flag if proof.move.action == "flag" else reveal).append(cell)
    for (hints, mine_count), (flag, reveal) in together.items():
        rung = rung_of(len(hints), mine_count)
        yield Assured(tuple(reveal), tuple(flag), rung, hints, mine_count)


def _begun(layout: Layout) -> Game:
    game = Game.on(layout)
    game.play(Move("reveal", click_of(layout)))
    return game


def _make(game: Game, flag: Iterable[int], reveal: Iterable[int]) -> None:
    """Flag mines and reveal free cells, those that an opening has not revealed already."""
    for action, cells in (("flag", flag), ("reveal", reveal)):
        for cell in cells:
            if game.frame.marks[cell] == BLANK:
                game.play(Move(action, cell))
