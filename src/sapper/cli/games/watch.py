"""`sapper watch`: a solver or a player at work in the terminal, each move with its reason."""

from __future__ import annotations

import sys

import click

from sapper.answers.watching import USUAL, USUAL_WITHOUT_GUESS, sit_down
from sapper.cli.games.live import pace_option, show
from sapper.cli.groups import Listing, described
from sapper.cli.options import (
    board_option,
    budget_options,
    first_option,
    name_option,
    rule_option,
    seed_option,
    size_argument,
    tiling_option,
)
from sapper.cli.reading import read_rules
from sapper.cli.settings import read_settings, settings_option
from sapper.cli.writing import note
from sapper.generate.dealers import NO_GUESS
from sapper.infer.budget import Budget
from sapper.infer.solvers import SOLVERS
from sapper.model.deal import fresh_seed
from sapper.model.game import Game
from sapper.play.players import PLAYERS
from sapper.play.start import Start


@click.command(cls=Listing, lists={"Solvers": described(SOLVERS), "Players": described(PLAYERS)})
@size_argument
@board_option
@name_option(
    "--solver",
    "Stops when stuck",
    SOLVERS.names,
    f"{USUAL}; with --no-guess {USUAL_WITHOUT_GUESS}",
)
@name_option("--player", "Guesses on when stuck", PLAYERS.names)
@settings_option
@tiling_option
@seed_option
@rule_option
@first_option
@pace_option
@click.option("--no-guess", is_flag=True, help="A deal that can be won without a guess.")
@click.option("--plain", is_flag=True, help="One line a move and no colour, for logs.")
@budget_options()
def watch(
    size: str | None,
    board: str | None,
    solver: str | None,
    player: str | None,
    chosen: tuple[str, ...],
    tiling: str | None,
    seed: int | None,
    rule: str | None,
    first: str | None,
    pace: float,
    no_guess: bool,
    plain: bool,
    budget: Budget,
) -> None:
    """Watch a game of SIZE, a level's name or WIDTHxHEIGHT/MINES, or of any graph.

    A solver makes certain moves until it has won, or is stuck and says so.
    A player always moves; a guess is shown with its risk and the next best one.
    Keys, on a terminal: space pauses, n makes one step, + and - change the pace, q goes to the end.
    """
    if solver is not None and player is not None:
        raise click.UsageError("expected a solver or a player, got both")
    number = fresh_seed() if seed is None else seed
    start = Start(read_rules(size, board, tiling, rule), number, NO_GUESS if no_guess else "plain")
    kind = "solver" if player is None else "player"
    settings = read_settings(chosen)
    watched = sit_down(start, kind, player or solver, first, settings=settings, budget=budget)
    steps = watched.steps(budget)
    if plain or not sys.stdout.isatty():
        for step in steps:
            click.echo(step.text)
        click.echo(_last(watched.game))
    else:
        show(steps, watched.game, f"{watched.name} · seed {number}", pace)
    click.echo(watched.summary)
    note(f"seed {number}")


def _last(game: Game) -> str:
    from sapper.render.text import draw

    hit = game.exploded if game.outcome == "lost" else ()
    return draw(game.frame, glyphs=dict.fromkeys(hit, "mine"))
