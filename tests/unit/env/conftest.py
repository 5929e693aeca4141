"""Fixtures of the environment tests."""

import pytest
from tests.env_rules import ALL_RULES


@pytest.fixture(params=ALL_RULES)
def any_rules(request):
    return ALL_RULES[request.param]
