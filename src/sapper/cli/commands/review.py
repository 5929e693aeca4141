"""`sapper review`: finished games judged move by move, and the total luck of several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from math import fsum

import click

from sapper.cli.input import games_argument, read_text
from sapper.cli.options import WholeNumber, budget_options, file_option, json_option
from sapper.cli.output import (
    coordinates_option,
    draw_text,
    print_json,
    reject_svg_with_json,
    write_or_print,
)
from sapper.engine.analysis import Analysis, analyse, tied_for_least
from sapper.engine.budget import Budget
from sapper.errors import NotationError, SapperError
from sapper.games.review import LuckStatistics, MoveClass, Review, ReviewedMove
from sapper.games.review import review as review_game
from sapper.games.session import Session
from sapper.games.win_estimates import MAX_SAMPLES
from sapper.games.win_review import SAMPLES, MoveWinReview, WinReview, win_review
from sapper.serialize.cells import Json
from sapper.serialize.games import (
    luck_json,
    luck_line,
    review_json,
    review_lines,
    reviewed_move_line,
    win_line,
)

# The name of a palette colour for each class of move.
COLOURS: dict[MoveClass, str] = {
    "certain": "reveal",
    "only-guess": "guess",
    "best-guess": "guess",
    "mistake": "flag",
}
# The number of better cells named beside a mistake.
MAX_NAMED = 8


@click.command()
@games_argument
@click.option("--steps", is_flag=True, help="Show each move with the mine probabilities before it.")
@file_option("--svg", help="Write a chart with a bar for each move; - for standard output.")
@click.option(
    "--samples",
    type=WholeNumber(0, MAX_SAMPLES),
    metavar="N",
    help="Number of games for each win chance; 0 leaves win chances out. "
    f"[default: {SAMPLES}; 0 for several games]",
)
@coordinates_option
@budget_options()
@json_option
def review(
    files: tuple[str, ...],
    steps: bool,
    svg: str | None,
    samples: int | None,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Review saved games: judge every reveal by what was known before it, and measure the luck.

    A reveal is certain, an only-guess (all covered cells were equally risky), a best-guess or a
    mistake. Luck is positive if more risks were survived than expected; over many games it averages
    0. Several games, or a profile exported from the page, give a line each, and their total luck
    with its standard deviation.

    A fast player's win chance before and after each move shows what mistakes and luck cost, in
    percentage points. Its estimates take a second or two for an Expert game, so for several games
    they are made only if --samples is given.
    """
    reject_svg_with_json(svg, as_json)
    games = _load_games(files)
    first_games = list(islice(games, 2))
    name, session = first_games[0]
    if len(first_games) > 1 or name not in files:
        if steps or svg is not None:
            raise NotationError("--steps and --svg take one game")
        _review_many(chain(first_games, games), samples or 0, budget, as_json)
        return
    reviewed = review_game(session, budget=budget)
    if svg is not None:
        from sapper.render.svg import Bar, risk_chart_svg

        bars = [
            Bar(move.risk, COLOURS[move.move_class], reviewed_move_line(move))
            for move in reviewed.moves
        ]
        write_or_print(svg, risk_chart_svg(bars, list(review_lines(reviewed))[-1]))
        if svg == "-":
            return
    win = _win_review(reviewed, SAMPLES if samples is None else samples, budget)
    if as_json:
        print_json(review_json(reviewed, win))
        return
    if steps:
        for i, move in enumerate(reviewed.moves):
            for line in _step_lines(move, win.moves[i] if win else None, coordinates, budget):
                click.echo(line)
    for line in review_lines(reviewed, win):
        click.echo(line)
    if win is not None:
        click.echo(win_line(win))


def _win_review(reviewed: Review, samples: int, budget: Budget) -> WinReview | None:
    """Review a game by win chance, unless the number of samples is 0."""
    return win_review(reviewed, samples=samples, budget=budget) if samples else None


def _load_games(files: tuple[str, ...]) -> Iterator[tuple[str, Session]]:
    """Yield each game with a name: its file, and its place there if the file has several."""
    from sapper.serialize.games import load_sessions

    count = 0
    for path in files:
        try:
            for name, session in load_sessions(read_text(path)):
                count += 1
                yield f"{path}: {name}" if name else path, session
        except SapperError as error:
            raise type(error)(f"{path}: {error}" if len(files) > 1 else str(error)) from None
    if not count:
        raise NotationError("no finished game to review")


def _review_many(
    games: Iterable[tuple[str, Session]], samples: int, budget: Budget, as_json: bool
) -> None:
    """Print a line for each game, and their total luck."""
    answers: list[Json] = []
    luck = LuckStatistics()
    for name, session in games:
        reviewed = review_game(session, budget=budget)
        win = _win_review(reviewed, samples, budget)
        luck += reviewed.luck_statistics
        if as_json:
            counts = {"moves": len(reviewed.moves), "missed": len(reviewed.missed)}
            answers.append({"file": name, **review_json(reviewed, win), **counts})
            continue
        click.echo(f"{name}: {list(review_lines(reviewed))[-1]}")
        if win is not None:
            click.echo(f"{name}: {win_line(win)}")
    if as_json:
        totals = {key: _total(answers, key) for key in ("win_cost", "win_luck")}
        print_json({"games": answers, **luck_json(luck), **totals})
    else:
        click.echo(luck_line(luck))


def _total(answers: list[Json], key: str) -> float | None:
    """Return the sum of a figure over all games; None if one of them is unknown."""
    values = [answer[key] for answer in answers]
    return None if None in values else fsum(values)


def _step_lines(
    move: ReviewedMove, win: MoveWinReview | None, coordinates: bool | None, budget: Budget
) -> Iterator[str]:
    """Yield the position before a move, with mine probabilities and the move in brackets."""
    from sapper.render.scene import probability_overlays

    analysis = analyse(move.position, budget=budget)
    yield draw_text(
        move.position,
        coordinates,
        **probability_overlays(move.position, analysis.probabilities.by_cell, move.move.cell),
    )
    yield f"{reviewed_move_line(move, win)}{_better_cells(move, analysis)}\n"


def _better_cells(move: ReviewedMove, analysis: Analysis) -> str:
    """Return the cells that were better than a mistake: safe cells, else the safest."""
    if move.move_class != "mistake":
        return ""
    board = move.position.board
    cells = analysis.safe_cells.tolist()
    title = "safe" if cells else "safest"
    if not cells:
        cells = tied_for_least(analysis.probability_array).tolist()
    more = len(cells) - MAX_NAMED
    names = " ".join(board.name(cell) for cell in cells[:MAX_NAMED])
    return f"; {title}: {names}{f' and {more} more' if more > 0 else ''}"
