"""`sapper hint`: help for a user who is stuck, with as much detail as asked for."""

from __future__ import annotations

import click

from sapper.cli.groups import CommandWithLists
from sapper.cli.input import position_argument, read_position
from sapper.cli.options import WholeNumber, budget_options, json_option
from sapper.cli.output import print_json
from sapper.engine.budget import Budget
from sapper.players.hints import hint as find_hint
from sapper.proofs.hints import HINT_DETAILS
from sapper.serialize.cells import BY_NAME
from sapper.serialize.moves import hint_json


@click.command(
    cls=CommandWithLists,
    lists={"Details": [(str(k), about) for k, about in enumerate(HINT_DETAILS, 1)]},
)
@position_argument
@click.option(
    "--detail",
    default=1,
    show_default=True,
    type=WholeNumber(),
    metavar="N",
    help=f"How much to reveal: 1 to {len(HINT_DETAILS)}.",
)
@budget_options()
@json_option
def hint(file: str, detail: int, budget: Budget, as_json: bool) -> None:
    """Give a hint for the position in FILE.

    Each detail adds one thing to the one before. From 2 on, every cell that the step takes as known
    comes with its own reason. If nothing is certain, the hint leads to the best guess in the same
    way: where to look, which cells, what each may show, which one and why.
    """
    position = read_position(file)
    found = find_hint(position, detail, budget=budget)
    if as_json:
        print_json(hint_json(found, BY_NAME))
        return
    click.echo(found.text)
    for premise in found.premises:
        name = position.board.name(premise.proof.cell)
        state = "a mine" if premise.proof.is_mine else "safe"
        click.echo(f"Already known: {name} is {state}. {premise.text}")
