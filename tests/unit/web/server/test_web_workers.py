"""Searches do not block moves, and are cancelled when the client disconnects."""

import asyncio
import threading
from types import SimpleNamespace

from sapper.engine.analysis import analyse
from sapper.web.features import hints
from sapper.web.server import workers
from sapper.web.server.workers import WorkLimits, work


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

    def __init__(self, limits):
        super().__init__()
        self.app = SimpleNamespace(state=SimpleNamespace(work_limits=limits))

    async def receive(self):
        await self.wait()
        return {"type": "http.disconnect"}


def run_with_reviews(scenario):
    """Run a scenario while more long tasks run and wait than their limit; return their results."""
    finish = threading.Event()

    def review(cancel):
        while not finish.wait(0.005) and not cancel.is_set:
            pass
        return "cancelled" if cancel.is_set else "found"

    async def run():
        limits = WorkLimits()
        client = Client(limits)
        reviews = [asyncio.create_task(work(client, review, long=True)) for _ in range(6)]
        while limits.long.statistics().tasks_waiting < 6 - workers.MAX_LONG_TASKS:
            await asyncio.sleep(0.01)
        await scenario(client, finish)
        return await asyncio.wait_for(asyncio.gather(*reviews), 60)

    return asyncio.run(run())


def test_quick_task_does_not_wait_for_long_ones():
    async def ask_for_a_hint(client, finish):
        hint = work(Client(client.app.state.work_limits), lambda cancel: "hint")
        assert await asyncio.wait_for(hint, 60) == "hint"
        finish.set()

    assert run_with_reviews(ask_for_a_hint) == ["found"] * 6


def test_disconnect_cancels_running_and_waiting_tasks():
    async def disconnect(client, finish):
        client.set()

    assert run_with_reviews(disconnect) == ["cancelled"] * 6
