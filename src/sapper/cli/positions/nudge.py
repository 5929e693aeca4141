"""`sapper nudge`: help for a player who is stuck, as much as asked for."""

from __future__ import annotations

import click

from sapper.answers.moves import nudge_json
from sapper.answers.spelling import BY_NAME
from sapper.cli.groups import Listing
from sapper.cli.numbers import Whole
from sapper.cli.options import budget_options, json_option
from sapper.cli.reading import frame_argument, read_frame
from sapper.cli.writing import print_json
from sapper.infer.budget import Budget
from sapper.infer.proofs.nudges import DEGREES
from sapper.play.nudging import nudge as find_nudge


@click.command(
    cls=Listing, lists={"Degrees": [(str(k), told) for k, told in enumerate(DEGREES, 1)]}
)
@frame_argument
@click.option(
    "--degree",
    default=1,
    show_default=True,
    type=Whole(),
    metavar="N",
    help=f"How much to tell: 1 to {len(DEGREES)}.",
)
@budget_options()
@json_option
def nudge(file: str, degree: int, budget: Budget, as_json: bool) -> None:
    """Help a player who is stuck at the frame in FILE.

    A degree tells what the one before tells and one thing more. From the second on, each mine that
    the step takes as known is told with its own reason. Where nothing is certain, the best guess is
    told by degrees: where the choice lies, which cells, what each would tell, which one and why.
    """
    frame = read_frame(file)
    found = find_nudge(frame, degree, budget=budget)
    if as_json:
        print_json(nudge_json(found, frame.board, BY_NAME))
    else:
        click.echo(found.text)
        for one in found.follows:
            state = "a mine" if one.mine else "free"
            click.echo(f"Known before: {one.cell} is {state}. {one.why}")
