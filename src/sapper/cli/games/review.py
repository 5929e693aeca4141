"""`sapper review`: finished games, move by move, and the luck of several together."""

from __future__ import annotations

from collections.abc import Iterator

import click

from sapper.answers.reviews import (
    judged_line,
    luck_json,
    luck_line,
    review_json,
    review_lines,
)
from sapper.answers.spelling import Json
from sapper.cli.common import (
    budget_options,
    games_argument,
    json_option,
    make_budget,
    print_json,
    read_text,
    write_whole,
)
from sapper.cli.pictures import coordinates_option, picture
from sapper.errors import NotationError, SapperError
from sapper.infer.budget import Budget
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.odds.ties import tied_for_least
from sapper.percent import percent_label
from sapper.play.review import Class, Judged, Luck, Review
from sapper.play.review import review as review_of

# Roles of the palette.
COLOURS: dict[Class, str] = {
    "certain": "reveal",
    "only-guess": "guess",
    "best-guess": "guess",
    "mistake": "flag",
}
# How many certain reveals are named beside a mistake.
MOST_NAMED = 8


@click.command()
@games_argument
@click.option(
    "--steps", is_flag=True, help="Step through the game: each move, with the odds that it met."
)
@click.option(
    "--svg", metavar="FILE", help="Write a strip there, a bar for each move; - prints it."
)
@coordinates_option
@budget_options
@json_option
def review(
    files: tuple[str, ...],
    steps: bool,
    svg: str | None,
    coordinates: bool | None,
    seconds: float,
    memory: float,
    as_json: bool,
) -> None:
    """Review saved games: every reveal classed by what could be known, and the luck.

    A reveal is certain, an only-guess (every blank was as risky), a best-guess or a mistake.
    Luck is above 0 where more risks were survived than expected; over many games its mean is 0.
    Several games give a line each, and their luck together with its error.
    """
    budget = make_budget(seconds, memory)
    if len(files) > 1:
        if steps or svg is not None:
            raise NotationError(f"expected one game for --steps and --svg, got {len(files)}")
        _many(files, budget, as_json)
        return
    found = _read(files[0], budget)
    if svg is not None:
        from sapper.render.strip import Bar, strip_svg

        bars = [Bar(move.risk, COLOURS[move.kind], judged_line(move)) for move in found.moves]
        drawn = strip_svg(bars, list(review_lines(found))[-1])
        if svg == "-":
            click.echo(drawn, nl=False)
            return
        write_whole(svg, drawn)
    if as_json:
        print_json(review_json(found))
        return
    if steps:
        for move in found.moves:
            for line in _step(move, coordinates, budget):
                click.echo(line)
    for line in review_lines(found):
        click.echo(line)


def _read(path: str, budget: Budget) -> Review:
    from sapper.answers.saved_games import load_session

    return review_of(load_session(read_text(path)), budget=budget)


def _many(files: tuple[str, ...], budget: Budget, as_json: bool) -> None:
    """A line for each game, and their luck together."""
    games: list[Json] = []
    luck = Luck()
    for path in files:
        try:
            found = _read(path, budget)
        except SapperError as error:
            raise type(error)(f"{path}: {error}") from None
        luck += found.tally
        games.append({"file": path, **_summary(found)})
        if not as_json:
            click.echo(f"{path}: {list(review_lines(found))[-1]}")
    if as_json:
        print_json({"games": games, **luck_json(luck)})
    else:
        click.echo(luck_line(luck))


def _summary(found: Review) -> Json:
    whole = review_json(found)
    return {**whole, "moves": len(found.moves), "missed": len(found.missed)}


def _step(move: Judged, coordinates: bool | None, budget: Budget) -> Iterator[str]:
    """The frame that a move met, with the odds in its blanks and the move in brackets."""
    from sapper.render.palette import ramp

    analysis = analyse(move.frame, budget=budget)
    assert move.move.cell is not None
    yield picture(
        move.frame,
        coordinates,
        labels={name: percent_label(p) for name, p in analysis.odds.items()},
        colours={name: ramp(p) for name, p in analysis.odds.items() if p is not None},
        outlined=[move.move.cell],
    )
    yield f"{judged_line(move)}{_better(move, analysis)}\n"


def _better(move: Judged, analysis: Analysis) -> str:
    """What would have been no mistake: the certain reveals, else the safest cells."""
    if move.kind != "mistake":
        return ""
    board = move.frame.board
    cells = analysis.reveal_cells.tolist()
    how = "certain" if cells else "safest"
    if not cells:
        cells = tied_for_least(analysis.probability).tolist()
    more = len(cells) - MOST_NAMED
    names = " ".join(board.name(cell) for cell in cells[:MOST_NAMED])
    return f"; {how}: {names}{f' and {more} more' if more > 0 else ''}"
