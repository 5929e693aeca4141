"""`sapper explain`: a smallest proof of each certain move, or of one."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from sapper.board.position import Position
from sapper.cli.input import position_argument, read_position
from sapper.cli.options import budget_options, json_option, trust_flags_option
from sapper.cli.output import coordinates_option, draw_position, print_json
from sapper.engine.budget import Budget
from sapper.proofs.prover import Proof, explain_all
from sapper.proofs.prover import explain as explain_one
from sapper.serialize.cells import BY_NAME
from sapper.serialize.moves import proof_json


@click.command()
@position_argument
@click.option("--cell", metavar="CELL", help="Explain only this cell.")
@trust_flags_option
@coordinates_option
@budget_options()
@json_option
def explain(
    file: str,
    cell: str | None,
    trust_flags: bool,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Explain the certain moves of the position in FILE, each from as few numbers as possible.

    A proof uses only revealed numbers, and the mine count only where it must.
    """
    position = read_position(file)
    if cell is None:
        proofs = explain_all(position, trust_flags=trust_flags, budget=budget)
    else:
        proofs = (explain_one(position, cell, trust_flags=trust_flags, budget=budget),)
    if as_json:
        print_json({"proofs": [proof_json(proof, BY_NAME) for proof in proofs]})
    elif not proofs:
        click.echo("no certain move")
    else:
        if coordinates or (coordinates is None and sys.stdout.isatty()):
            click.echo(_draw_proofs(position, proofs, coordinates) + "\n")
        for proof in proofs:
            remark = "" if proof.smallest else " (a smaller set of numbers may exist)"
            click.echo(f"{proof}{remark}")


def _draw_proofs(position: Position, proofs: Iterable[Proof], coordinates: bool | None) -> str:
    """Draw the board with the numbers of the proofs in brackets, and the moves coloured."""
    colours = {
        proof.move.cell: "mark" if proof.move.action == "flag" else "reveal"
        for proof in proofs
        if proof.move.cell is not None
    }
    numbers = {cell for proof in proofs for cell in proof.number_cells}
    return draw_position(position, coordinates, colours=colours, outlined=sorted(numbers))
