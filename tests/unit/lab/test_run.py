"""Running campaigns: the same games on every runner, lost workers and interruptions."""

import multiprocessing
import signal
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import count, islice

import numpy as np
import pytest

from sapper import NotationError, Unavailable
from sapper.errors import WorkersLost
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.lab import run as run_module
from sapper.lab.results import ResultFile
from sapper.lab.run import FIRST_GAMES, MAX_GAMES, plan_shards, run_campaign
from sapper.lab.runners import MAX_JOBS, RUNNERS, WorkerPool, _defer_interrupts, worker_pool
from sapper.lab.shards import merge_ranges, play_shard, won_games
from sapper.lab.tasks import QUEUED_PER_WORKER, BatchSizer, map_batches, run_tasks

GAMES = 300


def campaign(**options):
    return Campaign.of(
        **{"size": "beginner", "games": GAMES, "seed": 11, "rule": "safe", "first": 0, **options}
    )


def stored(path, one):
    """Return what must not depend on the runner."""
    with ResultFile(path) as results:
        totals = results.totals(one)
        return won_games(results.shards(one)).tolist(), totals.by_guesses, totals.ranges


def expected(one):
    rows = play_each(one.rules, one.player, len(one.seeds), one.seeds.start, first=one.first)
    by_guesses = tuple(np.bincount(rows[:, 1]).tolist())
    return rows[:, 0].astype(bool).tolist(), by_guesses, (one.seeds,)


def play(path, one, runner="threads", jobs=2):
    with worker_pool(runner, jobs) as workers, ResultFile(path, write=True) as results:
        run_campaign(results, one, workers)
    return stored(path, one)


@pytest.mark.parametrize(("runner", "jobs"), [("threads", 1), ("threads", 7), ("processes", 2)])
def test_runners_play_the_games_of_play_each(tmp_path, runner, jobs):
    one = campaign()
    assert play(tmp_path / "r", one, runner, jobs) == expected(one)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_are_delivered_after_processes_have_started(number):
    received = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    before = signal.signal(number, lambda number, frame: received.append(number))
    try:
        with _defer_interrupts():
            assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
            signal.raise_signal(number)
            assert not received
        assert received == [number] and signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask
    finally:
        signal.signal(number, before)


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
        kept = results.totals(one).games
        assert 30 < kept < GAMES
        run_campaign(results, one, workers)
    assert stored(tmp_path / "r", one) == expected(one)


def test_results_of_a_changed_player_do_not_mix(tmp_path, monkeypatch):
    one = campaign()
    with worker_pool("threads", 1) as workers, ResultFile(tmp_path / "r", write=True) as results:
        run_campaign(results, one.with_seeds(range(11, 60)), workers)

        def play_differently(text, seeds):
            shard = play_shard(text, seeds)
            return replace(shard, games=bytes(255 - byte for byte in shard.games))

        monkeypatch.setattr(run_module, "play_shard", play_differently)
        with pytest.raises(Unavailable, match=r"on seed \d+ differ between .*r and this run"):
            run_campaign(results, one, workers)
        assert results.stored_seeds(one) == [range(11, 60)]


# Tasks and shards.


def inline_pool(workers=3):
    """Return a pool that runs each task as it is submitted."""

    def submit(function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future

    return WorkerPool(submit, lambda: workers)


def test_first_result_of_endless_tasks_does_not_wait_for_others():
    started = []
    tasks = ((i,) for i in count())
    for finished, _ in enumerate(islice(run_tasks(inline_pool(3), started.append, tasks), 20)):
        assert len(started) <= 3 * QUEUED_PER_WORKER + finished


def test_map_batches_keeps_the_order():
    with worker_pool("threads", 2) as workers:
        assert list(map_batches(workers, tuple, range(3000))) == list(range(3000))
        assert list(map_batches(workers, tuple, [])) == []


def test_worker_that_is_lost_before_a_task_is_submitted_is_reported():
    def submit(function, *arguments):
        raise BrokenProcessPool

    pool = WorkerPool(submit, lambda: 1, {BrokenProcessPool: "a worker was lost"})
    with pytest.raises(WorkersLost, match="a worker was lost"):
        list(run_tasks(pool, pow, [(1, 2)]))


def test_error_of_a_task_is_raised():
    with worker_pool("threads", 2) as workers, pytest.raises(ZeroDivisionError):
        list(run_tasks(workers, divmod, [(1, 1), (1, 0)]))


def test_run_continues_after_a_worker_was_lost(tmp_path):
    one = campaign(size="intermediate", games=10_000)
    killed = []

    def kill_one(progress):
        if progress.games > 50 and not killed:
            killed.append(multiprocessing.active_children()[0])
            killed[0].kill()

    with ResultFile(tmp_path / "r", write=True) as results:
        with (
            worker_pool("processes", 2) as workers,
            pytest.raises(WorkersLost, match="a worker process ended"),
        ):
            run_campaign(results, one, workers, kill_one)
        assert 50 < results.totals(one).games < 10_000
    assert play(tmp_path / "r", one) == expected(one)


def test_shards_grow_with_the_speed_and_shrink_towards_the_end():
    missing, sizer = [range(5, 10), range(100, 10**6 + 95)], BatchSizer(FIRST_GAMES, MAX_GAMES)
    planned = []
    for _, seeds in plan_shards("text", missing, inline_pool(), sizer):
        planned.append(seeds)
        sizer.record(len(seeds), len(seeds) / 1e5)
    assert merge_ranges(planned) == missing
    sizes = list(map(len, planned))
    assert sum(sizes) == 10**6 and max(sizes) == MAX_GAMES
    assert sizes[1] < 100 and sizes[-2] == MAX_GAMES // 8


def test_slow_games_make_short_shards():
    sizer = BatchSizer(FIRST_GAMES, MAX_GAMES)
    sizer.record(16, 160.0)
    assert next(plan_shards("text", [range(1000)], inline_pool(), sizer)) == ("text", range(1))


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
