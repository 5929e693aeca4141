"""The batch format of Code Jam's "Minesweeper Master", and its official inputs."""

from pathlib import Path

from tests.error_messages import assert_refused
from tests.one_click_judge import is_one_click

from sapper import Layout, NotationError, tiling
from sapper.cli.commands.one_click import Case, format_answer, parse_batch
from sapper.generators.one_click import one_click

DATA = Path(__file__).parents[3] / "data" / "code_jam"


def test_official_inputs_have_exactly_the_listed_impossible_cases():
    for size in ["small", "large"]:
        for method in ["cases", "closed", "backtrack", "varied"]:
            cases = parse_batch((DATA / f"minesweeper_master_{size}.in").read_text())
            listed = set(
                map(int, (DATA / f"minesweeper_master_{size}.impossible").read_text().split())
            )
            impossible = set()
            for case in cases:
                board = tiling("square", case.columns, case.rows)
                layout = one_click(board, case.mines, method=method).layout
                if layout is None:
                    impossible.add(case.number)
                else:
                    assert layout.mine_count == case.mines
                    assert is_one_click(layout)
            assert impossible == listed


def test_answer_has_the_format_of_the_contest():
    assert format_answer(1, None) == "Case #1:\nImpossible\n"
    assert format_answer(2, Layout.parse("*.\n*c")) == "Case #2:\n*.\n*c\n"


def test_batch_may_be_empty_and_end_with_any_number_of_newlines():
    cases = (Case(1, 3, 1, 1), Case(2, 2, 2, 0))
    for text in ("2\n3 1 1\n2 2 0", "2\n3 1 1\n2 2 0\n\n\n", "2\r\n3 1 1\r\n2  2 0 \r\n"):
        assert parse_batch(text) == cases
    assert parse_batch("0\n") == ()


def test_malformed_batch_is_refused_with_the_number_of_the_case():
    cases = [
        ("", "line 1: expected the number of cases, got ''"),
        ("x\n", "line 1: expected the number of cases, got 'x'"),
        ("-1\n", "line 1: expected the number of cases, got '-1'"),
        ("1 2\n", "line 1: expected the number of cases, got '1 2'"),
        ("99999999999\n", "line 1: expected the number of cases, got '99999999999'"),
        ("2\n5 5 3\n", "case 2: expected R C M, got the end; line 1 says 2 cases"),
        ("1\n5 5 3\n5 5 4\n", "case 2: expected the end after 1 cases, got '5 5 4'"),
        ("2\n5 5 3\n5 5\n", "case 2: expected three numbers R C M"),
        ("2\n5 5 3\n5 5 3 1\n", "case 2: expected three numbers R C M"),
        ("2\n5 5 3\n\n5 5 3\n", "case 3: expected the end after 2 cases, got '5 5 3'"),
        ("3\n5 5 3\n\n5 5 3\n", "case 2: expected three numbers R C M"),
        ("1\n5 five 3\n", "case 1: expected three numbers R C M .* got '5 five 3'"),
        ("1\n5 5 -3\n", "case 1: expected three numbers R C M"),
        ("1\n5 5 3.0\n", "case 1: expected three numbers R C M"),
        ("1\n5 \u0665 3\n", "case 1: expected three numbers R C M"),
        ("1\n0 5 0\n", "case 1: expected from 1 to 16,777,216 cells, got '0 5 0'"),
        ("1\n99999 99999 1\n", "case 1: expected from 1 to 16,777,216 cells"),
        ("1\n5 5 " + "9" * 5000, "case 1: expected three numbers R C M"),
        ("2\n5 5 3\n5 5 25\n", "case 2: expected fewer mines than 25 cells, got '5 5 25'"),
        ("17\n" + "4096 4096 1\n" * 17, "case 17: expected at most 268,435,456 cells in a batch"),
    ]
    assert_refused(parse_batch, cases, NotationError)
