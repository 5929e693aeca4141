"""Tables over all tilings, sizes and methods: each unique by SAT and by a way of our own."""

from collections import Counter

import pytest

from sapper.errors import RulesError, SapperError, Unavailable
from sapper.generate.tables.draws import METHODS
from sapper.generate.tables.make import make_table, table_rules, table_rungs
from sapper.generate.tables.open_sets import OPEN_SETS
from sapper.generate.tables.uniqueness import placements
from sapper.infer.budget import Budget
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.replay import replay
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.odds.analysis import analyse
from sapper.kernels.codes import UNKNOWN
from sapper.model.stream import Stream
from sapper.model.tilings import TILINGS, tiling


def some_rules(stream):
    """Rules at random; None where they do not fit together."""
    pick = lambda names: list(names)[int(stream.shuffled(range(len(names)))[0])]  # noqa: E731
    name = pick(TILINGS)
    width, height = (TILINGS[name].least + int(stream.shuffled(range(13))[0]) for _ in "xy")
    wish = {"open": pick(OPEN_SETS), "method": pick(METHODS), "share": pick([0.15, 0.3, 0.5])}
    if stream.happens(0.3):
        wish = {"rung": pick(table_rungs()), "at_most": stream.happens(0.5)}
    try:
        return table_rules(tiling(name, width, height), **wish)
    except (RulesError, Unavailable):
        return None


def check_many(count, seed):
    """Makes *count* tables and shows each one's solution by both ways again, from the frame."""
    made, tries = Counter(), 0
    while made.total() < count:
        seed += 1
        rules = some_rules(Stream(seed))
        if rules is None:
            continue
        try:
            table = make_table(rules, seed, Budget(seconds=0.3))
        except SapperError:
            continue
        (only,) = placements(table.frame)
        assert only.tolist() == table.mine_cells.tolist()
        found = replay(table.frame)
        if found.solved:
            assert found.mine_cells.tolist() == table.mine_cells.tolist()
            assert table_rungs()[found.hints - 1] == table.rung
        else:
            assert table.rung == "four"
            confirm_by_engine(table)
        assert climbed(table.frame) == table.rung
        tries += table.tries
        made[rules.board.tiling, rules.open_set, rules.method, table.rung] += 1
    return made, tries / count


def climbed(frame):
    """The hardest rung of a climb from the frame's hints, which proves each step by itself."""
    climb = Climb(frame)
    rungs = [step.rung for step in climb.steps()]
    assert (climb.known != UNKNOWN).all()
    return max(rungs, key=RUNGS.place, default="one")


def confirm_by_engine(table):
    analysis = analyse(table.frame)
    assert analysis.placements == 1
    assert analysis.flag == table.solution


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
