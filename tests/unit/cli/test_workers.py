"""Long work of the commands by several workers: the same output, whoever did it."""

import pytest
from tests.time_limits import assert_told

from sapper.cli.workers import progress_bar, watched

COMMANDS = (
    ("deal", "9x9/10", "--seed", 5, "--count", 40),
    ("deal", "9x9/10", "--seed", 5, "--count", 12, "--no-guess", "--json"),
    ("table", "6x5", "--difficulty", "two", "--seed", 5, "--count", 12, "--json"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{command[0]} {command[-1]}")
def test_workers_make_the_same_as_one(sapper, command):
    alone = sapper(*command)
    assert alone[0] == 0
    assert sapper(*command, "--jobs", 3, "--runner", "threads") == alone


def test_processes_make_the_same_as_one(sapper):
    command = COMMANDS[-1]
    assert sapper(*command, "--jobs", 2, "--runner", "processes") == sapper(*command)


@pytest.mark.parametrize("more", [(), ("--jobs", 2, "--runner", "threads")], ids=["one", "two"])
def test_what_a_worker_refuses_is_one_line(sapper, more):
    command = ("deal", "9x9/10", "--seed", 5, "--count", 5, "--no-guess", "--difficulty", "two")

    def told(seconds):
        status, _, err = sapper(*command, "--3bv", "1-1", "--seconds", seconds, *more)
        assert status == 1 and err.count("\n") == 1
        return err

    assert_told(
        told, "^sapper: expected a board without a guess of difficulty 'two' and 3BV 1-1", 0.05
    )


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{command[0]} {command[-1]}")
def test_an_unknown_runner_is_refused(sapper, command):
    status, out, err = sapper(*command, "--runner", "ray")
    assert (status, out) == (2, "") and "no such runner" in err


def test_a_bar_is_shown_where_somebody_watches(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert list(watched(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert "letters" in capsys.readouterr().err


def test_no_bar_is_shown_to_a_file(capsys):
    with progress_bar("letters", 3) as tell:
        tell(2, "two")
    assert list(watched(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
