"""Builds the kernels; everything else about the package stands in pyproject.toml."""

import hashlib
import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# setup.py runs in an isolated process whose working folder is the project's root.
KERNELS = Path("src/sapper/kernels")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": bool(os.environ.get("SAPPER_CHECKED")),
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}


def source_hash() -> str:
    """The fingerprint that `sapper.kernels` compares with its sources before it trusts them."""
    digest = hashlib.sha256()
    for path in sorted([*KERNELS.glob("*.py"), *KERNELS.glob("*.pxd")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class BuildKernels(build_ext):
    """Builds the extensions, then notes which sources they were built from."""

    def run(self) -> None:
        super().run()
        folder = Path(self.get_ext_fullpath("sapper.kernels.deal")).parent
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "compiled_from.txt").write_text(source_hash() + "\n")


def extensions() -> list[Extension]:
    # optional: without a C compiler the install goes on, and the kernels run as plain Python.
    flags = [] if sys.platform == "win32" else ["-O3", "-fno-math-errno"]
    found = [
        Extension(
            f"sapper.kernels.{path.stem}",
            [path.as_posix()],
            optional=True,
            extra_compile_args=flags,
        )
        for path in sorted(KERNELS.glob("*.py"))
        if path.stem != "__init__"
    ]
    return cythonize(found, build_dir="build/cython", compiler_directives=DIRECTIVES, nthreads=0)


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
