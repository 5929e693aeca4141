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
    "import sapper.kernels as k, sapper.kernels.boards.deal as d; "
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
    return any((folder / "sapper/kernels/boards").glob("deal.*.so"))


def test_a_changed_source_is_run_in_place_of_its_old_compiled_file(copy):
    if not built(copy):
        pytest.skip("no compiler here")
    assert ask(copy) == "compiled False False\n"
    with (copy / "sapper/kernels/boards/deal.py").open("a") as file:
        file.write("\nADDED = 1\n")
    assert ask(copy) == "stale True True\n"


def test_sapper_plain_asks_for_the_sources(copy):
    assert ask(copy, SAPPER_PLAIN="1") == "plain True False\n"


def test_without_compiled_files_the_sources_run(copy):
    for file in (copy / "sapper/kernels").rglob("*.so"):
        file.unlink()
    assert ask(copy) == "plain True False\n"


def test_a_build_that_failed_leaves_no_note_that_old_compiled_files_are_good(tmp_path):
    root = PACKAGE.parent.parent
    if not (root / "setup.py").exists():
        pytest.skip("not in the project's folder")
    kernels = tmp_path / "src/sapper/kernels"
    (kernels / "boards").mkdir(parents=True)
    shutil.copy(root / "setup.py", tmp_path)
    shutil.copy(PACKAGE / "kernels/fingerprint.py", kernels)
    (tmp_path / "src/sapper/__init__.py").touch()
    (kernels / "__init__.py").touch()
    (kernels / "boards/__init__.py").touch()
    (kernels / "boards/deal.py").write_text("ADDED = 1\n")
    (kernels / "compiled_from.txt").write_text("an older hash\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "sapper"\nversion = "0"\n')
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    environment = {**os.environ, "CC": "false"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "will run as plain Python" in done.stderr
    assert not (kernels / "compiled_from.txt").exists()
