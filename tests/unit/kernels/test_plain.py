"""Plain kernels: every attribute from the start, and every public function as a first call."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys

import pytest

import sapper
from sapper.kernels import STATUS
from sapper.kernels.fingerprint import FOLDER, kernel_sources
from sapper.kernels.plain_loader import declared_fields

# One call of every public function, as an expression; positions with and without a mine count.
SET_UP = """
import sapper
from sapper import *
position = Position.parse("mines: 2\\n1##\\n1##\\n###")
bare = Position.parse("1##\\n1##\\n###")
layout = Layout.parse("*..\\n..c\\n...")
square = tiling("square", 4, 3)
"""
CALLS = {
    "tiling": ["tiling('hexagonal', 3, 3).neighbours.tolist()"],
    "deal": ["str(deal('5x5/4', seed=1).layout)"],
    "analyse": [
        "dict(analyse(bare).probabilities)",
        "dict(analyse(position).probabilities)",
        "analyse(bare).numbers('r3c1')",
        "analyse(position).numbers('r3c1')",
        "analyse(bare).value_fractions('r3c1')",
        "dict(analyse(bare).fractions)",
        "analyse(bare).solutions",
        "analyse(position).solutions",
    ],
    "analyse_many": ["[dict(one.probabilities) for one in analyse_many([bare, position])]"],
    "sample": [
        "sample(position, 3, seed=1).tolist()",
        "list(map(str, sample(position, 2, layouts=True)))",
    ],
    "solve": [f"solve(bare, {row.name!r}).reveal" for row in sapper.SOLVERS.values()],
    "explain": ["str(explain(bare, 'reveal r3c1'))", "str(explain(position, 'reveal r3c1'))"],
    "explain_all": ["list(map(str, explain_all(bare)))"],
    "hint": ["hint(bare).text", "hint(position, 4).text"],
    "grade": ["grade(layout)"],
    "no_guess": ["str(no_guess('5x5/4', seed=1).layout)"],
    "certify": ["certify(layout).difficulty"],
    "one_click": ["str(one_click(square, 3))"],
    "check_paper_puzzle": ["check_paper_puzzle(Position.parse('#1#'))"],
    "make_paper_puzzle": ["str(make_paper_puzzle(paper_puzzle_rules(square), seed=1).position)"],
    "make_paper_puzzles": [
        "[str(one.position) for one in make_paper_puzzles(paper_puzzle_rules(square), 2, seed=1)]"
    ],
    "paper_puzzle_rules": ["paper_puzzle_rules(square)"],
    "puzzle_rules": ["puzzle_rules('one')"],
    "make_puzzle": [
        f"make_puzzle(puzzle_rules({difficulty!r}, size='6x6/7'), seed=1).moves"
        for difficulty in ("one", "two", "count")
    ],
    "make_puzzles": [
        "[one.rating for one in make_puzzles(puzzle_rules('one', size='6x6/7'), 2, seed=1)]"
    ],
    "update_rating": ["update_rating(Rating(), [(Rating(1400, 30), 1.0)]).rating"],
    "advise": [f"advise(bare, {row.name!r}).text(bare)" for row in sapper.PLAYERS.values()],
    "endgame": ["endgame(position).value"],
    "perfect": ["str(perfect(Rules.parse('3x3/2')))"],
    "play_many": [
        f"play_many('5x5/4', {row.name!r}, games=3, seed=1)" for row in sapper.PLAYERS.values()
    ],
    "review": ["review(Game.replay(Rules.parse('5x5/3'), 1, ['reveal r3c3'])).luck"],
    "watch": ["[step.text for step in watch(layout, 'exact')]"],
    "draw": ["draw(position)"],
    "position_svg": ["position_svg(bare)"],
    "probability_svg": ["probability_svg(bare, analyse(bare).probabilities)"],
}
EVERY = [(name, call) for name, calls in CALLS.items() for call in calls]


def test_every_public_function_is_called_here():
    functions = {name for name in sapper.__all__ if inspect.isfunction(getattr(sapper, name))}
    assert functions == set(CALLS)


@pytest.mark.parametrize("call", [call for _, call in EVERY])
def test_a_public_function_as_the_first_call_of_a_plain_process(call):
    code = f"{SET_UP}\nprint(repr({call}))"
    environment = {**os.environ, "SAPPER_PLAIN": "1"}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (run.returncode, run.stderr) == (0, "")
    names: dict[str, object] = {}
    exec(SET_UP, names)
    assert timeless(run.stdout) == timeless(repr(eval(call, names)) + "\n")


def timeless(text: str) -> str:
    """An answer without the time that it took, its last digits and the kernels' own rounding."""
    text = re.sub(r"seconds=[^,)]*|[\d.]+ s\b", "", text)
    return re.sub(r"\d+\.\d{9,}", lambda match: f"{float(match[0]):.9f}", text)


@pytest.mark.parametrize("source", kernel_sources(), ids=lambda path: path.stem)
def test_a_plain_class_starts_as_the_compiled_one_does(source):
    if STATUS != "compiled":
        pytest.skip("there is no compiled kernel to compare with")
    room = ".".join(source.relative_to(FOLDER).with_suffix("").parts)
    module = importlib.import_module(f"sapper.kernels.{room}")
    text = source.read_text(encoding="utf-8")
    for name, attributes in declared_fields(source).items():
        owner = getattr(module, name)
        public = [one for one, kind in vars(owner).items() if inspect.isgetsetdescriptor(kind)]
        for attribute in public:
            assert attribute in attributes or f"def {attribute}(" in text
        made = owner.__new__(owner) if "def __cinit__" not in text else None
        for attribute in {*public} & {*attributes} if made is not None else ():
            # An array that was never set cannot be read, compiled; plain it is None.
            if attributes[attribute] is not None:
                assert type(getattr(made, attribute)) is type(attributes[attribute])


@pytest.mark.parametrize("source", kernel_sources(), ids=lambda path: path.stem)
def test_a_memory_is_whole_once_it_is_made(source):
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
            assert "__init__" in methods, f"expected a constructor of {node.name}"
