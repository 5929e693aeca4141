"""`sapper watch`: a solver or a player at work in the terminal, each move with its reason."""

from __future__ import annotations

import sys

import click

from sapper.answers.watching import USUAL, USUAL_WITHOUT_GUESS, sit_down
from sapper.cli.common import (
    board_option,
    budget_options,
    make_budget,
    note,
    read_rules,
    seed_option,
)
from sapper.cli.games.live import show
from sapper.cli.numbers import Number
from sapper.cli.settings import read_settings, settings_option
from sapper.generate.dealers import NO_GUESS
from sapper.infer.solvers import SOLVERS
from sapper.model.deal import fresh_seed
from sapper.model.game import Game
from sapper.model.rules import RULES
from sapper.model.tilings import TILINGS
from sapper.play.players import PLAYERS
from sapper.play.start import Start


@click.command(
    epilog="Solvers: "
    + " ".join(f"{row.name}: {row.about}." for row in SOLVERS)
    + " Players: "
    + " ".join(f"{row.name}: {row.about}." for row in PLAYERS)
)
@click.argument("size", metavar="[SIZE]", required=False)
@board_option
@click.option(
    "--solver",
    metavar="NAME",
    help=f"Stops when stuck: {', '.join(SOLVERS.names)}. "
    f"[{USUAL}; with --no-guess {USUAL_WITHOUT_GUESS}]",
)
@click.option(
    "--player", metavar="NAME", help=f"Guesses on when stuck: {', '.join(PLAYERS.names)}."
)
@settings_option
@click.option("--tiling", help=f"The board: {', '.join(TILINGS)}. [square]")
@seed_option
@click.option("--rule", help=f"What is promised: {', '.join(RULES)}. [zero]")
@click.option(
    "--first", metavar="NAME", help="The first click, such as r3c5, or best; the middle cell."
)
@click.option(
    "--pace",
    default=0.05,
    show_default=True,
    type=Number(0, 60),
    metavar="SECONDS",
    help="Time from move to move on a terminal.",
)
@click.option("--no-guess", is_flag=True, help="A deal that can be won without a guess.")
@click.option("--plain", is_flag=True, help="One line a move and no colour, for logs.")
@budget_options
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
    seconds: float,
    memory: float,
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
    budget = make_budget(seconds, memory)
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
