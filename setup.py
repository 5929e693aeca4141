"""Build the kernels; pyproject.toml has everything else about the package.

With SAPPER_PLAIN=1 they are not compiled, just as they are not used when the package runs.
"""

import hashlib
import json
import os
import re
import runpy
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from itertools import count
from pathlib import Path
from subprocess import CalledProcessError

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

# setup.py runs in an isolated process whose working directory is the project's root.
SOURCE = Path("src")
STUBS = Path("tools/kernel_stubs.py")
C_FILES = Path("build/cython")
# Hashes of the sources that the C files were made from, with the version and options of Cython.
C_FILE_HASHES = C_FILES / "hashes.json"
FINGERPRINT = runpy.run_path("src/sapper/kernels/fingerprint.py")

# 3.2 does not compile the sources, and what 3.3.0 compiles crashes at the first call.
OLDEST_CYTHON = (3, 3, 1)

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": bool(os.environ.get("SAPPER_CHECKED")),
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    # Local variables are C variables without being declared: otherwise only some of them would be.
    "infer_types": True,
    # Kernels raise nothing. Otherwise every function would need @cython.exceptval(check=False), or
    # its callers would check for exceptions in their inner loops.
    "legacy_implicit_noexcept": True,
}
# That directive warns at this level, once for each function.
WARNING_LEVEL = 2

# -g0: debug information would be five sixths of the files and a quarter of the compile time.
# -ffp-contract=off: fused multiplications would round probabilities differently on processors that
# have them, and games of a seed must be the same on every machine.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-g0", "-fno-math-errno", "-ffp-contract=off"]

# Cython's own code for memoryviews, compiled once and not into every kernel: 37 seconds of CPU
# time for all of them instead of 97, at the same speed.
KERNELS = "sapper.kernels."
SHARED = f"{KERNELS}cython_shared"

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# Computed before anything is compiled: a source that changes meanwhile must not count as compiled.
SOURCE_HASH = FINGERPRINT["source_hash"]()


class BuildKernels(build_ext):
    """Builds the extensions on all cores, then records which sources they were built from."""

    failed = False

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or CORES

    def run(self) -> None:
        if not self.extensions:
            return
        folder = Path(self.get_ext_fullpath(SHARED)).parent
        folder.mkdir(parents=True, exist_ok=True)
        build_file = folder / FINGERPRINT["BUILD_FILE"].name
        if not build_file.exists() or build_file.read_text().split()[:1] != [SOURCE_HASH]:
            # Before compiling, so that what starts meanwhile runs the sources.
            build_file.unlink(missing_ok=True)
            for path in folder.rglob("*"):
                if path.name.endswith(tuple(EXTENSION_SUFFIXES)):
                    path.unlink()
        self._translate()
        self.started = count(1)
        super().run()
        times = FINGERPRINT["source_times"]()
        if not self.failed and FINGERPRINT["source_hash"]() == SOURCE_HASH:
            build_file.write_text(f"{SOURCE_HASH}\n{times if self.inplace else ''}\n")

    def _translate(self) -> None:
        """Translate Python to C; here and not earlier, because most commands build nothing."""
        from Cython import __version__
        from Cython.Build import cythonize
        from Cython.Compiler import Errors

        if tuple(map(int, re.findall(r"\d+", __version__)[:3])) < OLDEST_CYTHON:
            sys.exit(f"the kernels need Cython 3.3.1 or later, got {__version__}")
        Errors.LEVEL = WARNING_LEVEL + 1
        options, hashes = {**DIRECTIVES, "Cython": __version__}, source_hashes()
        translated = cythonize(
            self.extensions,
            build_dir=C_FILES.as_posix(),
            force=must_translate_all(options, hashes),
            nthreads=CORES,
            quiet=True,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
        )
        for extension, c_extension in zip(self.extensions, translated, strict=True):
            extension.sources, extension.depends = c_extension.sources, c_extension.depends
        C_FILES.mkdir(parents=True, exist_ok=True)
        C_FILE_HASHES.write_text(json.dumps({"options": options, "hashes": hashes}, indent=1))

    def build_extension(self, ext: Extension) -> None:
        step = f"{next(self.started)} of {len(self.extensions)}"
        print(f"  kernel {step}: {ext.name.removeprefix(KERNELS)}", flush=True)
        # Without a C compiler the installation continues, and the kernels run as plain Python.
        try:
            super().build_extension(ext)
        except (CCompilerError, ExecError, PlatformError, OSError, CalledProcessError) as error:
            self.failed = True
            print(
                f"not compiled, {ext.name} will run as plain Python: {error!s:.80}", file=sys.stderr
            )


def source_hashes() -> dict[str, str]:
    """Return a hash of each source and declaration."""
    paths = [*FINGERPRINT["kernel_sources"](), *FINGERPRINT["FOLDER"].rglob("*.pxd")]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def must_translate_all(options: dict[str, object], hashes: dict[str, str]) -> bool:
    """Return whether every C file is outdated; single sources that changed are touched.

    Cython compares modification times, and a source that was copied here may be older than the C
    file of another version of it. It also does not see that a kernel depends on a declaration file
    which it imports as a module, such as codes.pxd: so whatever names a changed one is touched too.
    """
    if not C_FILE_HASHES.exists():
        return False
    try:
        recorded = json.loads(C_FILE_HASHES.read_text())
        before, same = recorded["hashes"], recorded["options"] == options
    except (ValueError, KeyError, TypeError):
        return True
    changed = {Path(path) for path, value in hashes.items() if before.get(path) != value}
    declarations = {path.stem for path in changed if path.suffix == ".pxd"}
    for path in map(Path, hashes):
        if path in changed or declarations & set(re.findall(r"\w+", path.read_text())):
            os.utime(path)
    return not same


def extensions() -> list[Extension]:
    """Return an extension for every kernel, the longest first: the last to compile are short."""
    paths = sorted(FINGERPRINT["kernel_sources"](), key=lambda path: -path.stat().st_size)
    # First, because nothing runs without the shared code; cythonize writes its source.
    modules: list[tuple[str, list[str]]] = [(SHARED, [])]
    for path in paths:
        source = path.absolute().relative_to(Path.cwd())
        name = ".".join(source.relative_to(SOURCE).with_suffix("").parts)
        modules.append((name, [source.as_posix()]))
    return [
        Extension(name, sources, extra_compile_args=FLAGS, optional=True)
        for name, sources in modules
    ]


# Guarded, because the processes that translate may import this file again.
if __name__ == "__main__":
    # Before any command: the sdist and the wheel contain the stubs, and mypy reads them.
    if STUBS.exists():
        runpy.run_path(str(STUBS))["write_stubs"]()
    plain = bool(os.environ.get("SAPPER_PLAIN"))
    setup(ext_modules=[] if plain else extensions(), cmdclass={"build_ext": BuildKernels})
