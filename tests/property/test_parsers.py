"""Every parser turns any text into a value or a NotationError, and values round-trip."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.error_messages import assert_one_line
from tests.fuzz import mutate_text
from tests.sampling import cases
from tests.strategies import layouts, positions

from sapper import Layout, Move, NotationError, Position, RulesError, tiling
from sapper.board.rules import Rules, parse_size
from sapper.cli.commands.one_click import parse_batch
from sapper.formats.registry import parse_any, parse_board

BOARD = tiling("square", 9, 9)

# A short run in the tests, a hundred thousand texts a parser in `make check-long SUITE=fuzz`.
FUZZ = cases(2000)

# The parsers, each with the errors that it may raise.
PARSERS = {
    "position": (Position.parse, NotationError),
    "layout": (Layout.parse, NotationError),
    "any": (parse_any, NotationError),
    "board": (parse_board, NotationError),
    "size": (parse_size, (NotationError, RulesError)),
    "rules": (lambda text: Rules.parse(text, "hexagonal"), (NotationError, RulesError)),
    "move": (lambda text: Move.parse(text, BOARD), NotationError),
    "cell": (BOARD.cell, NotationError),
    "batch": (parse_batch, NotationError),
}

VALID_TEXTS = [
    "board: square 5x5\nmines: 8\n#####\n#222#\n#2.2#\n#222#\n#####\n",
    "board: hexagonal 3x2\n1#F\n.ab\n",
    "layout: triangular 4x2\n*..c\n....\n",
    "*..\n.c.\n",
    "3x2x4\n0H?\nFM8\n",
    '{"cells": ["a", "b"], "edges": [["a", "b"]], "mines": 1, "numbers": {"a": 1}, "flags": ["b"]}',
    '{"board": "torus 3x3", "numbers": {"r1c1": 0}}',
    '{"edges": [["a", "b"]], "layout": ["b"], "click": "a", "positions": {"a": [0, 1]}}',
    "30x16/99",
    "expert",
    "reveal r3c5",
    "r9c9",
    "2\n5 5 23\n3 1 1\n",
]


def accepts(name: str, text: str) -> bool:
    """Return whether a parser accepts the text; if not, check its message."""
    parse, refusal = PARSERS[name]
    try:
        parse(text)
    except refusal as error:
        assert_one_line(error)
        return False
    return True


@pytest.mark.parametrize("name", PARSERS)
def test_any_mutated_text_is_a_value_or_a_notation_error(name):
    # Plain random choices: a hundred thousand texts take seconds, where hypothesis takes minutes.
    rng = random.Random(f"{name} {FUZZ}")
    accepted = sum(accepts(name, mutate_text(rng.choice(VALID_TEXTS), rng)) for _ in range(FUZZ))
    assert 0 < accepted < FUZZ


@given(text=st.text(max_size=200))
def test_any_text_is_a_value_or_a_notation_error(text):
    for name in PARSERS:
        accepts(name, text)


@given(st.one_of(positions(), layouts()))
def test_positions_and_layouts_round_trip(value):
    again = type(value).parse(str(value))
    assert again == value
    assert str(again) == str(value)


@given(st.sampled_from(["reveal", "flag", "unflag", "chord"]), st.sampled_from(BOARD.cells))
def test_moves_round_trip(action, cell):
    move = Move(action, cell)
    assert Move.parse(move.format(BOARD), BOARD) == move
