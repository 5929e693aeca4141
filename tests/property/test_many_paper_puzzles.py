"""Paper puzzles of all tilings, sizes and methods are unique by SAT and by a second method."""

from tests.sampling import cases

from sapper import DIFFICULTIES, TILINGS, Budget, analyse, paper_puzzle, tiling
from sapper.board.random_stream import RandomStream
from sapper.errors import RulesError, SapperError, Unavailable
from sapper.generators.paper_puzzles.drawing import DRAWING_METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.rules import paper_difficulties, paper_puzzle_rules
from sapper.generators.paper_puzzles.uniqueness import solutions
from sapper.kernels.codes import UNKNOWN
from sapper.proofs.paper import solve_on_paper
from sapper.proofs.steps import StepFinder


def random_rules(stream):
    """Return random rules; None if they are impossible."""

    def pick(values):
        return list(values)[int(stream.shuffled(range(len(values)))[0])]

    name = pick(TILINGS)
    width, height = (TILINGS[name].min_size + pick(range(13)) for _ in range(2))
    options = {
        "open_set": pick(OPEN_SETS),
        "method": pick(DRAWING_METHODS),
        "mine_density": pick([0.15, 0.3, 0.5]),
    }
    if stream.bernoulli(0.3):
        options = {"difficulty": pick(paper_difficulties()), "or_easier": stream.bernoulli(0.5)}
    try:
        return paper_puzzle_rules(tiling(name, width, height), **options)
    except (RulesError, Unavailable):
        return None


def hardest_step(position):
    """Return the hardest step of a solution that proves each step by itself."""
    finder = StepFinder(position)
    difficulties = [step.difficulty for step in iter(finder.step, None)]
    assert (finder.known != UNKNOWN).all()
    return max(difficulties, key=DIFFICULTIES.index, default="one")


def test_puzzles_of_all_kinds_are_unique_by_two_methods():
    seed = 0
    drawn = []
    while len(drawn) < cases(100):
        seed += 1
        rules = random_rules(RandomStream(seed))
        if rules is None:
            continue
        try:
            puzzle = paper_puzzle(rules, seed, Budget(seconds=0.3))
        except SapperError:
            continue
        mines = list(puzzle.mine_cells)
        assert [solution.tolist() for solution in solutions(puzzle.position)] == [mines]
        on_paper = solve_on_paper(puzzle.position)
        if on_paper.solved:
            assert on_paper.mine_cells.tolist() == mines
            assert paper_difficulties()[on_paper.numbers - 1] == puzzle.difficulty
        else:
            assert puzzle.difficulty == "four"
            analysis = analyse(puzzle.position)
            assert (analysis.solutions, analysis.certain_mine_cells.tolist()) == (1, mines)
        assert hardest_step(puzzle.position) == puzzle.difficulty
        drawn.append(rules)
    assert {rules.board.tiling for rules in drawn} == set(TILINGS)
    assert {rules.open_set for rules in drawn} == set(OPEN_SETS)
    assert {rules.method for rules in drawn} == set(DRAWING_METHODS)
