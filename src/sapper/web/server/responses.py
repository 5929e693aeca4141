"""Responses: JSON, one-line errors, and files to download."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from starlette.responses import HTMLResponse, Response, StreamingResponse


class JsonResponse(Response):
    """Compact JSON that the browser does not cache."""

    media_type = "application/json"

    def __init__(self, content: object, status_code: int = 200):
        body = json.dumps(content, separators=(",", ":"), allow_nan=False).encode()
        super().__init__(body, status_code, {"cache-control": "no-store"})


def error_response(message: str, status: int) -> JsonResponse:
    """Return a 4xx or 5xx with a one-line message."""
    return JsonResponse({"error": " ".join(message.split())}, status)


def forbidden(body: str = "") -> Response:
    """Return a 403 that says nothing about the server and closes the connection."""
    return HTMLResponse(body, 403, {"cache-control": "no-store", "connection": "close"})


def download(name: str, text: AsyncIterator[str]) -> Response:
    """Stream newline-delimited JSON as a file that the browser saves."""
    return StreamingResponse(
        text,
        media_type="application/x-ndjson",
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        },
    )
