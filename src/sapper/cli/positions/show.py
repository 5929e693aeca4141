"""`sapper show`: a frame or layout as picture."""

from __future__ import annotations

import click

from sapper.cli.options import file_option, name_option
from sapper.cli.pictures import coordinates_option, picture
from sapper.cli.reading import position_argument, read_position
from sapper.cli.writing import write_or_print
from sapper.model.formats import FORMATS, convert
from sapper.model.frame import Frame


@click.command()
@position_argument
@file_option("--svg", help="Write the picture as SVG there instead; - prints it.")
@name_option("--as", "Print it as text of a format", FORMATS.names, into="name", metavar="FORMAT")
@coordinates_option
def show(file: str, svg: str | None, name: str | None, coordinates: bool | None) -> None:
    """Show a frame or a layout as a picture, or write it in another format."""
    if svg is not None and name is not None:
        raise click.UsageError("expected --svg or --as, got both")
    position = read_position(file)
    if name is not None:
        click.echo(convert(position, name), nl=False)
        return
    if svg is None:
        click.echo(picture(position, coordinates))
        return
    from sapper.render.svg import frame_svg, layout_svg

    drawn = frame_svg(position) if isinstance(position, Frame) else layout_svg(position)
    write_or_print(svg, drawn)
