"""Builds the kernels; everything else about the package stands in pyproject.toml."""

import os
import runpy
import sys
from pathlib import Path
from subprocess import CalledProcessError

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

# setup.py runs in an isolated process whose working folder is the project's root.
SOURCE = Path("src")
FINGERPRINT = runpy.run_path("src/sapper/kernels/fingerprint.py")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": bool(os.environ.get("SAPPER_CHECKED")),
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}


# Read before anything is compiled: a source that changes meanwhile must not pass for compiled.
SOURCES = FINGERPRINT["source_hash"]()


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
        folder = Path(self.get_ext_fullpath("sapper.kernels.codes")).parent
        folder.mkdir(parents=True, exist_ok=True)
        note = folder / FINGERPRINT["NOTE"].name
        if self.failed:
            # A file compiled from older sources may still be there: without a note it is not used.
            note.unlink(missing_ok=True)
        else:
            note.write_text(SOURCES + "\n")


def extensions() -> list[Extension]:
    # Debug information would be five sixths of the files and a quarter of the time.
    flags = [] if sys.platform == "win32" else ["-O3", "-g0", "-fno-math-errno"]
    found = [
        Extension(
            ".".join(path.relative_to(SOURCE.absolute()).with_suffix("").parts),
            [path.relative_to(SOURCE.absolute().parent).as_posix()],
            extra_compile_args=flags,
        )
        for path in map(Path.absolute, FINGERPRINT["kernel_sources"]())
    ]
    made = cythonize(found, build_dir="build/cython", compiler_directives=DIRECTIVES)
    for extension in made:
        extension.optional = True  # cythonize would forget it
    return made


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
