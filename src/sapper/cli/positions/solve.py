"""`sapper solve`: the certain moves of one frame."""

from __future__ import annotations

import time

import click

from sapper.cli.groups import Listing, described
from sapper.cli.options import budget_options, json_option, name_option
from sapper.cli.pictures import coordinates_option, picture
from sapper.cli.reading import frame_argument, read_frame
from sapper.cli.writing import print_json
from sapper.infer.budget import Budget
from sapper.infer.solution import Solution
from sapper.infer.solvers import SOLVERS, USUAL
from sapper.infer.solvers import solve as solve_frame

# Beyond so many deductions the reasons are longer than anyone reads; the moves are all shown.
MOST_REASONS = 40


@click.command(cls=Listing, lists={"Solvers": described(SOLVERS)})
@frame_argument
@name_option("--solver", "Who solves", SOLVERS.names, default=USUAL)
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
    """Find the certain moves of the frame in FILE."""
    frame = read_frame(file)
    started = time.perf_counter()
    solution = solve_frame(frame, solver, budget, trust_flags=trust_flags)
    taken = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "solver": solver,
                "flag": list(solution.flag),
                "reveal": list(solution.reveal),
                "placements": solution.placements,
                "seconds": round(taken, 6),
            }
        )
    else:
        click.echo(_report(solution, coordinates))


def _report(solution: Solution, coordinates: bool | None) -> str:
    """The frame with the moves marked in it, then the moves, then what gave them."""
    if not solution:
        return "no certain move"
    frame = solution.frame
    grounds = dict.fromkeys(solution.flag, "mark") | dict.fromkeys(solution.reveal, "reveal")
    lines = [picture(frame, coordinates, colours=grounds)]
    for action, names in (("flag", solution.flag), ("reveal", solution.reveal)):
        if names:
            lines.append(f"{action} {' '.join(names)}")
    reasons = [deduction.text(frame) for deduction in solution.deductions[:MOST_REASONS]]
    if len(solution.deductions) > MOST_REASONS:
        reasons.append(f"and {len(solution.deductions) - MOST_REASONS} more steps")
    return "\n".join([*lines, "", *reasons])
