"""Generated layouts, certificates and puzzles as JSON and as text."""

from __future__ import annotations

from sapper.board.board import Board
from sapper.board.random_layout import GeneratedLayout
from sapper.generators.certificates import Certificate, CertificateStep
from sapper.generators.no_guess import NoGuessLayout
from sapper.generators.puzzles import Puzzle
from sapper.serialize.cells import BY_NAME, CellFormat, Json


def layout_json(generated: GeneratedLayout, with_certificate: bool = False) -> Json:
    """Return a layout as JSON: its text and measures, and the difficulty of a no-guess layout."""
    layout = generated.layout
    answer = {
        "text": f"{layout}\n",
        "first": layout.board.name(generated.first),
        "seed": generated.seed,
        "3bv": layout.three_bv,
        "openings": layout.openings,
        "islands": layout.islands,
    }
    if isinstance(generated, NoGuessLayout):
        answer |= {"method": generated.method, "difficulty": generated.difficulty}
        if with_certificate:
            answer["certificate"] = certificate_json(generated.certificate)
    return answer


def layout_text(generated: GeneratedLayout, with_certificate: bool = False) -> str:
    """Return a layout as text; *with_certificate* adds a line for each step of its certificate."""
    lines = [str(generated.layout)]
    if isinstance(generated, NoGuessLayout) and with_certificate:
        board = generated.layout.board
        for number, step in enumerate(generated.certificate.steps, 1):
            lines.append(f"{number}. {_step_text(board, step)}")
    return "\n".join(lines)


def certificate_json(certificate: Certificate, cell_format: CellFormat = BY_NAME) -> list[Json]:
    """Return the steps of a certificate as JSON: its moves, and the numbers that prove them."""
    board = certificate.layout.board
    return [
        {
            "reveal": cell_format.cells(board, step.reveal),
            "flag": cell_format.cells(board, step.flag),
            "difficulty": step.difficulty,
            "numbers": cell_format.cells(board, step.numbers),
            "uses_mine_count": step.uses_mine_count,
        }
        for step in certificate.steps
    ]


def _step_text(board: Board, step: CertificateStep) -> str:
    moves = [
        f"{action} {', '.join(map(board.name, cells))}"
        for action, cells in (("flag", step.flag), ("reveal", step.reveal))
        if cells
    ]
    proof = [*map(board.name, step.numbers), *(["the mine count"] if step.uses_mine_count else [])]
    return f"{'; '.join(moves)} ({step.difficulty}: {', '.join(proof)})"


def puzzle_json(puzzle: Puzzle) -> Json:
    """Return a puzzle as JSON; `easiest` is the move that `numbers` prove."""
    proof = puzzle.proof
    return {
        "position": f"{puzzle.position}\n",
        "moves": list(puzzle.moves),
        "difficulty": puzzle.difficulty,
        "numbers": list(puzzle.numbers),
        "rating": puzzle.rating,
        "seed": puzzle.seed,
        "easiest": proof.move.format(puzzle.position.board),
        "uses_mine_count": proof.uses_mine_count,
    }
