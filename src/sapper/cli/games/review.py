"""`sapper review`: finished games, move by move, and the luck of several together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import click

from sapper.cli.drawing import coordinates_option, draw_position
from sapper.cli.input import games_argument, read_text
from sapper.cli.options import budget_options, file_option, json_option
from sapper.cli.output import print_json, write_or_print
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Budget
from sapper.engine.probabilities import tied_for_least
from sapper.errors import NotationError, SapperError
from sapper.games.review import Class, Luck, Review, ReviewedMove
from sapper.games.review import review as review_of
from sapper.games.session import Session
from sapper.serialize.cells import Json
from sapper.serialize.reviews import (
    luck_json,
    luck_line,
    review_json,
    review_lines,
    reviewed_move_line,
)

# Roles of the palette.
COLOURS: dict[Class, str] = {
    "certain": "reveal",
    "only-guess": "guess",
    "best-guess": "guess",
    "mistake": "flag",
}
# How many certain reveals are named beside a mistake.
MAX_NAMED = 8


@click.command()
@games_argument
@click.option(
    "--steps",
    is_flag=True,
    help="Step through the game: each move, with the probabilities that it met.",
)
@file_option("--svg", help="Write a strip there, a bar for each move; - prints it.")
@coordinates_option
@budget_options()
@json_option
def review(
    files: tuple[str, ...],
    steps: bool,
    svg: str | None,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Review saved games: every reveal classed by what could be known, and the luck.

    A reveal is certain, an only-guess (every covered cell was as risky), a best-guess or a mistake.
    Luck is above 0 where more risks were survived than expected; over many games its mean is 0.
    Several games, or all of a profile that the page exported, give a line each, and their luck
    together with its error.
    """
    games = _games(files)
    first = next(games)
    second = next(games, None)
    if second is not None or first.name not in files:
        if steps or svg is not None:
            raise NotationError("expected one game for --steps and --svg, got several")
        _many(chain([first], [] if second is None else [second], games), budget, as_json)
        return
    found = review_of(first.session, budget=budget)
    if svg is not None:
        from sapper.render.risk_chart import Bar, risk_chart_svg

        bars = [
            Bar(move.risk, COLOURS[move.kind], reviewed_move_line(move)) for move in found.moves
        ]
        write_or_print(svg, risk_chart_svg(bars, list(review_lines(found))[-1]))
        if svg == "-":
            return
    if as_json:
        print_json(review_json(found))
        return
    if steps:
        for move in found.moves:
            for line in _step(move, coordinates, budget):
                click.echo(line)
    for line in review_lines(found):
        click.echo(line)


class Named(NamedTuple):
    """A game, and what it is called: its file, and its place there where that has several."""

    name: str
    session: Session


def _games(files: tuple[str, ...]) -> Iterator[Named]:
    from sapper.serialize.saved_games import load_sessions

    found = 0
    for path in files:
        try:
            for name, session in load_sessions(read_text(path)):
                found += 1
                yield Named(f"{path}: {name}" if name else path, session)
        except SapperError as error:
            raise type(error)(f"{path}: {error}" if len(files) > 1 else str(error)) from None
    if not found:
        raise NotationError("expected a game that is over, got none")


def _many(games: Iterable[Named], budget: Budget, as_json: bool) -> None:
    """A line for each game, and their luck together."""
    told: list[Json] = []
    luck = Luck()
    for name, session in games:
        found = review_of(session, budget=budget)
        luck += found.tally
        if as_json:
            told.append({"file": name, **_summary(found)})
        else:
            click.echo(f"{name}: {list(review_lines(found))[-1]}")
    if as_json:
        print_json({"games": told, **luck_json(luck)})
    else:
        click.echo(luck_line(luck))


def _summary(found: Review) -> Json:
    whole = review_json(found)
    return {**whole, "moves": len(found.moves), "missed": len(found.missed)}


def _step(move: ReviewedMove, coordinates: bool | None, budget: Budget) -> Iterator[str]:
    """The position that a move met, with the probabilities in its covered cells and the move in brackets."""
    from sapper.render.probabilities import probability_overlays

    analysis = analyse(move.position, budget=budget)
    yield draw_position(
        move.position,
        coordinates,
        **probability_overlays(move.position, analysis.probabilities, move.move.cell),
    )
    yield f"{reviewed_move_line(move)}{_better(move, analysis)}\n"


def _better(move: ReviewedMove, analysis: Analysis) -> str:
    """What would have been no mistake: the certain reveals, else the safest cells."""
    if move.kind != "mistake":
        return ""
    board = move.position.board
    cells = analysis.safe_cells.tolist()
    how = "certain" if cells else "safest"
    if not cells:
        cells = tied_for_least(analysis.probability).tolist()
    more = len(cells) - MAX_NAMED
    names = " ".join(board.name(cell) for cell in cells[:MAX_NAMED])
    return f"; {how}: {names}{f' and {more} more' if more > 0 else ''}"
