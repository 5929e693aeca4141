"""Hints of all four details, about certain moves and about guesses."""

import dataclasses

import pytest

import sapper
from sapper import FLAG, Contradiction, IllegalMove, NotationError, Position, hint
from sapper.board.move import Move
from sapper.proofs.hints import HINT_DETAILS, MAX_LISTED, _sources, single_number_mines
from sapper.proofs.prover import Proof
from sapper.sentences import CellRef

POSITION = Position.parse("1 # #\n1 # #\n# # #", mines=2)
STUCK = Position.parse("1##\n###", mines=2)
NEEDS_PAIRS = Position.parse("#######\n#32212#\n#1...1#")

# The lowest detail at which a field of a hint is filled.
MIN_DETAIL = {"look_cells": 1, "number_cells": 2, "premises": 2, "difficulty": 2, "moves": 3}


def moves_of(result):
    return [move.format(result.position.board) for move in result.moves]


def test_hint_has_only_the_fields_of_its_detail():
    for position in [POSITION, STUCK]:
        for detail in range(1, len(HINT_DETAILS) + 1):
            result, full = (dataclasses.asdict(hint(position, d)) for d in (detail, 4))
            for name, least in (
                MIN_DETAIL if full["certain"] else {**MIN_DETAIL, "moves": 4}
            ).items():
                assert result[name] == (full[name] if detail >= least else type(result[name])())


def test_each_detail_has_a_different_text():
    first, second, third, fourth = (hint(POSITION, detail) for detail in (1, 2, 3, 4))
    assert first.text == "Look around r2c1."
    assert second.text == "Look at r1c1 and r2c1." and second.numbers == ("r1c1", "r2c1")
    assert third.text.endswith("So r3c1 is safe. The same numbers also give: reveal r3c2.")
    assert fourth.text == f"{third.text} Do: reveal r3c1, reveal r3c2."
    assert moves_of(third) == moves_of(fourth) == ["reveal r3c1", "reveal r3c2"]
    texts = [hint(STUCK, detail).text for detail in (1, 2, 3, 4)]
    assert len(set(texts)) == 4
    assert "r1c2" not in texts[0]


def test_certain_mine_is_never_a_guess():
    for text, mines, expected in (
        ("1#", None, "No covered cell is left to reveal."),
        ("1#\n11", 1, "No covered cell is left to reveal."),
        ("1F", None, "No covered cell is left to reveal."),
        ("F1F", None, "No covered cell is left to reveal; but a flag may be wrong."),
        ("1##", None, "Nothing is certain. Without a mine count, the probabilities are unknown."),
        ("#1#", None, "Nothing is certain. Best guess: reveal r1c1, 50% risk."),
    ):
        assert hint(Position.parse(text, mines=mines), 4).text == expected
    text = hint(Position.parse("###", mines=0), 3).text
    assert text.endswith("so r1c1 is safe. The mine count also gives: reveal r1c2, reveal r1c3.")


def test_mines_proved_by_single_numbers_are_premises_with_their_proof():
    position = Position.parse("#1#\n11#")
    result = hint(position, 3)
    assert result.difficulty == "one"
    assert result.text.startswith("r1c2 already touches its mine, r1c1, so r1c3 is safe.")
    (premise,) = result.premises
    assert (premise.proof.cell, premise.proof.is_mine, premise.flagged) == (0, True, False)
    assert premise.proof.numbers == ("r2c1",)
    assert premise.text == "r2c1 needs 1 and has only 1 covered cell, r1c1, so r1c1 is a mine."
    (premise,) = hint(position.with_marks({0: FLAG}), 2).premises
    assert premise.flagged
    assert single_number_mines(Position.parse("#1#\n11#")) == [0]
    assert single_number_mines(Position.parse("F2#\n.#1")) == []
    result = hint(Position.parse("#1#\n11#"), 3)
    step, premise = (
        [piece for piece in sentence if not isinstance(piece, str)]
        for sentence in (result.sentence, result.premises[0].sentence)
    )
    assert [ref.label for ref in step[:2]] == ["this 1", "its mine"]
    assert [ref.label for ref in premise] == ["the highlighted 1", "1 covered cell", "it"]


def test_correct_flags_are_no_moves_and_wrong_flags_are_removed():
    assert moves_of(hint(Position.parse("1##\n1##\nF##", mines=2), 4)) == ["unflag r3c1"]
    result = hint(Position.parse("1##\n1##\nFFF", mines=2), 4)
    assert moves_of(result) == ["unflag r3c1", "unflag r3c2"]
    assert result.wrong_flag and result.text.count("Its flag is wrong.") == 1
    position = Position.parse("###\n121")
    result = hint(position, 3)
    assert moves_of(result) == ["flag r1c1"]
    assert moves_of(hint(position.with_marks({0: FLAG}), 3)) == ["reveal r1c2"]
    cell = NEEDS_PAIRS.board.cell("r1c3")
    proof = sapper.explain(NEEDS_PAIRS, "flag r1c3")
    result = hint(NEEDS_PAIRS.with_marks({cell: FLAG}), 2)
    reasons = {premise.proof.cell: premise.proof.numbers for premise in result.premises}
    assert reasons.get(cell, proof.numbers) == proof.numbers


def test_hint_is_refused_where_none_is_possible():
    with pytest.raises(NotationError, match="from 1 to 4, got 5"):
        hint(POSITION, 5)
    with pytest.raises(IllegalMove, match="every cell is revealed"):
        hint(Position.parse(".."), 1)
    with pytest.raises(Contradiction):
        hint(Position.parse("9#"), 1)


def test_guess_has_four_details():
    for detail in [1, 2, 3, 4]:
        position = Position.parse("# 1 # # #", mines=2)
        result = hint(position, detail)
        assert bool(result.candidates) == (detail >= 2)
        complete = [c.values and c.progress is not None for c in result.candidates]
        assert all(complete) == (detail != 2)
        assert bool(result.moves) == (detail == 4)
        by_cell = {candidate.cell: candidate for candidate in hint(position, 3).candidates}
        assert by_cell[2].values == ((0, 0.25), (1, 0.25))
        assert (by_cell[2].progress, by_cell[0].progress) == (1.0, 0.0)


@pytest.mark.parametrize(("count", "pieces"), [(MAX_LISTED, MAX_LISTED), (MAX_LISTED + 1, 1)])
def test_many_numbers_of_a_proof_are_outlined_and_few_are_listed(count, pieces):
    position = Position.parse("1" * 20 + "#")
    proof = Proof(position, Move("reveal", 20), tuple(range(count)), uses_mine_count=False)
    references = [piece for piece in _sources(proof) if isinstance(piece, CellRef)]
    assert len(references) == pieces
    assert [cell for reference in references for cell in reference.cells] == list(range(count))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# #\n# 1", "r1c1 (33.3% risk): if safe it shows 1 (100%)"),
        ("# # #\n# 1 #\n# # #", "r1c2 (12.5% risk): if safe it shows 1 (57.1%) and 0 (42.9%)"),
    ],
)
def test_numbers_of_a_guess_have_their_probabilities_if_it_is_safe(text, shown):
    assert shown in hint(Position.parse(text, mines=1), 3).text
