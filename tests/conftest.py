"""The hypothesis profile, shared fixtures, and the option that rewrites golden files."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sapper.engine.budget import Budget, Cancel, Limit

settings.register_profile(
    "sapper",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
    # The same examples in every run, without a database; `make check-long` tries others.
    derandomize="SAPPER_SCALE" not in os.environ,
    database=None,
)
settings.load_profile("sapper")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="rewrite the golden files")


@pytest.fixture(scope="session", autouse=True)
def more_time() -> Iterator[None]:
    """Make the default time limit longer: what is slow on a busy machine is not wrong."""
    start = Budget.start

    def start_with_more_time(budget: Budget, cancel: Cancel | None = None) -> Limit:
        limit = start(budget, cancel)
        is_default = budget.seconds == Budget.seconds
        return replace(limit, deadline=limit.deadline + 300) if is_default else limit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Budget, "start", start_with_more_time)
        yield


@pytest.fixture
def cancelled() -> Cancel:
    """Return a cancellation that was requested before the search starts."""
    cancel = Cancel()
    cancel.set()
    return cancel


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare text with a file of tests/golden; --regenerate writes the file instead."""

    def check(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / name
        if request.config.getoption("--regenerate"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no golden file {name}: run pytest --regenerate and read the diff"
        assert text == path.read_text(encoding="utf-8")

    return check
