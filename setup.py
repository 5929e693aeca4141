"""Builds the kernels; everything else about the package stands in pyproject.toml."""

import hashlib
import os
import sys
from pathlib import Path
from subprocess import CalledProcessError

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

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


# Read before anything is compiled: a source that changes meanwhile must not pass for compiled.
SOURCES = source_hash()


class BuildKernels(build_ext):
    """Builds the extensions, then notes which sources they were built from."""

    failed = False

    def build_extension(self, ext: Extension) -> None:
        # Without a C compiler the install goes on, and the kernels run as plain Python.
        try:
            super().build_extension(ext)
        except (CCompilerError, ExecError, PlatformError, OSError, CalledProcessError) as error:
            self.failed = True
            print(
                f"not compiled, {ext.name} will run as plain Python: {error!s:.80}", file=sys.stderr
            )

    def run(self) -> None:
        super().run()
        folder = Path(self.get_ext_fullpath("sapper.kernels.deal")).parent
        folder.mkdir(parents=True, exist_ok=True)
        note = folder / "compiled_from.txt"
        if self.failed:
            # A file compiled from older sources may still be there: without a note it is not used.
            note.unlink(missing_ok=True)
        else:
            note.write_text(SOURCES + "\n")


def extensions() -> list[Extension]:
    flags = [] if sys.platform == "win32" else ["-O3", "-fno-math-errno"]
    found = [
        Extension(
            f"sapper.kernels.{path.stem}",
            [path.as_posix()],
            extra_compile_args=flags,
        )
        for path in sorted(KERNELS.glob("*.py"))
        if path.stem != "__init__"
    ]
    made = cythonize(found, build_dir="build/cython", compiler_directives=DIRECTIVES)
    for extension in made:
        extension.optional = True  # cythonize would forget it
    return made


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
