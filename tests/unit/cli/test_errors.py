"""Errors that name the real mistake in one line; never a traceback, whatever the output is."""

import json
import os
import subprocess
import sys

import pytest

CYRILLIC = '{"cells": ["й", "ж"], "edges": [["й", "ж"]], "numbers": {"й": 1}}'
DIGITS = "9" * 6000
SAPPER = [sys.executable, "-m", "sapper"]


def shell(command, text="", **environment):
    """A command line under pipefail: status, standard output as bytes, standard error."""
    words = ["bash", "-o", "pipefail", "-c", command.replace("sapper ", " ".join(SAPPER) + " ")]
    env = {**os.environ, **environment}
    run = subprocess.run(words, input=text.encode(), capture_output=True, env=env)
    return run.returncode, run.stdout, run.stderr.decode()


@pytest.mark.parametrize(
    "command",
    [
        "deal expert --seed 1",
        "probabilities -",
        "solve - --json",
        "watch beginner --seed 4",
        "--version",
    ],
)
def test_a_closed_output_is_silence(command):
    status, out, err = shell(f"sapper {command} >&-", "1##\n")
    assert (status, out) == (0, b"")
    assert err.startswith("seed ") or not err


def test_files_are_written_with_both_streams_closed(tmp_path):
    command = f"sapper show - --svg {tmp_path}/picture.svg >&- 2>&-"
    assert shell(command, "1##\n")[0] == 0
    assert (tmp_path / "picture.svg").read_text().startswith("<svg")


def test_the_status_tells_where_the_error_cannot_be_written():
    assert shell("sapper deal nothing 2>/dev/full")[0] == 2


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp437"])
@pytest.mark.parametrize("command", ["probabilities -", "show -", "explain -", "solve -"])
def test_a_name_that_the_output_cannot_hold_is_escaped(encoding, command):
    status, out, err = shell(f"sapper {command}", CYRILLIC, PYTHONIOENCODING=encoding)
    assert (status, err) == (0, "")
    assert b"\\u0436" in out


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp437", "utf-8"])
def test_json_holds_every_name_in_any_encoding(encoding):
    smile = CYRILLIC.replace("ж", "\U0001f600")
    for text, name in ((CYRILLIC, "ж"), (smile, "\U0001f600")):
        status, out, _ = shell("sapper probabilities - --json", text, PYTHONIOENCODING=encoding)
        assert status == 0
        assert json.loads(out.decode(encoding))["flag"] == [name]


@pytest.mark.parametrize(
    "command",
    [
        *("deal beginner --count 3000 --seed 1", "deal beginner --count 3000 --json"),
        *("watch expert --seed 1", "demo", "--help", "table --help"),
    ],
)
def test_a_reader_that_goes_away_is_no_failure(command):
    assert shell(f"sapper {command} 2>/dev/null | head -c 5")[0] == 0


def test_a_title_of_half_characters_is_refused(sapper, tmp_path):
    for suffix in ("pdf", "svg", "txt"):
        file = tmp_path / f"sheet.{suffix}"
        status, out, err = sapper("table", "5x4", "--title", "\udcff", "-o", file)
        assert (status, out) == (2, "")
        assert err == "sapper: expected a title of whole characters, got '\\udcff'\n"
        assert not file.exists()


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        ("probabilities", "*..\n..c\n", "expected a position, got a layout"),
        ("explain", "layout: square 2x1\n*.\n", "line 1: expected a position, got a layout"),
        (
            "solve",
            '{"board": "square 2x1", "layout": ["r1c1"]}',
            "expected a position, got a layout",
        ),
        ("grade", "#1.\n", "expected a layout, got a position"),
        ("grade", "mines: 2\n#1.\n", "line 1: expected a layout, got a position"),
        (
            "grade",
            '{"board": "square 2x1", "numbers": {"r1c1": 1}}',
            "expected a layout, got a position",
        ),
        (
            "probabilities",
            "colour: red\n#1.\n",
            "line 1: no such header 'colour'; choose from board, mines, layout",
        ),
        (
            "probabilities",
            "mine: 3\n#1.\n",
            "line 1: no such header 'mine'; did you mean 'mines'?",
        ),
        (
            "probabilities",
            "board: square 9999999x9999999\n#",
            "line 1: expected at most 16,777,216 cells, got 9999999x9999999",
        ),
        (
            "probabilities",
            '{"cells": ["a"], "mines": 1, "mines": 2}',
            "expected every JSON key once, got 'mines' twice",
        ),
        (
            "probabilities",
            '{"cells": ["a", "b"], "numbers": {"a": 1, "a": 0}}',
            "expected every JSON key once, got 'a' twice",
        ),
        (
            "probabilities",
            f'{{"cells": ["a"], "mines": {DIGITS}}}',
            "expected numbers of at most 20 digits, got one of 6,000",
        ),
    ],
)
def test_a_position_that_cannot_be_read_is_told_what_it_is(ask, command, text, message):
    assert ask(command, text) == (2, "", f"sapper: {message}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("deal", "9999999999x9/5"), "expected at most 16,777,216 cells, got '9999999999x9/5'"),
        (("deal", "9999x9999/5"), "expected at most 16,777,216 cells, got 9999x9999"),
        (("deal", "9x9/9999999999"), "expected fewer than 16,777,216 mines, got '9x9/9999999999'"),
        (("deal", "-5"), "expected a number of at least 0, got '-5'"),
        (("deal", "-5x5/3"), "expected a number of at least 0, got '-5x5/3'"),
        (("one-click", "5", "5", "-35"), "expected a number of at least 0, got '-35'"),
        (("one-click", "-5", "5", "3"), "expected a number of at least 0, got '-5'"),
    ],
)
def test_a_number_out_of_range_is_named(sapper, words, message):
    assert sapper(*words) == (2, "", f"sapper: {message}\n")


@pytest.mark.parametrize(
    "words",
    [
        *(("deal", f"9x9/{DIGITS}"), ("deal", f"{DIGITS}x9/1"), ("one-click", "5", "5", DIGITS)),
        *(("deal", "beginner", "--seed", DIGITS), ("deal", "beginner", "--count", DIGITS)),
        *(("table", "5x4", "--mines-share", DIGITS), ("watch", "beginner", "--pace", DIGITS)),
        *(("table", f"{DIGITS}x4"), ("deal", "beginner", "--first", f"r{DIGITS}c1")),
    ],
)
def test_a_number_of_thousands_of_digits_is_one_line_that_can_be_read(sapper, words):
    status, out, err = sapper(*words)
    assert (status, out) == (2, "")
    assert err.startswith("sapper: ") and err.count("\n") == 1 and len(err) < 520


@pytest.mark.parametrize(
    ("liberal", "usual"),
    [
        (("deal", "Expert"), ("deal", "expert")),
        (("deal", "9X9/10"), ("deal", "9x9/10")),
        (("deal", "9\u00d79/10"), ("deal", "9x9/10")),
        (("deal", "beginner", "--first", "R3C1"), ("deal", "beginner", "--first", "r3c1")),
        (("deal", "beginner", "--tiling", "Torus"), ("deal", "beginner", "--tiling", "torus")),
        (("deal", "beginner", "--rule", "Safe"), ("deal", "beginner", "--rule", "safe")),
        (
            ("watch", "Beginner", "--player", "Careful"),
            ("watch", "beginner", "--player", "careful"),
        ),
        (("table", "5X4"), ("table", "5x4")),
    ],
)
def test_input_is_as_liberal_as_it_says(sapper, liberal, usual):
    status, out, _ = sapper(*liberal, "--seed", 1)
    assert status == 0
    assert out == sapper(*usual, "--seed", 1)[1]


def test_headers_and_cells_of_a_position_are_liberal_too(ask):
    usual = ask("probabilities", "board: hexagonal 3x2\nmines: 1\n1##\n###", "--json")
    assert usual[0] == 0
    assert ask("probabilities", "Board: Hexagonal 3\u00d72\nMines: 1\n1##\n###", "--json") == usual
    assert ask("explain", "1#", "--cell", "R1C2") == ask("explain", "1#", "--cell", "r1c2")
