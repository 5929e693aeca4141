"""Paper puzzles of all tilings, sizes and methods are unique by SAT and by a second method."""

from collections import Counter

import pytest

from sapper.board.random_stream import RandomStream
from sapper.board.tilings import TILINGS, tiling
from sapper.engine.analysis import analyse
from sapper.engine.budget import Budget
from sapper.errors import RulesError, SapperError, Unavailable
from sapper.generators.paper_puzzles.drawing import METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.make import paper_puzzle
from sapper.generators.paper_puzzles.rules import paper_difficulties, paper_puzzle_rules
from sapper.generators.paper_puzzles.uniqueness import solutions
from sapper.kernels.codes import UNKNOWN
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.paper import solve_on_paper
from sapper.proofs.steps import StepFinder


def some_rules(stream):
    """Return random rules; None if they are impossible."""
    pick = lambda names: list(names)[int(stream.shuffled(range(len(names)))[0])]  # noqa: E731
    name = pick(TILINGS)
    width, height = (TILINGS[name].min_size + int(stream.shuffled(range(13))[0]) for _ in "xy")
    options = {
        "open_set": pick(OPEN_SETS),
        "method": pick(METHODS),
        "mine_density": pick([0.15, 0.3, 0.5]),
    }
    if stream.bernoulli(0.3):
        options = {"difficulty": pick(paper_difficulties()), "or_easier": stream.bernoulli(0.5)}
    try:
        return paper_puzzle_rules(tiling(name, width, height), **options)
    except (RulesError, Unavailable):
        return None


def check_many(count, seed):
    """Make *count* puzzles and solve each by both methods from its position."""
    made, tries = Counter(), 0
    while made.total() < count:
        seed += 1
        rules = some_rules(RandomStream(seed))
        if rules is None:
            continue
        try:
            puzzle = paper_puzzle(rules, seed, Budget(seconds=0.3))
        except SapperError:
            continue
        (only,) = solutions(puzzle.position)
        assert only.tolist() == puzzle.mine_cells.tolist()
        found = solve_on_paper(puzzle.position)
        if found.solved:
            assert found.mine_cells.tolist() == puzzle.mine_cells.tolist()
            assert paper_difficulties()[found.numbers - 1] == puzzle.difficulty
        else:
            assert puzzle.difficulty == "four"
            confirm_by_engine(puzzle)
        assert hardest_step(puzzle.position) == puzzle.difficulty
        tries += puzzle.tries
        made[rules.board.tiling, rules.open_set, rules.method, puzzle.difficulty] += 1
    return made, tries / count


def hardest_step(position):
    """Return the hardest step of a solution that proves each step by itself."""
    finder = StepFinder(position)
    difficulties = [step.difficulty for step in iter(finder.step, None)]
    assert (finder.known != UNKNOWN).all()
    return max(difficulties, key=DIFFICULTIES.index, default="one")


def confirm_by_engine(puzzle):
    analysis = analyse(puzzle.position)
    assert analysis.solutions == 1
    assert analysis.certain_mine_cells.tolist() == puzzle.mine_cells.tolist()


def test_puzzles_of_all_kinds_are_unique_by_two_methods():
    made, _ = check_many(150, seed=1)
    assert {key[0] for key in made} == set(TILINGS)
    assert {key[1] for key in made} == set(OPEN_SETS)
    assert {key[2] for key in made} == set(METHODS)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_puzzles_are_unique_by_two_methods(part):
    made, tries = check_many(1_000, seed=1_000_000 * (part + 1))
    print(f"{made.total()} puzzles, {tries:.2f} draws each: {dict(sorted(made.items()))}")  # noqa: T201
