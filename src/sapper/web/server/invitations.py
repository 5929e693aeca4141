"""Invitation links: one for all guests, one for the owner of this machine, one per new device.

They are valid while the server runs. A browser that has used one gets a cookie and then needs no
link.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import TTLCache

from sapper.errors import NotationError
from sapper.web.server.security import ENTER
from sapper.web.storage.schema import LOCAL_OWNER

# How long a link for another device is valid, and how many such links are kept.
LINK_SECONDS = 600.0
MAX_LINKS = 1_000


def new_token() -> str:
    """Return a random token of 128 bits, in 22 characters."""
    return secrets.token_urlsafe(16)


def equal_secrets(first: str, second: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(first.encode(), second.encode())


@dataclass(frozen=True)
class SharingOptions:
    """The public address of a shared server, and its tokens."""

    address: str
    """The address that others can open, ending with a slash."""
    invitation_token: str = field(default_factory=new_token)
    owner_token: str = field(default_factory=new_token)
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
        self._owners = TTLCache[str, str](MAX_LINKS, LINK_SECONDS, timer=clock)

    def create_token(self, owner: str) -> str:
        """Return a single-use token for another device; it expires after LINK_SECONDS."""
        token = new_token()
        self._owners[token] = owner
        return token

    def find(self, token: str, *, is_local: bool) -> InvitationGrant | None:
        """Return what a token grants to a client, which may be on this machine (*is_local*)."""
        grant = None
        # Compare with every token, even after a match, so that the time does not depend on it.
        if equal_secrets(token, self.sharing.invitation_token):
            grant = InvitationGrant(None)
        if equal_secrets(token, self.sharing.owner_token) and is_local:
            grant = InvitationGrant(LOCAL_OWNER)
        for known, owner in list(self._owners.items()):
            if equal_secrets(token, known):
                grant = InvitationGrant(owner)
        return grant

    def consume(self, token: str) -> None:
        """Remove a single-use token."""
        self._owners.pop(token, None)


# Reserved addresses. No packet is sent: the system only reports which local address it would use.
_PROBE_ADDRESSES = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII)


def lan_address(ipv6: bool = False) -> str | None:
    """Return the address of this machine on its network, or None without a network."""
    remote, address_family = _PROBE_ADDRESSES[ipv6]
    with socket.socket(address_family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((remote, 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address in ("0.0.0.0", "::") else address


def check_name(name: str) -> str:
    """Return a host name such as laptop.local in lower case, or an IP address.

    Raises NotationError for anything else.
    """
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    lower = name.lower().removesuffix(".")
    labels = lower.split(".")
    if len(lower) > 253 or not all(map(_LABEL.fullmatch, labels)) or labels[-1].isdecimal():
        raise NotationError(f"expected a name such as laptop.local, got {name!r:.60}")
    return lower
