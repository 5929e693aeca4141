"""A game at work in the terminal: drawn in one place, with keys to pause, step and change the pace.

The board is cut to a window around the latest move where it is larger than the terminal.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sapper.cli.number_types import Number
from sapper.games.game import Game
from sapper.games.watch import WatchStep
from sapper.players.guess import Guess
from sapper.wording import counted

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.text import Text as RichText

    from sapper.render.scene import Scene

# How many of the latest reasons stand under the board.
REASONS = 6
KEYS = "space: pause   n: one step   + -: faster, slower   q: to the end"

# From move to move, in seconds: what + and - keep to.
QUICKEST, SLOWEST = 0.001, 8.0


pace_option = click.option(
    "--pace",
    default=0.05,
    show_default=True,
    type=Number(0, 60),
    metavar="SECONDS",
    help="Time from move to move on a terminal.",
)


class Pace:
    """How long a move stays on the screen, and what the keys make of that."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.paused = False
        self.hurried = False
        """Whether the rest goes by without being shown."""

    def press(self, key: str) -> bool:
        """Obey a key; answers whether the next move should come at once."""
        if key == " ":
            self.paused = not self.paused
        elif key in "n.":
            self.paused = True
            return True
        elif key in "+=":
            self.seconds = max(QUICKEST, self.seconds / 2)
        elif key in "-_":
            self.seconds = min(SLOWEST, max(QUICKEST, self.seconds) * 2)
        elif key in "q\x1b":
            self.hurried = True
            return True
        return False

    @property
    def words(self) -> str:
        """What the header says of it."""
        return "paused" if self.paused else f"{self.seconds:g} s a move"


class Keyboard:
    """The keys of a terminal, one by one and unseen; none where there is no terminal."""

    def __init__(self, file: int | None):
        self._file = file

    def key(self, seconds: float) -> str | None:
        """The next key within so many seconds."""
        if self._file is None:
            time.sleep(seconds)
            return None
        if not select.select([self._file], [], [], seconds)[0]:
            return None
        pressed = os.read(self._file, 1)
        if not pressed:  # the terminal is gone
            self._file = None
            return None
        return pressed.decode("latin-1")


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """The keyboard while a game is shown; afterwards the terminal is as it was."""
    try:
        import termios
        import tty

        file = sys.stdin.fileno()
        before = termios.tcgetattr(file)
        tty.setcbreak(file, termios.TCSADRAIN)
    except (ImportError, OSError, ValueError, AttributeError, termios.error):
        yield Keyboard(None)
        return
    try:
        yield Keyboard(file)
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)


def show(steps: Iterable[WatchStep], game: Game, title: str, seconds: float) -> None:
    """Show a game move by move, then its end, which stays."""
    from rich.console import Console
    from rich.live import Live

    console, pace = Console(), Pace(seconds)
    latest: list[str] = []
    last: WatchStep | None = None
    with (
        keyboard() as keys,
        Live(console=console, auto_refresh=False, vertical_overflow="crop") as live,
    ):
        for number, step in enumerate(steps, start=1):
            latest.append(step.text)
            del latest[:-REASONS]
            last = step
            if pace.hurried:
                continue
            while True:
                picture = _picture(console, step, game, _head(title, number, pace), latest)
                live.update(picture, refresh=True)
                if _wait(keys, pace):
                    break
        if last is not None:
            live.update(_end(console, last, game), refresh=True)


def _wait(keys: Keyboard, pace: Pace) -> bool:
    """Let a move stand for its time; answers whether the next may come, else redraw."""
    until = time.monotonic() + pace.seconds
    while True:
        left = 0.2 if pace.paused else max(0.0, until - time.monotonic())
        key = keys.key(left)
        if key is not None:
            return pace.press(key)
        if not pace.paused and time.monotonic() >= until:
            return True


def _head(title: str, number: int, pace: Pace) -> str:
    return f"{title} · move {number} · {pace.words}"


def _picture(console: Console, step: WatchStep, game: Game, head: str, latest: list[str]) -> Group:
    from rich.console import Group
    from rich.text import Text

    left = game.mines - len(step.position.flags)
    lines = [Text(text, no_wrap=True, overflow="ellipsis") for text in latest]
    header = Text(f"{head} · {counted(left, 'mine')} left", no_wrap=True, overflow="ellipsis")
    foot = Text(KEYS, "bright_black", no_wrap=True, overflow="ellipsis")
    board = _board(console, step_scene(step, game), step, len(latest) + 5)
    return Group(header, board, Text(), *lines, foot)


def _end(console: Console, step: WatchStep, game: Game) -> Group:
    """The last board: a lost game's with the move that lost it."""
    from rich.console import Group
    from rich.text import Text

    return Group(_board(console, step_scene(step, game, quiet=True), step, 2), Text())


def _board(console: Console, scene: Scene, step: WatchStep, beside: int) -> RichText:
    """The board, or what fits of it around the latest move beside so many other lines."""
    from rich.text import Text

    from sapper.render.text import scene_text, window_around

    if scene.board.tiling is None:
        return scene_text(scene).rich()
    cells = [*step.changed[:1], *([] if step.move.cell is None else [step.move.cell])]
    window = window_around(scene, cells, console.width, max(4, console.height - beside))
    picture = scene_text(scene, window=window).rich()
    if window is None:
        return picture
    rows, columns = window.rows, window.columns
    width, height = scene.board.size
    part = (
        f"rows {rows.start + 1} to {rows.stop} of {height}, "
        f"columns {columns.start + 1} to {columns.stop} of {width}"
    )
    return Text("\n").join([picture, Text(part, "bright_black")]) if beside > 2 else picture


def step_scene(step: WatchStep, game: Game, *, quiet: bool = False) -> Scene:
    """The position after a move, with what changed and its numbers marked; a mine hit is shown."""
    from sapper.render.scene import Scene

    hit = [] if game.outcome != "lost" else sorted(game.exploded)
    if isinstance(step.why, Guess):
        ground = "guess"
    else:
        ground = "mark" if step.move.action == "flag" else "reveal"
    changed = {} if quiet else dict.fromkeys(step.changed, ground)
    return Scene.of(
        step.position,
        colours=changed | dict.fromkeys(hit, "lost"),
        outlined=() if quiet else step.why.numbers,
        glyphs=dict.fromkeys(hit, "mine"),
        coordinates=True,
    )
