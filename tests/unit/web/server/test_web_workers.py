"""Searches run beside moves, and are cancelled when the client disconnects."""

import asyncio
import threading
import time
from types import SimpleNamespace

import pytest

from sapper.engine.analysis import analyse
from sapper.web.features import hints
from sapper.web.server import workers as works
from sapper.web.server.workers import WorkQueues, work


def test_moves_are_answered_while_an_analysis_runs(client, new_game, move, monkeypatch):
    game = new_game(size="beginner", seed="31415")
    move(game, "reveal", 40)
    begun, finish = threading.Event(), threading.Event()

    def slow(position, **_):
        begun.set()
        finish.wait(10)
        return analyse(position)

    monkeypatch.setattr(hints, "analyse", slow)
    answers = []
    asking = threading.Thread(
        target=lambda: answers.append(
            client.post(f"/api/games/{game['id']}/probabilities", json={})
        )
    )
    asking.start()
    assert begun.wait(10)
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    state = move(game, "flag", marks.index(-1), after=1)["state"]
    assert state["flags"] == 1
    assert not finish.is_set()
    finish.set()
    asking.join()
    # The position is gone, so its probabilities are not sent, and no hint is counted.
    assert answers[0].status_code == 409
    assert client.get(f"/api/games/{game['id']}").json()["state"]["hints"] == 0


def test_search_is_cancelled_on_disconnect():
    async def gone_soon():
        await asyncio.sleep(0.05)
        return {"type": "http.disconnect"}

    def search(cancel):
        end = time.monotonic() + 10
        while not cancel.is_set and time.monotonic() < end:
            time.sleep(0.005)
        return cancel.is_set

    async def run():
        return await work(question(WorkQueues(), gone_soon), search)

    assert asyncio.run(run())


def question(lanes, receive=None):
    """Make a request of a client that waits."""
    app = SimpleNamespace(state=SimpleNamespace(work_queues=lanes))
    return SimpleNamespace(receive=receive or asyncio.Event().wait, app=app)


class Long:
    """Searches that run until they are stopped, and count themselves."""

    def __init__(self):
        self.done = threading.Event()
        self.begun = 0
        self.running = 0
        self.most = 0
        self._lock = threading.Lock()

    def __call__(self, cancel):
        with self._lock:
            self.begun += 1
            self.running += 1
            self.most = max(self.most, self.running)
        while not self.done.wait(0.005) and not cancel.is_set:
            pass
        with self._lock:
            self.running -= 1
        return "stopped" if cancel.is_set and not self.done.is_set() else "found"


def test_short_task_does_not_wait_for_long_ones(monkeypatch):
    monkeypatch.setattr(works, "SHORT_SECONDS", 0.05)

    async def run():
        lanes, search = WorkQueues(), Long()
        asked = [asyncio.create_task(work(question(lanes), search)) for _ in range(8)]
        # Two go over to the long lane; six are stopped, and wait for it.
        while not (search.begun == 8 and search.running == works.MAX_LONG_TASKS):
            await asyncio.sleep(0.01)
        # They go on until it is answered: it cannot be that it waits for one of them.
        number = await asyncio.wait_for(work(question(lanes), lambda cancel: "number"), 30)
        search.done.set()
        return number, await asyncio.gather(*asked), search

    number, found, search = asyncio.run(run())
    assert (number, found) == ("number", ["found"] * 8)
    assert search.most <= works.MAX_SHORT_TASKS + works.MAX_LONG_TASKS
    assert search.begun == 8 + 6  # six were stopped, and ran again in the long queue


def test_error_is_raised_from_either_queue(monkeypatch):
    monkeypatch.setattr(works, "SHORT_SECONDS", 0.01)

    def fail(seconds):
        def search(cancel):
            time.sleep(seconds)
            raise ValueError("no")

        return search

    async def run(seconds):
        with pytest.raises(ValueError, match="no"):
            await work(question(WorkQueues()), fail(seconds))

    asyncio.run(run(0))
    asyncio.run(run(0.1))


def test_disconnect_frees_the_long_queue(monkeypatch):
    monkeypatch.setattr(works, "SHORT_SECONDS", 0.01)

    async def run():
        lanes, search = WorkQueues(), Long()

        async def gone_soon():
            await asyncio.sleep(0.2)
            return {"type": "http.disconnect"}

        asked = [work(question(lanes, gone_soon), search) for _ in range(6)]
        return await asyncio.gather(*asked), lanes

    found, lanes = asyncio.run(run())
    assert found == ["stopped"] * 6
    assert not lanes.short.locked() and not lanes.long.locked()
