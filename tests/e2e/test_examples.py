"""The examples do what they say, in a short form."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.kernels import STATUS

EXAMPLES = Path(__file__).parents[2] / "examples"


def rate_after(steps):
    """Return the win rate of the example's policy in new games after training."""
    command = [sys.executable, EXAMPLES / "train_a_policy.py", f"--steps={steps}", "--games=300"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(re.search(r"([\d.]+)% of 300 fresh games won", run.stdout)[1])


@pytest.mark.skipif(STATUS != "compiled", reason="takes minutes with plain kernels")
def test_a_policy_of_numpy_alone_learns_to_win():
    assert rate_after(1) < 3
    assert rate_after(600) > 8
