"""`sapper show`: a frame or layout as picture."""

from __future__ import annotations

import click

from sapper.cli.common import position_argument, read_position, write_whole
from sapper.cli.pictures import coordinates_option, picture
from sapper.model.formats import FORMATS, convert
from sapper.model.frame import Frame


@click.command()
@position_argument
@click.option("--svg", metavar="FILE", help="Write the picture as SVG there instead; - prints it.")
@click.option(
    "--as",
    "name",
    metavar="FORMAT",
    help=f"Print it as text of a format: {', '.join(FORMATS.names)}.",
)
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
    if svg == "-":
        click.echo(drawn)
    else:
        write_whole(svg, drawn)
