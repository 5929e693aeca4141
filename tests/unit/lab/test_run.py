"""Running campaigns: the same games on every runner, lost workers and interruptions."""

import os
import random
import signal
import threading
from concurrent.futures import BrokenExecutor, Future
from itertools import count

import numpy as np
import pytest

from sapper import NotationError, Unavailable
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.kernels import STATUS
from sapper.lab import run as run_module
from sapper.lab.results import ResultFile
from sapper.lab.run import ShardPlanner, run_campaign
from sapper.lab.runners import MAX_JOBS, RUNNERS, _defer_interrupts, build_id, worker_pool
from sapper.lab.shards import MAX_SHARD_GAMES, PlayedShard, play_shard
from sapper.lab.tasks import MAX_LOSSES, map_batches, run_in_order, run_tasks

GAMES = 300


def campaign(**options):
    return Campaign.of(
        **{"size": "beginner", "games": GAMES, "seed": 11, "rule": "safe", "first": 0, **options}
    )


def stored(path, one):
    """Return what must not depend on the runner."""
    with ResultFile(path) as results:
        totals = results.totals(one)
        return results.won_bits(one, one.seeds).tolist(), totals.by_guesses, totals.ranges


def expected(one):
    rows = play_each(one.rules, one.player, len(one.seeds), one.seeds.start, first=one.first)
    by_guesses = tuple(np.bincount(rows[:, 1]).tolist())
    return rows[:, 0].astype(bool).tolist(), by_guesses, (one.seeds,)


def play(path, one, runner="threads", jobs=2):
    with worker_pool(runner, jobs) as workers, ResultFile(path, write=True) as results:
        run_campaign(results, one, workers)
    return stored(path, one)


@pytest.mark.parametrize(("player", "jobs"), [("human", 1), ("careful", 2), ("careful", 7)])
def test_threads_play_the_games_of_play_each(tmp_path, player, jobs):
    one = campaign(player=player)
    assert play(tmp_path / "r", one, "threads", jobs) == expected(one)


def test_ctrl_c_is_delivered_again_after_processes_have_started():
    mask, handler = signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGINT)
    with _defer_interrupts():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.slow  # test_killed_worker_is_replaced is the short version
@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_processes_play_the_same_games(tmp_path, jobs):
    one = campaign()
    assert play(tmp_path / "r", one, "processes", jobs) == expected(one)


def test_run_continues_where_it_stopped(tmp_path):
    one = campaign()
    reported = []
    with worker_pool("threads", 1) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one.with_seeds(range(20, 60)), workers)
        run_campaign(results, one.with_seeds(range(200, 250)), workers)
        run_campaign(results, one, workers, reported.append)
        assert reported[-1].games == GAMES - 90
        run_campaign(results, one, workers, lambda progress: pytest.fail("nothing is left"))
    assert stored(tmp_path / "r", one) == expected(one)


def test_interrupted_run_keeps_its_games(tmp_path):
    one = campaign()

    def stop(progress):
        if progress.games > 30:
            raise KeyboardInterrupt

    with worker_pool("threads", 2) as workers, ResultFile(tmp_path / "r", write=True) as results:
        with pytest.raises(KeyboardInterrupt):
            run_campaign(results, one, workers, stop)
        kept = sum(map(len, results.stored_seeds(one)))
        assert 30 < kept < GAMES
        run_campaign(results, one, workers)
    assert stored(tmp_path / "r", one) == expected(one)


def test_results_of_a_changed_player_do_not_mix(tmp_path, monkeypatch):
    one = campaign()
    with worker_pool("threads", 1) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one.with_seeds(range(11, 60)), workers)

        def play_differently(text, start, stop, version):
            played = play_shard(text, start, stop, version)
            other = bytes(255 - byte for byte in played.won)
            return PlayedShard(played.seeds, other, played.guesses, played.seconds, version)

        monkeypatch.setattr(run_module, "play_shard", play_differently)
        results.verified.clear()
        with pytest.raises(Unavailable, match=r"seed 11 is lost in .*, but not with sapper"):
            run_campaign(results, one, workers)
        assert results.stored_seeds(one) == [range(11, 60)]


@pytest.mark.skipif(STATUS != "compiled", reason="takes minutes as plain Python")
def test_file_takes_less_than_3_megabytes_for_ten_million_games(tmp_path):
    """Measured with 200,000 games, without the pages of an empty file."""
    one = campaign(size="4x4/2", player="human", games=200_000)
    with worker_pool("threads", 2) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one.with_seeds(range(1)), workers)
        empty = (tmp_path / "r").stat().st_size
        run_campaign(results, one, workers)
    assert (tmp_path / "r").stat().st_size - empty < 3e6 * 200_000 / 1e7


# Lost workers.


class LossyPool:
    """A pool that loses its workers at chosen tasks."""

    lost_errors = (BrokenExecutor,)
    healthy = True
    workers = 3

    def __init__(self, losses):
        self.losses = list(losses)
        self.recovered = 0

    def submit(self, function, *arguments):
        future = Future()
        if self.losses and self.losses.pop(0):
            future.set_exception(BrokenExecutor("killed"))
        else:
            future.set_result(function(*arguments))
        return future

    def recover(self):
        self.recovered += 1


def test_lost_task_is_run_again():
    tasks = [(i, 2) for i in range(20)]
    pool = LossyPool([False, True, True, False, True])
    assert dict(run_tasks(pool, pow, tasks)) == {(i, 2): i * i for i in range(20)}
    assert pool.recovered >= 1
    pool = LossyPool(random.Random(1).choices([True, False], [1, 4], k=60))
    assert list(run_in_order(pool, pow, tasks)) == [i * i for i in range(20)]


def test_first_result_of_endless_tasks_does_not_wait_for_a_task_per_worker():
    pool = LossyPool([])
    pool.workers = 10**9
    assert next(run_tasks(pool, pow, ((i, 2) for i in count()))) is not None


def test_map_batches_keeps_the_order():
    pool = LossyPool(random.Random(2).choices([True, False], [1, 6], k=60))
    assert list(map_batches(pool, tuple, range(3000))) == list(range(3000))
    assert list(map_batches(pool, tuple, [])) == []
    with worker_pool("threads", 2) as workers:
        assert list(map_batches(workers, tuple, range(300))) == list(range(300))


def test_task_that_kills_every_worker_is_given_up():
    with pytest.raises(Unavailable, match=f"gave up on a task: {MAX_LOSSES} workers were lost"):
        list(run_tasks(LossyPool([True] * 100), pow, [(1, 2)]))


def test_error_of_a_task_is_raised():
    with worker_pool("threads", 2) as workers, pytest.raises(ZeroDivisionError):
        list(run_tasks(workers, divmod, [(1, 1), (1, 0)]))


def test_killed_worker_is_replaced(tmp_path):
    one = campaign(size="intermediate", games=600)
    killed = threading.Event()

    def kill_one(progress):
        if not killed.is_set() and progress.games > 50:
            killed.set()
            os.kill(next(iter(workers._executor._processes)), signal.SIGKILL)

    with worker_pool("processes", 2) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one, workers, kill_one)
    assert killed.is_set()
    assert stored(tmp_path / "r", one) == expected(one)


# Shards.


def test_shards_grow_with_the_speed_and_shrink_towards_the_end():
    one = campaign(games=10**6)
    planner = ShardPlanner(one, [one.seeds], LossyPool([]))
    sizes = []
    for text, start, stop, version in planner:
        assert (text, version) == (one.text, build_id())
        sizes.append(stop - start)
        planner.record(PlayedShard(range(start, stop), b"", b"", (stop - start) / 1e5, version))
    assert sum(sizes) == 10**6
    assert sizes[0] < 100 and max(sizes) == MAX_SHARD_GAMES and sizes[-2] == MAX_SHARD_GAMES // 8


def test_slow_games_make_short_shards():
    one = campaign(games=1000)
    planner = ShardPlanner(one, [one.seeds], LossyPool([]))
    tasks = iter(planner)
    next(tasks)
    planner.record(PlayedShard(range(16), b"", b"", 160.0, build_id()))
    _, start, stop, _ = next(tasks)
    assert stop - start == 1


def test_worker_of_another_version_is_refused():
    with pytest.raises(Unavailable, match=r"a worker has sapper .*, but this is sapper 9\.9"):
        play_shard(campaign().text, 1, 2, "9.9")


# Worker pools.


def test_bad_options_of_a_pool_are_refused():
    with pytest.raises(NotationError, match=r"no such runner"):
        worker_pool("ray").__enter__()
    for entry in RUNNERS.values():
        if not entry.has_scheduler:
            with pytest.raises(NotationError, match="expected the runner dask with a scheduler"):
                worker_pool(entry.name, 1, "tcp://127.0.0.1:1").__enter__()
    for jobs in (0, MAX_JOBS + 1):
        with pytest.raises(NotationError, match=f"expected 1 to {MAX_JOBS} jobs, got {jobs}"):
            worker_pool("threads", jobs).__enter__()
