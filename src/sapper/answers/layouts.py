"""Layouts as dictionaries: what was dealt, and how a board without a guess is won."""

from __future__ import annotations

from sapper.answers.spelling import BY_NAME, Json
from sapper.generate.no_guess.certificate import Assured, Certificate
from sapper.generate.no_guess.make import NoGuess
from sapper.model.board import Board
from sapper.model.deal import Deal


def deal_json(one: Deal) -> Json:
    """A deal: its layout as text, and what can be measured of it."""
    layout = one.layout
    return {
        "text": f"{layout}\n",
        "first": layout.board.name(one.first),
        "seed": one.seed,
        "bbbv": layout.bbbv,
        "openings": layout.openings,
        "islands": layout.islands,
    }


def no_guess_json(one: NoGuess, with_certificate: bool) -> Json:
    """A board without a guess: as a deal, with its method and rung, and the way to win it."""
    described = deal_json(one.deal) | {"method": one.method, "rung": one.rung}
    if with_certificate:
        described["certificate"] = certificate_json(one.certificate)
    return described


def certificate_json(certificate: Certificate) -> list[Json]:
    """The steps of a certificate, each with the cells that it settles and what proves them."""
    board = certificate.layout.board
    return [_step_json(board, step) for step in certificate.steps]


def no_guess_text(one: NoGuess, with_certificate: bool) -> str:
    """A board without a guess: its layout, and with its certificate a line for each step."""
    steps = one.certificate.steps if with_certificate else ()
    lines = (f"{i}. {_step_text(one.layout.board, step)}" for i, step in enumerate(steps, 1))
    return "\n".join((str(one.layout), *lines))


def _step_json(board: Board, step: Assured) -> Json:
    return {
        "reveal": BY_NAME.cells(board, step.reveal),
        "flag": BY_NAME.cells(board, step.flag),
        "rung": step.rung,
        "hints": BY_NAME.cells(board, step.hints),
        "mine_count": step.mine_count,
    }


def _step_text(board: Board, step: Assured) -> str:
    moves = [
        f"{action} {', '.join(map(board.name, cells))}"
        for action, cells in (("flag", step.flag), ("reveal", step.reveal))
        if cells
    ]
    proof = [*map(board.name, step.hints), *(["the mine count"] if step.mine_count else [])]
    return f"{'; '.join(moves)} ({step.rung}: {', '.join(proof)})"
