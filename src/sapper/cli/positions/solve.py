"""`sapper solve`: the certain moves of a position, by one solver."""

from __future__ import annotations

import time

import click

from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import position_argument, read_position
from sapper.cli.options import budget_options, choice_option, json_option, trust_flags_option
from sapper.cli.output import coordinates_option, draw_position, print_json
from sapper.cli.positions.analyse import certain_lines
from sapper.engine.budget import Budget
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
    board = draw_position(position, coordinates, colours=colours)
    return "\n".join([board, *certain_lines(position, safe, mines), "", *reasons])
