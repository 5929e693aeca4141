"""`sapper hint`: help for a player who is stuck, as much as asked for."""

from __future__ import annotations

import click

from sapper.cli.groups import CommandWithLists
from sapper.cli.input import position_argument, read_position
from sapper.cli.number_types import WholeNumber
from sapper.cli.options import budget_options, json_option
from sapper.cli.output import print_json
from sapper.engine.budget import Budget
from sapper.players.hints import hint as find_hint
from sapper.proofs.hints import HINT_DETAILS
from sapper.serialize.cells import BY_NAME
from sapper.serialize.moves import hint_json


@click.command(
    cls=CommandWithLists,
    lists={"Degrees": [(str(k), told) for k, told in enumerate(HINT_DETAILS, 1)]},
)
@position_argument
@click.option(
    "--degree",
    default=1,
    show_default=True,
    type=WholeNumber(),
    metavar="N",
    help=f"How much to tell: 1 to {len(HINT_DETAILS)}.",
)
@budget_options()
@json_option
def hint(file: str, detail: int, budget: Budget, as_json: bool) -> None:
    """Help a player who is stuck at the position in FILE.

    A degree tells what the one before tells and one thing more. From the second on, each mine that
    the step takes as known is told with its own reason. Where nothing is certain, the best guess is
    told by degrees: where the choice lies, which cells, what each would tell, which one and why.
    """
    position = read_position(file)
    found = find_hint(position, detail, budget=budget)
    if as_json:
        print_json(hint_json(found, position.board, BY_NAME))
    else:
        click.echo(found.text)
        for one in found.premises:
            state = "a mine" if one.mine else "free"
            click.echo(f"Known before: {one.cell} is {state}. {one.why}")
