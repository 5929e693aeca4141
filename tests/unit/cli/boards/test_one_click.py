"""`sapper one-click`."""

import io
import json
import sys
from functools import partial
from pathlib import Path

import pytest
from tests.one_click_judge import is_one_click

from sapper import Layout

DATA = Path(__file__).parents[3] / "data" / "code_jam"


@pytest.fixture
def one_click(sapper):
    return partial(sapper, "one-click")


def test_size_and_the_form_of_the_contest_give_the_same_board(one_click):
    answer = (0, "*******\n*****..\n.......\n......c\n", "")
    assert one_click("7x4/12") == one_click("7X4/12") == one_click(4, 7, 12) == answer
    assert one_click(4, 7, 12, "--method", "cases")[1] == "*******\n***....\n*......\n*.....c\n"
    assert one_click("Beginner", "--seed", 1)[0] == 0


def test_impossible_is_an_answer_with_its_reason_on_standard_error(one_click):
    reason = "2, 3, 5 or 7 empty cells cannot be opened by one click on a board of 3x3 or more\n"
    assert one_click(5, 5, 18) == (0, "Impossible\n", reason)
    assert one_click(3, 3, 9)[:2] == (0, "Impossible\n")


def test_json_has_the_documented_keys(one_click):
    _, out, err = one_click(2, 3, 2, "--json", "-o", "-")
    assert err == ""
    assert json.loads(out) == {
        "possible": True,
        "text": "*..\n*.c\n",
        "click": "r2c3",
        "reason": None,
        "method": "closed",
        "seed": None,
    }
    answer = json.loads(one_click(2, 3, 3, "--json", "--count")[1])
    assert (answer["possible"], answer["text"], answer["count"]) == (False, None, 0)
    assert "odd number" in answer["reason"]


def test_seed_gives_a_varied_board(one_click):
    first = one_click(8, 9, 30, "--seed", 4)
    assert first == one_click(8, 9, 30, "--seed", 4)
    assert first[2] == "seed 4\n"
    assert first[1] != one_click(8, 9, 30, "--seed", 5)[1]
    assert is_one_click(Layout.parse(first[1]))


def test_other_tilings_report_a_random_seed(one_click):
    status, out, err = one_click(5, 6, 11, "--tiling", "triangular")
    assert status == 0
    layout = Layout.parse(out)
    assert (str(layout.board), layout.mine_count) == ("triangular 6x5", 11)
    assert is_one_click(layout)
    again = one_click(5, 6, 11, "--tiling", "triangular", "--seed", err.split()[1])
    assert again[1] == out


def test_one_click_board_on_a_graph(one_click, tmp_path):
    path = tmp_path / "star.json"
    path.write_text('{"edges": [["a", "b"], ["a", "c"], ["a", "d"]]}')
    status, out, _ = one_click(2, "--board", path, "--seed", 1)
    assert status == 0
    layout = Layout.parse(out)
    assert layout.mine_count == 2
    assert is_one_click(layout)
    assert one_click(1, "--board", path, "--seed", 1)[:2] == (0, "Impossible\n")


def test_count_prints_the_number_of_layouts(one_click):
    status, _, err = one_click(5, 5, 10, "--count")
    assert (status, err) == (0, "30 layouts with a winning click\n")
    assert one_click(5, 5, 0, "--count")[2] == "1 layout with a winning click\n"


def test_count_beyond_the_budget_has_status_one(one_click, monkeypatch):
    monkeypatch.setattr("sapper.generators.one_click_openings.MAX_CELLS_WRITTEN", 10_000)
    status, out, err = one_click(20, 20, 200, "--count")
    assert (status, out) == (1, "")
    assert err.startswith("sapper: too many openings")


@pytest.mark.parametrize("size", ["small", "large"])
def test_batch_is_answered_in_the_format_of_the_contest(one_click, size):
    path = DATA / f"minesweeper_master_{size}.in"
    status, out, err = one_click("--batch", path)
    assert (status, err) == (0, "")
    impossible = []
    lines = iter(out.splitlines())
    for number, case in enumerate(path.read_text().splitlines()[1:], start=1):
        rows, columns, mines = map(int, case.split())
        assert next(lines) == f"Case #{number}:"
        first = next(lines)
        if first == "Impossible":
            impossible.append(str(number))
            continue
        layout = Layout.parse("\n".join([first, *(next(lines) for _ in range(rows - 1))]))
        assert layout.board.size == (columns, rows)
        assert layout.mine_count == mines
        assert is_one_click(layout)
    assert next(lines, None) is None
    assert impossible == path.with_suffix(".impossible").read_text().split()


def test_batch_from_standard_input_to_a_file(one_click, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"2\n2 2 1\n1 3 1\n")))
    assert one_click("--batch", "-", "-o", tmp_path / "out") == (0, "", "")
    assert (tmp_path / "out").read_text() == "Case #1:\nImpossible\nCase #2:\n*.c\n"


def test_batch_with_seeds_tilings_methods_and_json(one_click, tmp_path):
    path = tmp_path / "batch"
    path.write_text("2\n4 4 2\n4 4 14\n")
    _, out, err = one_click("--batch", path, "--seed", 7, "--tiling", "hexagonal", "--json")
    assert err == ""
    first, second = json.loads(out)["cases"]
    assert (first["seed"], second["seed"]) == (7, 8)
    assert is_one_click(Layout.parse(first["text"]))
    assert second["reason"] == "one click on hexagonal 4x4 opens 1 cell or 3 and more"
    _, out, err = one_click("--batch", path, "--tiling", "hexagonal")
    assert err.startswith("seed ")
    assert "layout" not in out
    _, out, err = one_click("--batch", path, "--method", "varied")
    assert one_click("--batch", path, "--seed", err.split()[1])[1] == out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected the number of cases"),
        ("2\n5 5 3\n", "case 2: expected R C M, got the end"),
        ("2\n5 5 3\n5 x 3\n", "case 2: expected three numbers R C M"),
    ],
)
def test_malformed_batch_writes_nothing(one_click, tmp_path, text, message):
    path, output = tmp_path / "batch", tmp_path / "out"
    path.write_text(text)
    output.write_text("old")
    status, out, err = one_click("--batch", path, "-o", output)
    assert (status, out, err.count("\n")) == (2, "", 1) and f"sapper: {message}" in err
    assert output.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [path, output]


def test_case_that_is_impossible_on_the_tiling_is_named(one_click, tmp_path):
    path = tmp_path / "batch"
    path.write_text("2\n4 4 2\n2 4 1\n")
    status, out, err = one_click("--batch", path, "--tiling", "torus", "-o", tmp_path / "out")
    assert (status, out) == (2, "")
    assert err == "sapper: case 2: expected a torus board of at least 3x3, got 4x2\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "or --batch FILE, got nothing"),
        ("5 5", "R C M (rows, columns, mines), M with --board FILE, or --batch FILE, got 5 5"),
        ("7x4/12 3", "got 7x4/12 3"),
        ("7x4", "expected a size with mines such as 7x4/12, got '7x4'"),
        ("5 5 26", "expected from 0 to 25 mines on square 5x5, got 26"),
        ("0 5 0", "expected a square board of at least 1x1, got 5x0"),
        ("99999 99999 1", "expected at most 16,777,216 cells"),
        ("5 5 x", "expected a number from 0 to 999999999, got 'x'"),
        ("-- 5 5 -1", "expected a number from 0 to 999999999, got '-1'"),
        ("+5 5 3", "expected a number from 0 to 999999999, got '+5'"),
        ("1_0 5 3", "expected a number from 0 to 999999999, got '1_0'"),
        ("\u0665 5 3", "expected a number from 0 to 999999999, got '\u0665'"),
        ("5 5 3 --method magic", "no such method 'magic'"),
        ("5 5 3 --method cases --seed 1", "a seed needs the method 'varied'"),
        ("5 5 3 --tiling torus --method closed", "needs a square board"),
        ("6 6 3 --method brute", "the method 'brute' takes at most 25 cells"),
        ("5 5 3 --batch x", "--batch cannot be combined with R C M"),
        ("5 5 3 -o no/such/folder/out", "cannot read or write no/such/folder"),
        ("3 --board x --tiling torus", "--tiling and --board cannot be combined"),
    ],
)
def test_bad_input_is_reported_in_one_line_with_status_2(one_click, line, message):
    status, out, err = one_click(*line.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("sapper: ") and message in err
