"""The Dask runner, also when schedulers and workers are killed or restarted during a run."""

import gc
import warnings
from uuid import uuid4

import numpy as np
import pytest
from tests.dask_cluster import Cluster

from sapper import NotationError, Unavailable
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.lab import run as run_module
from sapper.lab import runners, tasks
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import worker_pool

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
    monkeypatch.setattr(runners, "RECOVERY_SECONDS", 240.0)


def play(path, report=lambda progress: None, jobs=2, **options):
    with worker_pool("dask", jobs, **options) as workers, ResultFile(path, write=True) as results:
        run_campaign(results, CAMPAIGN, workers, report)
    with ResultFile(path) as results:
        totals = results.totals(CAMPAIGN)
        return results.won_bits(CAMPAIGN, CAMPAIGN.seeds).tolist(), totals.by_guesses, totals.ranges


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


@pytest.mark.parametrize("jobs", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 7))])
def test_local_cluster_plays_the_same_games(tmp_path, expected, jobs):
    assert play(tmp_path / "r", jobs=jobs) == expected


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    yield cluster
    cluster.close()


def test_closed_client_fails_its_futures_and_recovers(cluster):
    with worker_pool("dask", 1, cluster.address) as workers:
        workers._client.close()
        assert not workers.healthy
        with pytest.raises(workers.lost_errors):
            workers.submit(abs, -1).result()
        workers.recover()
        assert workers.submit(abs, -1).result() == 1


def test_equal_tasks_are_computed_separately(cluster):
    with worker_pool("dask", 1, cluster.address) as workers:
        first, second = [workers.submit(uuid4) for _ in range(2)]
        assert first.result() != second.result()


def test_workers_of_another_version_are_refused(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(runners, "build_id", lambda: "9.9+abc")
    with pytest.raises(Unavailable, match=r"does not have sapper 9\.9\+abc \(sapper \d"):
        play(tmp_path / "r", scheduler=cluster.address)
    assert not (tmp_path / "r").exists()


def test_workers_without_the_lab_are_refused(tmp_path, cluster, monkeypatch):
    # The workers import this module by its name.
    monkeypatch.setattr(runners, "__name__", "sapper.lab.not_installed")
    with pytest.raises(Unavailable, match=r"the worker at tcp:.* \(ModuleNotFoundError: "):
        play(tmp_path / "r", scheduler=cluster.address)
    assert not (tmp_path / "r").exists()


def test_killed_worker_and_a_restarted_scheduler_lose_no_games(tmp_path, expected, cluster):
    def restart():
        cluster.restart_scheduler()
        cluster.add_workers(1)

    steps = [call_once_after(500, cluster.kill_worker), call_once_after(1500, restart)]
    result = play(
        tmp_path / "r",
        lambda progress: [step(progress) for step in steps],
        scheduler=cluster.address,
    )
    assert result == expected


def test_bad_scheduler_addresses_are_refused(monkeypatch):
    monkeypatch.setattr(runners, "CONNECT_SECONDS", 0.5)
    with pytest.raises(Unavailable, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        worker_pool("dask", 1, "tcp://127.0.0.1:1").__enter__()
    with pytest.raises(NotationError, match=r"expected the address of a scheduler .* got 'x://y'"):
        worker_pool("dask", 1, "x://y").__enter__()
