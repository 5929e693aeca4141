"""Fixtures of the generator tests."""

import pytest

from sapper.proofs.difficulty import DIFFICULTIES, Difficulty


@pytest.fixture
def quartet():
    """Add a difficulty of exactly four numbers; return its name."""
    texts = ("four numbers", "four numbers", "four numbers together")
    DIFFICULTIES.add(Difficulty("quartet", 4, False, *texts), before="four")
    yield "quartet"
    DIFFICULTIES.remove("quartet")
