"""The database: owners, documents, files of older versions, a locked file."""

import asyncio
import sqlite3
from functools import partial

import pytest
from msgspec.structs import replace
from tests.unit.web.conftest import DEFAULT_SYNCHRONOUS
from tests.unit.web.features.test_web_statistics import WIN

from sapper.errors import Conflict, RulesError, Unavailable
from sapper.games.session import SessionEvent
from sapper.web.storage import database
from sapper.web.storage import store as stores
from sapper.web.storage.schema import LOCAL_OWNER
from sapper.web.storage.store import GameRow, Store

GAME = GameRow(
    "one", 1.0, 2.0, "sapper: game 1", "Beginner", repeated=False, finished=False, owner=LOCAL_OWNER
)
RESULT = replace(WIN, id="one", finished=3.0, size="9x9/10", clicks=20, three_bv=15)


def query(folder, *statements):
    """Run statements on the database; return the rows of the last."""
    folder.mkdir(exist_ok=True)
    with sqlite3.connect(folder / stores.FILE_NAME) as connection:
        rows = [connection.execute(statement).fetchall() for statement in statements][-1]
    connection.close()
    return rows


def test_later_version_is_rejected(folder):
    query(folder, "pragma user_version = 99")
    with pytest.raises(Unavailable, match="has version 99"):
        Store(folder)


def test_games_and_results_have_owners(run_with_store):
    async def scenario(store):
        await store.add_game(replace(GAME, id="other"), [SessionEvent(5, "reveal r1c1")])
        for owner, is_new in (("ann", True), ("bob", True), ("bob", False)):
            insert = partial(stores.insert_result, RESULT, owner=owner)
            assert await store.database.write(insert) == is_new
        assert await store.delete_results("ann") == 1
        played = [store.has_been_played(owner, GAME.setup) for owner in (LOCAL_OWNER, "ann")]
        return store.recent_games("ann", 9), store.results("ann"), store.results("bob"), played

    assert run_with_store(scenario) == ([], [], [RESULT], [True, False])


def test_layout_played_by_another_owner_is_new(run_with_store):
    async def scenario(store):
        repeated = []
        for owner in ("ann", "bob", "bob"):
            game = replace(GAME, id=f"{owner}{len(repeated)}", owner=owner)
            await store.add_game(game)
            event = {"updated": 1, "finished": False, "repeated": False, "owner": owner}
            repeated.append(await store.add_event(game.id, 0, SessionEvent(1, "x"), **event))
        return repeated

    assert run_with_store(scenario) == [False, False, True]


def test_documents_have_owner_and_name(run_with_store):
    async def scenario(store):
        await store.save_document("ann", "settings", {"theme": "dark"})
        await store.save_document("bob", "settings", {"theme": "light"})
        await store.save_document("ann", "lessons/1", [1, 2])
        await store.save_document("ann", "lessons/2", "ä")
        return (
            store.document("ann", "settings"),
            store.document("cid", "settings"),
            store.documents("ann", "lessons/"),
        )

    assert run_with_store(scenario) == (
        {"theme": "dark"},
        None,
        {"lessons/1": [1, 2], "lessons/2": "ä"},
    )


def test_concurrent_updates_of_a_document_are_kept(run_with_store):
    async def scenario(store):
        def increment(value):
            return (value or 0) + 1

        updates = (store.update_document("ann", "count", increment) for _ in range(50))
        await asyncio.gather(*updates)
        return store.document("ann", "count")

    assert run_with_store(scenario) == 50


def test_too_large_document_is_rejected(run_with_store, monkeypatch):
    monkeypatch.setattr(stores, "MAX_DOCUMENTS", 2)

    async def scenario(store):
        await store.save_document("ann", "a", 1)
        with pytest.raises(RulesError, match="too much to store"):
            await store.save_document("ann", "a", "x" * stores.MAX_DOCUMENT_BYTES)
        await store.save_document("ann", "b", 1)
        with pytest.raises(RulesError, match="3 documents"):
            await store.save_document("ann", "c", 1)
        await store.save_document("ann", "b", 2)
        return store.documents("ann")

    assert run_with_store(scenario) == {"a": 1, "b": 2}


def test_commits_are_on_disk(folder, monkeypatch):
    monkeypatch.setattr(database, "SYNCHRONOUS", DEFAULT_SYNCHRONOUS)
    store = Store(folder)
    try:
        assert store.database._writer.execute("pragma synchronous").fetchone() == (2,)  # full
    finally:
        store.close()


@pytest.mark.parametrize(
    ("error", "expected"),
    [(sqlite3.IntegrityError("duplicate"), Conflict), (ValueError("a bug"), ValueError)],
)
def test_failed_write_is_undone_alone(run_with_store, error, expected):
    insert = "insert into document values (?, 'a', '1')"

    async def scenario(store):
        def failing(connection):
            connection.execute(insert, ("bob",))
            raise error

        def working(owner):
            return lambda connection: connection.execute(insert, (owner,)).rowcount

        writes = map(store.database.write, [working("ann"), failing, working("cid")])
        first, failed, last = await asyncio.gather(*writes, return_exceptions=True)
        assert (first, last) == (1, 1)
        return failed, [store.document(owner, "a") for owner in ("ann", "bob", "cid")]

    failed, stored = run_with_store(scenario)
    assert stored == [1, None, 1]
    assert isinstance(failed, expected)
