"""`sapper puzzle`."""

import json

import pytest
from pypdf import PdfReader

from sapper.board.position import FLAG, Position
from sapper.board.tilings import TILINGS
from sapper.proofs.steps import StepFinder


@pytest.fixture
def puzzles(run_json):
    """Run the command and return its puzzles."""
    return lambda line: run_json("puzzle", *line.split())["puzzles"]


def test_json_has_the_documented_keys(puzzles):
    found = puzzles("--difficulty three --count 3 --seed 5")
    assert [puzzle["seed"] for puzzle in found] == [5, 6, 7]
    for puzzle in found:
        position = Position.parse(puzzle["position"])
        difficulty, moves = StepFinder(position, trust_flags=True).moves()
        assert difficulty == puzzle["difficulty"] == "three"
        assert len(puzzle["moves"]) == (moves != 0).sum()
        assert puzzle["easiest"] in puzzle["moves"]
        assert len(puzzle["numbers"]) == 3
        assert 400 <= puzzle["rating"] <= 3000


@pytest.mark.parametrize("tiling", TILINGS)
def test_every_tiling_has_puzzles_of_single_numbers(puzzles, tiling):
    (one,) = puzzles(f"--difficulty one --tiling {tiling} --seed 1")
    assert Position.parse(one["position"]).board.tiling == tiling


def test_text_shows_the_puzzle_its_solution_and_its_seed(sapper):
    status, out, _ = sapper("puzzle", "--difficulty", "two", "--seed", 3)
    assert status == 0
    task, solution = out.split("Solutions")
    assert "Find the safe cells and the mines" in task
    assert "(two numbers together)" in task
    assert " x" not in task.split("numbers together)")[1]
    assert "[" in solution
    footer = "square 11x11, 25 mines, difficulty two numbers together, number of puzzles 1, seed 3"
    assert " ".join(out.split()).endswith(footer)


def test_puzzle_that_needs_the_mine_count_shows_it(sapper, puzzles):
    _, out, _ = sapper("puzzle", "--difficulty", "count", "--seed", 8)
    (one,) = puzzles("--difficulty count --seed 8")
    position = Position.parse(one["position"])
    left = position.mines - int((position.marks == FLAG).sum())
    assert f"{left} mine" in out.split("Solutions")[0]


def test_pdf_has_its_solutions_on_another_page(sapper, tmp_path):
    file = tmp_path / "find.pdf"
    line = "--difficulty one --size beginner --tiling hexagonal --count 4 --seed 1"
    status, _, err = sapper("puzzle", *line.split(), "-o", file)
    assert (status, err) == (0, "seed 1\n")
    pages = [page.extract_text() for page in PdfReader(file).pages]
    assert "Find the safe cells and the mines: hexagonal 9x9, 10 mines" in pages[0]
    assert "solutions" in pages[-1]


def test_puzzle_on_a_graph_has_the_chosen_number_of_mines(puzzles, tmp_path):
    file = tmp_path / "ring.json"
    edges = [[f"n{i}", f"n{(i + k) % 14}"] for i in range(14) for k in (1, 2)]
    file.write_text(json.dumps({"edges": edges}))
    (one,) = puzzles(f"--difficulty one --board {file} --size 4 --seed 1")
    assert json.loads(one["position"])["mines"] == 4


@pytest.mark.parametrize(
    "line, status, message",
    [
        ("--difficulty ten", 2, "no such difficulty"),
        ("--tiling round", 2, "no such tiling"),
        ("--size 9x9", 2, "expected a size with mines"),
        (f"--count 2 --seed {2**64 - 1}", 2, "expected seeds below"),
        ("-o sheet.doc", 2, "expected a file name in .pdf, .svg, .txt"),
        ("--tiling triangular-edge", 1, "no puzzle of difficulty 'two' on triangular-edge"),
        ("--difficulty three --size 4x1/1 --seconds 0.05", 1, "without such a position"),
    ],
)
def test_errors_are_reported_in_one_line(sapper, line, status, message):
    got, out, err = sapper("puzzle", *line.split())
    assert (got, out, err.count("\n")) == (status, "", 1) and message in err
