"""Tables over all tilings, sizes and methods: each unique by SAT and by a way of our own."""

from collections import Counter

import pytest

from sapper.board.random_stream import RandomStream
from sapper.board.tilings import TILINGS, tiling
from sapper.engine.analysis import analyse
from sapper.engine.budget import Budget
from sapper.errors import RulesError, SapperError, Unavailable
from sapper.generators.paper_puzzles.make import paper_puzzle
from sapper.generators.paper_puzzles.methods import METHODS
from sapper.generators.paper_puzzles.open_sets import OPEN_SETS
from sapper.generators.paper_puzzles.rules import paper_difficulties, paper_puzzle_rules
from sapper.generators.paper_puzzles.uniqueness import solutions
from sapper.kernels.codes import UNKNOWN
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.paper import solve_on_paper
from sapper.proofs.steps import StepFinder


def some_rules(stream):
    """Rules at random; None where they do not fit together."""
    pick = lambda names: list(names)[int(stream.shuffled(range(len(names)))[0])]  # noqa: E731
    name = pick(TILINGS)
    width, height = (TILINGS[name].min_size + int(stream.shuffled(range(13))[0]) for _ in "xy")
    wish = {"open": pick(OPEN_SETS), "method": pick(METHODS), "share": pick([0.15, 0.3, 0.5])}
    if stream.bernoulli(0.3):
        wish = {"difficulty": pick(paper_difficulties()), "or_easier": stream.bernoulli(0.5)}
    try:
        return paper_puzzle_rules(tiling(name, width, height), **wish)
    except (RulesError, Unavailable):
        return None


def check_many(count, seed):
    """Makes *count* tables and shows each one's solution by both ways again, from the position."""
    made, tries = Counter(), 0
    while made.total() < count:
        seed += 1
        rules = some_rules(RandomStream(seed))
        if rules is None:
            continue
        try:
            table = paper_puzzle(rules, seed, Budget(seconds=0.3))
        except SapperError:
            continue
        (only,) = solutions(table.position)
        assert only.tolist() == table.mine_cells.tolist()
        found = solve_on_paper(table.position)
        if found.solved:
            assert found.mine_cells.tolist() == table.mine_cells.tolist()
            assert paper_difficulties()[found.numbers - 1] == table.difficulty
        else:
            assert table.difficulty == "four"
            confirm_by_engine(table)
        assert climbed(table.position) == table.difficulty
        tries += table.tries
        made[rules.board.tiling, rules.open_set, rules.method, table.difficulty] += 1
    return made, tries / count


def climbed(position):
    """The hardest difficulty of a climb from the position's numbers, which proves each step by itself."""
    climb = StepFinder(position)
    difficulties = [step.difficulty for step in climb.steps()]
    assert (climb.known != UNKNOWN).all()
    return max(difficulties, key=DIFFICULTIES.index, default="one")


def confirm_by_engine(table):
    analysis = analyse(table.position)
    assert analysis.solutions == 1
    assert analysis.certain_mines == table.solution


def test_tables_of_all_kinds_are_unique_by_two_ways():
    made, _ = check_many(300, seed=1)
    assert {key[0] for key in made} == set(TILINGS)
    assert {key[1] for key in made} == set(OPEN_SETS)
    assert {key[2] for key in made} == set(METHODS)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_tables_are_unique_by_two_ways(part):
    made, tries = check_many(1_000, seed=1_000_000 * (part + 1))
    print(f"{made.total()} tables, {tries:.2f} draws each: {dict(sorted(made.items()))}")  # noqa: T201
