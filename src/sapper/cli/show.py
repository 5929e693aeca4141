"""`sapper show`: a frame or layout as picture."""

from __future__ import annotations

import sys

import click

from sapper.cli.common import position_argument, read_text, write_whole
from sapper.model.formats import parse_position
from sapper.model.frame import Frame


@click.command()
@position_argument
@click.option("--svg", metavar="FILE", help="Write the picture as SVG there instead; - prints it.")
def show(file: str, svg: str | None) -> None:
    """Show a frame or a layout as a picture."""
    position = parse_position(read_text(file))
    if svg is None:
        from sapper.render.text import draw

        click.echo(draw(position, colour=sys.stdout.isatty()))
        return
    from sapper.render.svg import frame_svg, layout_svg

    picture = frame_svg(position) if isinstance(position, Frame) else layout_svg(position)
    if svg == "-":
        click.echo(picture)
    else:
        write_whole(svg, picture)
