"""Static files: the page itself, and the documentation if it has been built."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parents[1] / "static"
# `make docs` builds it beside the sources; an installed package has no documentation.
DOCS = Path(__file__).parents[4] / "build" / "docs"

# The documentation's theme has inline scripts and styles; nothing is loaded from other sites.
DOCS_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


class PageFiles(StaticFiles):
    """The files of the page; the browser revalidates them on every load."""

    # The machine's own table of types may be wrong, and with nosniff a module of another type is
    # not run.
    TYPES = MappingProxyType(
        {
            ".js": "text/javascript; charset=utf-8",
            ".css": "text/css; charset=utf-8",
            ".svg": "image/svg+xml",
            ".woff2": "font/woff2",
        }
    )

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    def file_response(self, full_path: Any, *arguments: Any, **options: Any) -> Response:
        """Return a file, or 304 if the browser has it."""
        response = super().file_response(full_path, *arguments, **options)
        response.headers["cache-control"] = "no-cache"
        media_type = self.TYPES.get(Path(full_path).suffix)
        if media_type is not None and response.status_code == 200:
            response.headers["content-type"] = media_type
        return response


class DocsFiles(StaticFiles):
    """The files of the documentation, or 404 if it has not been built."""

    def __init__(self, folder: Path = DOCS) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)

    async def check_config(self) -> None:
        """Accept a missing folder."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """Return a file with the documentation's own content security policy."""
        response = super().file_response(*arguments, **options)
        response.headers["content-security-policy"] = DOCS_POLICY
        response.headers["cache-control"] = "no-cache"
        return response
