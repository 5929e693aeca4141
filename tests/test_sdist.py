"""The sdist contains the files of the repository and no stray files."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from sapper.kernels.fingerprint import kernel_sources

ROOT = Path(__file__).parents[1]
GENERATED = {"PKG-INFO", "setup.cfg"}
STRAY_FILES = (
    "notes.txt",
    "src/sapper/kernels/codes.cpython-311-x86_64-linux-gnu.so",
    "src/sapper/kernels/compiled_from.txt",
    "src/sapper/__pycache__/errors.cpython-311.pyc",
    "build/cython/sapper/kernels/codes.c",
    "build/kernels.log",
    ".venv/package.ready",
    "tests/.DS_Store",
    "docs/index.md~",
)


def repository_files() -> list[str]:
    """Return the files that git tracks or would add."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())


@pytest.fixture(scope="module")
def members(tmp_path_factory):
    copy = tmp_path_factory.mktemp("sapper")
    for name in repository_files():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    for name in STRAY_FILES:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("stray")
    command = [sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", str(copy / "out")]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    (archive,) = (copy / "out").iterdir()
    with tarfile.open(archive) as file:
        names = [member.name.partition("/")[2] for member in file.getmembers() if member.isfile()]
    return sorted(name for name in names if ".egg-info/" not in name)


def test_sdist_contains_the_files_of_the_repository_and_the_stubs_of_the_kernels(members):
    stubs = [path.relative_to(ROOT).with_suffix(".pyi").as_posix() for path in kernel_sources()]
    assert sorted({*members} - GENERATED) == sorted([*repository_files(), *stubs])
