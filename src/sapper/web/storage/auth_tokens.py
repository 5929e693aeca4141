"""Authentication tokens: which browser belongs to which owner.

A browser keeps its token in a cookie. The database keeps the token's digest, so that reading the
database file is not enough to log in.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import time

from sapper.web.storage.database import Database


class AuthTokens:
    """All tokens of the database, also in memory, because every request looks one up."""

    def __init__(self, database: Database):
        self._database = database
        rows = database.query("select digest, owner from pass")
        self._owners = {digest: (digest, owner) for digest, owner in rows}

    def owner(self, token: str) -> str | None:
        """Return the owner of a token, or None for an unknown token."""
        digest = _digest(token)
        # A lookup by digest leaks nothing: an attacker cannot choose a digest bit by bit.
        known, owner = self._owners.get(digest, ("", ""))
        return owner if equal_secrets(known, digest) else None

    async def issue(self, owner: str) -> str:
        """Return a new token for an owner."""
        token = secrets.token_urlsafe(32)
        digest = _digest(token)

        def job(connection: sqlite3.Connection) -> None:
            connection.execute("insert into pass values (?, ?, ?)", (digest, owner, time.time()))

        await self._database.write(job)
        self._owners[digest] = digest, owner
        return token

    async def revoke(self, token: str) -> None:
        """Make a token invalid."""
        digest = _digest(token)
        await self._database.write(
            lambda connection: connection.execute("delete from pass where digest = ?", (digest,))
        )
        self._owners.pop(digest, None)


def equal_secrets(first: str, second: str) -> bool:
    """Compare two secrets in a time that does not depend on where they differ."""
    return hmac.compare_digest(first.encode(), second.encode())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
