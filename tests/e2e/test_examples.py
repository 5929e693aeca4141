"""The scripts of examples/ run, with fewer steps."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.kernels import STATUS

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.skipif(STATUS != "compiled", reason="takes minutes with plain kernels")
def test_numpy_policy_learns_to_win_some_games():
    command = [sys.executable, EXAMPLES / "train_a_policy.py", "--steps=250", "--games=300"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rate = float(re.search(r"([\d.]+)% of 300 new games won", done.stdout)[1])
    # Without training it wins no game; with the default of 8,000 steps 43%.
    assert rate > 2
