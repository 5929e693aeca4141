"""Engine work: moves go on beside it, and it stops when nobody waits for it."""

import asyncio
import threading
import time
from types import SimpleNamespace

from anyio import CapacityLimiter

from sapper.infer.odds.analysis import analyse
from sapper.web.server import analyses
from sapper.web.server.work import work


def test_moves_are_answered_while_an_analysis_runs(client, new_game, move, monkeypatch):
    game = new_game(size="beginner", seed="3")
    move(game, "reveal", 40)
    begun, finish = threading.Event(), threading.Event()

    def slow(frame, **_):
        begun.set()
        finish.wait(10)
        return analyse(frame)

    monkeypatch.setattr(analyses, "analyse", slow)
    answers = []
    asking = threading.Thread(
        target=lambda: answers.append(client.post(f"/api/games/{game['id']}/odds", json={}))
    )
    asking.start()
    assert begun.wait(10)
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    state = move(game, "flag", marks.index(-1), after=1)["state"]
    assert state["flags"] == 1
    assert not finish.is_set()
    finish.set()
    asking.join()
    # The position is gone, so its odds are not told, and no nudge is counted.
    assert answers[0].status_code == 409
    assert client.get(f"/api/games/{game['id']}").json()["state"]["nudges"] == 0


def test_work_is_stopped_when_the_one_who_asked_has_gone_away():
    async def gone_soon():
        await asyncio.sleep(0.05)
        return {"type": "http.disconnect"}

    def search(cancel):
        end = time.monotonic() + 10
        while not cancel.is_set and time.monotonic() < end:
            time.sleep(0.005)
        return cancel.is_set

    async def run():
        state = SimpleNamespace(engine=CapacityLimiter(1))
        request = SimpleNamespace(receive=gone_soon, app=SimpleNamespace(state=state))
        return await work(request, search)

    assert asyncio.run(run())
