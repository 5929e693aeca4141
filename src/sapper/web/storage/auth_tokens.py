"""Passes: by which secret a browser is known, and whose it is.

A browser keeps the secret in a cookie; the file keeps its digest, so that who reads the file
cannot go in with what is there.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import time

from sapper.web.storage.database import Database

NOBODY = ("", "")


class AuthTokens:
    """All passes of the file, in memory too: every request asks for one."""

    def __init__(self, disk: Database):
        self._disk = disk
        with disk.reading() as connection:
            rows = connection.execute("select digest, owner from pass").fetchall()
        self._owners = {digest: (digest, owner) for digest, owner in rows}

    def owner(self, secret: str) -> str | None:
        """Whose pass it is; None where it is none."""
        digest = _digest(secret)
        # Looking for a digest tells nothing of a secret: nobody can choose a digest bit by bit.
        known, owner = self._owners.get(digest, NOBODY)
        return owner if same(known, digest) else None

    async def give(self, owner: str) -> str:
        """A new pass for an owner: its secret."""
        secret = secrets.token_urlsafe(32)
        digest = _digest(secret)

        def job(connection: sqlite3.Connection) -> None:
            connection.execute("insert into pass values (?, ?, ?)", (digest, owner, time.time()))

        await self._disk.write(job)
        self._owners[digest] = digest, owner
        return secret

    async def drop(self, secret: str) -> None:
        """Nobody goes in with this secret any more."""
        digest = _digest(secret)
        await self._disk.write(
            lambda connection: connection.execute("delete from pass where digest = ?", (digest,))
        )
        self._owners.pop(digest, None)


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
