"""Lessons: what a lesson shows follows by the step that it teaches."""

import re
from pathlib import Path

import pytest
from tests.oracle.naive_hints import proves

from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.solvers import strategies
from sapper.web.learn.lessons import LESSONS
from sapper.web.learn.practice import first_board, first_move, judge_move, practice
from sapper.web.learn.progress import (
    MASTERY_STREAK,
    Progress,
    progress_of,
    with_attempt,
    with_first_board,
)
from sapper.web.learn.steps import inside

DOCS = Path(__file__).parents[4] / "docs"
EXAMPLE = re.compile(r'\.parse\("""\n(.*?)\.\.\. """', re.DOTALL)
INLINE = re.compile(r'\.parse\("([^"]+)"')

# How many numbers a step reads; None where the mine count decides, or nothing does.
NUMBERS = {"one": 1, "flagged": 1, "paper": 1, "two": 2, "three": 3, "count": None, "guess": None}
SEEDS = range(1, 9)

by_name = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


def positions_of(page: str) -> set[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    shown = {
        "\n".join(line.removeprefix("    ...").strip() for line in rows.strip("\n").split("\n"))
        for rows in EXAMPLE.findall(text)
    }
    return {rows.strip() for rows in shown} | set(INLINE.findall(text))


@pytest.mark.parametrize(
    "lesson", [one for one in LESSONS if one.page], ids=lambda lesson: lesson.name
)
def test_position_of_a_strategy_is_in_the_docs(lesson):
    assert lesson.rows in positions_of(lesson.page)


@by_name
def test_layout_of_a_lesson_fits_its_position(lesson):
    position, layout = lesson.position, lesson.layout
    for cell, mark in enumerate(position.marks.tolist()):
        if mark >= 0:
            assert (layout.mine_mask[cell], layout.numbers[cell]) == (0, mark), position.board.name(
                cell
            )
        if mark == -2:
            assert layout.mine_mask[cell]


@by_name
def test_first_board_is_solved_by_the_step_of_its_lesson(lesson):
    there = first_board(lesson, DEFAULT_BUDGET.start())
    numbers = {there.position.board.cell(name) for name in lesson.numbers.split()}
    for text in lesson.moves:
        said = judge_move(
            lesson, there, Move.parse(text, there.position.board), DEFAULT_BUDGET.start()
        )
        assert said.right and said.of_step
        assert set(said.numbers) <= numbers


@pytest.mark.parametrize("number", range(1, 8))
def test_moves_of_a_strategy_lesson_follow_by_that_strategy(number):
    lesson = next(one for one in LESSONS if one.name == f"strategy-{number}")
    position, numbers = lesson.position, lesson.numbers.split()
    strategy = getattr(strategies, f"strategy_{number}")
    if number <= 2:
        found = [strategy(strategies.read_constraint(position, numbers[0]))]
    else:
        found = [
            strategy(strategies.read_pair(position, *pair)) for pair in (numbers, numbers[::-1])
        ]
    found_moves = {
        f"{action} {name}"
        for deduction in found
        for action, cells in (("flag", deduction.flag), ("reveal", deduction.reveal))
        for name in position.names(cells)
    }
    assert set(lesson.moves) <= found_moves


@by_name
@pytest.mark.parametrize("seed", SEEDS)
def test_every_exercise_uses_the_step_that_is_taught(lesson, seed):
    there = practice(lesson, seed, DEFAULT_BUDGET.start())
    position, board = there.position, there.position.board
    marks, flags = position.marks.tolist(), position.flags.tolist()
    assert there.found
    for one in there.found:
        if lesson.source == "guess":
            assert one.numbers == () and len(one.reveal) == 1
            continue
        wanted = 2 if lesson.name == "strategy-5" else NUMBERS[lesson.source]
        assert one.uses_mine_count == (wanted is None)
        assert wanted is None or len(one.numbers) == wanted
        # Strategy 5 never moves where no single number does, but its two numbers stand as it says.
        if lesson.name == "strategy-5":
            assert inside(position, strategies.read_pair(position, *one.numbers))
        total = position.mines if one.uses_mine_count else None
        moves = [(cell, True) for cell in one.flag] + [(cell, False) for cell in one.reveal]
        for cell, is_mine in moves:
            assert proves(board, marks, one.numbers, flags, total, cell, is_mine)
            said = judge_move(
                lesson, there, Move("flag" if is_mine else "reveal", cell), DEFAULT_BUDGET.start()
            )
            assert said.right and said.of_step and len(said.numbers) == len(one.numbers)


@by_name
def test_wrong_move_gets_a_counterexample_and_no_answer(lesson):
    there = practice(lesson, 3, DEFAULT_BUDGET.start())
    position, wrong = there.position, 0
    for cell in position.covered.tolist():
        for action in ("reveal", "flag"):
            said = judge_move(lesson, there, Move(action, cell), DEFAULT_BUDGET.start())
            if said.right:
                continue
            wrong += 1
            assert said.numbers == () and not said.of_step
            if said.example is not None:
                check_example(position, said.example, cell, action == "reveal")
            else:
                assert lesson.source == "guess"
    assert wrong


def check_example(position: Position, mines: tuple[int, ...], cell: int, is_mine: bool):
    """Check that the mines fit all numbers and flags, and contradict the move."""
    assert (cell in mines) == is_mine
    assert set(position.flags.tolist()) <= set(mines)
    for number in position.revealed.tolist():
        assert sum(int(c) in mines for c in position.board.around(number)) == position.marks[number]


def test_patterns_match_their_numbers():
    by = {lesson.name: lesson for lesson in LESSONS}
    for name, needs in (("pattern-1-1", [1, 1]), ("pattern-1-2", [1, 2])):
        for seed in SEEDS:
            there = practice(by[name], seed, DEFAULT_BUDGET.start())
            for one in there.found:
                assert (
                    sorted(there.position.remaining_mines(number) for number in one.numbers)
                    == needs
                )
    for seed in SEEDS:
        there = practice(by["holes"], seed, DEFAULT_BUDGET.start())
        for one in there.found:
            assert one.numbers[1] not in there.position.board.around(one.numbers[0])


@by_name
def test_same_seed_gives_the_same_exercise(lesson):
    first, again = (practice(lesson, 5, DEFAULT_BUDGET.start()) for _ in range(2))
    assert first == again


def test_step_is_mastered_after_a_streak():
    document = with_first_board(None, "corners")
    for _ in range(MASTERY_STREAK - 1):
        document = with_attempt(document, "corners", True)
    document = with_attempt(document, "corners", False)
    assert progress_of(document, "corners").streak == 0
    for _ in range(MASTERY_STREAK):
        assert not progress_of(document, "corners").mastered
        document = with_attempt(document, "corners", True)
    after = progress_of(with_attempt(document, "corners", False), "corners")
    assert after == Progress(True, 2 * MASTERY_STREAK - 1, 2, 0, True)
    assert progress_of("nonsense", "corners") == Progress()


def ask(client, lesson, what="moves", **data):
    return client.post(f"/api/learn/{lesson}/{what}", json=data)


def test_progress_is_stored(client):
    answer = client.get("/api/learn").json()
    assert [one["name"] for one in answer["lessons"]] == [lesson.name for lesson in LESSONS]
    lesson = LESSONS[1]
    cell = lesson.position.board.cell("r3c3")
    said = ask(client, lesson.name, action="flag", cell=cell, found=[]).json()
    assert said["right"] and said["done"] and said["progress"]["first_board"]
    assert client.get("/api/learn").json()["lessons"][1]["progress"]["first_board"]


def test_only_the_first_attempt_counts(client):
    lesson = LESSONS[5]
    shown = ask(client, lesson.name, "exercise").json()
    there = practice(lesson, int(shown["seed"]), DEFAULT_BUDGET.start())
    assert shown["marks"] == there.position.marks.tolist()
    _, move = first_move(there)
    wrong = {"flag": "reveal", "reveal": "flag"}[move.action]
    said = ask(client, lesson.name, seed=shown["seed"], action=wrong, cell=move.cell, first=True)
    assert said.json()["example"]["mines"] or said.json()["example"]["safe"]
    assert said.json()["progress"]["wrong"] == 1
    for first in (False, True):
        data = {"seed": shown["seed"], "action": move.action, "cell": move.cell, "first": first}
        answer = ask(client, lesson.name, **data).json()
        assert answer["right"] and answer["numbers"]
        assert answer["progress"]["right"] == int(first)


def test_giving_up_returns_a_move_of_the_step(client):
    answer = ask(client, "holes", action="answer").json()
    assert answer["answer"] == [{"action": "reveal", "cell": answer["cells"][0]}]
    assert answer["pieces"] and not answer["right"]


def test_chord_opens_all_cells_of_its_number(client):
    answer = ask(client, "chords", action="chord", cell=1, found=[]).json()
    assert (answer["right"], answer["cells"], answer["done"]) == (True, [2, 5], True)
    assert answer["shows"] == [0, 0]


@pytest.mark.parametrize(
    ("lesson", "data", "status"),
    [
        ("nothing", {"action": "reveal", "cell": 0}, 404),
        ("corners", {"action": "reveal", "cell": 0}, 422),
        ("corners", {"action": "dance", "cell": 8}, 400),
        ("corners", {"action": "reveal", "cell": 99}, 400),
        ("corners", {"action": "reveal", "cell": 8, "seed": "-1"}, 400),
        ("corners", {"action": "flag", "cell": 8, "found": "all"}, 400),
    ],
)
def test_bad_request_has_its_status_and_one_line(client, lesson, data, status):
    answer = ask(client, lesson, **data)
    assert answer.status_code == status
    assert answer.json()["error"]


@by_name
def test_every_lesson_has_a_picture(client, lesson):
    drawn = client.get(f"/api/learn/{lesson.name}/picture")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
