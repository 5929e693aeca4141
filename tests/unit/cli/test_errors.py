"""Errors: one line on standard error, the right status, nothing on standard output."""

import io
import json

import pytest

from sapper.cli import main

POSITION = "mines: 2\n1##\n1##\n###\n"
GRAPH = {"edges": [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"]]}
DIGITS = "9" * 6000


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change to a folder with the files that the lines below name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "position.txt").write_text(POSITION)
    (tmp_path / "graph.json").write_text(json.dumps(GRAPH))
    (tmp_path / "board.mbf").write_bytes(bytes([2, 1, 0, 1, 0, 0]))
    (tmp_path / "mines.json").write_text(json.dumps({**GRAPH, "mines": "2"}))
    return tmp_path


# Command lines with bad input, and a part of the message.
BAD_INPUT = {
    # Commands, options and arguments.
    "fly": "no such command 'fly'; see sapper --help",
    "show": "missing argument FILE",
    "convert f": "missing option --to",
    "generate beginner --first": "--first needs a value",
    "generate beginner --frist r1c1": "no such option '--frist'; did you mean --first?",
    "generate beginner --qqqq": "no such option '--qqqq'",
    "generate beginner --no-guess=1": "--no-guess takes no value",
    "generate beginner expert": "unexpected argument 'expert'",
    "demo one two": "unexpected argument 'one two'",
    # Numbers.
    "generate beginner --count 0": "--count: expected a whole number of at least 1, got '0'",
    "generate beginner --count abc": "--count: expected a whole number of at least 1, got 'abc'",
    "generate beginner --seed -1": "--seed: expected a seed",
    "generate beginner --seed 1e3": "--seed: expected a seed",
    f"generate 5x5/1 --seed {2**64 - 1} --count 2": f"seeds below {2**64}, got {2**64 - 1} + 1",
    "hint position.txt --detail abc": "--detail: expected a whole number, got 'abc'",
    "watch beginner --pace -3": "--pace: expected a number from 0 to 60, got '-3'",
    "watch beginner --pace nan": "--pace: expected a number from 0 to 60, got 'nan'",
    "demo --pace 61": "--pace: expected a number from 0 to 60, got '61'",
    "serve --port -1": "--port: expected a whole number from 0 to 65535, got '-1'",
    "analyse position.txt --seconds x": "--seconds: expected a number, got 'x'",
    "analyse position.txt --seconds 0": "seconds",
    "analyse position.txt --memory 0": "expected a memory limit in GB above 0",
    "lab run beginner --player careful --games x": "--games: expected a whole number of at least 1",
    "worksheet 6x6 --jobs 2147483648": "--jobs: expected a whole number from 1 to",
    f"worksheet 6x6 --seed 0 --count {2**64 + 1}": f"expected seeds below {2**64}, got 0 + {2**64}",
    "generate -5": "expected a number of at least 0, got '-5'",
    # Boards and rules.
    "generate": "missing SIZE such as 30x16/99, or --board FILE",
    "generate 5x5/25": "expected from 0 to 24 mines on square 5x5, got 25",
    "generate 5x5/17": "expected at most 16 mines",
    "generate 0x5/0": "expected a square board of at least 1x1, got 0x5",
    "generate 5x5/-1": "expected a size",
    "generate 5x5": "expected a size with mines",
    "generate 2x9/1 --tiling torus": "expected a torus board of at least 3x3, got 2x9",
    "generate 5x5/1 --first r6c1": "r6c1",
    "generate 9999x9999/5": "expected at most 16,777,216 cells, got 9999x9999",
    "generate 9999999999x9/5": "expected at most 16,777,216 cells, got '9999999999x9/5'",
    "generate 9x9/9999999999": "expected fewer than 16,777,216 mines, got '9x9/9999999999'",
    "watch beginner --solver human --player careful": "--solver and --player cannot be combined",
    "generate --board graph.json": "missing number of mines: give it as SIZE, or as 'mines' in",
    "generate 9x9/10 --board graph.json": "expected a number of mines beside --board",
    "generate 2 --board graph.json --tiling torus": "--tiling and --board cannot be combined",
    "watch --board mines.json": "expected a number of mines, got '2'",
    # Files.
    "show no/such/file": "no such file 'no/such/file'",
    "lab report no/such/file": "no such file 'no/such/file'",
    "show .": "cannot read or write",
    "show position.txt --svg no/a.svg": "no such folder",
    "convert position.txt --to fen": "no such format 'fen'",
    "serve --data position.txt": "cannot read or write position.txt",
    "serve --data=": "--data: expected the name of a file or folder, got ''",
    "serve --host=": "--host: expected an address, got ''",
    "lab run beginner --player human --games 1 --out -": "--out: expected the name of a file",
    "lab run beginner --player human --games 1 --out :memory:": "expected the name of a file",
    "generate --board board.mbf": "expected a board, got the format 'mbf'",
    "review board.mbf": "expected a saved game or a replay, got the format 'mbf'",
    # Options that need or exclude others.
    "analyse position.txt --set blend=1": "--set needs --guess PLAYER",
    "analyse position.txt --samples 9": "--samples needs --win-chance or --guess PLAYER",
    "analyse position.txt --seed 0": "--seed needs --win-chance or --guess PLAYER",
    "analyse position.txt --win-chance --samples 0": (
        "--samples: expected a whole number from 1 to 10000000, got '0'"
    ),
    "review position.txt --samples x": "--samples: expected a whole number from 0",
    "analyse position.txt --guess oracle": "no such player",
    "generate 9x9/10 --difficulty two": "--difficulty needs --no-guess",
    "generate 9x9/10 --without-mine-count": "--without-mine-count needs --no-guess",
    "generate 9x9/10 --3bv 1-2": "--3bv needs --no-guess",
    "generate 9x9/10 --no-guess --or-easier": "--or-easier needs --difficulty",
    "generate 9x9/10 --no-guess --difficulty count --without-mine-count": "needs the mine count",
    "generate 9x9/10 --no-guess --3bv 30": "expected bounds of the 3BV such as 150-180, got '30'",
    "generate 9x9/10 --no-guess --3bv 9-3": "expected 3BV from a lower to an upper bound, got 9-3",
    "generate 9x9/10 --no-guess --method luck": "no such method 'luck'",
    "hint position.txt --detail 5": "from 1 to 4, got 5",
    "hint position.txt --detail 0": "from 1 to 4, got 0",
    "explain position.txt --cell r1c1": "it is revealed",
    "explain position.txt --cell r7c1": "r7c1",
    "solve position.txt --solver oracle": "no such solver 'oracle'",
}


@pytest.mark.parametrize("line", BAD_INPUT)
def test_bad_input_is_reported_in_one_line_with_status_2(sapper, folder, line):
    before = sorted(folder.iterdir())
    status, out, err = sapper(*line.split())
    assert (status, out) == (2, "")
    assert err.startswith("sapper: ") and err.count("\n") == 1
    assert BAD_INPUT[line] in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "line",
    [
        f"generate 9x9/{DIGITS}",
        f"generate {DIGITS}x9/1",
        f"generate beginner --seed {DIGITS}",
        f"generate beginner --count {DIGITS}",
        f"worksheet 5x4 --mine-density {DIGITS}",
        f"generate beginner --first r{DIGITS}c1",
    ],
)
def test_number_of_thousands_of_digits_is_shortened(sapper, line):
    status, out, err = sapper(*line.split())
    assert (status, out) == (2, "")
    assert err.startswith("sapper: ") and err.count("\n") == 1 and len(err) < 520


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        ("solve", "", "expected"),
        ("analyse", "1#\n1\n", "expected"),
        ("analyse", "1##x\n", "line 1, cell 4"),
        ("analyse", "*..\n..c\n", "expected a position, got a layout"),
        ("solve", '{"cells": ["a"], "layout": ["a"]}', "expected a position, got a layout"),
        ("grade", "#1.\n", "expected a layout, got a position"),
        ("grade", '{"cells": ["a"], "numbers": {"a": 0}}', "expected a layout, got a position"),
        ("grade", "*..\n...\n", "the layout has no first click: mark it with 'c'"),
        ("analyse", "mine: 3\n#1.\n", "did you mean 'mines'?"),
        ("analyse", "board: square 9999999x9999999\n#", "expected at most 16,777,216 cells"),
        ("analyse", '{"cells": ["a"], "mines": 1, "mines": 2}', "'mines'"),
        ("analyse", f'{{"cells": ["a"], "mines": {DIGITS}}}', "at most 20 digits"),
        ("analyse", "1##\n\n%\n", "expected"),
        ("hint", "..\n", "every cell is revealed"),
        ("review", "1#\n", "expected a saved game"),
        ("show", "1x#\n", "line 1, cell 2"),
    ],
)
def test_unreadable_text_is_bad_input(run_on_text, command, text, message):
    status, out, err = run_on_text(command, text)
    assert (status, out) == (2, "") and message in err
    assert err.startswith("sapper: ") and err.count("\n") == 1


def test_bytes_that_are_not_utf8_are_bad_input(sapper, tmp_path):
    (tmp_path / "bytes").write_bytes(b"1#\xff\n")
    status, _, err = sapper("show", tmp_path / "bytes")
    assert status == 2 and "expected UTF-8 text, got byte 2" in err


@pytest.mark.parametrize("command", ["analyse", "solve", "explain", "hint"])
def test_contradiction_has_status_1(run_on_text, command):
    for text in ("8#\n", "3#\n##\n1.\n"):
        status, out, err = run_on_text(command, text)
        assert (status, out) == (1, "")
        assert err.startswith("sapper: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("liberal", "canonical"),
    [
        ("generate Expert", "generate expert"),
        ("generate 9\u00d79/10", "generate 9x9/10"),
        ("generate beginner --first R3C1", "generate beginner --first r3c1"),
        ("generate beginner --tiling Torus", "generate beginner --tiling torus"),
        ("generate beginner --rule Safe", "generate beginner --rule safe"),
        ("watch Beginner --player Careful", "watch beginner --player careful"),
        ("worksheet 5X4", "worksheet 5x4"),
    ],
)
def test_letter_case_and_the_multiplication_sign_do_not_matter(sapper, liberal, canonical):
    status, out, _ = sapper(*liberal.split(), "--seed", 1)
    assert status == 0
    assert out == sapper(*canonical.split(), "--seed", 1)[1]


def test_letter_case_of_headers_and_cells_does_not_matter(run_on_text):
    canonical = run_on_text("show", "board: hexagonal 3x2\nmines: 1\n1##\n###")
    assert canonical[0] == 0
    assert run_on_text("show", "Board: Hexagonal 3\u00d72\nMines: 1\n1##\n###") == canonical
    upper, lower = (run_on_text("explain", "1#", "--cell", name) for name in ("R1C2", "r1c2"))
    assert upper == lower


def test_bytes_of_another_kind_of_file_are_reported_with_their_source(
    sapper, tmp_path, monkeypatch
):
    (tmp_path / "bytes").write_bytes(b"1#\0\n")
    problem = "expected text, a board or a replay, got 4 bytes of other data"
    status, _, err = sapper("show", tmp_path / "bytes")
    assert (status, err) == (2, f"sapper: {tmp_path / 'bytes'}: {problem}\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1#\0\n")))
    assert sapper("show", "-") == (2, "", f"sapper: standard input: {problem}\n")


@pytest.mark.parametrize(
    ("error", "place", "discards"),
    [
        (OSError(28, "No space left on device"), "the output", True),
        (OSError(13, "Permission denied", "a.txt"), "a.txt", False),
    ],
)
def test_output_is_discarded_only_if_it_cannot_be_written(
    sapper, monkeypatch, error, place, discards
):
    discarded = []

    def fail(arguments):
        raise error

    monkeypatch.setattr(main, "_invoke", fail)
    monkeypatch.setattr(main, "_discard_output", lambda: discarded.append(True))
    assert sapper("show") == (2, "", f"sapper: cannot read or write {place}: {error.strerror}\n")
    assert bool(discarded) == discards
