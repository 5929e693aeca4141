"""`sapper puzzle`: JSON by the design, sheets, and what is refused."""

import json

import pytest
from pypdf import PdfReader

from sapper.board.position import FLAG, Position
from sapper.board.tilings import TILINGS
from sapper.proofs.steps import StepFinder


def asked(sapper, *options):
    status, out, _ = sapper("puzzle", *options, "--json")
    assert status == 0
    return json.loads(out)["puzzles"]


def test_json_has_the_keys_of_the_design(sapper):
    puzzles = asked(sapper, "--difficulty", "three", "--count", 3, "--seed", 5)
    assert [one["seed"] for one in puzzles] == [5, 6, 7]
    for one in puzzles:
        assert {"position", "moves", "difficulty", "numbers", "rating", "seed"} <= one.keys()
        position = Position.parse(one["position"])
        difficulty, moves = StepFinder(position, trust_flags=True).moves()
        assert difficulty == one["difficulty"] == "three"
        assert len(one["moves"]) == (moves != 0).sum()
        assert one["easiest"] in one["moves"]
        assert len(one["numbers"]) == 3
        assert 400 <= one["rating"] <= 3000


@pytest.mark.parametrize("tiling", [*TILINGS])
def test_every_tiling_has_puzzles_of_single_numbers(sapper, tiling):
    (one,) = asked(sapper, "--difficulty", "one", "--tiling", tiling, "--seed", 1)
    assert Position.parse(one["position"]).board.tiling == tiling


def test_a_sheet_in_words_shows_the_puzzle_and_its_solution(sapper):
    status, out, _ = sapper("puzzle", "--difficulty", "two", "--seed", 3)
    assert status == 0
    task, solution = out.split("Solutions")
    assert "Find the certain cells" in task
    assert "(two numbers together)" in task
    assert " x" not in task.split("numbers together)")[1]
    assert "[" in solution
    assert out.endswith("sapper puzzle --difficulty two --count 1 --seed 3\nseed 3\n")


def test_the_mine_count_stands_beside_a_puzzle_that_needs_it(sapper):
    _, out, _ = sapper("puzzle", "--difficulty", "count", "--seed", 8)
    (one,) = asked(sapper, "--difficulty", "count", "--seed", 8)
    position = Position.parse(one["position"])
    left = position.mines - int((position.marks == FLAG).sum())
    assert f"{left} mine" in out.split("Solutions")[0]


def test_a_printed_sheet_has_its_solutions_on_a_page_of_their_own(sapper, tmp_path):
    file = tmp_path / "find.pdf"
    status, _, told = sapper("puzzle", "--difficulty", "one", "--count", 4, "--seed", 1, "-o", file)
    assert (status, told) == (0, "seed 1\n")
    pages = [page.extract_text() for page in PdfReader(file).pages]
    assert "Find the certain cells" in pages[0]
    assert "solutions" in pages[-1]
    assert "--difficulty one --count 4 --seed 1" in pages[0]


def test_another_size_is_told_in_the_command_that_makes_it_again(sapper, tmp_path):
    file = tmp_path / "find.svg"
    options = ("--difficulty", "one", "--size", "beginner", "--tiling", "hexagonal", "--seed", 2)
    assert sapper("puzzle", *options, "-o", file)[0] == 0
    assert "--tiling hexagonal --size 9x9/10 --count 1 --seed 2" in file.read_text()


def test_a_graph_may_be_the_board(sapper, tmp_path):
    file = tmp_path / "ring.json"
    edges = [[f"n{i}", f"n{(i + k) % 14}"] for i in range(14) for k in (1, 2)]
    file.write_text(json.dumps({"edges": edges}))
    (one,) = asked(sapper, "--difficulty", "one", "--board", file, "--size", 4, "--seed", 1)
    assert json.loads(one["position"])["mines"] == 4


@pytest.mark.parametrize(
    "options, status, words",
    [
        (
            ["--difficulty", "ten"],
            2,
            "no such difficulty",
        ),
        (["--tiling", "round"], 2, "no such tiling"),
        (["--size", "9x9"], 2, "expected a size with mines"),
        (["--count", 2, "--seed", 2**64 - 1], 2, "expected seeds below"),
        (["-o", "sheet.doc"], 2, "expected a file .pdf, .svg, .txt"),
        (["--tiling", "triangular-edge"], 1, "tells no more than each of them alone"),
        (
            ["--difficulty", "three", "--size", "4x1/1", "--seconds", 0.05],
            1,
            "without such a position",
        ),
    ],
)
def test_what_cannot_be_had_is_told_in_one_line(sapper, options, status, words):
    got, out, told = sapper("puzzle", *options)
    assert (got, out) == (status, "")
    assert words in told
    assert told.count("\n") == 1


def test_workers_make_the_same_puzzles(sapper):
    options = ("--difficulty", "one", "--count", 4, "--seed", 9)
    assert asked(sapper, *options, "--jobs", 2) == asked(sapper, *options)
