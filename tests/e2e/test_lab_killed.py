"""Runs of the lab killed at random moments, on disks that fill up, and stopped by Ctrl-C.

`make check-lab` kills each runner twenty times; the test run does so less often.
"""

import contextlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest

from sapper.games.campaign import Campaign
from sapper.games.many import play_each
from sapper.lab.results import ResultFile
from sapper.lab.runners import RUNNERS

psutil = pytest.importorskip("psutil")

KILLS = int(os.environ.get("SAPPER_KILLS", "3"))
CHECKED = 6000
ONE = Campaign.of("intermediate", "careful", CHECKED, 1, "safe", "r1c1")
COMMAND = (
    *(sys.executable, "-m", "sapper", "lab", "run", "intermediate", "--player", "careful"),
    *("--rule", "safe", "--first", "r1c1", "--seed", "1", "--jobs", "2"),
)


@pytest.fixture
def start():
    """Starts runs, each with its workers in a group of its own; none outlives its test."""
    started = []

    def begin(path, games, *options, before=lambda: None):
        def prepare():
            # Where the tests themselves run in the background, Ctrl-C would be deaf.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            before()

        run = subprocess.Popen(
            [*COMMAND, "--games", str(games), "--out", str(path), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=prepare,
        )
        started.append(run)
        return run

    yield begin
    for run in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        if not run.stdout.closed:
            run.communicate()


def held(path):
    """How many games stand in a file; every row must be whole and none may overlap another."""
    if not path.exists() or not path.stat().st_size:
        return 0
    with ResultFile(path) as results:
        if not results.campaigns():
            return 0
        spans = [shard.seeds for shard in results.shards(ONE)]
        assert all(a.stop <= b.start for a, b in pairwise(spans))
        return sum(map(len, spans))


def assert_same_games(path):
    rows = play_each("intermediate", "careful", CHECKED, 1, "safe", "r1c1")
    with ResultFile(path) as results:
        assert (results.won_bits(ONE, ONE.seeds) == (rows[:, 0] > 0)).all()
        sums = results.totals(ONE, ONE.seeds)
        assert sums.by_guesses == tuple(np.bincount(rows[:, 1]).tolist())


def gone(processes):
    return not psutil.wait_procs(processes, timeout=20)[1]


@pytest.mark.parametrize("runner", ["threads", "processes", *(["dask"] if KILLS > 9 else [])])
def test_a_run_killed_again_and_again_loses_nothing(tmp_path, runner, start):
    path = tmp_path / "r"
    chance = random.Random(f"{runner} {KILLS}")
    before, grown = 0, 0
    for _ in range(KILLS):
        run = start(path, 10**8, "--runner", runner)
        # Counted from the moment when there is something to lose, in all but a few rounds.
        patient = chance.random() < 0.9
        until = time.monotonic() + 60
        while patient and held(path) <= before and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(chance.uniform(0, 1.0))
        workers = psutil.Process(run.pid).children(recursive=True)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert gone(workers), "workers outlived their run"
        now = held(path)
        assert now >= before, "games were lost"
        before, grown = now, grown + (now > before)
    assert grown
    done = start(path, CHECKED, "--runner", runner)
    assert done.communicate()[1] == f"results in {path}\n" and done.returncode == 0
    assert_same_games(path)


@pytest.mark.parametrize("runner", RUNNERS.names)
def test_a_stopped_run_says_where_its_games_are(tmp_path, runner, start):
    path = tmp_path / "r"
    run = start(path, 10**8, "--runner", runner)
    while not held(path):
        time.sleep(0.05)
    # As a terminal does it: the run and all of its workers hear of it.
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert err.split("\n") == [
        f"what is done is kept in {path}; the same command goes on",
        *("", "sapper: stopped", ""),
    ]
    assert held(path)


@pytest.mark.parametrize("pause", [0.05, 0.1, 0.15])
def test_workers_that_are_still_starting_do_not_hear_of_a_stop(tmp_path, start, pause):
    run = start(tmp_path / "r", 10**8, "--runner", "processes")
    while len(psutil.Process(run.pid).children()) < 2:  # Python's own helper, and a worker
        time.sleep(0.005)
    time.sleep(pause)  # until it imports what it needs
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert "Traceback" not in err and err.endswith("\nsapper: stopped\n")


def test_two_runs_into_one_file_count_every_game_once(tmp_path, start):
    path = tmp_path / "r"
    runs = [start(path, CHECKED, "--runner", "threads", "--json") for _ in range(2)]
    answers = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], answers
    assert held(path) == CHECKED
    assert_same_games(path)


def test_a_disk_that_fills_up_is_one_line_and_what_is_done_is_kept(tmp_path, start):
    path = tmp_path / "r"

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    run = start(path, 10**8, before=little_room)
    out, err = run.communicate(timeout=120)
    assert (run.returncode, out) == (2, "")
    assert err.startswith(f"sapper: cannot read or write {path}: ") and err.count("\n") == 1
    kept = held(path)
    assert kept
    done = start(path, CHECKED)
    assert done.communicate()[1] == f"results in {path}\n"
    assert held(path) >= kept
    assert_same_games(path)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's read-only mounts")
def test_a_file_that_cannot_be_written_is_one_line(tmp_path, start):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "r"
    assert start(path, 500).communicate()[1] == f"results in {path}\n"
    before = path.read_bytes()
    # A root user may write anywhere, so the folder is one where even root may not.
    if os.geteuid() == 0:
        missing = start("/proc/r", 500)
        path_shown = "/proc/r"
    else:
        folder.chmod(0o500)
        missing = start(folder / "new", 500)
        path_shown = str(folder / "new")
    out, err = missing.communicate()
    folder.chmod(0o700)
    assert (missing.returncode, out) == (2, "")
    assert err.startswith(f"sapper: cannot read or write {path_shown}: ") and err.count("\n") == 1
    assert path.read_bytes() == before
    with sqlite3.connect(path) as file:
        assert file.execute("pragma integrity_check").fetchone() == ("ok",)
