"""Pages of shapes as PDF, written by reportlab; the same pages give the same bytes.

Shapes are in points (1/72 inch), y down from the upper left corner of the page.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sapper.errors import NotationError
from sapper.render.palette import light
from sapper.render.shapes import Circle, Line, Polygon, Shape, Text, style_of

# Every PDF viewer has these fonts; they contain Western European letters only.
FONTS = ("Helvetica", "Helvetica-Bold")
# Text with a halo is first written as outlines of this width, as a share of the font size.
HALO_WIDTH = 0.3
OUTLINE_MODE = 1
"""The text rendering mode of PDF that draws outlines."""
# Regular and bold fonts with more letters; common systems have one in reportlab's search path.
UNICODE_FONTS = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
)


def pages_pdf(pages: Sequence[Sequence[Shape]], size: tuple[float, float], title: str) -> bytes:
    """Return a PDF file with pages of one size, in points."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, bottomup=1, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("sapper")
    writer = _PdfWriter(canvas, size[1], _fonts_for(pages))
    for page in pages:
        writer.draw(page)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


class _PdfWriter:
    """A writer of shapes on a reportlab canvas, whose y points up."""

    def __init__(self, canvas: Any, height: float, fonts: tuple[str, str]):
        self.canvas, self.height, self.fonts = canvas, height, fonts

    def draw(self, shapes: Sequence[Shape]) -> None:
        self.canvas.setLineJoin(1)
        self.canvas.setLineCap(1)
        for (kind, fill, stroke, width), run in groupby(shapes, key=style_of):
            if fill:
                self.canvas.setFillColor(light(fill))
            if stroke and kind != "text":
                self.canvas.setStrokeColor(light(stroke))
                self.canvas.setLineWidth(width)
            self.canvas.setDash(*((2, 2) if kind == "dashes" else ()))
            if kind == "text":
                for shape in run:
                    self._text(shape)
            else:
                path = self.canvas.beginPath()
                for shape in run:
                    self._trace(path, shape)
                self.canvas.drawPath(path, stroke=int(bool(stroke)), fill=int(bool(fill)))

    def _trace(self, path: Any, shape: Shape) -> None:
        match shape:
            case Polygon():
                (x, y), *others = shape.points
                path.moveTo(x, self.height - y)
                for x, y in others:
                    path.lineTo(x, self.height - y)
                path.close()
            case Line():
                path.moveTo(shape.start[0], self.height - shape.start[1])
                path.lineTo(shape.end[0], self.height - shape.end[1])
            case Circle():
                path.circle(shape.centre[0], self.height - shape.centre[1], shape.radius)

    def _text(self, shape: Shape) -> None:
        assert isinstance(shape, Text)
        canvas, (x, y) = self.canvas, shape.centre
        canvas.setFont(self.fonts[shape.bold], shape.size)
        write = {
            "start": canvas.drawString,
            "middle": canvas.drawCentredString,
            "end": canvas.drawRightString,
        }[shape.anchor]
        # An offset of 0.36 of the size centres digits vertically.
        base = self.height - y - 0.36 * shape.size
        if shape.halo:
            canvas.saveState()
            canvas.setStrokeColor(light(shape.halo))
            canvas.setLineWidth(HALO_WIDTH * shape.size)
            write(x, base, shape.text, mode=OUTLINE_MODE)
            canvas.restoreState()
        write(x, base, shape.text)


def _fonts_for(pages: Sequence[Sequence[Shape]]) -> tuple[str, str]:
    """Return a regular and a bold font that contain every letter of the pages."""
    texts = [shape.text for page in pages for shape in page if isinstance(shape, Text)]
    other = next((text for text in texts if not _is_western(text)), None)
    if other is None:
        return FONTS
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    for files in UNICODE_FONTS:
        try:
            fonts = [TTFont(file, file) for file in files]
        except TTFError:
            continue
        letters = {ord(letter) for text in texts for letter in text}
        if all(letters <= set(font.face.charToGlyph) for font in fonts):
            for font in fonts:
                pdfmetrics.registerFont(font)
            return files
    raise NotationError(f"no font on this system has all letters of {other!r:.60} for the PDF")


def _is_western(text: str) -> bool:
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True
