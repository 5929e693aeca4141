"""`sapper solve`: the certain moves of one position."""

from __future__ import annotations

import time

import click

from sapper.cli.drawing import coordinates_option, draw_position
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import position_argument, read_position
from sapper.cli.options import budget_options, choice_option, json_option
from sapper.cli.output import print_json
from sapper.engine.budget import Budget
from sapper.solvers.registry import DEFAULT_SOLVER, SOLVERS
from sapper.solvers.registry import solve as solve_position
from sapper.solvers.result import SolverResult

# Beyond so many deductions the reasons are longer than anyone reads; the moves are all shown.
MAX_REASONS = 40


@click.command(cls=CommandWithLists, lists={"Solvers": name_rows(SOLVERS)})
@position_argument
@choice_option("--solver", "Who solves", SOLVERS.names, default=DEFAULT_SOLVER)
@click.option("--trust-flags", is_flag=True, help="Take flags for mines, as the papers do.")
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
    started = time.perf_counter()
    solution = solve_position(position, solver, budget, trust_flags=trust_flags)
    taken = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "solver": solver,
                "flag": list(solution.flag),
                "reveal": list(solution.reveal),
                "solutions": solution.solutions,
                "seconds": round(taken, 6),
            }
        )
    else:
        click.echo(_report(solution, coordinates))


def _report(solution: SolverResult, coordinates: bool | None) -> str:
    """The position with the moves marked in it, then the moves, then what gave them."""
    if not solution:
        return "no certain move"
    position = solution.position
    grounds = dict.fromkeys(solution.flag, "mark") | dict.fromkeys(solution.reveal, "reveal")
    lines = [draw_position(position, coordinates, colours=grounds)]
    for action, names in (("flag", solution.flag), ("reveal", solution.reveal)):
        if names:
            lines.append(f"{action} {' '.join(names)}")
    reasons = [deduction.text(position) for deduction in solution.deductions[:MAX_REASONS]]
    if len(solution.deductions) > MAX_REASONS:
        reasons.append(f"and {len(solution.deductions) - MAX_REASONS} more steps")
    return "\n".join([*lines, "", *reasons])
