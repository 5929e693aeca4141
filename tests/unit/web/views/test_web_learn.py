"""The guided path: its frames are those of the docs, and what it asks for is what follows."""

import re
from pathlib import Path

import pytest

from sapper.infer.proofs.prove import explain
from sapper.infer.slagle import strategies
from sapper.web.views.learn import LESSONS

DOCS = Path(__file__).parents[4] / "docs"
EXAMPLE = re.compile(r'\.parse\("""\n(.*?)\.\.\. """', re.DOTALL)
INLINE = re.compile(r'\.parse\("([^"]+)"')

by_name = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


def frames_of(page: str) -> set[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    shown = {
        "\n".join(line.removeprefix("    ...").strip() for line in rows.strip("\n").split("\n"))
        for rows in EXAMPLE.findall(text)
    }
    return {rows.strip() for rows in shown} | set(INLINE.findall(text))


@by_name
def test_the_frame_of_a_lesson_stands_in_the_docs(lesson):
    assert lesson.rows in frames_of(lesson.page)


@by_name
def test_the_layout_of_a_lesson_is_that_of_its_frame(lesson):
    frame, layout = lesson.frame, lesson.layout
    for cell, mark in enumerate(frame.marks.tolist()):
        if mark >= 0:
            assert (layout.mine_mask[cell], layout.hints[cell]) == (0, mark), frame.board.name(cell)
        if mark == -2:
            assert layout.mine_mask[cell]


@by_name
def test_the_moves_of_a_lesson_follow_from_its_hints(lesson):
    frame, hints = lesson.frame, lesson.hints.split()
    number = int(lesson.name.removeprefix("strategy-")) if "strategy" in lesson.name else None
    if number is None:
        for move in lesson.moves:
            assert explain(frame, move, trust_flags=True).hints == tuple(hints)
        return
    strategy = getattr(strategies, f"strategy_{number}")
    if number <= 2:
        found = [strategy(strategies.read_hint(frame, hints[0]))]
    else:
        pairs = [hints, hints[::-1]]
        found = [strategy(strategies.read_pair(frame, *pair)) for pair in pairs]
    told = {
        f"{action} {name}"
        for deduction in found
        if deduction
        for action, cells in (("flag", deduction.flag), ("reveal", deduction.reveal))
        for name in frame.names(cells)
    }
    assert set(lesson.moves) <= told


def test_the_path_goes_through_all_seven_strategies_to_three_hints():
    names = [lesson.name for lesson in LESSONS]
    assert names == [*(f"strategy-{k}" for k in range(1, 8)), "three-hints"]


def test_the_page_gets_an_answer_for_every_blank(client):
    lessons = client.get("/api/learn").json()["lessons"]
    assert len(lessons) == len(LESSONS)
    for lesson in lessons:
        blanks = {cell for cell, mark in enumerate(lesson["marks"]) if mark < 0}
        assert {int(cell) for cell in lesson["answers"]} == blanks
        assert all(answer["why"].endswith(".") for answer in lesson["answers"].values())
        for move in lesson["moves"]:
            wanted = {"flag": "mine", "reveal": "free"}[move["action"]]
            assert lesson["answers"][str(move["cell"])]["is"] == wanted
