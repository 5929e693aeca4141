"""Measure the strength of the tests: change random places of the source and see what fails.

    pytest -m "not slow" -n auto --cov=sapper --cov-context=test --cov-report=
    python tools/mutations.py --count 200 --seed 1 --workers 2 --whole

Each mutation runs against the tests that cover its line, at first against some of them, and stops
at the first failure. With `--whole` the whole suite then runs once with all survivors in one tree,
and the tests that fail run again for each of them. `--kernels` mutates the kernels instead, and
compiles each time; instead of tests that cover the line, which is not known, those of the package
and the comparisons with references run. Integers of 10 and more are not changed: most are limits
and sizes without a right value. Results go to build/mutations.json.
"""

from __future__ import annotations

import argparse
import ast
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeGuard

import coverage
import pytest

ROOT = Path(__file__).parent.parent
IGNORED_PATTERNS = (".git", ".venv", "pycache", "__pycache__", ".*_cache", "dist")

FIRST_TESTS = 25
"""The number of covering tests that run before others do."""
MAX_TESTS = 300
"""The number of covering tests that run; the whole suite runs for the survivors."""
MAX_FAILURES = 40
"""The number of failed tests after which the run with all survivors stops."""

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Div: "*", ast.Mod: "+",
    ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
}  # fmt: skip


@dataclass
class Mutation:
    """One change of one place, and the outcome of its tests."""

    file: str
    line: int
    start: int
    end: int
    text: str
    was: str
    outcome: str = "not run"
    failed: str = ""
    tests: int = 0
    seconds: float = 0.0

    def describe(self) -> str:
        """Return a line of the report."""
        place = f"{self.file}:{self.line}  {self.was!r} -> {self.text!r}"
        return f"{self.outcome:12} {self.seconds:6} s {self.tests:5} tests  {place}  {self.failed}"


def mutations_of(path: Path) -> Iterator[Mutation]:
    """Yield every mutation of a module."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = source.encode()

    def span(
        first: ast.expr | ast.stmt, last: ast.expr | ast.stmt | None = None
    ) -> tuple[int, int]:
        last = last or first
        assert last.end_lineno is not None and last.end_col_offset is not None
        return (
            starts[first.lineno - 1] + first.col_offset,
            starts[last.end_lineno - 1] + last.end_col_offset,
        )

    def mutation(node: ast.expr | ast.stmt, start: int, end: int, text: str) -> Mutation:
        file = str(path.relative_to(ROOT))
        return Mutation(file, node.lineno, start, end, text, data[start:end].decode())

    def between(left: ast.expr, right: ast.expr, text: str) -> Mutation:
        """Replace the operator between two operands, and keep parentheses."""
        start, end = span(left)[1], span(right)[0]
        gap = data[start:end].decode()
        opening = gap[: len(gap) - len(gap.lstrip(") \n"))]
        closing = gap[len(gap.rstrip("( \n")) :]
        return mutation(left, start, end, f"{opening} {text} {closing}")

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
                yield between(left, right, COMPARISONS[type(operator)])
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            if not any(isinstance(side, ast.Constant | ast.Name) and _is_type(side)
                       for side in (node.left, node.right)):  # fmt: skip
                yield between(node.left, node.right, ARITHMETIC[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            other = "or" if isinstance(node.op, ast.And) else "and"
            yield between(node.values[0], node.values[1], other)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield mutation(node, span(node)[0], span(node.operand)[0], "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield mutation(node, *span(node), str(not node.value))
        elif isinstance(node, ast.Constant) and type(node.value) is int and node.value < 10:
            yield mutation(node, *span(node), str(node.value + 1))
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            start, end = span(node.test)
            yield mutation(node.test, start, end, f"(not ({data[start:end].decode()}))")
        elif isinstance(node, ast.Return) and node.value is not None:
            if not (isinstance(node.value, ast.Constant) and node.value.value is None):
                yield mutation(node, *span(node), "return None")
        elif isinstance(node, ast.Break | ast.Continue) or _is_call(node):
            yield mutation(node, *span(node), "pass")


def _is_call(node: ast.AST) -> TypeGuard[ast.Expr]:
    """Return whether a statement is a call, made for its effect."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _is_type(node: ast.expr) -> bool:
    """Return whether an operand of | is part of an annotation."""
    return isinstance(node, ast.Constant) and node.value is None


def lines_of_annotations(path: Path) -> set[int]:
    """Return the lines that only the type checker and the help texts read."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if part is not None:
                lines.update(range(part.lineno, part.end_lineno + 1))
    return lines


def choose(count: int, seed: int, kernels: bool) -> list[Mutation]:
    """Choose mutations uniformly among those of all modules."""
    folder = ROOT / "src/sapper"
    inside = folder / "kernels"
    mutations = []
    for path in sorted(folder.rglob("*.py")):
        if (inside in path.parents) == kernels:
            skipped = lines_of_annotations(path)
            mutations += [m for m in mutations_of(path) if m.line not in skipped]
    return random.Random(seed).sample(mutations, count)


def covering_tests(data: coverage.CoverageData, file: str, line: int) -> list[str]:
    """Return the tests that run a line; all that import the module if it runs on import."""
    path = next((path for path in data.measured_files() if path.endswith("/" + file)), None)
    if path is None:
        return []
    by_line = data.contexts_by_lineno(path)
    contexts = by_line.get(line, [])
    if line in by_line and not any(contexts):  # runs once, when the module is imported
        contexts = [context for contexts in by_line.values() for context in contexts]
    return sorted({context.split("|")[0] for context in contexts if context})


def kernel_tests(file: str) -> list[list[str]]:
    """Return the tests of the package of a kernel, and those that compare with references."""
    package = "env" if Path(file).stem == "environments" else Path(file).parent.name
    folder = f"tests/unit/{package}"
    return [*([[folder]] if (ROOT / folder).exists() else []), ["tests/oracle"]]


class Tree:
    """A copy of the project in which mutations are tried."""

    def __init__(self, root: Path):
        self.root = root
        shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*IGNORED_PATTERNS))

    @contextmanager
    def mutated(self, mutations: Sequence[Mutation]) -> Iterator[bool]:
        """Apply mutations that do not overlap; yield whether the result compiles."""
        kernels = any("/kernels/" in mutation.file for mutation in mutations)
        paths = {self.root / mutation.file for mutation in mutations}
        changed = self._compiled_files(paths) if kernels else paths
        # With their times: an older source is not compiled again.
        before = {path: (path.read_bytes(), path.stat()) for path in changed if path.exists()}
        try:
            for mutation in sorted(mutations, key=lambda mutation: -mutation.start):
                path = self.root / mutation.file
                data = path.read_bytes()
                data = data[: mutation.start] + mutation.text.encode() + data[mutation.end :]
                path.write_bytes(data)
            yield all(map(_is_valid, paths)) and (not kernels or self._compile())
        finally:
            for path in (self._compiled_files(paths) if kernels else paths) - before.keys():
                path.unlink(missing_ok=True)
            for path, (data, status) in before.items():
                path.write_bytes(data)
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def _compiled_files(self, sources: set[Path]) -> set[Path]:
        """Return sources of kernels, and all files that compiling them replaces."""
        stems = {path.relative_to(self.root / "src").with_suffix("") for path in sources}
        files = [path for folder in ("build", "src") for path in (self.root / folder).rglob("*.*")
                if any(f"{stem}." in str(path) for stem in stems)]  # fmt: skip
        records = ("build/cython/hashes.json", "src/sapper/kernels/compiled_from.txt")
        return {*sources, *files, *(self.root / record for record in records)}

    def _compile(self) -> bool:
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        result = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        return result.returncode == 0 and "not compiled" not in result.stderr

    def run(self, tests: Sequence[str], seconds: int, *options: str) -> tuple[str, list[str]]:
        """Run tests; return the outcome of the mutations, and the tests that failed."""
        listed, log = self.root / "tests.txt", self.root / "last.log"
        listed.write_text("\n".join(tests), encoding="utf-8")
        preloaded = "ignore::pytest.PytestAssertRewriteWarning"
        arguments = ["-q", "-m", "not slow", "-p", "no:cacheprovider", "-W", preloaded]
        arguments += [*options, f"@{listed}"]
        process = FORKED.Process(target=run_pytest, args=(self.root, arguments, log, seconds))
        process.start()
        # Endless loops use CPU time; others are waited for, since the machine may be busy.
        process.join(4 * seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
        text = log.read_text(encoding="utf-8")
        failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", text, re.MULTILINE)
        if process.exitcode in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            return "survived", []
        return "killed" if failed else "crashed", failed


FORKED = multiprocessing.get_context("forkserver")
"""Starts processes that have imported everything but the project."""
PRELOADED = [
    *("numpy", "pytest", "hypothesis", "hypothesis.strategies", "hypothesis.extra.numpy"),
    *("PIL.Image", "PIL.PngImagePlugin", "starlette.testclient", "httpx2", "gymnasium"),
    *("networkx", "pypdf", "doctest", "asyncio", "sqlite3", "coverage"),
]


def run_pytest(root: Path, arguments: list[str], log: Path, seconds: int) -> None:
    """Run pytest in a copy of the tree; the exit status is that of the process."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with log.open("w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.chdir(root)
    sys.path[:0] = [str(root / "src"), str(root)]
    sys.pycache_prefix, sys.dont_write_bytecode = str(root / "pycache"), False
    os.environ |= {"PYTHONPATH": str(root / "src"), "PYTHONPYCACHEPREFIX": str(root / "pycache")}
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.exit(pytest.main(arguments))


def _is_valid(path: Path) -> bool:
    try:
        ast.parse(path.read_bytes())
    except SyntaxError:
        return False
    return True


def try_mutation(tree: Tree, mutation: Mutation, stages: list[list[str]], seconds: int) -> None:
    """Apply a mutation and run lists of tests, until one fails."""
    started = time.monotonic()
    with tree.mutated([mutation]) as compiles:
        mutation.outcome = "survived" if compiles else "does not compile"
        for tests in stages:
            if mutation.outcome == "survived":
                mutation.outcome, failed = tree.run(tests, seconds, "-x")
                mutation.failed = failed[0] if failed else ""
                mutation.tests = len(tests)
    mutation.seconds = round(time.monotonic() - started, 1)


def unreliable_tests(tree: Tree, mutations: list[Mutation], seconds: int) -> list[str]:
    """Return the tests that noticed a mutation but fail without one too."""
    tests = {mutation.failed for mutation in mutations if mutation.failed}
    return tree.run(sorted(tests), 60 * seconds)[1] if tests else []


def try_together(tree: Tree, mutations: list[Mutation], workers: int, seconds: int) -> None:
    """Run the whole suite with all survivors in one tree, and find out which of them fails."""
    while survivors := _without_overlap(m for m in mutations if m.outcome == "survived"):
        with tree.mutated(survivors):
            limit = f"--maxfail={MAX_FAILURES}"
            outcome, failed = tree.run(["tests"], 60 * seconds, f"-n{workers}", limit)
        print(f"all {len(survivors)} survivors together: {outcome}, {len(failed)} tests failed")
        print(*failed, sep="\n", flush=True)
        for mutation in survivors if failed else ():
            try_mutation(tree, mutation, [failed], seconds)
            print(mutation.describe(), flush=True)
        if all(mutation.outcome == "survived" for mutation in survivors):
            return


def _without_overlap(mutations: Iterator[Mutation]) -> list[Mutation]:
    """Return mutations of which no two change the same text; the others wait."""
    chosen: list[Mutation] = []
    for mutation in mutations:
        if not any(
            other.file == mutation.file
            and other.start < mutation.end
            and mutation.start < other.end
            for other in chosen
        ):
            chosen.append(mutation)
    return chosen


def known_tests() -> set[str]:
    """Return the tests that exist: the coverage data may belong to another commit."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "not slow"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return {line for line in result.stdout.splitlines() if "::" in line}


def main() -> None:
    """Choose mutations, try them on several copies of the tree, and write the outcomes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=240, help="CPU time of one test run")
    parser.add_argument("--kernels", action="store_true", help="mutate the kernels")
    parser.add_argument("--whole", action="store_true", help="run the whole suite for survivors")
    parser.add_argument("--output", type=Path, default=ROOT / "build/mutations.json")
    options = parser.parse_args()
    mutations = choose(options.count, options.seed, options.kernels)
    FORKED.set_forkserver_preload(PRELOADED)
    data = coverage.CoverageData(ROOT / ".coverage")
    data.read()
    existing = known_tests()
    lock = threading.Lock()
    trees: SimpleQueue[Tree] = SimpleQueue()

    def stages_of(mutation: Mutation) -> list[list[str]]:
        if options.kernels:
            return kernel_tests(mutation.file)
        with lock:
            covering = covering_tests(data, mutation.file, mutation.line)
        tests = [test for test in covering if test in existing]
        random.Random(mutation.line).shuffle(tests)
        stages = [sorted(tests[:FIRST_TESTS]), sorted(tests[FIRST_TESTS:MAX_TESTS])]
        return [stage for stage in stages if stage]

    def work(mutation: Mutation) -> None:
        stages = stages_of(mutation)
        tree = trees.get()
        try_mutation(tree, mutation, stages, options.seconds)
        trees.put(tree)
        print(mutation.describe(), flush=True)
        with lock:
            write()

    def write() -> None:
        report = [asdict(mutation) for mutation in mutations]
        options.output.parent.mkdir(exist_ok=True)
        options.output.write_text(json.dumps(report, indent=1), encoding="utf-8")

    with tempfile.TemporaryDirectory() as folder:
        for index in range(options.workers):
            trees.put(Tree(Path(folder) / str(index)))
        with ThreadPoolExecutor(options.workers) as pool:
            list(pool.map(work, mutations))
        tree = trees.get()
        for test in unreliable_tests(tree, mutations, options.seconds):
            print(f"fails without a mutation too: {test}", flush=True)
            for mutation in mutations:
                if mutation.failed == test:
                    mutation.outcome = "not run"
        if options.whole:
            try_together(tree, mutations, options.workers, options.seconds)
        write()
    outcomes = [mutation.outcome for mutation in mutations]
    valid = [name for name in outcomes if name not in ("does not compile", "not run")]
    killed = len(valid) - valid.count("survived")
    print(f"{killed} of {len(valid)} killed ({100 * killed / len(valid):.1f}%)")


if __name__ == "__main__":
    main()
