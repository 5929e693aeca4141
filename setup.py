"""Builds the kernels; everything else about the package stands in pyproject.toml.

SAPPER_PLAIN=1 leaves them uncompiled, as it leaves them unused when the package runs.
"""

import hashlib
import json
import os
import runpy
import sys
from itertools import count
from pathlib import Path
from subprocess import CalledProcessError

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

# setup.py runs in an isolated process whose working folder is the project's root.
SOURCE = Path("src")
STUBS = Path("tools/kernel_stubs.py")
TRANSLATED = Path("build/cython")
# What the C files were translated from, and by what.
TEXTS = TRANSLATED / "texts.json"
FINGERPRINT = runpy.run_path("src/sapper/kernels/fingerprint.py")

# What it compiles crashes at the first call; 3.3.1 is fine.
BROKEN_CYTHON = "3.3.0"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": bool(os.environ.get("SAPPER_CHECKED")),
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}

# Debug information would be five sixths of the files and a quarter of the time.
# Fused multiplications would round probabilities otherwise on processors that have them: the same games
# on every machine.
PLAIN_ROUNDING = "-ffp-contract=off"
FLAGS = [] if sys.platform == "win32" else ["-O3", "-g0", "-fno-math-errno", PLAIN_ROUNDING]

# Cython's own code for memoryviews, compiled once and not into every kernel: 37 seconds of CPU
# time for all of them instead of 97, at the same speed.
KERNELS = "sapper.kernels."
SHARED = f"{KERNELS}cython_shared"

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# Read before anything is compiled: a source that changes meanwhile must not pass for compiled.
SOURCES = FINGERPRINT["source_hash"]()


class BuildKernels(build_ext):
    """Builds the extensions on all cores, then notes which sources they were built from."""

    failed = False

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or CORES

    def run(self) -> None:
        if not self.extensions:
            return
        # What mypy reads of the kernels follows their sources.
        if STUBS.exists():
            runpy.run_path(str(STUBS), run_name="__main__")
        self._translate()
        self.started = count(1)
        super().run()
        folder = Path(self.get_ext_fullpath(SHARED)).parent
        folder.mkdir(parents=True, exist_ok=True)
        note = folder / FINGERPRINT["NOTE"].name
        if self.failed:
            # A file compiled from older sources may still be there: without a note it is not used.
            note.unlink(missing_ok=True)
        else:
            note.write_text(SOURCES + "\n")

    def _translate(self) -> None:
        """Python to C; here and not earlier, since most commands of an install build nothing."""
        from Cython import __version__
        from Cython.Build import cythonize

        if __version__ == BROKEN_CYTHON:
            sys.exit(f"expected another Cython than {BROKEN_CYTHON}: its kernels crash")
        by, texts = {**DIRECTIVES, "Cython": __version__}, source_texts()
        made = cythonize(
            self.extensions,
            build_dir=TRANSLATED.as_posix(),
            force=outdated(by, texts),
            nthreads=CORES,
            quiet=True,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
        )
        for extension, translated in zip(self.extensions, made, strict=True):
            extension.sources, extension.depends = translated.sources, translated.depends
        TRANSLATED.mkdir(parents=True, exist_ok=True)
        TEXTS.write_text(json.dumps({"by": by, "texts": texts}, indent=1) + "\n")

    def build_extension(self, ext: Extension) -> None:
        step = f"{next(self.started)} of {len(self.extensions)}"
        print(f"  kernel {step}: {ext.name.removeprefix(KERNELS)}", flush=True)
        # Without a C compiler the install goes on, and the kernels run as plain Python.
        try:
            super().build_extension(ext)
        except (CCompilerError, ExecError, PlatformError, OSError, CalledProcessError) as error:
            self.failed = True
            print(
                f"not compiled, {ext.name} will run as plain Python: {error!s:.80}", file=sys.stderr
            )


def source_texts() -> dict[str, str]:
    """A fingerprint of each source and declaration."""
    paths = [*FINGERPRINT["kernel_sources"](), *FINGERPRINT["FOLDER"].rglob("*.pxd")]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def outdated(by: dict[str, object], texts: dict[str, str]) -> bool:
    """Whether all C files must be made anew; single sources that changed are dated today.

    Cython goes by dates alone, and a source that was copied here may be older than the C file of
    another version of it.
    """
    if not TEXTS.exists():
        return False
    try:
        noted = json.loads(TEXTS.read_text())
        before, same = noted["texts"], noted["by"] == by
    except (ValueError, KeyError, TypeError):
        return True
    for path, text in texts.items():
        if before.get(path) != text:
            os.utime(path)
    return not same


def extensions() -> list[Extension]:
    """Every kernel, the longest first, so that the last ones to compile are short."""
    paths = sorted(FINGERPRINT["kernel_sources"](), key=lambda path: -path.stat().st_size)
    sources = [path.absolute().relative_to(Path.cwd()) for path in paths]
    named = [(".".join(p.relative_to(SOURCE).with_suffix("").parts), p) for p in sources]
    return [
        # Without the shared code nothing runs, so it goes first; cythonize writes it.
        Extension(SHARED, [], extra_compile_args=FLAGS, optional=True),
        *(
            Extension(name, [path.as_posix()], extra_compile_args=FLAGS, optional=True)
            for name, path in named
        ),
    ]


# Guarded, because the processes that translate may import this file again.
if __name__ == "__main__":
    plain = bool(os.environ.get("SAPPER_PLAIN"))
    setup(ext_modules=[] if plain else extensions(), cmdclass={"build_ext": BuildKernels})
