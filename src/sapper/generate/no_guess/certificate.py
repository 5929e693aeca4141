"""The certificate of a board without a guess: the way from its click to the win, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sapper.errors import NotCertain, RulesError
from sapper.generate.grade import hardest
from sapper.infer.budget import DEFAULT, Budget, Limit
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import rung_of
from sapper.infer.odds.analysis import analyse
from sapper.infer.proofs.prove import Prover
from sapper.model.frame import BLANK, Frame
from sapper.model.game import Game
from sapper.model.layout import Layout
from sapper.model.move import Move
from sapper.values import need


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
        """Play the steps: each move must be certain in its frame, and the last one must win.

        Asks the exact engine about every frame from scratch, so that nothing that found the board
        or wrote the certificate is trusted. Raises NotCertain otherwise.
        """
        limit = budget.start()
        game = _begun(self.layout)
        for step in self.steps:
            self._check_step(step, _seen(game, self.with_count), limit)
            _make(game, step.flag, step.reveal)
        if game.outcome != "won":
            raise NotCertain("expected a certificate that ends with a win, got one that stops")

    def _check_step(self, step: Assured, frame: Frame, limit: Limit) -> None:
        analysis = analyse(frame, budget=limit)
        mines, free = set(analysis.flag_cells), {*analysis.reveal_cells, *frame.revealed}
        doubtful = sorted((set(step.flag) - mines) | (set(step.reveal) - free))
        if doubtful:
            names = ", ".join(map(self.layout.board.name, doubtful))
            raise NotCertain(f"expected certain moves in a certificate, got {names}")


def certify(layout: Layout, *, with_count: bool = True, budget: Budget = DEFAULT) -> Certificate:
    """The way from a layout's click to its win without a guess, checked by playing it.

    Raises NotCertain where the layout cannot be won so.
    """
    need(layout, Layout, "a layout")
    limit = budget.start()
    certificate = Certificate(layout, with_count, tuple(_steps(layout, with_count, limit)))
    certificate.check(limit)
    return certificate


def _steps(layout: Layout, with_count: bool, limit: Limit) -> Iterator[Assured]:
    """Climb the rungs over the whole game, with the proof of every move."""
    game = _begun(layout)
    climb = Climb(_seen(game, with_count), use_count=with_count, limit=limit)
    while game.outcome == "playing":
        frame = climb.frame
        step = climb.step()
        if step is None:
            left = len(layout.board) - layout.mine_count - int((game.frame.marks >= 0).sum())
            raise NotCertain(
                f"expected a layout that needs no guess, got one that stops with {left} to open"
            )
        yield from _proved(frame, (*step.flag, *step.reveal), limit)
        _make(game, step.flag, step.reveal)
        climb.see(_seen(game, with_count))


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
    if layout.click is None:
        raise RulesError("expected a layout with its click, marked 'c', got none")
    game = Game.on(layout)
    game.play(Move("reveal", layout.click))
    return game


def _make(game: Game, flag: Iterable[int], reveal: Iterable[int]) -> None:
    """Flag mines and reveal free cells, those that an opening has not revealed already."""
    for action, cells in (("flag", flag), ("reveal", reveal)):
        for cell in cells:
            if game.frame.marks[cell] == BLANK:
                game.play(Move(action, cell))


def _seen(game: Game, with_count: bool) -> Frame:
    return game.frame if with_count else Frame(game.board, game.frame.marks, None)
