"""`sapper demo`: a game worth watching, and what to try next."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from sapper.answers.watching import Watch, sit_down
from sapper.cli.games.live import pace_option, show, step_scene
from sapper.cli.options import Seed
from sapper.errors import SapperError
from sapper.infer.budget import Budget
from sapper.infer.odds.analysis import analyse
from sapper.infer.proofs.prove import Proof, explain
from sapper.model.frame import Frame
from sapper.model.rules import Rules
from sapper.percent import percent_label
from sapper.play.guess import Guess
from sapper.play.rounds import CERTAIN
from sapper.play.start import Start
from sapper.play.watch import Step
from sapper.wording import counted

LEVEL, PLAYER = "expert", "careful"
# A game that is won, with two guesses and a few moves that pairs of hints do not give.
SEED = 16

# A part of the board in the summary: so many characters and lines, with its numbers.
WIDE, HIGH = 78, 9
# A proof that takes longer than this is not the one to show first.
PATIENCE = Budget(seconds=5)

NEXT = (
    ("play", "play in the browser"),
    ("watch expert --player careful", "another game; also --solver, --tiling"),
    ("deal beginner", "a board of your own; also one-click and table"),
    (r"odds - <<< $'mines: 2\n1##\n1##\n###'", "a position's odds; also solve, explain"),
)


@dataclass(frozen=True)
class Moment:
    """A move with the frame that it was made on."""

    number: int
    before: Frame
    step: Step


@click.command()
@click.option(
    "--seed", type=Seed(), metavar="S", default=SEED, show_default=True, help="Which game."
)
@pace_option
def demo(seed: int, pace: float) -> None:
    """Watch an Expert game; read where it was hardest, one proof, and what to try next."""
    rules = Rules.parse(LEVEL)
    watched = sit_down(Start(rules, seed), "player", PLAYER)
    moves: list[Moment] = []
    steps = _kept(moves, watched.game.frame, watched.steps())
    if sys.stdout.isatty():
        show(steps, watched.game, f"{PLAYER} · seed {seed}", pace)
        click.echo(watched.summary)
    else:
        for _ in steps:
            pass
        click.echo(_start(rules, seed, moves[0]))
    click.echo("\n" + _middle(moves))
    if not sys.stdout.isatty():
        click.echo("\n" + _end(watched, moves[-1]))
    click.echo("\n" + _what_next())


def _kept(moves: list[Moment], frame: Frame, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, each remembered with the frame before it."""
    for number, step in enumerate(steps, start=1):
        moves.append(Moment(number, frame, step))
        frame = step.frame
        yield step


def _start(rules: Rules, seed: int, first: Moment) -> str:
    width, height = rules.board.size
    opened = counted(len(first.step.changed), "cell")
    return (
        f"An Expert game, {width}x{height} with {rules.mines} mines (seed {seed}).\n"
        f"The player {PLAYER!r} makes every certain move, else it takes the blank of least odds.\n"
        f"Its first click opens {opened}:\n\n" + _part(first.step.frame, first.step)
    )


def _middle(moves: list[Moment]) -> str:
    """Where it was hardest, and one proof."""
    told = []
    guesses = [moment for moment in moves if isinstance(moment.step.why, Guess)]
    if guesses:
        told.append(_hardest(max(guesses, key=_risk)))
    proof = _proof(moves)
    if proof is not None:
        told.append(proof)
    return "\n\n".join(told)


def _risk(moment: Moment) -> float:
    return getattr(moment.step.why, "risk", None) or 0.0


def _hardest(moment: Moment) -> str:
    frame = moment.before
    odds = analyse(frame, trust_flags=True).odds
    # The flags stay flags: they are certain.
    shown = {frame.board.cell(name): percent_label(p) for name, p in odds.items() if p != 1}
    return (
        f"Move {moment.number} was the hardest: nothing is certain. The odds of a mine there, in "
        f"%, and the move:\n\n{_part(frame, moment.step, labels=shown)}\n\n{moment.step.text}"
    )


def _proof(moves: list[Moment]) -> str | None:
    """The proof of a move that pairs of hints do not give, without the mine count if there is one.

    Only a few are tried: a proof may take long, and one will do.
    """
    found: list[tuple[Moment, Proof]] = []
    for moment in [moment for moment in moves if moment.step.why.by == CERTAIN][:3]:
        try:
            proof = explain(moment.before, moment.step.move, budget=PATIENCE)
        except SapperError:
            continue
        found.append((moment, proof))
        if not proof.mine_count:
            break
    if not found:
        return None
    moment, proof = min(found, key=lambda one: len(one[1].hints))
    words = textwrap.fill(str(proof), WIDE)
    return f"Move {moment.number} took more than two hints at a time. Its proof:\n\n{words}"


def _end(watched: Watch, last: Moment) -> str:
    from sapper.render.text import scene_text

    board = scene_text(step_scene(last.step, watched.game, quiet=True), width=WIDE).plain()
    words = textwrap.fill(f"The end: {watched.summary}", WIDE)
    return f"{words}\n\n{board}"


def _part(frame: Frame, step: Step, labels: dict[int, str] | None = None) -> str:
    """The board around a move, as much as fits into the summary."""
    from sapper.render.scene import Scene
    from sapper.render.text import scene_text, window_around

    cell = step.move.cell
    scene = Scene.of(frame, labels=labels or {}, outlined=[cell or 0], coordinates=True)
    window = window_around(scene, [cell or 0], WIDE, HIGH)
    return scene_text(scene, window=window).plain()


def _what_next() -> str:
    """Commands to try, as they can be typed here: `sapper` may not be on the path."""
    own = os.path.relpath(sys.argv[0]) if os.path.isfile(sys.argv[0]) else "sapper"
    name = "sapper" if shutil.which("sapper") or not own.endswith("sapper") else own
    wide = max(len(command) for command, _ in NEXT)
    lines = [f"  {name} {command:{wide}}  # {about}" for command, about in NEXT]
    return "\n".join(["What to try next:", *lines])
