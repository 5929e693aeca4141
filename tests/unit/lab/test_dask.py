"""The Dask runner, also when workers and schedulers are killed during a run."""

import gc
import time
import warnings
from uuid import uuid4

import numpy as np
import pytest
from tests.dask_cluster import Cluster
from tests.time_limits import HANG_SECONDS

from sapper import NotationError, Unavailable
from sapper.errors import WorkersLost
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.lab import run as run_module
from sapper.lab import runners, tasks
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import worker_pool
from sapper.lab.shards import won_games

pytest.importorskip("distributed")
# A disconnected client closes its sockets only when it is garbage-collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

CAMPAIGN = Campaign.of("intermediate", "careful", 3000, 1, "safe", "r1c1")


@pytest.fixture(autouse=True)
def collect_garbage():
    """Free what a client left open, so that its warnings do not appear in another test."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.fixture(autouse=True)
def short_shards(monkeypatch):
    """Use many small shards, so that some are always running."""
    monkeypatch.setattr(tasks, "TASK_SECONDS", 0.01)
    monkeypatch.setattr(run_module, "COMMIT_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def long_timeouts(monkeypatch):
    """Allow for a busy machine, on which clusters start slowly."""
    monkeypatch.setattr(runners, "CONNECT_SECONDS", 120.0)
    monkeypatch.setattr(runners, "START_SECONDS", 240.0)


def play(path, report=lambda progress: None, **options):
    with worker_pool("dask", 2, **options) as workers, ResultFile(path, write=True) as results:
        run_campaign(results, CAMPAIGN, workers, report)
        totals, shards = results.totals(CAMPAIGN), results.shards(CAMPAIGN)
        return won_games(shards).tolist(), totals.by_guesses, totals.ranges


@pytest.fixture(scope="module")
def expected():
    rows = play_each("intermediate", "careful", 3000, 1, "safe", "r1c1")
    by_guesses = tuple(np.bincount(rows[:, 1]).tolist())
    return rows[:, 0].astype(bool).tolist(), by_guesses, (CAMPAIGN.seeds,)


def call_once_after(games, action):
    """Return a progress callback that calls *action* once, after that many games."""
    pending = [action]

    def report(progress):
        if pending and progress.games > games:
            pending.pop()()

    return report


def test_local_cluster_plays_the_same_games(tmp_path, expected):
    assert play(tmp_path / "r") == expected


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    yield cluster
    cluster.close()


def test_equal_tasks_are_computed_separately(cluster):
    with worker_pool("dask", 1, cluster.address) as workers:
        first, second = [workers.submit(uuid4) for _ in range(2)]
        assert first.result() != second.result()


def test_workers_of_another_version_are_refused(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(runners, "build_id", lambda: "9.9+abc")
    with pytest.raises(Unavailable, match=r"a worker on .* has sapper \d.*, but .* 9\.9\+abc"):
        play(tmp_path / "r", scheduler=cluster.address)


def test_workers_without_sapper_are_refused(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(runners, "_CALL", "__import__('not_installed')")
    with pytest.raises(WorkersLost, match=r"a worker does not have sapper \d"):
        play(tmp_path / "r", scheduler=cluster.address)


def test_tasks_of_a_killed_worker_run_on_another(tmp_path, expected, cluster):
    kill = call_once_after(500, cluster.kill_worker)
    assert play(tmp_path / "r", kill, scheduler=cluster.address) == expected
    cluster.add_workers(1)


def test_run_without_workers_ends(cluster, monkeypatch):
    monkeypatch.setattr(tasks, "NO_WORKERS_SECONDS", 0.1)
    with worker_pool("dask", 1, cluster.address) as workers:
        lost = tasks.run_tasks(workers, abs, ((-i,) for i in range(10**9)))
        next(lost)
        for _ in range(2):
            cluster.kill_worker()
        with pytest.raises(WorkersLost, match="the cluster has no workers left"):
            list(lost)
    cluster.add_workers(2)


def test_lost_scheduler_ends_a_run_and_another_one_works(tmp_path, expected, cluster):
    with worker_pool("dask", 1, cluster.address) as workers:
        running = tasks.run_tasks(workers, time.sleep, [(0,), (HANG_SECONDS,)])
        next(running)
        cluster.restart_scheduler()
        with pytest.raises(WorkersLost, match="the Dask scheduler was lost"):
            next(running)
    cluster.add_workers(2)
    assert play(tmp_path / "r", scheduler=cluster.address) == expected


def test_bad_scheduler_addresses_are_refused(monkeypatch):
    monkeypatch.setattr(runners, "CONNECT_SECONDS", 0.5)
    with pytest.raises(Unavailable, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        worker_pool("dask", 1, "tcp://127.0.0.1:1").__enter__()
    with pytest.raises(NotationError, match=r"expected the address of a scheduler .* got 'x://y'"):
        worker_pool("dask", 1, "x://y").__enter__()
