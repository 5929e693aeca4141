"""Every tiling and a graph, one after the other."""

import pytest
from tests.env_rules import ALL_RULES


@pytest.fixture(params=ALL_RULES)
def any_rules(request):
    return ALL_RULES[request.param]
