"""`sapper watch`: a solver at work in the terminal, each move with its reason."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable

import click

from sapper.cli.common import budget_options, make_budget, note, seed_option
from sapper.infer.solvers import SOLVERS, find_solver
from sapper.model.deal import fresh_seed
from sapper.model.game import Game
from sapper.model.rules import PROMISES, Rules
from sapper.model.tilings import TILINGS
from sapper.play.watch import Step, Tally
from sapper.play.watch import watch as watch_game

# How many of the latest reasons stand under the board.
REASONS = 6


@click.command(epilog=" ".join(f"{row.name}: {row.about}." for row in SOLVERS))
@click.argument("size", metavar="SIZE")
@click.option(
    "--solver",
    default="hybrid",
    show_default=True,
    metavar="NAME",
    help=f"One of {', '.join(row.name for row in SOLVERS)}.",
)
@click.option("--tiling", default="square", help=f"The board: {', '.join(TILINGS)}.")
@seed_option
@click.option("--rule", default="zero", help=f"What is promised: {', '.join(PROMISES)}.")
@click.option("--first", metavar="NAME", help="The first click, such as r3c5; the middle cell.")
@click.option(
    "--pace",
    default=0.05,
    show_default=True,
    type=click.FloatRange(0, 60),
    metavar="SECONDS",
    help="Time from move to move on a terminal.",
)
@click.option("--plain", is_flag=True, help="One line a move and no colour, for logs.")
@budget_options
def watch(
    size: str,
    solver: str,
    tiling: str,
    seed: int | None,
    rule: str,
    first: str | None,
    pace: float,
    plain: bool,
    seconds: float,
    memory: float,
) -> None:
    """Watch a solver play a game of SIZE, a level's name or WIDTHxHEIGHT/MINES.

    It makes certain moves until it has won, or is stuck and says so.
    """
    row = find_solver(solver)
    rules = Rules.parse(size, tiling, rule)
    cell = rules.board.middle if first is None else rules.board.cell(first)
    rules.check_first(cell)
    number = fresh_seed() if seed is None else seed
    game = Game.deal(rules, number)
    tally = Tally()
    steps = watch_game(game, row, tally, cell, make_budget(seconds, memory))
    if plain or not sys.stdout.isatty():
        for step in steps:
            click.echo(step.text)
        click.echo(_last(game))
    else:
        _show(steps, game, pace)
    click.echo(tally.summary(game))
    note(f"seed {number}")


def _last(game: Game) -> str:
    from sapper.render.text import draw

    return draw(game.frame)


def _show(steps: Iterable[Step], game: Game, pace: float) -> None:
    """The board drawn over and over in one place, with the latest reasons under it."""
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    from sapper.render.scene import Scene
    from sapper.render.text import scene_text

    latest: list[str] = []

    def picture(step: Step) -> Group:
        ground = {"flag": "mark", "reveal": "reveal"}[step.move.action]
        scene = Scene.of(
            step.frame,
            colours=dict.fromkeys(step.changed, ground),
            outlined=step.deduction.hints,
        )
        reasons = [Text(reason, no_wrap=True, overflow="ellipsis") for reason in latest]
        return Group(scene_text(scene).rich(), Text(), *reasons)

    console = Console()
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        for step in steps:
            latest.append(step.text)
            del latest[:-REASONS]
            live.update(picture(step), refresh=True)
            time.sleep(pace)
        scene = Scene.of(game.frame)
        live.update(Group(scene_text(scene).rich(), Text()), refresh=True)
