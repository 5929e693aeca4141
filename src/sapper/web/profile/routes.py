"""The profile: who one is here, what is kept of one, and how to take it to another device."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import GameNotFound, NotationError, Unavailable
from sapper.web.profile import profile_export
from sapper.web.server import limits
from sapper.web.server.auth import auth_tokens_of, cookie_name, is_local, set_auth_cookie
from sapper.web.server.invitations import SECONDS, InvitationGrant, Invitations
from sapper.web.server.network import qr_rows
from sapper.web.server.requests import (
    body_chunks,
    file_response,
    games_of,
    owner_of,
    read_body,
    text_of,
)
from sapper.web.server.security import JsonResponse

PROFILE = "profile"
MAX_NAME_LENGTH = 40
# The documents that the page itself keeps; what other routes keep has other names.
DOCUMENTS = ("settings",)


async def profile(request: Request) -> Response:
    """Who one is here, and how much is kept."""
    return JsonResponse(await _profile(request, owner_of(request)))


async def rename(request: Request) -> Response:
    """Choose a name."""
    data = await read_body(request, limits.SMALL_BODY)
    words = text_of(data, "name").split()
    # Letters that nobody sees, or that turn the others round, are no part of a name.
    name = " ".join("".join(filter(str.isprintable, word)) for word in words)
    if len(name) > MAX_NAME_LENGTH:
        raise NotationError(
            f"expected a name of at most {MAX_NAME_LENGTH} letters, got {len(name)}"
        )
    await games_of(request).store.keep(owner_of(request), PROFILE, {"name": name})
    return await profile(request)


async def link(request: Request) -> Response:
    """A link that takes the profile to another device, once and soon."""
    links = _links(request)
    address = links.sharing.link(links.make(owner_of(request)))
    rows = await to_thread.run_sync(qr_rows, address)
    return JsonResponse({"link": address, "seconds": int(SECONDS), "qr": rows})


async def offered(request: Request) -> Response:
    """What a link would take to this device."""
    data = await read_body(request, limits.SMALL_BODY)
    _, entry = _entry(request, data)
    return JsonResponse(await _profile(request, entry.owner or owner_of(request)))


async def take(request: Request) -> Response:
    """Take the profile of a link to this device; the one that was here is left behind."""
    data = await read_body(request, limits.SMALL_BODY)
    token, entry = _entry(request, data)
    owner = entry.owner or owner_of(request)
    _links(request).consume(token)
    await auth_tokens_of(request.scope).drop(request.cookies[cookie_name(request.scope)])
    secret = await auth_tokens_of(request.scope).give(owner)
    return set_auth_cookie(JsonResponse(await _profile(request, owner)), request.scope, secret)


async def leave(request: Request) -> Response:
    """Let this browser out: it comes in again by a link alone."""
    await read_body(request, limits.SMALL_BODY)
    _links(request)
    await auth_tokens_of(request.scope).drop(request.cookies[cookie_name(request.scope)])
    return set_auth_cookie(JsonResponse({}), request.scope, "")


async def export(request: Request) -> Response:
    """All that is kept of one, as a file."""
    text = profile_export.export_profile(games_of(request).store, owner_of(request))
    return file_response("sapper-profile.json", text)


async def import_profile(request: Request) -> Response:
    """Add what a file has and the profile has not."""
    chunks = body_chunks(request, limits.FILE_BODY)
    taken = await profile_export.import_profile(games_of(request).store, owner_of(request), chunks)
    counts = {kind: asdict(count) for kind, count in taken.counts.items()}
    return JsonResponse({**counts, "settings": taken.settings})


async def kept(request: Request) -> Response:
    """A document that the page has kept, or null."""
    store = games_of(request).store
    value = await to_thread.run_sync(store.kept, owner_of(request), _document_of(request))
    return JsonResponse({"value": value})


async def keep(request: Request) -> Response:
    """Keep a document of the page."""
    data = await read_body(request, limits.DOCUMENT_BODY)
    name = _document_of(request)
    if not isinstance(data.get("value"), dict):
        raise NotationError(f"expected a value as an object, got {data.get('value')!r:.60}")
    await games_of(request).store.keep(owner_of(request), name, data["value"])
    return JsonResponse({})


ROUTES = [
    Route("/api/profile", profile),
    Route("/api/profile", rename, methods=["POST"]),
    Route("/api/profile/link", link, methods=["POST"]),
    Route("/api/profile/preview", offered, methods=["POST"]),
    Route("/api/profile/switch", take, methods=["POST"]),
    Route("/api/profile/sign-out", leave, methods=["POST"]),
    Route("/api/profile/export", export),
    Route("/api/profile/import", import_profile, methods=["POST"]),
    Route("/api/documents/{name}", kept),
    Route("/api/documents/{name}", keep, methods=["POST"]),
]


async def _profile(request: Request, owner: str) -> dict[str, Any]:
    store = games_of(request).store
    counts = await to_thread.run_sync(store.counts, owner)
    document = await to_thread.run_sync(store.kept, owner, PROFILE)
    name = document.get("name") if isinstance(document, dict) else None
    shared = request.app.state.links is not None
    return {"shared": shared, "name": name or "", **counts}


def _links(request: Request) -> Invitations:
    links: Invitations | None = request.app.state.links
    if links is None:
        raise Unavailable("expected a server that lets others in (--host), got one without")
    return links


def _entry(request: Request, data: dict[str, Any]) -> tuple[str, InvitationGrant]:
    token = text_of(data, "token")
    entry = _links(request).find(token, is_local=is_local(request))
    if entry is None:
        raise GameNotFound(
            "expected a link that is still good, got one that was used or is too old"
        )
    return token, entry


def _document_of(request: Request) -> str:
    name: str = request.path_params["name"]
    if name not in DOCUMENTS:
        raise GameNotFound(f"expected a document ({', '.join(DOCUMENTS)}), got {name!r:.60}")
    return name
