"""Measure the strength of the tests: change random places of the source and see what fails.

    pytest -m "not slow" -n auto --cov=sapper --cov-context=test --cov-report=
    python tools/mutations.py --count 200 --seed 1 --workers 2

Each mutation runs against the tests that cover its line, at first against some of them, and stops
at the first failure. With `--whole` the whole suite runs for the survivors. `--kernels` mutates
the kernels instead, and compiles each time. Integers of 10 and more are not changed: most are
limits and sizes without a right value. Results go to build/mutations.json.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeGuard

import coverage
import pytest

ROOT = Path(__file__).parent.parent
LEFT_OUT = (".git", ".venv", "build", "wheels", "__pycache__", ".*_cache", "dist")

FIRST_TESTS = 25
"""The number of covering tests that run before all of them do."""

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
    """One change of one place, and what the tests made of it."""

    file: str
    line: int
    start: int
    end: int
    text: str
    was: str
    outcome: str = "not run"
    tests: int = 0
    seconds: float = 0.0

    def describe(self) -> str:
        """Return a line of the report."""
        place = f"{self.file}:{self.line}  {self.was!r} -> {self.text!r}"
        return f"{self.outcome:12} {self.seconds:6} s {self.tests:5} tests  {place}"


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


def run_tests(tree: Path, tests: list[str], seconds: float) -> str:
    """Run tests in a copy of the tree; return what became of the mutation."""
    listed = tree / "tests.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    options = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options]
    command += [f"@{listed}"] if tests else []
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "CI": "1"}
    try:
        result = subprocess.run(
            command, cwd=tree, env=environment, timeout=seconds, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    (tree / "last.log").write_text(result.stdout + result.stderr, encoding="utf-8")
    if result.returncode == pytest.ExitCode.USAGE_ERROR:
        return "unknown test"  # the coverage data belong to another commit
    return "survived" if result.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED) else "killed"


def try_mutation(tree: Path, mutation: Mutation, tests: list[str], seconds: float) -> None:
    """Apply a mutation to a copy of the tree, run tests, and restore the file."""
    path = tree / mutation.file
    original = path.read_bytes()
    changed = original[: mutation.start] + mutation.text.encode() + original[mutation.end :]
    started = time.monotonic()
    try:
        ast.parse(changed)
        path.write_bytes(changed)
        kernel = "/kernels/" in mutation.file
        if kernel and not compile_kernels(tree):
            mutation.outcome = "does not compile"
        else:
            mutation.outcome = run_tests(tree, tests, seconds)
    except SyntaxError:
        mutation.outcome = "does not compile"
    finally:
        path.write_bytes(original)
    mutation.tests, mutation.seconds = len(tests), round(time.monotonic() - started, 1)


def compile_kernels(tree: Path) -> bool:
    """Compile what changed in a copy of the tree."""
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=tree, capture_output=True).returncode == 0


def main() -> None:
    """Choose mutations, try them on several copies of the tree, and write the outcomes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=300, help="limit of one test run")
    parser.add_argument("--kernels", action="store_true", help="mutate the kernels")
    parser.add_argument(
        "--tests", nargs="*", default=[], help="instead of those that cover the line"
    )
    parser.add_argument("--whole", action="store_true", help="run the whole suite for survivors")
    parser.add_argument("--output", type=Path, default=ROOT / "build/mutations.json")
    options = parser.parse_args()
    mutations = choose(options.count, options.seed, options.kernels)
    data = coverage.CoverageData(ROOT / ".coverage")
    data.read()
    lock = threading.Lock()
    trees: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        for index in range(options.workers):
            tree = Path(folder) / str(index)
            shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
            trees.put(tree)

        def work(mutation: Mutation) -> None:
            with lock:
                tests = options.tests or covering_tests(data, mutation.file, mutation.line)
            tree = trees.get()
            first_tests = sorted(
                random.Random(mutation.line).sample(tests, min(len(tests), FIRST_TESTS))
            )
            mutation.outcome = "not covered"
            for stage in (first_tests, tests) if len(tests) > len(first_tests) else (first_tests,):
                if stage and mutation.outcome in ("not covered", "survived"):
                    try_mutation(tree, mutation, stage, options.seconds)
            if mutation.outcome in ("survived", "not covered") and options.whole:
                try_mutation(tree, mutation, ["tests"], 4 * options.seconds)
            trees.put(tree)
            print(mutation.describe(), flush=True)
            with lock:
                report = [asdict(mutation) for mutation in mutations]
                options.output.parent.mkdir(exist_ok=True)
                options.output.write_text(json.dumps(report, indent=1), encoding="utf-8")

        with ThreadPoolExecutor(options.workers) as pool:
            list(pool.map(work, mutations))
    outcomes = [mutation.outcome for mutation in mutations]
    valid = [name for name in outcomes if name not in ("does not compile", "unknown test")]
    killed = sum(name in ("killed", "timeout") for name in valid)
    print(f"{killed} of {len(valid)} killed ({100 * killed / len(valid):.1f} %)")


if __name__ == "__main__":
    main()
