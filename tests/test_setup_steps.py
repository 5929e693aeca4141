"""The Makefile: the demo needs only the package, and nothing is compiled twice."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def needs(target: str) -> list[str]:
    """Return the prerequisites of a target."""
    return re.search(rf"^{re.escape(target)}:(.*)$", MAKEFILE, re.M)[1].split()


def steps(target: str) -> str:
    """Return the commands that make would run for a target on a fresh clone."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    command = ["make", "--dry-run", "--always-make", "--directory", str(ROOT), target]
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return subprocess.check_output(command, text=True, env=environment)


def test_demo_needs_only_the_package():
    assert needs("demo") == [".venv/package.ready"]
    package = steps(".venv/package.ready")
    assert "--editable ." in package and "--group dev" not in package and "[all]" not in package
    assert "build_ext" not in package


def test_install_compiles_nothing_and_set_up_compiles_once():
    everything = steps("setup")
    assert everything.count("build_ext") == 1
    assert "--group dev" in everything and "'.[all]'" in everything
    for line in everything.splitlines():
        if "--editable" in line:
            assert line.count("--editable") == line.count("SAPPER_PLAIN=1")


def test_tests_set_up_all_that_they_need():
    assert needs("check") == ["static", "unit"] and needs("test") == ["static", "plain", "whole"]
    assert all("setup" in needs(target) for target in ("static", "unit", "plain", "whole"))
    everything = steps("test")
    assert everything.count("bin/mypy") == everything.count("bin/lint-imports") == 1
    assert all((ROOT / path).exists() for path in re.findall(r"tests/[\w/.]+", steps("unit")))
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_install_without_kernels_needs_no_compiler():
    code = (
        "import setuptools; made = []; setuptools.setup = lambda **given: made.append(given);"
        "import runpy; runpy.run_path('setup.py', run_name='__main__');"
        "print(len(made[0]['ext_modules']))"
    )
    for plain, fewest, most in (("1", 0, 0), ("", 15, 100)):
        environment = {**os.environ, "SAPPER_PLAIN": plain}
        command = [sys.executable, "-c", code]
        printed = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
        assert fewest <= int(printed) <= most
