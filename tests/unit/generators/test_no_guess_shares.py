"""How many deals need no guess: the picture of the docs, and what others measured."""

import importlib.util
import math
import re
from pathlib import Path

import pytest

from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS
from sapper.engine.budget import Budget
from sapper.generators.no_guess_search import NoGuessSearch

PAGE = Path(__file__).parents[4] / "docs" / "how-it-works" / "no-guess.md"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location(
        "no_guess_pictures", PAGE.parent / "no_guess_pictures.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def need_no_guess(rules, seeds, level="count"):
    """How many of these deals need no guess from the middle."""
    limit = Budget(seconds=600).start()
    search = NoGuessSearch(rules, rules.board.middle, level, limit)
    solved = 0
    for seed in seeds:
        search.begin(seed, limit)
        solved += search.draw(1)
    return solved


def test_the_page_shows_exactly_the_picture_that_the_script_draws(script):
    drawn = script.pictures(boards=2)
    assert set(drawn) == set(re.findall(r"pictures/(no-guess-[a-z-]+\.svg)", PAGE.read_text()))
    for name, svg in drawn.items():
        kept = (PAGE.parent / "pictures" / name).read_bytes()
        assert b"<svg" in svg and b"<svg" in kept


@pytest.mark.parametrize("name", TILINGS)
def test_the_careful_player_guesses_where_a_board_needs_it_and_nowhere_else(script, name):
    sums = script.measured(name, 36, 150)
    assert sums.by_guesses[0] == need_no_guess(Rules.parse("16x16/36", name), range(1, 151))


@pytest.mark.parametrize(
    "size, level, share",
    [
        ("9x9/10", "count", 0.897),
        ("16x16/40", "count", 0.700),
        ("16x16/40", "four", 0.60),
        ("30x16/99", "count", 0.153),
        ("30x16/99", "four", 0.101),
    ],
)
def test_the_share_of_deals_without_a_guess_is_what_others_measured(size, level, share):
    deals = 3000
    found = need_no_guess(Rules.parse(size), range(deals), level) / deals
    # Theirs was measured on about as many; the tolerance is that of the difference.
    assert abs(found - share) < 4.5 * math.sqrt(2 * share * (1 - share) / deals)
