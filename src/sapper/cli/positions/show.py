"""`sapper show`: a position or layout as picture."""

from __future__ import annotations

import click

from sapper.board.position import Position
from sapper.cli.drawing import coordinates_option, draw_position
from sapper.cli.input import position_or_layout_argument, read_position_or_layout
from sapper.cli.options import choice_option, file_option
from sapper.cli.output import write_or_print
from sapper.formats.registry import FORMATS, convert


@click.command()
@position_or_layout_argument
@file_option("--svg", help="Write the picture as SVG there instead; - prints it.")
@choice_option("--as", "Print it as text of a format", FORMATS.names, into="name", metavar="FORMAT")
@coordinates_option
def show(file: str, svg: str | None, name: str | None, coordinates: bool | None) -> None:
    """Show a position or a layout as a picture, or write it in another format."""
    if svg is not None and name is not None:
        raise click.UsageError("expected --svg or --as, got both")
    position = read_position_or_layout(file)
    if name is not None:
        click.echo(convert(position, name), nl=False)
        return
    if svg is None:
        click.echo(draw_position(position, coordinates))
        return
    from sapper.render.svg import layout_svg, position_svg

    drawn = position_svg(position) if isinstance(position, Position) else layout_svg(position)
    write_or_print(svg, drawn)
