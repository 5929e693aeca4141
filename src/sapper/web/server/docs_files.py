"""The book, where `make docs` has built it: served beside the page, which then links to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

# Beside the sources; an installed package has no book.
FOLDER = Path(__file__).parents[4] / "build" / "book"

# Its theme has scripts and styles within its pages; it still asks nobody else for anything.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


class DocsFiles(StaticFiles):
    """The files of the book, or 404 where it has not been built."""

    def __init__(self, folder: Path = FOLDER) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)

    async def check_config(self) -> None:
        """Nothing: that there is no book is no mistake."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """A file, with a policy of its own."""
        response = super().file_response(*arguments, **options)
        response.headers["content-security-policy"] = POLICY
        response.headers["cache-control"] = "no-cache"
        return response
