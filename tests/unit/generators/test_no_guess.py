"""No-guess boards need no guess, and are equally likely where that is promised."""

import dataclasses
import itertools
import math
from collections import Counter

import numpy as np
import pytest
from tests.boards import ring
from tests.error_messages import assert_refused
from tests.oracle.naive_no_guess import AllLayouts
from tests.sampling import cases
from tests.time_limits import assert_ends

from sapper import (
    COVERED,
    DIFFICULTIES,
    TILINGS,
    Board,
    Budget,
    Game,
    Layout,
    Move,
    Position,
    Rules,
    analyse,
    generate,
    grade,
)
from sapper.errors import NotCertain, OutOfBudget, Unavailable, WrongType
from sapper.games.play_many import FIELDS, play_each
from sapper.generators.certificates import certify
from sapper.generators.no_guess import NoGuessOptions, no_guess_layouts
from sapper.generators.no_guess_search import NO_GUESS_METHODS, NoGuessSearch
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, read_constraint, read_pair

# Small enough to enumerate all layouts, some of which need a guess.
TINY = {
    "square": "4x4/4",
    "torus": "4x4/4",
    "hexagonal": "4x4/4",
    "triangular": "5x4/3",
    "triangular-edge": "4x4/3",
}


def no_guess(rules, seed, **options):
    """Generate a no-guess layout; options are those of `generate` and of `NoGuessOptions`."""
    names = {field.name for field in dataclasses.fields(NoGuessOptions)} & options.keys()
    no_guess_options = NoGuessOptions(**{name: options.pop(name) for name in names})
    return generate(rules, seed, no_guess=no_guess_options, **options)


def tiny_world(name):
    rules = Rules.parse(TINY[name], name, "safe")
    return rules, AllLayouts(rules.board, rules.mines, 0, {0})


def mines_of(layout):
    return frozenset(layout.mine_cells.tolist())


def mask_of(board, mines):
    return np.isin(board.cells, list(mines)).astype(np.uint8)


@pytest.mark.plain
@pytest.mark.parametrize("level, use_mine_count", [("count", True), ("four", False)])
@pytest.mark.parametrize("name", TILINGS)
def test_search_opens_the_cells_that_are_safe_in_every_layout(name, level, use_mine_count):
    rules, world = tiny_world(name)
    search = NoGuessSearch(rules, 0, level, Budget().start())
    for mines in world.layouts[::21]:
        search.load(mask_of(rules.board, mines))
        assert search.solve() == len(world.opened(mines, use_mine_count)), mines


# On each of these boards the no-guess layouts form two or three sets, and no move of a single mine
# leads from one set to another. The last item is the number of no-guess layouts.
SEPARATED = [
    ("square", "5x3/5", "any", "r2c2", 11),
    ("torus", "4x4/6", "safe", "r1c1", 29),
    ("hexagonal", "4x3/4", "zero", "r1c1", 28),
    ("triangular", "4x4/7", "safe", "r2c2", 17),
    ("triangular-edge", "4x3/5", "zero", "r2c2", 8),
]


def all_no_guess_layouts(rules, first):
    """Return the mines of all no-guess layouts, by playing every layout."""
    cells = set(rules.board.cells) - {first, *rules.mine_free_cells(first)}
    search = NoGuessSearch(rules, first, "count", Budget().start())
    found = []
    for mines in map(frozenset, itertools.combinations(sorted(cells), rules.mines)):
        search.load(mask_of(rules.board, mines))
        if search.solve() == len(rules.board) - rules.mines:
            found.append(mines)
    return found


def assert_uniform(rules, first, method, layouts):
    """Compare the frequencies of layouts with equal ones.

    There are at least 1,200 boards and 60 of each layout. If a third of the layouts came a third
    too rarely, the test would fail with probability 0.98.
    """
    games = max(1200, 60 * len(layouts))
    boards = no_guess_layouts(rules, range(games), first, NoGuessOptions(method=method))
    found = Counter(mines_of(board.layout) for board in boards)
    assert set(found) <= set(layouts)
    degrees_of_freedom, expected = len(layouts) - 1, games / len(layouts)
    chi_square = sum((found[mines] - expected) ** 2 / expected for mines in layouts)
    assert chi_square - degrees_of_freedom < 4.5 * math.sqrt(2 * degrees_of_freedom)


@pytest.mark.parametrize("name, size, rule, first, count", SEPARATED)
def test_chain_makes_every_layout_of_a_small_board_equally_likely(name, size, rule, first, count):
    rules = Rules.parse(size, name, rule)
    layouts = all_no_guess_layouts(rules, rules.first_cell(first))
    assert len(layouts) == count
    assert_uniform(rules, first, "chain", layouts)


@pytest.mark.parametrize("name, size", [("square", "4x3/4"), ("triangular-edge", "4x3/5")])
def test_rejection_makes_every_no_guess_layout_equally_likely(name, size):
    rules = Rules.parse(size, name, "safe")
    first = rules.first_cell("r2c2")
    layouts = all_no_guess_layouts(rules, first)
    assert set(layouts) == AllLayouts(rules.board, rules.mines, first, {first}).no_guess_layouts()
    assert_uniform(rules, first, "rejection", layouts)


def test_boards_without_the_mine_count_are_won_by_the_numbers_alone():
    for name in ["torus", "hexagonal", "triangular-edge"]:
        rules, world = tiny_world(name)
        solvable = world.no_guess_layouts(with_count=False)
        for seed in range(6):
            board = no_guess(rules, seed, first=0, use_mine_count=False)
            assert mines_of(board.layout) in solvable
            assert board.difficulty != "count" and board.certificate.difficulty == board.difficulty


def replay_by_strategies(board):
    """Play a certificate: one and two numbers by the papers' strategies, more by the engine."""
    layout, use_mine_count = board.layout, board.options.use_mine_count
    game = Game.from_layout(layout)
    game.play(Move("reveal", layout.click))
    for step in board.certificate.steps:
        position = game.position
        flags, reveals = set(step.flag), set(step.reveal) - set(position.revealed.tolist())
        if step.difficulty in ("one", "two"):
            if step.difficulty == "one":
                constraint = read_constraint(position, step.numbers[0])
                deductions = [strategy(constraint) for strategy in ONE_NUMBER]
            else:
                pair = read_pair(position, *step.numbers)
                deductions = [strategy(pair) for strategy in TWO_NUMBERS]
            assert flags <= {cell for deduction in deductions for cell in deduction.flag}
            assert reveals <= {cell for deduction in deductions for cell in deduction.reveal}
        else:
            seen = position if use_mine_count else Position(position.board, position.marks, None)
            analysis = analyse(seen)
            assert flags <= set(analysis.certain_mine_cells.tolist())
            assert reveals <= set(analysis.safe_cells.tolist())
        assert step.uses_mine_count == (step.difficulty == "count")
        for action, cells in (("flag", step.flag), ("reveal", step.reveal)):
            for cell in cells:
                if game.position.marks[cell] == COVERED:
                    game.play(Move(action, cell))
    assert game.outcome == "won"


SIZES = [("expert", 6), ("intermediate", 6), ("30x16/130", 2), ("30x16/150", 1), ("20x20/40", 2)]


@pytest.mark.parametrize(("size", "count"), SIZES)
def test_certificates_replay_by_the_papers_strategies(size, count):
    for seed in range(cases(count)):
        board = no_guess(size, seed)
        replay_by_strategies(board)
        assert grade(board.layout).guesses == 0


def test_certificate_ends_with_the_win():
    # The last reveal of this board wins before all mines have a flag.
    board = no_guess("expert", 1_006_814)
    flagged = {cell for step in board.certificate.steps for cell in step.flag}
    assert len(flagged) < 99
    replay_by_strategies(board)


@pytest.mark.parametrize("name", TILINGS)
def test_certificates_replay_on_every_tiling_and_graph(name):
    for seed in range(3):
        replay_by_strategies(no_guess("9x9/9", seed, tiling=name))
        replay_by_strategies(no_guess(Rules(ring(14, (1, 3)), 4, "safe"), seed))


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_difficulty_is_that_of_the_hardest_step_or_an_upper_bound(difficulty):
    for seed in range(3):
        exact = no_guess("16x16/44", seed, difficulty=difficulty)
        found = (grade(exact.layout).difficulty, exact.difficulty, exact.certificate.difficulty)
        assert found == (difficulty,) * 3
        bound = no_guess("16x16/44", seed, difficulty=difficulty, or_easier=True)
        assert DIFFICULTIES.index(grade(bound.layout).difficulty) <= DIFFICULTIES.index(difficulty)


def test_difficulty_and_3bv_can_be_chosen(quartet):
    assert no_guess("16x16/50", 1, difficulty=quartet).difficulty == quartet
    for method in (None, "chain"):
        board = no_guess("16x16/40", 5, three_bv=(60, 64), method=method)
        assert 60 <= board.layout.three_bv <= 64
        assert grade(board.layout).guesses == 0
    found = no_guess("4x4/3", 5).layout.three_bv  # one value is a range too
    assert no_guess("4x4/3", 5, three_bv=(found, found)).layout.three_bv == found
    assert no_guess("4x4/3", 5, three_bv=(0, 99)).layout.three_bv == found


def test_board_reports_the_method_that_found_it():
    for method in NO_GUESS_METHODS:
        board = no_guess("16x16/40", 3, method=method)
        assert board.method == method
        assert board.certificate.difficulty == board.difficulty
        assert repr(board) == f"<NoGuessLayout square 16x16/40, seed 3, by {method}>"


def test_first_draw_is_the_random_layout_of_the_seed():
    # 70 % of Intermediate layouts need no guess.
    rules = Rules.parse("intermediate")
    same = sum(no_guess(rules, seed).layout == generate(rules, seed).layout for seed in range(40))
    assert 15 <= same <= 39


def test_first_click_follows_its_rule_and_is_never_a_mine():
    for rule in ["any", "safe", "zero"]:
        rules = Rules.parse("9x9/12", rule=rule)
        layout = no_guess(rules, 2, first="r1c1").layout
        assert not layout.mine_mask[list({0, *rules.mine_free_cells(0)})].any()


# Too many layouts to enumerate.
NO_BOARD = {"rules": "2x12/9", "rule": "safe"}


@pytest.mark.parametrize(
    "options, message",
    [
        ({"rules": "9x9/3", "difficulty": "four"}, r"with difficulty 'four' among the \d+ found"),
        (
            {"rules": "9x9/2", "three_bv": (900, 1000), "method": "rejection"},
            r"with 3BV 900-1000 among the \d+ found; for more time use --seconds",
        ),
        (NO_BOARD, r"[\d,]+ layouts, all of which need a guess"),
        ({**NO_BOARD, "method": "chain"}, r"[\d,]+ layouts, all of which need a guess"),
        ({**NO_BOARD, "method": "swaps"}, r"opens \d+ of 15 safe cells before a guess"),
    ],
)
def test_search_that_runs_out_of_time_reports_its_progress(options, message):
    assert_ends(lambda budget: no_guess(seed=1, budget=budget, **options), message, 0.2)


def test_chain_that_runs_out_of_time_reports_its_progress(monkeypatch):
    walk = NoGuessSearch.walk

    def walk_out_of_time(search, steps):
        search._limit = search._limit.within(-1)
        walk(search, steps)

    monkeypatch.setattr(NoGuessSearch, "walk", walk_out_of_time)
    with pytest.raises(OutOfBudget, match="0 of 380 random moves made"):
        no_guess("16x16/40", 1, method="chain")


def test_enumeration_that_runs_out_of_time_reports_its_progress():
    search = NoGuessSearch(Rules.of("4x4/4"), 0, "count", Budget().start().within(-1))
    with pytest.raises(OutOfBudget, match=r"0 of [\d,]+ layouts enumerated"):
        next(search.enumerate_layouts())


def test_rules_with_a_single_layout_are_decided_at_once():
    with pytest.raises(Unavailable, match=r"difficulty 'two': these rules have a single layout"):
        no_guess("9x9/0", 1, difficulty="two")
    # Only the mine count says anything about cell c, which no opening reaches.
    apart = Rules(Board.from_edges([("a", "b")], "abc"), 0)
    assert no_guess(apart, 1, method="chain").method == "chain"
    with pytest.raises(Unavailable, match="a single layout"):
        no_guess(apart, 1, use_mine_count=False)


def test_few_layouts_without_a_no_guess_board_are_decided_at_once():
    for method in [None, *NO_GUESS_METHODS]:
        with pytest.raises(Unavailable, match=r"none of the 3 layouts .* at r1c1 is one"):
            no_guess("2x2/1", 1, rule="safe", method=method)
        with pytest.raises(Unavailable, match=r"with 3BV 20-30: none of the 35 layouts"):
            no_guess("4x4/3", 1, three_bv=(20, 30), method=method)


def test_rare_no_guess_board_is_still_found_among_few_layouts(monkeypatch):
    monkeypatch.setattr("sapper.generators.no_guess.TRIES_PER_LAYOUT", 0)
    # A single one of the 6,435 layouts needs no guess.
    layouts = {no_guess("4x4/8", seed, rule="safe").layout for seed in range(3)}
    assert layouts == {Layout.parse("***.\n*c*.\n***.\n....")}


def test_impossible_options_are_refused():
    cases = [
        ({"difficulty": "six"}, "no such difficulty"),
        ({"or_easier": True}, "'or easier' needs a difficulty"),
        ({"difficulty": "count", "use_mine_count": False}, "needs the mine count"),
        ({"three_bv": (9, 3)}, "expected 3BV from a lower"),
        ({"method": "magic"}, "no such method"),
        *(
            ({name: "no"}, f"{name} as a bool, got 'no'")
            for name in ("use_mine_count", "or_easier")
        ),
    ]
    assert_refused(lambda options: NoGuessOptions(**options), cases)
    cases = [(wrong, "NoGuessOptions") for wrong in ("one", "", [], 0, {"difficulty": "one"})]
    assert_refused(lambda wrong: generate("5x5/3", 1, no_guess=wrong), cases, WrongType)


def test_layout_that_needs_a_guess_has_no_certificate_and_a_search_can_be_cancelled(cancelled):
    with pytest.raises(NotCertain, match="needs a guess: certain moves leave 2 cells"):
        certify(Layout.parse("*.\n.c"))
    with pytest.raises(OutOfBudget, match="cancelled"):
        no_guess("2x9/7", 1, rule="safe", cancel=cancelled)


def test_manipulated_certificate_is_detected():
    certificate = no_guess("16x16/44", 3, difficulty="count").certificate
    certificate.check()

    def change(number, **fields):
        steps = list(certificate.steps)
        steps[number] = dataclasses.replace(steps[number], **fields)
        return dataclasses.replace(certificate, steps=tuple(steps))

    mine = int(np.flatnonzero(certificate.layout.mine_mask)[0])
    pair = next(i for i, step in enumerate(certificate.steps) if step.difficulty == "two")
    one, other = certificate.steps[pair].numbers
    last = next(i for i, step in enumerate(certificate.steps) if step.difficulty == "count")
    for wrong, message in (
        (dataclasses.replace(certificate, steps=certificate.steps[:-1]), "not end with a win"),
        (dataclasses.replace(certificate, use_mine_count=False), "which this board must not need"),
        (change(0, reveal=(mine,), flag=()), "step 1 of the certificate does not prove "),
        (change(0, numbers=(mine,)), "step 1 of the certificate uses a number that is not"),
        (change(pair, difficulty="one"), f"step {pair + 1} .* difficulty 'one' but uses 2 numbers"),
        (change(pair, numbers=(one,), difficulty="one"), "does not prove"),
        (change(pair, numbers=(other,), difficulty="one"), "does not prove"),
        (change(last, uses_mine_count=False), "has difficulty 'count' but"),
    ):
        with pytest.raises(NotCertain, match=message):
            wrong.check()


def count_no_guess(rules, seeds, max_difficulty="count"):
    """Count the random layouts that need no guess from the middle."""
    limit = Budget(seconds=600).start()
    search = NoGuessSearch(rules, rules.board.middle, max_difficulty, limit)
    found = 0
    for seed in seeds:
        search.restart(seed, limit)
        found += search.draw(1)
    return found


@pytest.mark.parametrize("name", TILINGS)
def test_careful_player_guesses_exactly_on_boards_that_need_a_guess(name):
    rules = Rules.parse("16x16/36", name)
    guesses = play_each(rules, "careful", games=100, seed=1)[:, FIELDS.index("guesses")]
    assert (guesses == 0).sum() == count_no_guess(rules, range(1, 101))


# The cells with a mine, two digits each: a seed must always give the same board.
GOLDEN = {
    "rejection": ["000708101314223049555863", "010405081032384042465860"],
    "swaps": ["000107131530324142506063", "091229313841424346486062"],
    "chain": ["000409111315162546485156", "081016222324293839505861"],
}


@pytest.mark.plain
def test_golden_boards_by_plain_and_compiled_kernels():
    for method in NO_GUESS_METHODS:
        boards = [no_guess("8x8/12", seed, method=method) for seed in range(2)]
        mines = [board.layout.mine_cells.tolist() for board in boards]
        assert ["".join(f"{cell:02d}" for cell in cells) for cells in mines] == GOLDEN[method]
