"""The study of the openings: which positions recur, and which moves go into the table."""

import json
from collections import Counter
from itertools import combinations

import pytest
from training import openings
from training.openings import (
    Batches,
    FirstZeroStudy,
    RecurringPosition,
    Studies,
    Study,
    canonical,
    text_of,
)

import sapper
from sapper.board.layout import Layout
from sapper.board.position import COVERED, Position
from sapper.board.rules import Rules
from sapper.formats.openings import parse_openings

LINE = ("5x4/3", "safe", "r1c1")


@pytest.fixture
def small(monkeypatch):
    """Make studies short."""
    for name, value in (
        ("SAMPLES_PER_BATCH", 20),
        ("MAX_CANDIDATES", 4),
        ("SCREENING_CHECKS", (2, 4)),
        ("CONFIRMATION_BATCHES", 6),
        ("EARLY_END_CHECKS", ()),
    ):
        monkeypatch.setattr(openings, name, value)


def lowest_covered(item):
    return int(item.position.covered[0])


def guesses_on(layout, first):
    """Return the canonical positions in which `lowest_covered` guesses on a layout."""
    revealed, met, queue = set(), [], [first]
    while True:
        while queue:
            cell = queue.pop()
            if cell not in revealed:
                revealed.add(cell)
                if layout.numbers[cell] == 0:
                    queue += layout.board.around(cell).tolist()
        position = layout.position(sorted(revealed), mines=layout.mine_count)
        if len(revealed) == len(layout.board) - layout.mine_count:
            return met
        queue = sapper.analyse(position).safe_cells.tolist()
        if not queue:
            # The player chooses in the canonical position, as the study does.
            marks = canonical(layout.board, position.marks)
            item = RecurringPosition(Position(layout.board, marks, layout.mine_count), 1.0)
            met.append(text_of(item.position))
            target = lowest_covered(item)
            images = [
                symmetry.index(target)
                for symmetry in openings.symmetries_of(layout.board)
                if all(marks[symmetry[c]] == position.marks[c] for c in layout.board.cells)
            ]
            if images[0] in layout.mine_cells:
                return met
            queue = [images[0]]


def test_probabilities_of_recurring_positions_are_those_of_all_layouts():
    rules = Rules.parse("4x3/3", rule="safe")
    counts, layouts = Counter(), 0
    for mines in combinations(range(1, len(rules.board)), rules.mines):
        mask = [cell in mines for cell in rules.board.cells]
        counts.update(guesses_on(Layout(rules.board, mask), 0))
        layouts += 1
    found = openings.recurring_positions(rules, 0, 1e-9, lowest_covered)
    assert {text_of(item.position): item.probability for item in found} == pytest.approx(
        {text: count / layouts for text, count in counts.items()}
    )
    assert len(found) >= 10
    frequent = openings.recurring_positions(rules, 0, 0.05, lowest_covered)
    expected = [item for item in found if item.probability >= 0.05]
    assert [(i.position, i.probability) for i in frequent] == [
        (i.position, pytest.approx(i.probability)) for i in expected
    ]


def test_images_of_a_position_have_one_canonical_form():
    board = Rules.parse("5x4/3").board
    images = [Position.of(board, {name: 1}).marks for name in ("r1c1", "r1c5", "r4c1", "r4c5")]
    forms = [canonical(board, marks).tolist() for marks in images]
    assert forms == [images[0].tolist()] * 4


def test_interrupted_study_continues_with_other_samples(small, tmp_path):
    path = tmp_path / "batches.jsonl"
    for _ in range(3):
        list(Studies([LINE], path, 0.1).run(0.0))
    records = [json.loads(text) for text in path.read_text().splitlines()]
    assert len(records) == 3 and len({record["seed"] for record in records}) == 3
    studies = Studies([LINE], path, 0.1)
    assert len(studies.of(LINE)[0].screening.rates) == 3
    finished = list(studies.run(600.0))
    assert finished and all(study.is_over for study in studies.of(LINE))
    assert not list(Studies([LINE], path, 0.1).run(600.0))
    summary = openings.card(studies)["positions"][0]
    assert summary["over"] and summary["screening"]["samples"] >= 40


def study_with(leads):
    """Return a study of two cells whose confirmation has these leads."""
    position = Position.of(Rules.parse(LINE[0]).board, {"r1c1": 1}, mines=3)
    study = Study(LINE, position, 0.3, [4, 19])
    for i, _ in enumerate(openings.SCREENING_CHECKS[-1] * [0]):
        study.screening.rates.append({4: 0.5, 19: 0.52 + 0.01 * (i % 2)})
    study.confirming.rates += [{4: 0.5, 19: 0.5 + lead} for lead in leads]
    return study


@pytest.mark.parametrize(
    ("leads", "move"),
    [
        ([0.01, 0.012] * 3, 19),  # clearly ahead
        ([0.04, -0.03] * 3, None),  # ahead, but not clearly
        ([-0.01, -0.012] * 3, None),
        ([0.01, 0.012] * 2, None),  # not finished
    ],
)
def test_only_a_confirmed_move_is_taken(small, leads, move):
    assert study_with(leads).move == move


def test_table_has_the_confirmed_moves_with_their_results(small, monkeypatch):
    study = study_with([0.01, 0.012] * 3)
    studies = Studies([LINE], openings.Path("none"), 0.1)
    monkeypatch.setattr(studies, "of", lambda line: [study, study_with([])])
    (row,) = parse_openings(openings.table(studies))[LINE[0]]
    assert (row.move, row.instead, row.samples) == (19, 4, 120)
    assert row.rate - row.instead_rate == pytest.approx(0.011)
    assert row.ln_solutions == pytest.approx(sapper.analyse(study.position).ln_solutions)


def test_cell_that_is_behind_drops_out_but_the_choice_of_shrewd_stays(small):
    batches = Batches([{1: 0.5, 2: 0.6 + 0.001 * i, 3: 0.3} for i in range(4)])
    assert batches.left_after([1, 2, 3], 0.01) == [1, 2]
    assert batches.left_after([1, 2, 3], 0.2) == [1]
    batches = Batches([{1: 0.5 + 0.001 * i, 2: 0.4} for i in range(4)])
    assert batches.left_after([1, 2], 0.01) == [1]


def test_first_click_under_zero_is_studied_from_its_own_zero(small, tmp_path):
    line = ("9x9/10", "zero", "r3c3")
    studies = Studies([line], tmp_path / "batches.jsonl", 0.05)
    (study,) = studies.of(line)
    names = [study.position.board.name(cell) for cell in study.cells]
    # Cells across the diagonal are images of each other.
    assert isinstance(study, FirstZeroStudy) and names[0] == "r3c3"
    assert "r5c5" in names and len({"r1c2", "r2c1"} & set(names)) == 1
    record = study.step(studies.rollouts(line[0]))
    assert record["position"] == openings.FIRST_ZERO and set(record["rates"]) == set(names)
    assert all(0.5 < rate < 1.2 for rate in record["rates"].values())
    assert parse_openings(openings.table(studies)) == {}
    assert (study.position.marks == COVERED).all()
