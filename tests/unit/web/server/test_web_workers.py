"""Searches do not block moves, and are cancelled when the client disconnects."""

import asyncio
import threading
import time
from types import SimpleNamespace

import pytest

from sapper.engine.analysis import analyse
from sapper.web.features import hints
from sapper.web.server import workers
from sapper.web.server.workers import WorkQueues, work


def test_moves_are_answered_while_an_analysis_runs(client, new_game, move, monkeypatch):
    game = new_game(size="beginner", seed="31415")
    move(game, "reveal", 40)
    path = f"/api/games/{game['id']}"
    started, finish = threading.Event(), threading.Event()

    def slow(position, **_):
        started.set()
        finish.wait(60)
        return analyse(position)

    monkeypatch.setattr(hints, "analyse", slow)
    answers = []
    request = threading.Thread(
        target=lambda: answers.append(client.post(f"{path}/probabilities", json={}))
    )
    request.start()
    assert started.wait(60)
    state = move(game, "flag", client.get(path).json()["marks"].index(-1), after=1)["state"]
    assert state["flags"] == 1
    finish.set()
    request.join()
    # The position has changed, so its probabilities are not sent, and no hint is counted.
    assert answers[0].status_code == 409
    assert client.get(path).json()["state"]["hints"] == 0


class Client(asyncio.Event):
    """A client that disconnects when the event is set."""

    async def receive(self):
        await self.wait()
        return {"type": "http.disconnect"}


def request_of(client, queues):
    app = SimpleNamespace(state=SimpleNamespace(work_queues=queues))
    return SimpleNamespace(receive=client.receive, app=app)


class Search:
    """A search that runs until it is finished or cancelled, and counts its runs."""

    def __init__(self):
        self.finish = threading.Event()
        self.started = self.running = self.max_running = 0
        self._lock = threading.Lock()

    def __call__(self, cancel):
        with self._lock:
            self.started += 1
            self.running += 1
            self.max_running = max(self.max_running, self.running)
        while not self.finish.wait(0.005) and not cancel.is_set:
            pass
        with self._lock:
            self.running -= 1
        return "cancelled" if cancel.is_set and not self.finish.is_set() else "found"

    async def fill_the_long_queue(self, client, queues, count):
        """Start *count* searches; wait until two run in the long queue and the others wait."""
        searches = (work(request_of(client, queues), self) for _ in range(count))
        tasks = [asyncio.create_task(search) for search in searches]
        while not (self.started == count and self.running == workers.MAX_LONG_TASKS):
            await asyncio.sleep(0.01)
        return tasks


def test_short_task_does_not_wait_for_long_ones(monkeypatch):
    monkeypatch.setattr(workers, "SHORT_SECONDS", 0.05)

    async def run():
        client, queues, search = Client(), WorkQueues(), Search()
        tasks = await search.fill_the_long_queue(client, queues, 8)
        short = work(request_of(client, queues), lambda cancel: "short")
        assert await asyncio.wait_for(short, 60) == "short"
        search.finish.set()
        return await asyncio.gather(*tasks), search

    results, search = asyncio.run(run())
    assert results == ["found"] * 8
    assert search.max_running <= workers.MAX_SHORT_TASKS + workers.MAX_LONG_TASKS
    assert search.started == 8 + 6  # six were cancelled, and ran again in the long queue


def test_disconnect_cancels_searches_and_frees_the_queues(monkeypatch):
    monkeypatch.setattr(workers, "SHORT_SECONDS", 0.01)

    async def run():
        client, queues, search = Client(), WorkQueues(), Search()
        tasks = await search.fill_the_long_queue(client, queues, 6)
        client.set()
        return await asyncio.wait_for(asyncio.gather(*tasks), 60), queues

    results, queues = asyncio.run(run())
    assert results == ["cancelled"] * 6
    assert not queues.short.locked() and not queues.long.locked()


@pytest.mark.parametrize("seconds", [0, 0.1])
def test_error_is_raised_from_either_queue(monkeypatch, seconds):
    monkeypatch.setattr(workers, "SHORT_SECONDS", 0.01)

    def fail(cancel):
        time.sleep(seconds)
        raise ValueError("no")

    async def run():
        with pytest.raises(ValueError, match="no"):
            await work(request_of(Client(), WorkQueues()), fail)

    asyncio.run(run())
