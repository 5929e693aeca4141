"""Links that let a person in: an invitation for everybody, one for this machine, one for a device.

They live as long as the server. Who has been let in has a pass, and needs no link any more.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from sapper.web.server.security import ENTER
from sapper.web.storage.auth_tokens import same
from sapper.web.storage.schema import HOME

SECONDS = 600.0
# One that is not used is forgotten after its time; so many are remembered at most.
MOST = 1_000


def new_token() -> str:
    """A token that nobody guesses: 128 bits, in 22 letters."""
    return secrets.token_urlsafe(16)


@dataclass(frozen=True)
class SharingOptions:
    """How others come in: the address that they can open, and the tokens of this start."""

    address: str
    """Where the page is for others, with a slash at its end."""
    invitation: str = field(default_factory=new_token)
    own: str = field(default_factory=new_token)
    """For the person at this machine: from no other one does it open anything."""

    def link(self, token: str, address: str | None = None) -> str:
        """The address that lets a person in by a token."""
        return f"{address or self.address}{ENTER[1:]}{token}"


@dataclass(frozen=True)
class InvitationGrant:
    """What a token opens: the profile of *owner*, or a new one where that is None."""

    owner: str | None


class Invitations:
    """The tokens that open something now."""

    def __init__(self, sharing: SharingOptions, clock: Callable[[], float] = time.monotonic):
        self.sharing = sharing
        self._clock = clock
        self._once: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def make(self, owner: str) -> str:
        """A token that takes the owner's profile to another device: once, and for a short time."""
        token = new_token()
        self._once[token] = owner, self._clock() + SECONDS
        while len(self._once) > MOST:
            self._once.popitem(last=False)
        return token

    def find(self, token: str, *, is_local: bool) -> InvitationGrant | None:
        """What a token opens; *is_local* is whether it comes from this machine itself."""
        found = None
        # All are compared, whatever fits: how long it takes tells nothing.
        if same(token, self.sharing.invitation):
            found = InvitationGrant(None)
        if same(token, self.sharing.own) and is_local:
            found = InvitationGrant(HOME)
        for known, (owner, until) in list(self._once.items()):
            if same(token, known) and self._clock() < until:
                found = InvitationGrant(owner)
        return found

    def consume(self, token: str) -> None:
        """A token for a device was used."""
        self._once.pop(token, None)
