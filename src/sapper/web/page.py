"""Serve the page: its files, the palette as a style sheet, and the documentation.

The page is static: `index.html` names its modules and style sheets with relative addresses, and
every other address is the palette or a route of the API.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from sapper.web.boards import palette_css

STATIC = Path(__file__).parent / "static"
# `make docs` writes them there; an installed package has none.
DOCS = Path(__file__).parents[3] / "build" / "docs"

REVALIDATE = {"cache-control": "no-cache"}
DOCS_HEADERS = {
    **REVALIDATE,
    # Its theme has inline scripts and styles; nothing is loaded from other sites.
    "content-security-policy": (
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
}

# The media types of the operating system may be wrong, and because of the nosniff header the
# browser would not run a script of another type.
for _suffix, _media_type in {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}.items():
    mimetypes.add_type(_media_type, _suffix)


async def page(request: Request) -> Response:
    """Return the page."""
    html = (STATIC / "index.html").read_bytes()
    return Response(html, media_type="text/html", headers=REVALIDATE)


async def palette(request: Request) -> Response:
    """Return the colours that the page shares with pictures."""
    return Response(palette_css(), media_type="text/css", headers=REVALIDATE)


class Files(StaticFiles):
    """The files of a folder; the browser asks on every load whether its copies are current."""

    def __init__(self, folder: Path, headers: Mapping[str, str] = REVALIDATE, html: bool = False):
        super().__init__(directory=folder, html=html, check_dir=False)
        self.headers = headers

    async def check_config(self) -> None:
        """Accept a missing folder, whose files are then 404."""

    def file_response(self, full_path: Any, *arguments: Any, **options: Any) -> Response:
        """Return a file, or 304 if the browser has it."""
        response = super().file_response(full_path, *arguments, **options)
        response.headers.update(self.headers)
        if not isinstance(response, FileResponse):
            return response
        # A load of the page reads 50 small files. FileResponse would take a thread for each step of
        # each of them, which doubles the time of a request.
        return Response(Path(full_path).read_bytes(), response.status_code, response.headers)


ROUTES = [
    Route("/", page),
    Route("/static/css/palette.css", palette),
    Mount("/static", Files(STATIC)),
    Mount("/docs", Files(DOCS, DOCS_HEADERS, html=True)),
]
