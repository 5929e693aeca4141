"""`sapper demo`: show a game with its hardest move and a proof, and suggest commands."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.cli.commands.watch import pace_option, show_live, step_scene
from sapper.cli.options import Seed
from sapper.engine.analysis import analyse
from sapper.engine.budget import Budget
from sapper.errors import SapperError
from sapper.games.setup import GameSetup
from sapper.games.watch import WatchedGame, WatchStep, watch_setup
from sapper.kernels.ties import quantise
from sapper.players.agents import CERTAIN
from sapper.players.guess import Guess
from sapper.proofs.prover import Proof, explain
from sapper.wording import count_text, percent_label

LEVEL, PLAYER = "expert", "careful"
# A game that is won, with two guesses and a few moves that need more than two numbers.
SEED = 16

# Size of an excerpt of the board with its coordinates, in characters and lines.
WIDTH, HEIGHT = 78, 9
# A proof that takes longer is skipped.
PROOF_BUDGET = Budget(seconds=5)

SUGGESTIONS = (
    ("play", "play in the browser, with hints and lessons"),
    (r"analyse - <<< $'mines: 2\n1##\n1##\n###'", "safe cells and mine probabilities"),
    ("--help", "all commands"),
)


@dataclass(frozen=True)
class MoveRecord:
    """A move with the position before it."""

    number: int
    position_before: Position
    step: WatchStep


@click.command()
@click.option(
    "--seed", type=Seed(), metavar="S", default=SEED, show_default=True, help="Seed of the game."
)
@pace_option
def demo(seed: int, pace: float) -> None:
    """Watch an Expert game, then read its hardest move, one proof, and what to try next."""
    rules = Rules.parse(LEVEL)
    watched = watch_setup(GameSetup(rules, seed), "player", PLAYER)
    moves: list[MoveRecord] = []
    steps = _record(moves, watched.game.position, watched.steps())
    if sys.stdout.isatty():
        show_live(steps, watched.game, f"{PLAYER} · seed {seed}", pace)
        click.echo(watched.summary)
    else:
        for _ in steps:
            pass
        click.echo(_introduction(rules, seed, moves[0]))
    click.echo("\n" + _highlights(moves))
    if not sys.stdout.isatty():
        click.echo("\n" + _result(watched, moves[-1]))
    click.echo("\n" + _suggestions())


def _record(
    moves: list[MoveRecord], position: Position, steps: Iterable[WatchStep]
) -> Iterator[WatchStep]:
    """Yield the steps, and append each with the position before it to *moves*."""
    for number, step in enumerate(steps, start=1):
        moves.append(MoveRecord(number, position, step))
        position = step.position
        yield step


def _introduction(rules: Rules, seed: int, first: MoveRecord) -> str:
    width, height = rules.board.size
    opened = count_text(len(first.step.changed), "cell")
    return (
        f"An Expert game, {width}x{height} with {rules.mines} mines (seed {seed}).\n"
        f"The player {PLAYER!r} makes every certain move, else it reveals the least risky cell.\n"
        f"Its first click opens {opened}:\n\n" + _excerpt(first.step.position, first.step)
    )


def _highlights(moves: list[MoveRecord]) -> str:
    """Return the hardest move and one proof."""
    parts = []
    guesses = [record for record in moves if isinstance(record.step.reason, Guess)]
    if guesses:
        parts.append(_hardest_guess(max(guesses, key=_risk)))
    proof_text = _proof_text(moves)
    if proof_text is not None:
        parts.append(proof_text)
    return "\n\n".join(parts)


def _risk(record: MoveRecord) -> float:
    return quantise(getattr(record.step.reason, "risk", None) or 0.0)


def _hardest_guess(record: MoveRecord) -> str:
    position = record.position_before
    probabilities = analyse(position, trust_flags=True).probabilities
    # Flagged cells keep their flags: they are certain mines.
    labels = {
        position.board.cell(name): percent_label(p) for name, p in probabilities.items() if p != 1
    }
    picture = _excerpt(position, record.step, labels=labels)
    return (
        f"Move {record.number} was the hardest: nothing is certain. The chance of a mine in "
        f"percent, and the move:\n\n{picture}\n\n{record.step.text}"
    )


def _proof_text(moves: list[MoveRecord]) -> str | None:
    """Return the proof of a move that needs more than two numbers.

    A proof without the mine count is preferred. Only a few moves are tried, because a proof may
    take seconds.
    """
    proofs: list[tuple[MoveRecord, Proof]] = []
    for record in [record for record in moves if record.step.reason.by == CERTAIN][:3]:
        try:
            proof = explain(record.position_before, record.step.move, budget=PROOF_BUDGET)
        except SapperError:
            continue
        proofs.append((record, proof))
        if not proof.uses_mine_count:
            break
    if not proofs:
        return None
    record, proof = min(proofs, key=lambda pair: len(pair[1].numbers))
    text = textwrap.fill(str(proof), WIDTH)
    return f"Move {record.number} needs more than two numbers at a time. Its proof:\n\n{text}"


def _result(watched: WatchedGame, last: MoveRecord) -> str:
    from sapper.render.text import scene_text

    board = scene_text(step_scene(last.step, watched.game, plain=True), width=WIDTH).plain()
    text = textwrap.fill(f"Result: {watched.summary}", WIDTH)
    return f"{text}\n\n{board}"


def _excerpt(position: Position, step: WatchStep, labels: dict[int, str] | None = None) -> str:
    """Draw the part of the board around a move, at most WIDTH by HEIGHT."""
    from sapper.render.scene import Scene
    from sapper.render.text import scene_text, window_around

    cell = step.move.cell
    scene = Scene.of(position, labels=labels or {}, outlined=[cell or 0], coordinates=True)
    window = window_around(scene, [cell or 0], WIDTH, HEIGHT)
    return scene_text(scene, window=window).plain()


def _suggestions() -> str:
    """Return commands to try, with the path of the `sapper` script if it is not on the PATH."""
    script = os.path.relpath(sys.argv[0]) if os.path.isfile(sys.argv[0]) else "sapper"
    name = "sapper" if shutil.which("sapper") or not script.endswith("sapper") else script
    width = max(len(command) for command, _ in SUGGESTIONS)
    lines = [f"  {name} {command:{width}}  # {about}" for command, about in SUGGESTIONS]
    return "\n".join(["What to try next:", *lines])
