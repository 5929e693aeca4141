"""`sapper watch`: a solver or a player in the terminal, each move with its reason."""

from __future__ import annotations

import sys

import click

from sapper.board.random_stream import random_seed
from sapper.cli.games.live import pace_option, show
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import read_rules
from sapper.cli.options import (
    board_option,
    budget_options,
    choice_option,
    first_option,
    parse_settings,
    rule_option,
    seed_option,
    settings_option,
    size_argument,
    tiling_option,
)
from sapper.cli.output import print_note
from sapper.engine.budget import Budget
from sapper.games.game import Game
from sapper.games.setup import GameSetup
from sapper.games.watch import DEFAULT_NO_GUESS_SOLVER, DEFAULT_SOLVER, watch_setup
from sapper.generators.layout_sources import NO_GUESS, layout_generators
from sapper.players.registry import PLAYERS
from sapper.solvers.registry import SOLVERS


@click.command(
    cls=CommandWithLists, lists={"Solvers": name_rows(SOLVERS), "Players": name_rows(PLAYERS)}
)
@size_argument
@board_option
@choice_option(
    "--solver",
    "Solver, which stops when it is stuck",
    SOLVERS.names,
    f"{DEFAULT_SOLVER}; with --no-guess {DEFAULT_NO_GUESS_SOLVER}",
)
@choice_option("--player", "Player, which guesses when it is stuck", PLAYERS.names)
@settings_option
@tiling_option
@seed_option
@rule_option
@first_option
@pace_option
@click.option("--no-guess", is_flag=True, help="Use a no-guess board.")
@click.option("--plain", is_flag=True, help="Print one line per move, without colour.")
@budget_options()
def watch(
    size: str | None,
    board: str | None,
    solver: str | None,
    player: str | None,
    settings: tuple[str, ...],
    tiling: str | None,
    seed: int | None,
    rule: str | None,
    first: str | None,
    pace: float,
    no_guess: bool,
    plain: bool,
    budget: Budget,
) -> None:
    """Watch a game on SIZE, a level's name or WIDTHxHEIGHT/MINES, or on any graph.

    A solver makes certain moves until it wins or is stuck. A player always moves; a guess is shown
    with its risk and the next best one.

    Keys on a terminal: space pauses, n makes one step, + and - change the pace, q skips to the end.
    """
    if solver is not None and player is not None:
        raise click.UsageError("--solver and --player cannot be combined")
    number = random_seed() if seed is None else seed
    rules = read_rules(size, board, tiling, rule)
    watched = watch_setup(
        GameSetup(rules, number, NO_GUESS if no_guess else "plain"),
        "solver" if player is None else "player",
        player or solver,
        first,
        settings=parse_settings(settings),
        layout_generators=layout_generators(budget),
    )
    steps = watched.steps(budget)
    if plain or not sys.stdout.isatty():
        for step in steps:
            click.echo(step.text)
        click.echo(_final_board(watched.game))
    else:
        show(steps, watched.game, f"{watched.name} · seed {number}", pace)
    click.echo(watched.summary)
    print_note(f"seed {number}")


def _final_board(game: Game) -> str:
    from sapper.render.text import draw

    hit = game.exploded if game.outcome == "lost" else ()
    return draw(game.position, glyphs=dict.fromkeys(hit, "mine"))
