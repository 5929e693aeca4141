"""`sapper solve`, `sapper explain` and `sapper hint`: certain moves, proofs and help."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable

import click

from sapper.board.position import Position
from sapper.cli.commands.analyse import certain_lines
from sapper.cli.input import position_argument, read_position
from sapper.cli.options import (
    CommandWithLists,
    WholeNumber,
    budget_options,
    choice_option,
    json_option,
    name_rows,
    trust_flags_option,
)
from sapper.cli.output import coordinates_option, draw_text, print_json
from sapper.engine.budget import Budget
from sapper.players.hints import hint as find_hint
from sapper.proofs.hints import HINT_DETAILS
from sapper.proofs.prover import Proof, explain_all
from sapper.proofs.prover import explain as explain_one
from sapper.serialize.cells import BY_NAME
from sapper.serialize.positions import hint_json, proof_json
from sapper.solvers.registry import DEFAULT_SOLVER, SOLVERS
from sapper.solvers.registry import solve as solve_position
from sapper.solvers.result import SolverResult

# Further reasons are only counted; the moves are all shown.
MAX_REASONS = 40


@click.command(cls=CommandWithLists, lists={"Solvers": name_rows(SOLVERS)})
@position_argument
@choice_option("--solver", "Solver", SOLVERS.names, default=DEFAULT_SOLVER)
@trust_flags_option
@coordinates_option
@budget_options()
@json_option
def solve(
    file: str,
    solver: str,
    trust_flags: bool,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Find the certain moves of the position in FILE."""
    position = read_position(file)
    start = time.perf_counter()
    result = solve_position(position, solver, budget, trust_flags=trust_flags)
    seconds = time.perf_counter() - start
    if as_json:
        print_json(
            {
                "solver": solver,
                "safe": list(position.names(result.safe_cells)),
                "certain_mines": list(position.names(result.certain_mine_cells)),
                "solutions_checked": result.solutions_checked,
                "seconds": round(seconds, 6),
            }
        )
    else:
        click.echo(_report(result, coordinates) if result else "no certain move")


def _report(result: SolverResult, coordinates: bool | None) -> str:
    """Return the board with the moves marked, then the moves, then the reasons."""
    position = result.position
    safe, mines = result.safe_cells.tolist(), result.certain_mine_cells.tolist()
    colours = dict.fromkeys(mines, "mark") | dict.fromkeys(safe, "reveal")
    reasons = [deduction.text(position) for deduction in result.deductions[:MAX_REASONS]]
    if len(result.deductions) > MAX_REASONS:
        reasons.append(f"and {len(result.deductions) - MAX_REASONS} more steps")
    board = draw_text(position, coordinates, colours=colours)
    return "\n".join([board, *certain_lines(position, safe, mines), "", *reasons])


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
    return draw_text(position, coordinates, colours=colours, outlined=sorted(numbers))


@click.command(
    cls=CommandWithLists,
    lists={"Degrees of detail": [(str(i), about) for i, about in enumerate(HINT_DETAILS, 1)]},
)
@position_argument
@click.option(
    "--detail",
    default=1,
    show_default=True,
    type=WholeNumber(),
    metavar="N",
    help=f"Degree of detail: 1 to {len(HINT_DETAILS)}.",
)
@budget_options()
@json_option
def hint(file: str, detail: int, budget: Budget, as_json: bool) -> None:
    """Give a hint for the position in FILE.

    Each degree of detail adds to the one before. From 2 on, every cell that the step takes as known
    comes with its own reason. If nothing is certain, the hint leads to the best guess in the same
    way: where to look, which cells, what each may show, which one and why.
    """
    position = read_position(file)
    result = find_hint(position, detail, budget=budget)
    if as_json:
        print_json(hint_json(result, BY_NAME))
        return
    click.echo(result.text)
    for premise in result.premises:
        name = position.board.name(premise.proof.cell)
        state = "a mine" if premise.proof.is_mine else "safe"
        click.echo(f"Already known: {name} is {state}. {premise.text}")
