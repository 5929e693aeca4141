"""The tables of the database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sapper.errors import Unavailable

VERSION = 1
# The owner of everything on the user's own machine.
LOCAL_OWNER = "home"

SCHEMA = """
create table game (
    id text primary key,
    created real not null,
    updated real not null,
    setup text not null,
    title text not null,
    repeated integer not null,
    finished integer not null,
    owner text not null
) without rowid;
create index game_owner on game (owner, finished, updated);
create index game_setup on game (setup);
create table event (
    game text not null,
    number integer not null,
    milliseconds integer not null,
    text text not null,
    primary key (game, number)
) without rowid;
create table result (
    owner text not null,
    id text not null,
    finished real not null,
    tiling text not null,
    size text not null,
    rule text not null,
    generator text not null,
    seed text not null,
    outcome text not null,
    milliseconds integer not null,
    clicks integer not null,
    three_bv integer not null,
    helped integer not null,
    repeated integer not null,
    primary key (owner, id)
) without rowid;
create table auth_token (
    digest text primary key,
    owner text not null,
    created real not null
) without rowid;
create table document (
    owner text not null,
    name text not null,
    value text not null,
    primary key (owner, name)
) without rowid;
"""


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables of a new file; raise Unavailable for a file of another version."""
    connection.execute("begin immediate")
    try:
        (version,) = connection.execute("pragma user_version").fetchone()
        if version not in (0, VERSION):
            raise Unavailable(
                f"{path} has version {version}; this version of Sapper reads version {VERSION}"
            )
        if version == 0:
            for statement in SCHEMA.split(";\n"):
                connection.execute(statement)
            connection.execute(f"pragma user_version = {VERSION}")
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise
