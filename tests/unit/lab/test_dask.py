"""Dask: a scheduler and workers as separate processes, killed and restarted under a run."""

import gc
import os
import time
import warnings

import numpy as np
import pytest
from tests.dask_cluster import Cluster, no_lab, other_version

from sapper import NotationError, Unavailable
from sapper.games.campaign import Campaign
from sapper.games.many import play_each
from sapper.lab import run as run_module
from sapper.lab import runners, tasks
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import worker_pool

pytest.importorskip("distributed")
# A client that is cut off leaves sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

CAMPAIGN = Campaign.of("intermediate", "careful", 3000, 1, "safe", "r1c1")


@pytest.fixture(autouse=True)
def nothing_left_behind():
    """What a client drops is collected here, not in the midst of another test."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.fixture(autouse=True)
def short_shards(monkeypatch):
    """Many small shards, so that something is always going on."""
    monkeypatch.setattr(tasks, "TASK_SECONDS", 0.01)
    monkeypatch.setattr(run_module, "KEEP_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A busy machine may take long to start a scheduler and its workers."""
    monkeypatch.setattr(runners, "CONNECT_SECONDS", 120.0)
    monkeypatch.setattr(runners, "PATIENCE_SECONDS", 240.0)


def carried_out(path, tell=lambda progress: None, jobs=2, **wishes):
    with worker_pool("dask", jobs, **wishes) as workers, ResultFile(path, write=True) as results:
        run_campaign(results, CAMPAIGN, workers, tell)
    with ResultFile(path) as results:
        sums = results.sums(CAMPAIGN)
        return results.bits(CAMPAIGN, CAMPAIGN.seeds).tolist(), sums.by_guesses, sums.spans


@pytest.fixture(scope="module")
def expected():
    rows = play_each("intermediate", "careful", 3000, 1, "safe", "r1c1")
    by_guesses = tuple(np.bincount(rows[:, 1]).tolist())
    return rows[:, 0].astype(bool).tolist(), by_guesses, (CAMPAIGN.seeds,)


def once(games, do):
    """Does something when so many games are done."""
    left = [do]

    def tell(progress):
        if left and progress.games > games:
            left.pop()()

    return tell


@pytest.mark.parametrize("jobs", [1, 2, 7] if "SAPPER_KILLS" in os.environ else [2])
def test_a_cluster_of_this_machine_plays_the_same_games(tmp_path, expected, jobs):
    assert carried_out(tmp_path / "r", jobs=jobs) == expected


def test_a_killed_worker_and_a_restarted_scheduler_lose_nothing(tmp_path, expected):
    with Cluster(2) as cluster:

        def restart():
            cluster.restart_scheduler()
            cluster.add_workers(1)

        steps = [once(500, cluster.kill_worker), once(1500, restart)]
        found = carried_out(
            tmp_path / "r",
            lambda progress: [step(progress) for step in steps],
            scheduler=cluster.address,
        )
        assert found == expected


def test_a_client_that_was_closed_answers_with_what_is_lost():
    with Cluster(1) as cluster, worker_pool("dask", 1, cluster.address) as workers:
        workers._client.close()
        assert not workers.well
        with pytest.raises(workers.lost):
            workers.submit(abs, -1).result()
        workers.mend()
        assert workers.submit(abs, -1).result() == 1


def test_another_scheduler_at_the_same_address_is_noticed():
    with Cluster(1) as cluster, worker_pool("dask", 1, cluster.address) as workers:
        assert workers.workers == 1 and workers.well
        cluster.restart_scheduler()
        cluster.add_workers(1)
        until = time.monotonic() + 120
        while workers.well and time.monotonic() < until:
            time.sleep(0.1)
            assert workers.workers  # asks anew now and then
        assert not workers.well
        workers.mend()
        assert workers.well and workers.submit(abs, -1).result() == 1


@pytest.mark.parametrize("other", [other_version, no_lab])
def test_workers_of_another_version_or_with_none_are_one_line(tmp_path, other):
    folder = tmp_path / "other"
    folder.mkdir()
    with (
        Cluster(1, other(folder)) as cluster,
        pytest.raises(Unavailable, match=r"expected sapper .* on every worker, got .* at tcp:"),
    ):
        carried_out(tmp_path / "r", scheduler=cluster.address)
    assert not (tmp_path / "r").exists()


def test_a_scheduler_that_is_not_there_is_one_line(monkeypatch):
    monkeypatch.setattr(runners, "CONNECT_SECONDS", 0.5)
    with pytest.raises(Unavailable, match=r"expected a Dask scheduler at tcp://127\.0\.0\.1:1,"):
        worker_pool("dask", 1, "tcp://127.0.0.1:1").__enter__()
    with pytest.raises(NotationError, match=r"expected the address of a scheduler .* got 'x://y'"):
        worker_pool("dask", 1, "x://y").__enter__()
