"""`sapper watch`: a solver or a player in the terminal, live or as plain text."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sapper.board.position import Position
from sapper.board.random_stream import random_seed
from sapper.board.rules import Rules
from sapper.cli.input import rules_options
from sapper.cli.options import (
    CommandWithLists,
    Number,
    budget_options,
    choice_option,
    first_option,
    name_rows,
    parse_settings,
    seed_option,
    settings_option,
)
from sapper.cli.output import print_note
from sapper.engine.budget import Budget
from sapper.errors import OutOfBudget
from sapper.games.game import Game
from sapper.games.setup import GameSetup
from sapper.games.watch import DEFAULT_NO_GUESS_SOLVER, DEFAULT_SOLVER, WatchStep, watch_setup
from sapper.games.win_chance import win_chance
from sapper.games.win_estimates import default_player
from sapper.generators.layouts import NO_GUESS, layout_generators
from sapper.players.guess import Guess
from sapper.players.registry import PLAYERS
from sapper.solvers.registry import SOLVERS
from sapper.wording import count_text

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.text import Text as RichText

    from sapper.render.scene import Scene

# The number of reasons shown under the board.
MAX_REASONS = 6
KEYS = "space: pause   n: one step   + -: faster, slower   q: to the end"

# The win chance in the header: samples per estimate, fewer on boards of more than 500 cells, so
# that an estimate stays close to its time limit.
WIN_SAMPLES = 100
WIN_SAMPLE_CELLS = 50_000
WIN_BUDGET = Budget(seconds=0.25)
# No win chance is shown for larger boards: an estimate would take too long.
MAX_WIN_CELLS = 2_000
# At a fast pace it is estimated after each guess and otherwise only once in this many moves.
MOVES_PER_ESTIMATE = 10

# Bounds of the pace that + and - can reach, in seconds per move.
FASTEST, SLOWEST = 0.001, 8.0


pace_option = click.option(
    "--pace",
    default=0.05,
    show_default=True,
    type=Number(0, 60),
    metavar="SECONDS",
    help="Time between moves on a terminal, at most 60.",
)


class Pace:
    """How long a move stays on the screen, changed by keys."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.paused = False
        self.skip_to_end = False

    def press(self, key: str) -> bool:
        """Handle a key and return whether to show the next move at once."""
        if key == " ":
            self.paused = not self.paused
        elif key in "n.":
            self.paused = True
            return True
        elif key in "+=":
            self.seconds = max(FASTEST, self.seconds / 2)
        elif key in "-_":
            self.seconds = min(SLOWEST, max(FASTEST, self.seconds) * 2)
        elif key in "q\x1b":
            self.skip_to_end = True
            return True
        return False

    @property
    def text(self) -> str:
        """Return the pace for the header."""
        return "paused" if self.paused else f"{self.seconds:g} s per move"


class Keyboard:
    """A reader of single keys from a terminal; without a terminal it returns none."""

    def __init__(self, descriptor: int | None):
        self._descriptor = descriptor

    def read_key(self, timeout: float) -> str | None:
        """Wait up to *timeout* seconds for a key; return None if there is none."""
        if self._descriptor is None:
            time.sleep(timeout)
            return None
        if not select.select([self._descriptor], [], [], timeout)[0]:
            return None
        data = os.read(self._descriptor, 1)
        if not data:  # the terminal was closed
            self._descriptor = None
            return None
        return data.decode("latin-1")


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """Read single keys within the context, then restore the terminal."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield Keyboard(None)
        return
    try:
        descriptor = sys.stdin.fileno()
        old_settings = termios.tcgetattr(descriptor)
        tty.setcbreak(descriptor, termios.TCSADRAIN)
    except (OSError, ValueError, AttributeError, termios.error):
        yield Keyboard(None)
        return
    try:
        yield Keyboard(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, old_settings)


def show_live(
    steps: Iterable[WatchStep],
    game: Game,
    title: str,
    seconds: float,
    *,
    with_win_chance: bool = False,
) -> None:
    """Show a game move by move, then leave the last board on the screen.

    The time that an estimate of the win chance takes is part of the pace.
    """
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    console, pace = Console(), Pace(seconds)
    reasons: list[str] = []
    last: WatchStep | None = None
    chance = ""
    with (
        keyboard() as keys,
        Live(console=console, auto_refresh=False, vertical_overflow="crop") as live,
    ):
        for number, step in enumerate(steps, start=1):
            reasons.append(step.text)
            del reasons[:-MAX_REASONS]
            last = step
            if pace.skip_to_end:
                continue
            shown_at = time.monotonic()
            if with_win_chance and (game.over or _is_estimate_due(step, number, pace)):
                chance = win_chance_text(step.position, game.over)
            while True:
                mines_left = count_text(game.mines - len(step.position.flags), "mine")
                header = f"{title} · move {number} · {pace.text} · {mines_left} left{chance}"
                live.update(_live_view(console, step, game, header, reasons), refresh=True)
                if _wait(keys, pace, shown_at):
                    break
                shown_at = time.monotonic()
        if last is not None:
            board = _draw_board(console, step_scene(last, game, plain=True), last, 2)
            live.update(Group(board, Text()), refresh=True)


def _is_estimate_due(step: WatchStep, number: int, pace: Pace) -> bool:
    """Return whether to estimate the win chance: always at a slow pace, else after some moves."""
    slow = pace.paused or pace.seconds >= WIN_BUDGET.seconds
    return slow or isinstance(step.reason, Guess) or number % MOVES_PER_ESTIMATE == 1


def win_chance_text(position: Position, is_over: bool) -> str:
    """Return the win chance for the header; empty if it cannot be estimated in time."""
    if is_over or len(position.board) > MAX_WIN_CELLS:
        return ""
    # One player for the whole game: the figure would jump where an exact search starts.
    player = default_player(position.board)
    samples = min(WIN_SAMPLES, WIN_SAMPLE_CELLS // len(position.board))
    try:
        chance = win_chance(position, player=player, samples=samples, budget=WIN_BUDGET)
    except OutOfBudget:
        return ""
    return f" · win chance {100 * chance.value:.0f}%"


def _wait(keys: Keyboard, pace: Pace, shown_at: float) -> bool:
    """Wait until the next move is due and return True; return False to redraw after a key."""
    due_at = shown_at + pace.seconds
    while True:
        timeout = 0.2 if pace.paused else max(0.0, due_at - time.monotonic())
        key = keys.read_key(timeout)
        if key is not None:
            return pace.press(key)
        if not pace.paused and time.monotonic() >= due_at:
            return True


def _live_view(
    console: Console, step: WatchStep, game: Game, header: str, reasons: list[str]
) -> Group:
    from rich.console import Group
    from rich.text import Text

    lines = [Text(text, no_wrap=True, overflow="ellipsis") for text in reasons]
    header_line = Text(header, no_wrap=True, overflow="ellipsis")
    keys_line = Text(KEYS, "bright_black", no_wrap=True, overflow="ellipsis")
    board = _draw_board(console, step_scene(step, game), step, len(reasons) + 5)
    return Group(header_line, board, Text(), *lines, keys_line)


def _draw_board(console: Console, scene: Scene, step: WatchStep, other_lines: int) -> RichText:
    """Draw the board, or the part around the latest move that leaves room for *other_lines*."""
    from rich.text import Text

    from sapper.render.text import scene_text, window_around

    if scene.board.tiling is None:
        return scene_text(scene).rich()
    cells = list(step.changed[:1])
    if step.move.cell is not None:
        cells.append(step.move.cell)
    window = window_around(scene, cells, console.width, max(4, console.height - other_lines))
    picture = scene_text(scene, window=window).rich()
    if window is None:
        return picture
    rows, columns = window.rows, window.columns
    width, height = scene.board.size
    caption = (
        f"rows {rows.start + 1} to {rows.stop} of {height}, "
        f"columns {columns.start + 1} to {columns.stop} of {width}"
    )
    return Text("\n").join([picture, Text(caption, "bright_black")]) if other_lines > 2 else picture


def step_scene(step: WatchStep, game: Game, *, plain: bool = False) -> Scene:
    """Return the position after a move; unless *plain*, mark changed cells and used numbers."""
    from sapper.render.scene import Scene

    exploded = [] if game.outcome != "lost" else sorted(game.exploded)
    if isinstance(step.reason, Guess):
        colour = "guess"
    else:
        colour = "mark" if step.move.action == "flag" else "reveal"
    changed = {} if plain else dict.fromkeys(step.changed, colour)
    return Scene.of(
        step.position,
        colours=changed | dict.fromkeys(exploded, "lost"),
        outlined=() if plain else step.reason.number_cells,
        glyphs=dict.fromkeys(exploded, "mine"),
        coordinates=True,
    )


@click.command(
    cls=CommandWithLists, lists={"Solvers": name_rows(SOLVERS), "Players": name_rows(PLAYERS)}
)
@rules_options
@choice_option(
    "--solver",
    "Solver, which stops when it is stuck",
    SOLVERS.names,
    f"{DEFAULT_SOLVER}; with --no-guess {DEFAULT_NO_GUESS_SOLVER}",
)
@choice_option("--player", "Player, which guesses when it is stuck", PLAYERS.names)
@settings_option
@first_option
@seed_option
@pace_option
@click.option("--no-guess", is_flag=True, help="Use a no-guess board.")
@click.option("--plain", is_flag=True, help="Print one line per move, without colour.")
@click.option("--no-win-chance", is_flag=True, help="Leave the win chance out of the header.")
@budget_options()
def watch(
    rules: Rules,
    solver: str | None,
    player: str | None,
    settings: tuple[str, ...],
    first: str | None,
    seed: int | None,
    pace: float,
    no_guess: bool,
    plain: bool,
    no_win_chance: bool,
    budget: Budget,
) -> None:
    """Watch a game on SIZE, a level's name or WIDTHxHEIGHT/MINES, or on any graph.

    A solver makes certain moves until it wins or is stuck. A player always moves; a guess is shown
    with its risk and the next best one.

    On a terminal the header has the win chance: how often a fast player would win from here.

    Keys on a terminal: space pauses, n makes one step, + and - change the pace, q skips to the end.
    """
    if solver is not None and player is not None:
        raise click.UsageError("--solver and --player cannot be combined")
    seed = random_seed() if seed is None else seed
    watched = watch_setup(
        GameSetup(rules, seed, NO_GUESS if no_guess else "plain"),
        "solver" if player is None else "player",
        player or solver,
        first,
        settings=parse_settings(settings),
        layout_generators=layout_generators(budget),
    )
    steps = watched.steps(budget)
    game = watched.game
    if plain or not sys.stdout.isatty():
        from sapper.render.text import draw

        for step in steps:
            click.echo(step.text)
        exploded = game.exploded if game.outcome == "lost" else ()
        click.echo(draw(game.position, glyphs=dict.fromkeys(exploded, "mine")))
    else:
        title = f"{watched.name} · seed {seed}"
        show_live(steps, game, title, pace, with_win_chance=not no_win_chance)
    click.echo(watched.summary)
    print_note(f"seed {seed}")
