"""The path from nothing: what a lesson shows is of the step that it teaches."""

import re
from pathlib import Path

import pytest
from tests.oracle.naive_hints import proves

from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.solvers import strategies
from sapper.web.learn.lessons import LESSONS
from sapper.web.learn.practice import answer, first_board, judge_move, practice
from sapper.web.learn.routes import MASTERY_STREAK, progress_of, with_first_board, with_try
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
def test_the_position_of_a_strategy_stands_in_the_docs(lesson):
    assert lesson.rows in positions_of(lesson.page)


@by_name
def test_the_layout_of_a_lesson_is_that_of_its_position(lesson):
    position, layout = lesson.position, lesson.layout
    for cell, mark in enumerate(position.marks.tolist()):
        if mark >= 0:
            assert (layout.mine_mask[cell], layout.numbers[cell]) == (0, mark), position.board.name(
                cell
            )
        if mark == -2:
            assert layout.mine_mask[cell]


@by_name
def test_the_first_board_is_done_by_the_step_of_its_lesson(lesson):
    there = first_board(lesson, DEFAULT_BUDGET.start())
    numbers = {there.position.board.cell(name) for name in lesson.numbers.split()}
    for text in lesson.moves:
        said = judge_move(
            lesson, there, Move.parse(text, there.position.board), DEFAULT_BUDGET.start()
        )
        assert said.right and said.of_step
        assert set(said.numbers) <= numbers


@pytest.mark.parametrize("number", range(1, 8))
def test_the_moves_of_a_strategy_are_its_own(number):
    lesson = next(one for one in LESSONS if one.name == f"strategy-{number}")
    position, numbers = lesson.position, lesson.numbers.split()
    strategy = getattr(strategies, f"strategy_{number}")
    if number <= 2:
        found = [strategy(strategies.read_constraint(position, numbers[0]))]
    else:
        found = [
            strategy(strategies.read_pair(position, *pair)) for pair in (numbers, numbers[::-1])
        ]
    told = {
        f"{action} {name}"
        for deduction in found
        for action, cells in (("flag", deduction.flag), ("reveal", deduction.reveal))
        for name in position.names(cells)
    }
    assert set(lesson.moves) <= told


@by_name
@pytest.mark.parametrize("seed", SEEDS)
def test_every_proof_in_practice_is_of_the_step_that_is_taught(lesson, seed):
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
def test_a_wrong_move_is_shown_to_be_wrong_and_no_more(lesson):
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
    """The mines meet every number, hold all flags, and speak against the move."""
    assert (cell in mines) == is_mine
    assert set(position.flags.tolist()) <= set(mines)
    for number in position.revealed.tolist():
        assert sum(int(c) in mines for c in position.board.around(number)) == position.marks[number]


def test_patterns_are_found_where_they_stand():
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
def test_the_same_seed_gives_the_same_position(lesson):
    first, again = (practice(lesson, 5, DEFAULT_BUDGET.start()) for _ in range(2))
    assert first == again


def test_a_step_sits_after_some_in_a_row():
    document = with_first_board(None, "corners")
    for _ in range(MASTERY_STREAK - 1):
        document = with_try(document, "corners", True)
    document = with_try(document, "corners", False)
    assert progress_of(document, "corners")["row"] == 0
    for _ in range(MASTERY_STREAK):
        assert not progress_of(document, "corners")["sits"]
        document = with_try(document, "corners", True)
    told = progress_of(with_try(document, "corners", False), "corners")
    assert told == {
        "first": True,
        "right": 2 * MASTERY_STREAK - 1,
        "wrong": 2,
        "row": 0,
        "sits": True,
    }
    assert progress_of("nonsense", "corners")["right"] == 0


# On the wire.


def ask(client, lesson, what="moves", **data):
    return client.post(f"/api/learn/{lesson}/{what}", json=data)


def test_lessons_come_with_their_progress_which_is_kept(client):
    told = client.get("/api/learn").json()
    assert [one["name"] for one in told["lessons"]] == [lesson.name for lesson in LESSONS]
    lesson = LESSONS[1]
    cell = lesson.position.board.cell("r3c3")
    said = ask(client, lesson.name, action="flag", cell=cell, found=[]).json()
    assert said["right"] and said["done"] and said["progress"]["first"]
    assert client.get("/api/learn").json()["lessons"][1]["progress"]["first"]


def test_only_the_first_try_at_a_position_counts(client):
    lesson = LESSONS[5]
    shown = ask(client, lesson.name, "position").json()
    there = practice(lesson, int(shown["seed"]), DEFAULT_BUDGET.start())
    assert shown["marks"] == there.position.marks.tolist()
    _, move = answer(there)
    wrong = {"flag": "reveal", "reveal": "flag"}[move.action]
    said = ask(client, lesson.name, seed=shown["seed"], action=wrong, cell=move.cell, first=True)
    assert said.json()["example"]["mines"] or said.json()["example"]["free"]
    assert said.json()["progress"]["wrong"] == 1
    for first in (False, True):
        data = {"seed": shown["seed"], "action": move.action, "cell": move.cell, "first": first}
        told = ask(client, lesson.name, **data).json()
        assert told["right"] and told["numbers"]
        assert told["progress"]["right"] == int(first)


def test_giving_up_shows_a_move_of_the_step(client):
    told = ask(client, "holes", action="answer").json()
    assert told["answer"] == [{"action": "reveal", "cell": told["cells"][0]}]
    assert told["said"] and not told["right"]


def test_a_chord_opens_all_cells_of_its_number(client):
    told = ask(client, "chords", action="chord", cell=1, found=[]).json()
    assert (told["right"], told["cells"], told["done"]) == (True, [2, 5], True)
    assert told["shows"] == [0, 0]


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
def test_what_cannot_be_asked_is_refused_in_one_line(client, lesson, data, status):
    told = ask(client, lesson, **data)
    assert told.status_code == status
    assert told.json()["error"]


@by_name
def test_every_lesson_has_its_picture(client, lesson):
    drawn = client.get(f"/api/learn/{lesson.name}/picture")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
