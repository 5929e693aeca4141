"""Runs of the lab that are killed, interrupted by Ctrl-C, or run out of disk space.

SAPPER_KILLS and SAPPER_INTERRUPTS set how often; the defaults keep the test run short.
"""

import contextlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sapper.cli.main import run as run_command
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.lab.results import ResultFile
from sapper.lab.shards import won_games
from tests.time_limits import HANG_SECONDS

psutil = pytest.importorskip("psutil")

KILLS = int(os.environ.get("SAPPER_KILLS", "1"))
INTERRUPTS = int(os.environ.get("SAPPER_INTERRUPTS", "3"))
LONG_TEST = "SAPPER_INTERRUPTS" in os.environ
CHECKED_GAMES = 600
CAMPAIGN = Campaign.of("intermediate", "careful", CHECKED_GAMES, 1, "safe", "r1c1")
LINE = "lab run intermediate --player careful --rule safe --first r1c1 --seed 1 --jobs 2"
OPTIONS = LINE.split()
COMMAND = (sys.executable, "-m", "sapper", *OPTIONS)
# Python's own start-up cannot be protected from Ctrl-C, so this says when it is over.
READY = "from sapper.__main__ import main; print('ready', flush=True); main()"
COMMAND_THAT_PRINTS_READY = (sys.executable, "-c", READY, *OPTIONS)


@pytest.fixture
def start():
    """Start runs, each in its own process group, and kill those that are left."""
    started = []

    def begin(path, games, *options, command=COMMAND, before=lambda: None):
        def prepare():
            # Background processes ignore SIGINT, and the tests may be one.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            before()

        run = subprocess.Popen(
            [*command, "--games", str(games), "--out", str(path), *options],
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


def stored_games(path):
    """Return the number of games in a file, and check that no shards overlap."""
    if not path.exists() or not path.stat().st_size:
        return 0
    with ResultFile(path) as results:
        if not results.campaigns():
            return 0
        spans = [shard.seeds for shard in results.shards(CAMPAIGN)]
        assert all(a.stop <= b.start for a, b in pairwise(spans))
        return sum(map(len, spans))


@cache
def expected_rows():
    return play_each("intermediate", "careful", CHECKED_GAMES, 1, "safe", "r1c1")


def assert_same_games(path):
    rows = expected_rows()
    with ResultFile(path) as results:
        won = won_games(results.shards(CAMPAIGN, CAMPAIGN.seeds))
        assert (won == (rows[:, 0] > 0)).all()
        totals = results.totals(CAMPAIGN, CAMPAIGN.seeds)
        assert totals.by_guesses == tuple(np.bincount(rows[:, 1]).tolist())


def have_exited(processes):
    return not psutil.wait_procs(processes, timeout=HANG_SECONDS)[1]


def wait_for_games(run, path, more_than=0):
    while stored_games(path) <= more_than:
        assert run.poll() is None, "the run ended early"
        time.sleep(0.02)


@pytest.mark.parametrize("runner", ["processes", *(["threads", "dask"] if LONG_TEST else [])])
def test_run_that_is_killed_repeatedly_loses_nothing(tmp_path, runner, start):
    path = tmp_path / "r"
    rng = random.Random(f"{runner} {KILLS}")
    before = 0
    for _ in range(KILLS):
        run = start(path, 10**8, "--runner", runner)
        # In most rounds the run is killed only after it has stored something.
        if not before or rng.random() < 0.9:
            wait_for_games(run, path, before)
        time.sleep(rng.uniform(0, 1.0 if LONG_TEST else 0.2))
        workers = psutil.Process(run.pid).children(recursive=True)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert have_exited(workers), "workers outlived their run"
        now = stored_games(path)
        assert now >= before, "games were lost"
        before = now
    done = start(path, CHECKED_GAMES, "--runner", runner)
    assert done.communicate()[1] == f"results in {path}\n" and done.returncode == 0
    assert_same_games(path)


def interrupt(run, number=signal.SIGINT):
    """Send Ctrl-C as a terminal does, to all processes, or another signal; return the message."""
    (os.killpg if number == signal.SIGINT else os.kill)(run.pid, number)
    out, err = run.communicate(timeout=HANG_SECONDS)
    assert (run.returncode, out) == (130, ""), err
    assert err.startswith("sapper: interrupted") and err.count("\n") == 1, err
    return err


@pytest.mark.parametrize(
    ("runner", "number"),
    [
        ("threads", signal.SIGINT),
        ("dask", signal.SIGTERM),
        ("processes", signal.SIGTERM),
        *([("dask", signal.SIGINT), ("processes", signal.SIGHUP)] if LONG_TEST else []),
    ],
)
def test_interrupted_run_names_its_file(tmp_path, runner, number, start):
    path = tmp_path / "r"
    run = start(path, 10**8, "--runner", runner)
    wait_for_games(run, path)
    message = f"finished games are in {path}, and the same command continues"
    assert interrupt(run, number) == f"sapper: interrupted; {message}\n"
    assert stored_games(path)


def is_worker(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return any("spawn_main" in word for word in process.cmdline())
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is specific to Linux")
def test_interrupt_during_worker_startup_exits_cleanly(tmp_path, start):
    run = start(tmp_path / "r", 10**8, "--runner", "processes")
    parent = psutil.Process(run.pid)
    while not (workers := [child for child in parent.children() if is_worker(child)]):
        assert run.poll() is None, "the run ended early"
    # Whether a signal at this moment would leave a traceback depends on luck; the mask does not.
    status = Path(f"/proc/{workers[0].pid}/status").read_text()
    blocked = int(re.search(r"SigBlk:\s+(\w+)", status)[1], 16)
    assert blocked & 1 << (signal.SIGINT - 1)
    interrupt(run)


@pytest.mark.parametrize("runner", ["processes", *(["threads", "dask"] if LONG_TEST else [])])
def test_interrupt_at_any_moment_is_reported_in_one_line(tmp_path, runner, start):
    rng = random.Random(f"{runner} {INTERRUPTS}")
    for number in range(INTERRUPTS):
        run = start(
            tmp_path / f"{number}", 10**8, "--runner", runner, command=COMMAND_THAT_PRINTS_READY
        )
        assert run.stdout.readline() == "ready\n"
        time.sleep(rng.uniform(0, 3 if LONG_TEST else 1))
        interrupt(run)


def test_two_runs_into_one_file_count_every_game_once(tmp_path, start):
    path = tmp_path / "r"
    runs = [start(path, CHECKED_GAMES, "--runner", "threads", "--json") for _ in range(2)]
    answers = [run.communicate(timeout=HANG_SECONDS) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], answers
    assert stored_games(path) == CHECKED_GAMES
    assert_same_games(path)


def test_full_disk_is_reported_and_finished_games_are_kept(tmp_path, start):
    path = tmp_path / "r"

    def limit_file_size():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    run = start(path, 10**8, before=limit_file_size)
    out, err = run.communicate(timeout=HANG_SECONDS)
    assert (run.returncode, out) == (2, "")
    assert err.startswith(f"sapper: cannot read or write {path}: ") and err.count("\n") == 1
    kept = stored_games(path)
    assert kept
    done = start(path, CHECKED_GAMES)
    assert done.communicate()[1] == f"results in {path}\n"
    assert stored_games(path) >= kept
    assert_same_games(path)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is specific to Linux")
def test_file_that_cannot_be_written_is_reported(capsys):
    # Not even root may create a file in /proc.
    assert run_command([*OPTIONS, "--games", "5", "--out", "/proc/r"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert err.startswith("sapper: cannot read or write /proc/r: ")
