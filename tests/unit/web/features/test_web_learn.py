"""Lessons: the moves of a lesson follow from the step that it teaches."""

import re
from pathlib import Path
from string import ascii_uppercase

import numpy as np
import pytest
from tests.oracle.naive_hints import proves

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.render.palette import PALETTE
from sapper.sentences import board_pieces
from sapper.solvers import strategies
from sapper.web.learn.lessons import LESSONS
from sapper.web.learn.practice import (
    Exercise,
    find_exercise,
    first_exercise,
    first_move,
    judge_move,
)
from sapper.web.learn.progress import (
    MASTERY_STREAK,
    Progress,
    progress_of,
    with_attempt,
    with_first_board,
)
from sapper.web.learn.steps import one_contains_other

DOCS = Path(__file__).parents[4] / "docs"
EXAMPLE = re.compile(r'\.parse\("""\n(.*?)\.\.\. """', re.DOTALL)
INLINE = re.compile(r'\.parse\("([^"]+)"')

# How many numbers a step uses, by source; None if the mine count decides, or nothing does.
NUMBERS = {"one": 1, "flagged": 1, "paper": 1, "two": 2, "three": 3, "count": None, "guess": None}
SEEDS = (1, 2, 3)

for_each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


def positions_of(page: str) -> set[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    shown = {
        "\n".join(line.removeprefix("    ...").strip() for line in rows.strip("\n").split("\n"))
        for rows in EXAMPLE.findall(text)
    }
    return {rows.strip() for rows in shown} | set(INLINE.findall(text))


def lesson_of(name):
    return next(lesson for lesson in LESSONS if lesson.name == name)


def judge(lesson, exercise, move):
    return judge_move(lesson, exercise, move, DEFAULT_BUDGET.start())


def test_positions_of_the_strategies_are_in_the_docs():
    for lesson in LESSONS:
        assert lesson.page is None or lesson.rows in positions_of(lesson.page), lesson.name


@for_each_lesson
def test_first_board_is_solved_by_the_step_of_its_lesson(lesson):
    position, layout = lesson.position, lesson.layout
    marks = position.marks
    assert np.array_equal(marks[marks >= 0], layout.numbers[marks >= 0])
    assert not layout.mine_mask[marks >= 0].any() and layout.mine_mask[marks == FLAG].all()
    exercise = first_exercise(lesson, DEFAULT_BUDGET.start())
    numbers = {position.board.cell(name) for name in lesson.numbers.split()}
    for text in lesson.moves:
        feedback = judge(lesson, exercise, Move.parse(text, position.board))
        assert feedback.right and feedback.of_step
        assert set(feedback.numbers) <= numbers


@pytest.mark.parametrize("number", range(1, 8))
def test_moves_of_a_strategy_lesson_follow_from_that_strategy(number):
    lesson = lesson_of(f"strategy-{number}")
    position, numbers = lesson.position, lesson.numbers.split()
    strategy = getattr(strategies, f"strategy_{number}")
    if number <= 2:
        deductions = [strategy(strategies.read_constraint(position, numbers[0]))]
    else:
        deductions = [
            strategy(strategies.read_pair(position, *pair)) for pair in (numbers, numbers[::-1])
        ]
    found_moves = {
        f"{action} {name}"
        for deduction in deductions
        for action, cells in (("flag", deduction.flag), ("reveal", deduction.reveal))
        for name in position.names(cells)
    }
    assert set(lesson.moves) <= found_moves


@for_each_lesson
@pytest.mark.parametrize("seed", SEEDS)
def test_every_exercise_uses_the_step_that_is_taught(lesson, seed):
    exercise, again = (find_exercise(lesson, seed, DEFAULT_BUDGET.start()) for _ in range(2))
    assert exercise == again
    position, board = exercise.position, exercise.position.board
    marks, flags = position.marks.tolist(), position.flags.tolist()
    assert exercise.matches
    for step in exercise.matches:
        if lesson.source == "guess":
            assert step.numbers == () and len(step.reveal) == 1
            continue
        count = 2 if lesson.name == "strategy-5" else NUMBERS[lesson.source]
        assert step.uses_mine_count == (count is None)
        assert count is None or len(step.numbers) == count
        if count == 2:
            check_pattern(lesson.name, position, step.numbers)
        total = position.mines if step.uses_mine_count else None
        moves = [(cell, True) for cell in step.flag] + [(cell, False) for cell in step.reveal]
        for cell, is_mine in moves:
            assert proves(board, marks, step.numbers, flags, total, cell, is_mine)
            feedback = judge(lesson, exercise, Move("flag" if is_mine else "reveal", cell))
            assert feedback.right and feedback.of_step
            assert len(feedback.numbers) == len(step.numbers)


def check_pattern(name: str, position: Position, numbers: tuple[int, ...]):
    """Check that the two numbers of a step are in the arrangement that the lesson teaches."""
    missing = sorted(position.remaining_mines(number) for number in numbers)
    if name == "strategy-5":  # a single number gives the move too
        assert one_contains_other(position, strategies.read_pair(position, *numbers))
    elif name in ("pattern-1-1", "pattern-1-2"):
        assert missing == [int(digit) for digit in name.split("-")[1:]]
    elif name == "holes":
        assert numbers[1] not in position.board.around(numbers[0])


@for_each_lesson
def test_letters_of_a_text_are_on_the_board_and_name_the_right_numbers(lesson):
    letters = dict(zip(ascii_uppercase, lesson.number_cells, strict=False))
    marks = lesson.position.marks
    assert re.search(r"marked A|from A to B", lesson.task)
    for number, letter in re.findall(r"\b(\d+) marked ([A-Z])\b", lesson.task):
        assert marks[letters[letter]] == int(number)
    texts = [lesson.teaches, lesson.task]
    assert {*re.findall(r"\b[B-Z]\b", " ".join(texts))} <= {*letters, "F"}  # F is a key
    exercise = first_exercise(lesson, DEFAULT_BUDGET.start())
    for move in lesson.parsed_moves:
        pieces = board_pieces(judge(lesson, exercise, move).sentence)
        sentence = "".join(text for text, *_ in pieces)
        for number, letter in re.findall(r"\b(\d+) marked ([A-Z])\b", sentence):
            assert marks[letters[letter]] == int(number)


@for_each_lesson
def test_opposite_of_a_certain_move_is_answered_with_its_proof(lesson):
    if lesson.source == "guess":
        return
    exercise = find_exercise(lesson, 5, DEFAULT_BUDGET.start())
    position, (match, right) = exercise.position, first_move(exercise)
    opposite = Move("reveal" if right.action == "flag" else "flag", right.cell)
    feedback = judge(lesson, exercise, opposite)
    assert not feedback.right and feedback.example is None
    assert feedback.cells == (right.cell,)
    assert str(feedback.sentence[0]).startswith("That is certainly")
    flags, total = position.flags.tolist(), position.mines if match.uses_mine_count else None
    is_mine = right.action == "flag"
    marks = position.marks.tolist()
    assert proves(position.board, marks, feedback.numbers, flags, total, right.cell, is_mine)


@pytest.mark.parametrize("name", ["strategy-1", "strategy-3", "guessing"])
def test_uncertain_move_gets_a_counterexample_and_no_answer(name):
    lesson = lesson_of(name)
    exercise = find_exercise(lesson, 3, DEFAULT_BUDGET.start())
    wrong = 0
    for cell in exercise.position.covered.tolist():
        for action in ("reveal", "flag"):
            feedback = judge(lesson, exercise, Move(action, cell))
            if feedback.right or feedback.cells:  # or the opposite is certain
                continue
            wrong += 1
            assert feedback.numbers == () and not feedback.of_step
            if feedback.example is not None:
                check_example(exercise.position, feedback.example, cell, action == "reveal")
            else:
                assert lesson.source == "guess"
    assert wrong


def check_example(position: Position, mines: tuple[int, ...], cell: int, is_mine: bool):
    """Check that the mines fit all numbers and flags, and contradict the move."""
    assert (cell in mines) == is_mine
    assert set(position.flags.tolist()) <= set(mines)
    for number in position.revealed.tolist():
        neighbours = position.board.around(number).tolist()
        assert sum(neighbour in mines for neighbour in neighbours) == position.marks[number]


def test_practice_seeds_wrap_around_at_2_to_the_64():
    lesson = lesson_of("pattern-1-2-2-1")
    assert find_exercise(lesson, 2**64 - 1, DEFAULT_BUDGET.start()).matches


def test_lesson_is_mastered_after_a_streak():
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


def post(client, lesson, path="moves", **data):
    return client.post(f"/api/learn/{lesson}/{path}", json=data)


def test_progress_is_stored(client):
    answer = client.get("/api/learn").json()
    assert [row["name"] for row in answer["lessons"]] == [lesson.name for lesson in LESSONS]
    lesson = LESSONS[1]
    cell = lesson.position.board.cell("r3c3")
    feedback = post(client, lesson.name, action="flag", cell=cell, found=[]).json()
    assert feedback["right"] and feedback["done"] and feedback["progress"]["first_board"]
    assert client.get("/api/learn").json()["lessons"][1]["progress"]["first_board"]


def test_only_the_first_attempt_counts(client):
    lesson = LESSONS[5]
    shown = post(client, lesson.name, "exercise").json()
    exercise = find_exercise(lesson, int(shown["seed"]), DEFAULT_BUDGET.start())
    assert shown["marks"] == exercise.position.marks.tolist()
    _, move = first_move(exercise)
    wrong = {"flag": "reveal", "reveal": "flag"}[move.action]
    data = {"seed": shown["seed"], "action": wrong, "cell": move.cell, "first": True}
    feedback = post(client, lesson.name, **data).json()
    assert feedback["cells"] == [move.cell] and feedback["example"] is None
    assert feedback["progress"]["wrong"] == 1
    for first in (False, True):
        data = {"seed": shown["seed"], "action": move.action, "cell": move.cell, "first": first}
        answer = post(client, lesson.name, **data).json()
        assert answer["right"] and answer["numbers"]
        assert answer["progress"]["right"] == int(first)


def test_giving_up_returns_a_move_of_the_step(client):
    answer = post(client, "holes", action="answer").json()
    assert answer["answer"] == [{"action": "reveal", "cell": answer["cells"][0]}]
    assert answer["pieces"] and not answer["right"]


def test_chord_reveals_all_cells_of_its_number(client):
    answer = post(client, "chords", action="chord", cell=1, found=[]).json()
    assert (answer["right"], answer["cells"], answer["done"]) == (True, [2, 5], True)
    assert answer["shows"] == [0, 0]


def test_chord_needs_all_flags_of_its_number_and_a_cell_to_reveal():
    lesson = lesson_of("chords")
    position = Position.parse("F1#\n11#\n##1\n2F#")
    exercise = Exercise(position, tuple(lesson.step(position, DEFAULT_BUDGET.start())))
    judged = {
        name: judge(lesson, exercise, Move.parse(f"chord {name}", position.board))
        for name in ("r1c2", "r2c2", "r3c3", "r4c1")
    }
    assert {name: feedback.right for name, feedback in judged.items()} == {
        "r1c2": True,
        "r2c2": True,
        "r3c3": True,
        "r4c1": False,
    }
    assert position.names(judged["r1c2"].cells) == ("r1c3", "r2c3")
    assert judged["r4c1"].cells == judged["r4c1"].numbers == ()
    single = Position.parse("F1#")
    exercise = Exercise(single, tuple(lesson.step(single, DEFAULT_BUDGET.start())))
    feedback = judge(lesson, exercise, Move("chord", 1))
    assert feedback.right and (feedback.numbers, feedback.cells) == ((1,), (2,))


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
def test_bad_request_is_refused_with_an_error_message(client, lesson, data, status):
    response = post(client, lesson, **data)
    assert response.status_code == status
    assert response.json()["error"]


def test_every_lesson_has_a_picture(client):
    for lesson in LESSONS:
        picture = client.get(f"/api/learn/{lesson.name}/picture/auto")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")
        assert ">A<" in picture.text
        colours = (PALETTE["certain-mine"].light, PALETTE["certain-safe"].light)
        assert any(colour in picture.text for colour in colours)  # those of the board
