"""Kernels that run as plain Python give the answers of compiled ones."""

import importlib
import inspect
import os
import re
import subprocess
import sys

import pytest

import sapper
from sapper.kernels import STATUS
from sapper.kernels.declarations import declared_fields
from sapper.kernels.fingerprint import FOLDER, kernel_sources
from sapper.kernels.plain import initial_value

SET_UP = """
import sapper
from sapper import *
counted = Position.parse("mines: 2\\n1##\\n1##\\n###")
uncounted = Position.parse("1##\\n1##\\n###")
layout = Layout.parse("*..\\n..c\\n...")
square = tiling("square", 4, 3)
"""
# Every kernel is called by one of these.
CALLS = [
    "tiling('hexagonal', 3, 3).neighbours.tolist()",
    "str(generate('5x5/4', seed=1).layout)",
    "dict(analyse(uncounted).probabilities)",
    "dict(analyse(uncounted).fractions)",
    "analyse(uncounted).value_fractions('r3c1')",
    "[dict(analysis.probabilities) for analysis in analyse_many([uncounted, counted])]",
    "sample(counted, 3, seed=1).tolist()",
    *(f"solve(uncounted, {name!r})" for name in sapper.SOLVERS),
    "[str(proof) for proof in explain_all(counted)]",
    "hint(counted, 4).text",
    "grade(layout)",
    "str(generate('5x5/4', seed=1, no_guess=True).layout)",
    "str(one_click(square, 3))",
    "str(paper_puzzle(paper_puzzle_rules(square), seed=1).position)",
    *(
        f"puzzle(puzzle_rules({difficulty!r}, size='6x6/7'), seed=1).moves"
        for difficulty in ("one", "two", "count")
    ),
    *(f"advise(uncounted, {name!r}).text(uncounted)" for name in sapper.PLAYERS),
    "endgame(counted).value",
    "str(perfect(Rules.parse('3x3/2')))",
    *(f"play_many('5x5/4', {name!r}, games=3, seed=1)" for name in sapper.PLAYERS),
]


def test_plain_kernels_give_the_answers_of_compiled_ones():
    code = f"{SET_UP}\nfor call in {CALLS!r}: print(repr(eval(call)))"
    command, environment = [sys.executable, "-c", code], {**os.environ, "SAPPER_PLAIN": "1"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (run.returncode, run.stderr) == (0, "")
    names: dict[str, object] = {}
    exec(SET_UP, names)
    plain = dict(zip(CALLS, run.stdout.splitlines(), strict=True))
    compiled = {call: repr(eval(call, names)) for call in CALLS}
    assert {call: normalise(text) for call, text in plain.items()} == {
        call: normalise(text) for call, text in compiled.items()
    }


def normalise(text: str) -> str:
    """Remove elapsed times, and the last digits of floats."""
    text = re.sub(r"seconds=[^,)]*|[\d.]+ s\b", "", text)
    return re.sub(r"\d+\.\d{9,}", lambda match: f"{float(match[0]):.9f}", text)


def test_fields_of_a_plain_class_have_the_initial_values_of_the_compiled_class():
    for source in kernel_sources():
        if STATUS != "compiled":
            pytest.skip("no compiled kernels to compare with")
        name = ".".join(source.relative_to(FOLDER).with_suffix("").parts)
        module = importlib.import_module(f"sapper.kernels.{name}")
        text = source.read_text(encoding="utf-8")
        for class_name, fields in declared_fields(source).items():
            owner = getattr(module, class_name)
            public = {name for name, one in vars(owner).items() if inspect.isgetsetdescriptor(one)}
            assert all(name in fields or f"def {name}(" in text for name in public)
            instance = owner.__new__(owner)
            for field in public & {*fields}:
                initial = initial_value(fields[field])
                # An array that was never set is None in plain Python and cannot be read compiled.
                if initial is not None:
                    assert type(getattr(instance, field)) is type(initial)
