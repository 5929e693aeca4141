import json

import pytest
from pypdf import PdfReader
from tests.oracle import naive

from sapper.board.position import Position
from sapper.board.tilings import TILINGS

TRIANGLE_CHAIN = {
    "edges": [["a", "b"], ["b", "c"], ["c", "a"], ["c", "d"], ["d", "e"], ["e", "c"], ["e", "f"]]
}


@pytest.fixture
def graph(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(TRIANGLE_CHAIN))
    return path


def test_a_table_is_printed_with_its_solution_and_how_to_make_it_again(sapper):
    status, out, _ = sapper("table", "7x4", "--seed", 1)
    assert status == 0
    assert "1 # 0 # 1 # 1\n# 2 # 1 # 2 #\n2 # 1 # 1 # 1\n# 1 # 0 # 0 #" in out
    assert "1 - 0 - 1 - 1\nx 2 - 1 x 2 x\n2 x 1 - 1 - 1\n- 1 - 0 - 0 -" in out
    assert "--count 1 --seed 1\nseed 1, code " in out


def test_json_has_the_keys_of_the_design(sapper):
    _, out, _ = sapper("table", "9x10", "--count", 3, "--seed", 5, "--json")
    tables = json.loads(out)["tables"]
    assert [one["seed"] for one in tables] == [5, 6, 7]
    for one in tables:
        assert one["unique_by"] == "theorem"
        assert one["difficulty"] in ("one", "two")
        position = Position.parse(one["position"])
        mines = {position.board.cell(name) for name in one["solution"]}
        numbers = naive.count_numbers(position.board, mines)
        assert all(position.marks[c] == numbers[c] for c in position.revealed.tolist())


def test_the_command_and_the_code_of_a_sheet_make_it_again(sapper, tmp_path):
    first = tmp_path / "first.txt"
    options = (
        "table",
        "6x6",
        "--tiling",
        "hexagonal",
        "--difficulty",
        "two",
        "--count",
        2,
        "--seed",
        9,
    )
    sapper(*options, "-o", first)
    *_, command, again = first.read_text().splitlines()
    second, third = tmp_path / "second.txt", tmp_path / "third.txt"
    assert sapper(*command.split()[1:], "-o", second)[0] == 0
    assert sapper("table", "--code", again.split("code ")[1], "-o", third)[0] == 0
    assert first.read_text() == second.read_text() == third.read_text()


def test_a_fresh_seed_is_reported(sapper):
    _, out, _ = sapper("table", "4x3")
    seed = out.split("seed ")[-1].split(",")[0]
    assert sapper("table", "4x3", "--seed", seed)[1] == out


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", TILINGS)
def test_a_sheet_has_everything_that_a_teacher_needs(sapper, tmp_path, name, paper):
    path = tmp_path / "sheet.pdf"
    status, _, err = sapper(
        *("table", "6x5", "--tiling", name, "--count", 5, "--seed", 3),
        *("--paper", paper, "--title", "Class 5b", "-o", path),
    )
    assert (status, err[:8]) == (0, "seed 3, ")
    pages = PdfReader(path).pages
    wide = {"a4": 595, "letter": 612}[paper]
    assert all(int(page.mediabox.width) == wide for page in pages)
    texts = [page.extract_text() for page in pages]
    first, last = texts[0], texts[-1]
    for words in ("Class 5b", "Name", "Date", "Put a cross", "one number at a time", "page 1 of"):
        assert words in first
    assert "solutions" in last and "solutions" not in first
    assert all("seed 3, code " in text for text in texts)
    assert all("Name" in text for text in texts if "solutions" not in text)


def test_the_same_request_gives_the_same_bytes(sapper, tmp_path):
    paths = [tmp_path / "one.pdf", tmp_path / "two.pdf"]
    for path in paths:
        sapper("table", "5x4", "--seed", 3, "-o", path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("option", ["--large-print", "--high-contrast", "--no-solutions"])
def test_options_of_print_change_the_sheet(sapper, tmp_path, option):
    plain, other = tmp_path / "plain.svg", tmp_path / "other.svg"
    sapper("table", "5x4", "--seed", 3, "-o", plain)
    assert sapper("table", "5x4", "--seed", 3, "-o", other, option)[0] == 0
    assert plain.read_text() != other.read_text()
    assert ("solutions" in other.read_text()) == (option != "--no-solutions")


def test_as_many_tables_stand_on_a_page_as_asked_for(sapper, tmp_path):
    path = tmp_path / "sheet.pdf"
    sapper("table", "4x3", "--count", 7, "--per-page", 3, "--no-solutions", "-o", path)
    assert len(PdfReader(path).pages) == 3


def test_a_title_in_other_letters_is_written_or_refused(sapper, tmp_path):
    path = tmp_path / "sheet.pdf"
    status, _, err = sapper("table", "4x3", "--title", "Сапёр", "-o", path)
    if status == 0:
        assert "Сапёр" in PdfReader(path).pages[0].extract_text()
    else:
        assert "expected letters of a font" in err and not path.exists()


def test_a_graph_is_printed_too(sapper, graph, tmp_path):
    path = tmp_path / "sheet.pdf"
    status, _, _ = sapper("table", "--board", graph, "--seed", 4, "--mines-share", 0.3, "-o", path)
    assert status == 0
    assert "a line joins it" in PdfReader(path).pages[0].extract_text().replace("\n", " ")


def test_a_graph_with_chosen_open_cells(sapper, graph):
    _, out, _ = sapper(
        *("table", "--board", graph, "--open-cells", "b, c,e", "--seed", 1, "--json"),
    )
    position = Position.parse(json.loads(out)["tables"][0]["position"])
    assert position.names(position.revealed) == ("b", "c", "e")


def test_check_says_yes_with_the_solution(sapper, tmp_path):
    path = tmp_path / "position.txt"
    path.write_text("1#1#1#1\n#2#2#1#\n1#3#2#1\n#1#3#2#\n")
    status, out, _ = sapper("table", "--check", path)
    assert status == 0
    assert out.startswith(
        "a table: one solution, difficulty one (theorem 2: gcd(7 + 1, 4 + 1) = 1)"
    )
    assert "x 2 x 2 - 1 -" in out
    answer = json.loads(sapper("table", "--check", path, "--json")[1])
    assert answer["unique"] and answer["difficulty"] == "one" and len(answer["solutions"]) == 1


def test_check_says_no_with_two_solutions(sapper, tmp_path):
    path = tmp_path / "position.txt"
    path.write_text("mines: 1\n1#\n#1\n")
    status, out, err = sapper("table", "--check", path)
    assert status == 0
    assert out.startswith("not a table: two solutions")
    assert "the mine count is not used" in err
    answer = json.loads(sapper("table", "--check", path, "--json")[1])
    assert not answer["unique"]
    assert sorted(answer["solutions"]) == [["r1c2"], ["r2c1"]]


BAD = {
    "no size at all": ((), 2, "expected a size such as 9x10"),
    "a size that is none": (("9",), 2, "expected a size"),
    "a size with mines": (("9x9/10",), 2, "without mines"),
    "no cells": (("0x5",), 2, "at least 1x1"),
    "one cell": (("1x1",), 2, "leaves cells to find"),
    "a torus that is too narrow": (("2x5", "--tiling", "torus"), 2, "at least 3x3"),
    "an unknown tiling": (("5x5", "--tiling", "pentagonal"), 2, "no such tiling"),
    "an unknown open set": (("5x5", "--open", "diagonal"), 2, "no such open set"),
    "an unknown method": (("5x5", "--method", "clever"), 2, "no such method"),
    "an unknown difficulty": (("5x5", "--difficulty", "six"), 2, "no such difficulty"),
    "the difficulty of the mine count": (
        ("5x5", "--difficulty", "count"),
        2,
        "a table has no mine count",
    ),
    "at most nothing": (("5x5", "--at-most"), 2, "no such difficulty"),
    "a share that is none": (("5x5", "--mines-share", "1.5"), 2, "expected a share"),
    "two open sets": (("5x5", "--open", "row", "--open-cells", "r1c1"), 2, "got both"),
    "unknown open cells": (("5x5", "--open-cells", "r9c9"), 2, "got 'r9c9'"),
    "no open cells": (("5x5", "--open-cells", " "), 2, "expected names of open cells"),
    "covered cells without a number": (("5x1", "--open-cells", "r1c1"), 2, "none next to r1c3"),
    "a size and a graph": (("5x5", "--board", "x.json"), 2, "got both"),
    "a graph that is not there": (("--board", "nowhere.json"), 2, "cannot read or write"),
    "a code that is none": (("--code", "HELLO"), 2, "expected a code"),
    "a code and a size": (("5x5", "--code", "0"), 2, "got a size"),
    "a code and a share": (("--code", "0", "--mines-share", "0.3"), 2, "got --mines-share"),
    "a code and a count": (("--code", "0", "--count", "5"), 2, "got --count"),
    "a code and a seed": (("--code", "0", "--seed", "0"), 2, "got --seed"),
    "a check and a size": (("5x5", "--check", "graph.json"), 2, "expected --check without"),
    "a check and a sheet": (
        ("--check", "graph.json", "-o", "x.pdf"),
        2,
        "expected --check without",
    ),
    "varied on 2x2": (("2x2", "--method", "varied"), 1, "same numbers as another"),
    "varied on 3x3": (("3x3", "--method", "varied"), 1, "same numbers as another"),
    "varied in one row": (("7x1", "--method", "varied"), 1, "always 0 or all"),
    "more tables than there are": (("2x2", "--count", "3"), 1, "at most 1 different table of"),
    "no tables at all": (("0", "--count", "0"), 2, "--count"),
    "an unknown paper": (("5x5", "--paper", "a5"), 2, "no such paper"),
    "an unknown kind of file": (("5x5", "-o", "sheet.doc"), 2, "expected a file .pdf"),
    "a folder that is not there": (("5x5", "-o", "nowhere/sheet.pdf"), 2, "no such folder"),
    "a folder where no file can be": (("5x5", "-o", "/proc/x.pdf"), 2, "write /proc/x.pdf: "),
    "cells too small to read": (("90x90", "-o", "sheet.pdf"), 2, "at least 3.5 mm"),
    "a pattern on a graph": (("--board", "graph.json", "--open", "row"), 2, "on a graph"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_request_is_one_clear_line_and_writes_nothing(
    sapper, graph, tmp_path, monkeypatch, case
):
    monkeypatch.chdir(tmp_path)
    arguments, expected, words = BAD[case]
    before = sorted(tmp_path.iterdir())
    status, out, err = sapper("table", *arguments)
    assert (status, out) == (expected, "")
    assert err.startswith("sapper: ") and err.count("\n") == 1
    assert words in err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 2),
        ("12\n1", 2),
        ("{", 2),
        ('{"edges": [["a", "b"]], "numbers": {"z": 1}}', 2),
        ("8#", 1),
    ],
)
def test_a_position_that_cannot_be_checked_is_one_clear_line(sapper, tmp_path, text, status):
    path = tmp_path / "position.txt"
    path.write_text(text)
    got, out, err = sapper("table", "--check", path)
    assert (got, out) == (status, "")
    assert err.startswith("sapper: ") and err.count("\n") == 1


def test_the_position_in_the_help_is_a_table(sapper, tmp_path):
    lines = sapper("table", "--help")[1].splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("    2 #"))
    (tmp_path / "position.txt").write_text("\n".join(lines[start : start + 3]) + "\n")
    status, out, _ = sapper("table", "--check", tmp_path / "position.txt")
    assert (status, out.split(":")[0]) == (0, "a table")
