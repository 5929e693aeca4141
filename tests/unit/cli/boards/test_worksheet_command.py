"""`sapper worksheet`."""

import json
import re
import shlex

import pytest
from pypdf import PdfReader
from tests.oracle import naive

from sapper.board.position import Position
from sapper.board.tilings import TILINGS

GRAPH = {
    "edges": [["a", "b"], ["b", "c"], ["c", "a"], ["c", "d"], ["d", "e"], ["e", "c"], ["e", "f"]]
}


@pytest.fixture
def graph(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(GRAPH))
    return path


def test_puzzle_is_printed_with_its_solution_and_the_options_in_the_footer(sapper):
    status, out, _ = sapper("worksheet", "7x4", "--seed", 1)
    assert status == 0
    assert "1 # 0 # 1 # 1\n# 2 # 1 # 2 #\n2 # 1 # 1 # 1\n# 1 # 0 # 0 #" in out
    assert "1 - 0 - 1 - 1\nx 2 - 1 x 2 x\n2 x 1 - 1 - 1\n- 1 - 0 - 0 -" in out
    footer = "Find all mines: square 7x4, difficulty any, number of puzzles 1, seed 1\n"
    assert out.endswith(f"\n\n{footer}")


def test_json_has_the_documented_keys(run_json):
    answer = run_json("worksheet", "9x10", "--count", 3, "--seed", 5)
    assert answer.keys() == {"paper_puzzles"}
    assert [puzzle["seed"] for puzzle in answer["paper_puzzles"]] == [5, 6, 7]
    for puzzle in answer["paper_puzzles"]:
        assert puzzle["unique_by"] == "theorem"
        assert puzzle["difficulty"] in ("one", "two")
        position = Position.parse(puzzle["position"])
        mines = {position.board.cell(name) for name in puzzle["solution"]}
        numbers = naive.count_numbers(position.board, mines)
        assert all(position.marks[c] == numbers[c] for c in position.revealed.tolist())


def test_random_seed_is_reported(sapper):
    _, out, _ = sapper("worksheet", "4x3")
    seed = re.search(r"seed (\d+)", out)[1]
    assert sapper("worksheet", "4x3", "--seed", seed)[1] == out


PROMPTS = {"puzzle": "Put a cross", "proof": "because", "probability": "A ="}


@pytest.mark.parametrize(
    ("kind", "name", "paper"),
    [
        *(("puzzle", name, "a4") for name in TILINGS),
        *((kind, "square", "letter") for kind in PROMPTS),
    ],
)
def test_pdf_has_everything_that_a_teacher_needs(sapper, tmp_path, kind, name, paper):
    path = tmp_path / "sheet.pdf"
    line = f"worksheet 6x5 --kind {kind} --tiling {name} --count 5 --seed 3 --paper {paper}"
    assert sapper(*line.split(), "--title", "Class5b", "-o", path) == (0, "", "seed 3\n")
    pages = PdfReader(path).pages
    width = {"a4": 595, "letter": 612}[paper]
    assert all(int(page.mediabox.width) == width for page in pages)
    texts = [page.extract_text() for page in pages]
    for words in ("Class5b", "Name", "Date", PROMPTS[kind], "page 1 of"):
        assert words in texts[0]
    key = "solutions" if kind == "puzzle" else "answers"
    assert key in texts[-1] and key not in texts[0]
    assert all("seed 3" in text for text in texts)
    assert all("Name" in text for text in texts if key not in text)


def test_same_request_gives_the_same_bytes(sapper, tmp_path):
    paths = [tmp_path / "one.pdf", tmp_path / "two.pdf"]
    for path in paths:
        sapper("worksheet", "5x4", "--seed", 3, "--address", "https://a.org/", "-o", path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("option", ["--large-print", "--high-contrast", "--no-solutions"])
def test_style_options_change_the_worksheet(sapper, tmp_path, option):
    plain, other = tmp_path / "plain.svg", tmp_path / "other.svg"
    sapper("worksheet", "5x4", "--seed", 3, "-o", plain)
    assert sapper("worksheet", "5x4", "--seed", 3, "-o", other, option)[0] == 0
    assert plain.read_text() != other.read_text()
    assert ("solutions" in other.read_text()) == (option != "--no-solutions")


def test_title_in_other_letters_is_written_or_refused(sapper, tmp_path):
    path = tmp_path / "sheet.pdf"
    status, _, err = sapper("worksheet", "4x3", "--title", "Сапёр", "-o", path)
    if status == 0:
        assert "Сапёр" in PdfReader(path).pages[0].extract_text()
    else:
        assert "font" in err and not path.exists()


def test_graph_with_default_and_with_chosen_open_cells(sapper, graph, tmp_path):
    path = tmp_path / "sheet.pdf"
    words = ("worksheet", "--board", graph, "--seed", 4, "--mine-density", 0.3, "-o", path)
    assert sapper(*words)[0] == 0
    text = PdfReader(path).pages[0].extract_text().replace("\n", " ")
    assert "Cells that a line joins" in text
    assert "graph of 6 cells, difficulty any, number of puzzles 1, seed 4, mine density 0.3" in text
    words = ("worksheet", "--board", graph, "--open-cells", "b, c,e", "--seed", 1, "--json")
    position = Position.parse(json.loads(sapper(*words)[1])["paper_puzzles"][0]["position"])
    assert position.names(position.revealed) == ("b", "c", "e")


@pytest.mark.parametrize(
    ("options", "link"),
    [
        ("6x5", "#/print?size=6x5&seed=3"),
        (
            "6x5 --kind proof --tiling torus --difficulty one --count 2 --no-solutions",
            "#/print?kind=proof&size=6x5&tiling=torus&difficulty=one&count=2&seed=3&solutions=false",
        ),
        (f"6x5 --title {'x' * 300}", None),  # too long for a QR code
    ],
)
def test_link_to_make_the_worksheet_again_needs_an_address(sapper, options, link):
    words = ("worksheet", *options.split(), "--seed", 3)
    assert "http" not in sapper(*words)[1]
    _, out, _ = sapper(*words, "--address", "https://school.example/sapper/")
    found = re.findall("https?:.*", out)
    assert found == ([] if link is None else [f"https://school.example/sapper/{link}"])


# --kind


def test_proof_exercise_is_printed_with_lines_and_with_its_proof(sapper):
    status, out, _ = sapper("worksheet", "5x5", "--kind", "proof", "--seed", 1)
    questions, answers = out.split("Answers (")
    assert status == 0
    assert "Safe cell ____" in questions and "  1 2 3 4 5\n1 # #" in questions
    assert " is safe." in answers and " is safe." not in questions
    assert "Find a safe cell and prove it: square 5x5" in answers


def test_proof_exercise_states_the_mines_left_if_a_proof_uses_the_mine_count(sapper):
    line = ("worksheet", "6x6", "--tiling", "hexagonal", "--kind", "proof", "--count", 2)
    _, out, _ = sapper(*line, "--seed", 1)
    questions, answers = out.split("Answers (")
    assert "1   (two numbers together)   3 mines left\n" in questions
    assert "2   (two numbers together)\n" in questions
    assert answers.count("r3c2, r6c2 and the mine count") == 1


def test_probability_exercise_asks_for_letters_and_answers_with_fractions(sapper, run_json):
    line = ("worksheet", "5x5", "--kind", "probability", "--seed", 1)
    status, out, _ = sapper(*line)
    made = run_json(*line)["exercises"][0]
    questions, answers = out.split("Answers (")
    assert status == 0 and " mines left" in questions and "A = ____" in questions
    fractions = [made["probabilities"][name] for name in made["asked"]]
    letters = ", ".join(f"{a} = {f}" for a, f in zip("ABC", fractions, strict=False))
    assert f"{letters} ({made['solutions']} ways)" in answers


@pytest.mark.parametrize("kind", ["proof", "probability"])
def test_item_of_a_worksheet_has_its_own_seed(run_json, kind):
    line = f"worksheet 6x5 --kind {kind} --tiling hexagonal --seed".split()
    several = run_json(*line, 3, "--count", 2)["exercises"]
    assert several[1] == run_json(*line, 4)["exercises"][0]


def test_exercises_on_a_graph(run_json, graph):
    line = ("worksheet", "--board", graph, "--kind", "proof", "--difficulty", "one")
    made = run_json(*line, "--mine-density", 0.3, "--seed", 1)["exercises"][0]
    assert made["proofs"][0]["difficulty"] == "one"


# --check


@pytest.fixture
def check(sapper, tmp_path):
    """Check a position; return status, output and errors."""

    def call(text, *options):
        path = tmp_path / "position.txt"
        path.write_text(text)
        return sapper("worksheet", "--check", path, *options)

    return call


def test_check_shows_the_only_solution(check):
    text = "1#1#1#1\n#2#2#1#\n1#3#2#1\n#1#3#2#\n"
    status, out, _ = check(text)
    assert status == 0
    assert out.startswith("one solution, difficulty one (theorem 2: gcd(7 + 1, 4 + 1) = 1)")
    assert "x 2 x 2 - 1 -" in out
    answer = json.loads(check(text, "--json")[1])
    assert answer["unique"] and answer["difficulty"] == "one" and len(answer["solutions"]) == 1


def test_check_shows_two_solutions(check):
    text = "mines: 1\n1#\n#1\n"
    status, out, err = check(text)
    assert status == 0
    assert out.startswith("two or more solutions")
    assert "the mine count is not used" in err
    answer = json.loads(check(text, "--json")[1])
    assert not answer["unique"]
    assert sorted(answer["solutions"]) == [["r1c2"], ["r2c1"]]


def test_position_in_the_help_is_a_paper_puzzle(sapper, check):
    lines = sapper("worksheet", "--help")[1].splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("    2 #"))
    status, out, _ = check("\n".join(lines[start : start + 3]) + "\n")
    assert (status, out.split(",")[0]) == (0, "one solution")


@pytest.mark.parametrize(("text", "status"), [("", 2), ("8#", 1)])
def test_position_that_cannot_be_checked_is_reported_in_one_line(check, text, status):
    got, out, err = check(text)
    assert (got, out, err.count("\n")) == (status, "", 1) and err.startswith("sapper: ")


# Errors that only the command reports; tests/unit/worksheets/test_options.py has the others.

BAD = {
    "6x6 --kind proof --tiling triangular-edge --difficulty two": (1, "no puzzle of difficulty"),
    "2x2 --count 3": (1, "there is only 1 paper puzzle of square 2x2"),
    "--board nowhere.json": (2, "no such file 'nowhere.json'"),
    "5x5 --check graph.json": (2, "--check cannot be combined"),
    "--check graph.json -o x.pdf": (2, "--check cannot be combined"),
    "5x5 --title \udcff": (2, "the title contains invalid characters"),
    "5x5 -o sheet.doc": (2, "expected a file name in .pdf"),
    "5x5 -o nowhere/sheet.pdf": (2, "no such folder"),
    "5x5 -o /proc/x.pdf": (2, "write /proc/x.pdf: "),
    "90x90 -o sheet.pdf": (2, "less than 3.5 mm"),
}


@pytest.mark.parametrize("line", BAD)
def test_error_is_reported_in_one_line_and_writes_nothing(
    sapper, graph, tmp_path, monkeypatch, line
):
    monkeypatch.chdir(tmp_path)
    status, out, err = sapper("worksheet", *shlex.split(line))
    assert (status, out) == (BAD[line][0], "")
    assert err.startswith("sapper: ") and err.count("\n") == 1
    assert BAD[line][1] in err
    assert list(tmp_path.iterdir()) == [graph]
