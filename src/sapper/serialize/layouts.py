"""Layouts as dictionaries: what was dealt, and how a board without a guess is won."""

from __future__ import annotations

from sapper.board.board import Board
from sapper.board.random_layout import GeneratedLayout
from sapper.generators.certificates import Certificate, CertificateStep
from sapper.generators.no_guess import NoGuessLayout
from sapper.serialize.cells import BY_NAME, Json


def generated_json(one: GeneratedLayout) -> Json:
    """A deal: its layout as text, and what can be measured of it."""
    layout = one.layout
    return {
        "text": f"{layout}\n",
        "first": layout.board.name(one.first),
        "seed": one.seed,
        "three_bv": layout.three_bv,
        "openings": layout.openings,
        "islands": layout.islands,
    }


def no_guess_json(one: NoGuessLayout, with_certificate: bool) -> Json:
    """A board without a guess: as a deal, with its method and difficulty, and the way to win it."""
    described = generated_json(one.deal) | {"method": one.method, "difficulty": one.difficulty}
    if with_certificate:
        described["certificate"] = certificate_json(one.certificate)
    return described


def certificate_json(certificate: Certificate) -> list[Json]:
    """The steps of a certificate, each with the cells that it settles and what proves them."""
    board = certificate.layout.board
    return [_step_json(board, step) for step in certificate.steps]


def no_guess_text(one: NoGuessLayout, with_certificate: bool) -> str:
    """A board without a guess: its layout, and with its certificate a line for each step."""
    steps = one.certificate.steps if with_certificate else ()
    lines = (f"{i}. {_step_text(one.layout.board, step)}" for i, step in enumerate(steps, 1))
    return "\n".join((str(one.layout), *lines))


def _step_json(board: Board, step: CertificateStep) -> Json:
    return {
        "reveal": BY_NAME.cells(board, step.reveal),
        "flag": BY_NAME.cells(board, step.flag),
        "difficulty": step.difficulty,
        "numbers": BY_NAME.cells(board, step.numbers),
        "uses_mine_count": step.uses_mine_count,
    }


def _step_text(board: Board, step: CertificateStep) -> str:
    moves = [
        f"{action} {', '.join(map(board.name, cells))}"
        for action, cells in (("flag", step.flag), ("reveal", step.reveal))
        if cells
    ]
    proof = [*map(board.name, step.numbers), *(["the mine count"] if step.uses_mine_count else [])]
    return f"{'; '.join(moves)} ({step.difficulty}: {', '.join(proof)})"
