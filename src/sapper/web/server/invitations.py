"""Invitation links: one for everyone, one for the owner of this machine, one per new device.

They are valid while the server runs. A browser that has used one gets a cookie and needs no link
any more.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from sapper.web.server.security import ENTER
from sapper.web.storage.auth_tokens import equal_secrets
from sapper.web.storage.schema import HOME

# How long the link for another device is valid, and the number of such links that are remembered.
SECONDS = 600.0
MAX_LINKS = 1_000


def new_token() -> str:
    """Return a random token of 128 bits, in 22 letters."""
    return secrets.token_urlsafe(16)


@dataclass(frozen=True)
class SharingOptions:
    """The public address of a shared server, and its tokens."""

    address: str
    """The address that others can open, ending with a slash."""
    invitation: str = field(default_factory=new_token)
    own: str = field(default_factory=new_token)
    """For the owner of this machine; it is accepted from this machine only."""

    def link(self, token: str, address: str | None = None) -> str:
        """Return the link with a token."""
        return f"{address or self.address}{ENTER[1:]}{token}"


@dataclass(frozen=True)
class InvitationGrant:
    """What a token gives access to: the profile of *owner*, or a new profile for None."""

    owner: str | None


class Invitations:
    """The tokens that are valid now."""

    def __init__(self, sharing: SharingOptions, clock: Callable[[], float] = time.monotonic):
        self.sharing = sharing
        self._clock = clock
        self._single_use: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def make(self, owner: str) -> str:
        """Return a token that opens the owner's profile on another device, once and soon."""
        token = new_token()
        self._single_use[token] = owner, self._clock() + SECONDS
        while len(self._single_use) > MAX_LINKS:
            self._single_use.popitem(last=False)
        return token

    def find(self, token: str, *, is_local: bool) -> InvitationGrant | None:
        """Return what a token grants to a client; *is_local*: it is on this machine."""
        grant = None
        # Compare with every token, whatever matches, so that the time reveals nothing.
        if equal_secrets(token, self.sharing.invitation):
            grant = InvitationGrant(None)
        if equal_secrets(token, self.sharing.own) and is_local:
            grant = InvitationGrant(HOME)
        for known, (owner, until) in list(self._single_use.items()):
            if equal_secrets(token, known) and self._clock() < until:
                grant = InvitationGrant(owner)
        return grant

    def consume(self, token: str) -> None:
        """Remove a single-use token."""
        self._single_use.pop(token, None)
