"""The profile: its name, export and import, the settings of the page, and other devices."""

from __future__ import annotations

from typing import Any

import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import NotationError, NotFound, Unavailable
from sapper.render.qr_codes import qr_rows
from sapper.serialize.cells import Json
from sapper.web.features import profile_export
from sapper.web.features.profile_export import PROFILE, SETTINGS
from sapper.web.live_games import store_of
from sapper.web.server import limits
from sapper.web.server.auth import auth_tokens_of, cookie_name, is_local, set_auth_cookie
from sapper.web.server.http import (
    EmptyBody,
    JsonResponse,
    body_chunks,
    download,
    owner_of,
    read_body,
)
from sapper.web.server.invitations import LINK_SECONDS, InvitationGrant, Invitations

MAX_NAME_LENGTH = 40


class NameBody(msgspec.Struct):
    """The user's name."""

    name: str


class TokenBody(msgspec.Struct):
    """The token of a link for another device."""

    token: str


class SettingsBody(msgspec.Struct):
    """The settings of the page."""

    value: dict[str, Any]


async def profile(request: Request) -> Response:
    """Return the profile of this browser."""
    return JsonResponse(await _profile_json(request, owner_of(request)))


async def rename(request: Request) -> Response:
    """Set the user's name."""
    body = await read_body(request, NameBody)
    # Remove characters that are invisible or change the direction of the text.
    name = " ".join("".join(filter(str.isprintable, word)) for word in body.name.split())
    if len(name) > MAX_NAME_LENGTH:
        raise NotationError(
            f"expected a name of at most {MAX_NAME_LENGTH} characters, got {len(name)}"
        )
    await store_of(request).save_document(owner_of(request), PROFILE, {"name": name})
    return await profile(request)


async def link(request: Request) -> Response:
    """Return a single-use link that opens the profile on another device."""
    await read_body(request, EmptyBody)
    invitations = _invitations(request)
    address = invitations.sharing.link(invitations.create_token(owner_of(request)))
    rows = await to_thread.run_sync(qr_rows, address)
    return JsonResponse({"link": address, "seconds": int(LINK_SECONDS), "qr": rows})


async def preview(request: Request) -> Response:
    """Return the profile that a link would open."""
    _, grant = await _grant(request)
    return JsonResponse(await _profile_json(request, grant.owner or owner_of(request)))


async def switch(request: Request) -> Response:
    """Switch this browser to the profile of a link."""
    token, grant = await _grant(request)
    owner = grant.owner or owner_of(request)
    _invitations(request).consume(token)
    await auth_tokens_of(request.scope).revoke(request.cookies[cookie_name(request.scope)])
    issued = await auth_tokens_of(request.scope).issue(owner)
    response = JsonResponse(await _profile_json(request, owner))
    return set_auth_cookie(response, request.scope, issued)


async def sign_out(request: Request) -> Response:
    """Sign this browser out; signing in again needs a link."""
    await read_body(request, EmptyBody)
    _invitations(request)
    await auth_tokens_of(request.scope).revoke(request.cookies[cookie_name(request.scope)])
    return set_auth_cookie(JsonResponse({}), request.scope, "")


async def export(request: Request) -> Response:
    """Return everything that is stored for the user as a file."""
    text = profile_export.export_profile(store_of(request), owner_of(request))
    return download("sapper-profile.ndjson", text)


async def import_profile(request: Request) -> Response:
    """Import the items of a file that the profile does not have yet."""
    chunks = body_chunks(request, limits.FILE_BODY)
    return JsonResponse(
        await profile_export.import_profile(store_of(request), owner_of(request), chunks)
    )


async def load_settings(request: Request) -> Response:
    """Return the settings of the page, or null."""
    value = await to_thread.run_sync(store_of(request).document, owner_of(request), SETTINGS)
    return JsonResponse({"value": value})


async def save_settings(request: Request) -> Response:
    """Store the settings of the page."""
    body = await read_body(request, SettingsBody, limits.DOCUMENT_BODY)
    await store_of(request).save_document(owner_of(request), SETTINGS, body.value)
    return JsonResponse({})


ROUTES = [
    Route("/api/profile", profile),
    Route("/api/profile", rename, methods=["POST"]),
    Route("/api/profile/link", link, methods=["POST"]),
    Route("/api/profile/preview", preview, methods=["POST"]),
    Route("/api/profile/switch", switch, methods=["POST"]),
    Route("/api/profile/sign-out", sign_out, methods=["POST"]),
    Route("/api/profile/export", export),
    Route("/api/profile/import", import_profile, methods=["POST"]),
    Route("/api/settings", load_settings),
    Route("/api/settings", save_settings, methods=["POST"]),
]


async def _profile_json(request: Request, owner: str) -> Json:
    store = store_of(request)
    counts = await to_thread.run_sync(store.counts, owner)
    document = await to_thread.run_sync(store.document, owner, PROFILE)
    name = document.get("name") if isinstance(document, dict) else None
    shared = request.app.state.invitations is not None
    return {"shared": shared, "name": name or "", **counts}


def _invitations(request: Request) -> Invitations:
    invitations: Invitations | None = request.app.state.invitations
    if invitations is None:
        raise Unavailable("this server is for one user; start it with --host to share it")
    return invitations


async def _grant(request: Request) -> tuple[str, InvitationGrant]:
    body = await read_body(request, TokenBody)
    grant = _invitations(request).find(body.token, is_local=is_local(request))
    if grant is None:
        raise NotFound("this link has been used or has expired; create a new one")
    return body.token, grant
