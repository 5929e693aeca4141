"""`sapper explain`: a smallest proof of each certain move, or of one."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from sapper.answers.moves import proof_json
from sapper.answers.spelling import BY_NAME
from sapper.cli.options import budget_options, json_option
from sapper.cli.pictures import coordinates_option, picture
from sapper.cli.reading import frame_argument, read_frame
from sapper.cli.writing import print_json
from sapper.infer.budget import Budget
from sapper.infer.proofs.prove import Proof, explain_all
from sapper.infer.proofs.prove import explain as explain_one
from sapper.model.frame import Frame


@click.command()
@frame_argument
@click.option("--cell", metavar="CELL", help="Only what is certain of this cell.")
@click.option("--trust-flags", is_flag=True, help="Take flags for mines.")
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
    """Explain the certain moves of the frame in FILE, each by as few hints as possible.

    A proof reads the revealed hints alone, and the mine count only where it must.
    """
    frame = read_frame(file)
    if cell is None:
        proofs = explain_all(frame, trust_flags=trust_flags, budget=budget)
    else:
        proofs = (explain_one(frame, cell, trust_flags=trust_flags, budget=budget),)
    if as_json:
        print_json({"proofs": [proof_json(proof, BY_NAME) for proof in proofs]})
    elif not proofs:
        click.echo("no certain move")
    else:
        if coordinates or (coordinates is None and sys.stdout.isatty()):
            click.echo(_marked(frame, proofs, coordinates) + "\n")
        for proof in proofs:
            note = "" if proof.smallest else " (a smaller set of hints may exist)"
            click.echo(f"{proof}{note}")


def _marked(frame: Frame, proofs: Iterable[Proof], coordinates: bool | None) -> str:
    """The board with the hints of the proofs in brackets, and the moves coloured."""
    grounds = {
        proof.move.cell: "mark" if proof.move.action == "flag" else "reveal"
        for proof in proofs
        if proof.move.cell is not None
    }
    hints = {cell for proof in proofs for cell in proof.hint_cells}
    return picture(frame, coordinates, colours=grounds, outlined=sorted(hints))
