"""Campaigns carried out: the same games whoever plays them, lost workers and killed runs."""

import os
import random
import signal
import threading
from concurrent.futures import BrokenExecutor, Future

import numpy as np
import pytest

from sapper import NotationError, Unavailable
from sapper.games.campaign import Campaign
from sapper.games.many import play_each
from sapper.kernels import STATUS
from sapper.lab import run as run_module
from sapper.lab.results import ResultFile
from sapper.lab.run import ShardPlanner, run_campaign
from sapper.lab.runners import RUNNERS, build, worker_pool
from sapper.lab.shards import LONGEST, PlayedShard, play_shard
from sapper.lab.tasks import MOST_LOST, map_batches, run_in_order, run_tasks

GAMES = 300


def campaign(**wishes):
    return Campaign.of(
        **{"size": "beginner", "games": GAMES, "seed": 11, "rule": "safe", "first": 0, **wishes}
    )


def outcome(path, one):
    """All that must not depend on who played: bits, guesses, seeds."""
    with ResultFile(path) as results:
        sums = results.sums(one)
        return results.bits(one, one.seeds).tolist(), sums.by_guesses, sums.spans


def expected(one):
    rows = play_each(one.rules, one.player, len(one.seeds), one.seeds.start, first=one.first)
    by_guesses = tuple(np.bincount(rows[:, 1]).tolist())
    return rows[:, 0].astype(bool).tolist(), by_guesses, (one.seeds,)


def carried_out(path, one, runner="threads", jobs=2):
    with worker_pool(runner, jobs) as workers, ResultFile(path, write=True) as results:
        run_campaign(results, one, workers)
    return outcome(path, one)


@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize("player", ["human", "careful"])
def test_threads_play_the_games_of_play_each(tmp_path, player, jobs):
    one = campaign(player=player)
    assert carried_out(tmp_path / "r", one, "threads", jobs) == expected(one)


# Processes take a second each to come, so `make check-lab` alone asks for one and for seven.
@pytest.mark.parametrize("jobs", [1, 2, 7] if "SAPPER_KILLS" in os.environ else [2])
def test_processes_play_the_same_games(tmp_path, jobs):
    one = campaign()
    assert carried_out(tmp_path / "r", one, "processes", jobs) == expected(one)


def test_a_run_goes_on_where_it_stopped(tmp_path):
    one = campaign()
    told = []
    with worker_pool("threads", 1) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one.on(range(20, 60)), workers)
        run_campaign(results, one.on(range(200, 250)), workers)
        run_campaign(results, one, workers, told.append)
        assert told[-1].games == GAMES - 90
        run_campaign(results, one, workers, lambda progress: pytest.fail("nothing is left"))
    assert outcome(tmp_path / "r", one) == expected(one)


def test_stopping_keeps_what_is_done(tmp_path):
    one = campaign()

    def stop(progress):
        if progress.games > 30:
            raise KeyboardInterrupt

    with worker_pool("threads", 2) as workers, ResultFile(tmp_path / "r", write=True) as results:
        with pytest.raises(KeyboardInterrupt):
            run_campaign(results, one, workers, stop)
        kept = sum(map(len, results.held(one)))
        assert 30 < kept < GAMES
        run_campaign(results, one, workers)
    assert outcome(tmp_path / "r", one) == expected(one)


def test_results_of_a_player_that_has_changed_do_not_mix(tmp_path, monkeypatch):
    one = campaign()
    with worker_pool("threads", 1) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one.on(range(11, 60)), workers)

        def unlike(text, start, stop, version):
            played = play_shard(text, start, stop, version)
            other = bytes(255 - byte for byte in played.won)
            return PlayedShard(played.seeds, other, played.guesses, played.seconds, version)

        monkeypatch.setattr(run_module, "play_shard", unlike)
        results.trusted.clear()
        with pytest.raises(
            Unavailable, match=r"expected seed 11 to be lost as in .* got the other"
        ):
            run_campaign(results, one, workers)
        assert results.held(one) == [range(11, 60)]


@pytest.mark.skipif(STATUS != "compiled", reason="takes minutes as plain Python")
def test_a_file_takes_less_than_3_megabytes_for_ten_million_games(tmp_path):
    """Here for 200,000 of them, beside the pages that an empty file has."""
    one = campaign(player="human", games=200_000)
    with worker_pool("threads", 2) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one.on(range(1)), workers)
        empty = (tmp_path / "r").stat().st_size
        run_campaign(results, one, workers)
    assert (tmp_path / "r").stat().st_size - empty < 3e6 * 200_000 / 1e7


# Lost workers.


class Unlucky:
    """A crew that loses its workers at chosen tasks."""

    lost = (BrokenExecutor,)
    well = True
    workers = 3

    def __init__(self, losses):
        self.losses = list(losses)
        self.mended = 0

    def submit(self, function, *arguments):
        future = Future()
        if self.losses and self.losses.pop(0):
            future.set_exception(BrokenExecutor("killed"))
        else:
            future.set_result(function(*arguments))
        return future

    def mend(self):
        self.mended += 1


def test_a_lost_task_is_given_out_again():
    unlucky = Unlucky([False, True, True, False, True])
    done = dict(run_tasks(unlucky, pow, [(i, 2) for i in range(20)]))
    assert done == {(i, 2): i * i for i in range(20)}
    assert unlucky.mended >= 1


def test_results_come_in_the_order_of_the_tasks_when_asked_for():
    unlucky = Unlucky(random.Random(1).choices([True, False], [1, 4], k=60))
    assert list(run_in_order(unlucky, pow, [(i, 2) for i in range(20)])) == [
        i * i for i in range(20)
    ]


def test_work_is_spread_and_comes_back_in_order():
    unlucky = Unlucky(random.Random(2).choices([True, False], [1, 6], k=60))
    assert list(map_batches(unlucky, tuple, range(3000))) == list(range(3000))
    assert list(map_batches(unlucky, tuple, [])) == []
    with worker_pool("processes", 2) as workers:
        assert list(map_batches(workers, tuple, range(300))) == list(range(300))


def test_a_task_that_takes_every_worker_along_is_given_up():
    with pytest.raises(Unavailable, match=f"got {MOST_LOST} lost over one"):
        list(run_tasks(Unlucky([True] * 100), pow, [(1, 2)]))


def test_an_error_of_the_work_is_the_error_of_the_run():
    with worker_pool("threads", 2) as workers, pytest.raises(ZeroDivisionError):
        list(run_tasks(workers, divmod, [(1, 1), (1, 0)]))


def test_a_worker_killed_in_the_middle_is_made_good(tmp_path):
    one = campaign(size="expert", games=600)
    killed = threading.Event()

    def kill_one(progress):
        if not killed.is_set() and progress.games > 50:
            killed.set()
            os.kill(next(iter(workers._pool._processes)), signal.SIGKILL)

    with worker_pool("processes", 2) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one, workers, kill_one)
    assert killed.is_set()
    assert outcome(tmp_path / "r", one) == expected(one)


# Shards.


def test_shards_grow_with_the_speed_and_shrink_towards_the_end():
    one = campaign(games=10**6)
    slicer = ShardPlanner(one, [one.seeds], Unlucky([]))
    sizes = []
    for text, start, stop, version in slicer:
        assert (text, version) == (one.text, build())
        sizes.append(stop - start)
        slicer.learn(PlayedShard(range(start, stop), b"", b"", (stop - start) / 1e5, version))
    assert sum(sizes) == 10**6
    assert sizes[0] < 100 and max(sizes) == LONGEST and sizes[-2] == LONGEST // 8


def test_slow_games_make_short_shards():
    one = campaign(games=1000)
    slicer = ShardPlanner(one, [one.seeds], Unlucky([]))
    tasks = iter(slicer)
    next(tasks)
    slicer.learn(PlayedShard(range(16), b"", b"", 160.0, build()))
    _, start, stop, _ = next(tasks)
    assert stop - start == 1


def test_a_worker_of_another_version_says_so():
    with pytest.raises(Unavailable, match=r"expected sapper 9\.9 on every worker, got one with"):
        play_shard(campaign().text, 1, 2, "9.9")


# Who works.


def test_an_unknown_runner_is_refused_by_name():
    with pytest.raises(NotationError, match=r"no such runner"):
        worker_pool("ray").__enter__()


def test_only_a_cluster_has_a_scheduler():
    for row in RUNNERS.values():
        if not row.clustered:
            with pytest.raises(NotationError, match="expected a scheduler with the runner dask"):
                worker_pool(row.name, 1, "tcp://127.0.0.1:1").__enter__()
    with pytest.raises(NotationError, match="expected at least 1 job, got 0"):
        worker_pool("threads", 0).__enter__()
