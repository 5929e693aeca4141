"""`sapper review`: a finished game, move by move."""

from __future__ import annotations

import sys

import click

from sapper.answers.reviews import judged_line, review_json, review_lines
from sapper.cli.common import (
    budget_options,
    game_argument,
    json_option,
    make_budget,
    print_json,
    read_text,
    write_whole,
)
from sapper.play.review import Class
from sapper.play.review import review as review_of

# Roles of the palette.
COLOURS: dict[Class, str] = {
    "certain": "reveal",
    "only-guess": "guess",
    "best-guess": "guess",
    "mistake": "flag",
}


@click.command()
@game_argument
@click.option("--steps", is_flag=True, help="Show the frame of every move, with its odds beside.")
@click.option(
    "--svg", metavar="FILE", help="Write a strip there, a bar for each move; - prints it."
)
@budget_options
@json_option
def review(
    file: str, steps: bool, svg: str | None, seconds: float, memory: float, as_json: bool
) -> None:
    """Review a saved game: every reveal classed by what could be known, and its luck.

    A reveal is certain, an only-guess (every blank was as risky), a best-guess or a mistake.
    Luck is above 0 where more risks were survived than expected; over many games its mean is 0.
    """
    from sapper.answers.saved_games import load_session

    found = review_of(load_session(read_text(file)), budget=make_budget(seconds, memory))
    if svg is not None:
        from sapper.render.strip import Bar, strip_svg

        bars = [Bar(move.risk, COLOURS[move.kind], judged_line(move)) for move in found.moves]
        picture = strip_svg(bars, list(review_lines(found))[-1])
        if svg == "-":
            click.echo(picture, nl=False)
            return
        write_whole(svg, picture)
    if as_json:
        print_json(review_json(found))
        return
    if steps:
        from sapper.render.text import draw

        for move in found.moves:
            click.echo(draw(move.frame, colour=sys.stdout.isatty()))
            click.echo(judged_line(move) + "\n")
    for line in review_lines(found):
        click.echo(line)
