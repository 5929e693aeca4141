"""The tables of the database, migrations, and old names in exported files and links.

Tables and columns keep the names of version 0.2: `pass` holds the digests of authentication tokens,
`kept` the documents of features, `deal` the generator of a layout, `again` whether it had been
played before.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sapper.errors import Unavailable

VERSION = 3
# The owner of everything on the user's own machine.
LOCAL_OWNER = "home"

# Names of version 0.2 in exported files and links, with the current names.
RESULT_KEYS = {"deal": "generator", "bbbv": "three_bv", "again": "repeated"}
GAME_KEYS = {"touched": "updated", "again": "repeated", "over": "finished"}
EVENTS = {"nudge": "hint"}
WORKSHEET_OPTIONS = {"rung": "difficulty", "at_most": "or_easier", "mines_share": "mine_density"}

# Version 1 has a table `result` with another primary key: see _add_owners.
SCHEMA = f"""
create table if not exists game (
    id text primary key,
    created real not null,
    touched real not null,
    start text not null,
    title text not null,
    again integer not null,
    over integer not null default 0,
    owner text not null default '{LOCAL_OWNER}'
) without rowid;
create index if not exists game_owner on game (owner, over, touched);
create index if not exists game_start on game (start);
create table if not exists event (
    game text not null,
    number integer not null,
    at integer not null,
    what text not null,
    primary key (game, number)
) without rowid;
create table if not exists result (
    owner text not null,
    id text not null,
    finished real not null,
    tiling text not null,
    size text not null,
    rule text not null,
    deal text not null,
    seed text not null,
    outcome text not null,
    milliseconds integer not null,
    clicks integer not null,
    bbbv integer not null,
    helped integer not null,
    again integer not null,
    primary key (owner, id)
) without rowid;
create table if not exists pass (
    digest text primary key,
    owner text not null,
    made real not null
) without rowid;
create table if not exists kept (
    owner text not null,
    name text not null,
    value text not null,
    primary key (owner, name)
) without rowid;
"""


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables or migrate those of an older version, in one transaction."""
    connection.execute("begin immediate")
    try:
        (version,) = connection.execute("pragma user_version").fetchone()
        if version not in (0, *MIGRATIONS, VERSION):
            raise Unavailable(
                f"{path} has version {version}; this version of Sapper reads up to {VERSION}"
            )
        for old_version in range(version, VERSION) if version else ():
            MIGRATIONS[old_version](connection)
        for statement in SCHEMA.split(";\n"):
            connection.execute(statement)
        connection.execute(f"pragma user_version = {VERSION}")
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def _add_owners(connection: sqlite3.Connection) -> None:
    """Give games and results an owner: LOCAL_OWNER for everything in the file."""
    connection.execute(f"alter table game add column owner text not null default '{LOCAL_OWNER}'")
    connection.execute("drop index if exists game_touched")
    connection.execute("alter table result rename to old_result")
    for statement in SCHEMA.split(";\n"):
        if "exists result" in statement:
            connection.execute(statement)
    connection.execute(f"insert into result select '{LOCAL_OWNER}', * from old_result")
    connection.execute("drop table old_result")


# By version: the migration to the next one.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], object]] = {
    1: _add_owners,
    2: lambda connection: connection.execute("update event set what = 'hint' where what = 'nudge'"),
}


def rename_keys(item: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return an item with the current names of its keys."""
    return {names.get(key, key): value for key, value in item.items()}
