"""Parallel work of commands, and progress bars."""

import pytest
from tests.time_limits import assert_error_within

from sapper.cli.workers import progress_bar, with_progress

COMMANDS = {
    "generate": "generate 9x9/10 --seed 5 --count 40",
    "no-guess": "generate 9x9/10 --seed 5 --count 12 --no-guess --json",
    "worksheet": "worksheet 6x5 --difficulty two --seed 5 --count 12 --json",
    "puzzle": "puzzle --difficulty one --seed 9 --count 4 --json",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_threads_give_the_same_output_as_one_process(sapper, command):
    alone = sapper(*command.split())
    assert alone[0] == 0
    assert sapper(*command.split(), "--jobs", 3, "--runner", "threads") == alone


@pytest.mark.parametrize("command", ["generate", "worksheet", "puzzle"])
def test_worker_process_gives_the_same_output(sapper, command):
    words = COMMANDS[command].split()
    assert sapper(*words, "--jobs", 1, "--runner", "processes") == sapper(*words)


@pytest.mark.parametrize("more", [(), ("--jobs", 2, "--runner", "threads")], ids=["one", "two"])
def test_error_of_a_worker_is_reported_in_one_line(sapper, more):
    line = "generate 9x9/10 --seed 5 --count 5 --no-guess --difficulty two --3bv 1-1"

    def error(seconds):
        status, _, err = sapper(*line.split(), "--seconds", seconds, *more)
        assert status == 1 and err.count("\n") == 1
        return err

    message = "^sapper: stopped after .* s: no no-guess board with difficulty 'two' and 3BV 1-1"
    assert_error_within(error, message, 0.05)


def test_progress_bar_is_shown_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert list(with_progress(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert "letters" in capsys.readouterr().err


def test_no_progress_bar_is_written_to_a_file(capsys):
    with progress_bar("letters", 3) as update:
        update(2, "two")
    assert list(with_progress(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
