"""A stale compiled kernel must never shadow a changed source."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sapper

PACKAGE = Path(sapper.__file__).parent
ASK = (
    "import sapper.kernels as k, sapper.kernels.deal as d; "
    "print(k.STATUS, d.__file__.endswith('.py'), hasattr(d, 'ADDED'))"
)


@pytest.fixture
def copy(tmp_path):
    """A copy of the package as it was built, to be spoilt."""
    shutil.copytree(PACKAGE, tmp_path / "sapper", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def ask(folder, **extra):
    environment = {**os.environ, "PYTHONPATH": str(folder), **extra}
    environment.pop("SAPPER_PLAIN", None) if "SAPPER_PLAIN" not in extra else None
    command = [sys.executable, "-c", ASK]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    ).stdout


def built(folder):
    return any((folder / "sapper/kernels").glob("deal.*.so"))


def test_a_changed_source_is_run_in_place_of_its_old_compiled_file(copy):
    if not built(copy):
        pytest.skip("no compiler here")
    assert ask(copy) == "compiled False False\n"
    with (copy / "sapper/kernels/deal.py").open("a") as file:
        file.write("\nADDED = 1\n")
    assert ask(copy) == "stale True True\n"


def test_sapper_plain_asks_for_the_sources(copy):
    assert ask(copy, SAPPER_PLAIN="1") == "plain True False\n"


def test_without_compiled_files_the_sources_run(copy):
    for file in (copy / "sapper/kernels").glob("*.so"):
        file.unlink()
    assert ask(copy) == "plain True False\n"
