"""Strategies 1 to 7: the figures of the paper, and all pairs of numbers."""

from itertools import product

from sapper import Position
from sapper.solvers.strategies import (
    ONE_NUMBER,
    STRATEGIES,
    TWO_NUMBERS,
    Constraint,
    Pair,
    read_pair,
    strategy_3,
    strategy_4,
    strategy_6,
    strategy_7,
)

ONE_TWO_ONE = Position.parse("""
    #######
    #32212#
    #1...1#
""")


def summary(position, deduction):
    return (
        deduction.by,
        position.names(deduction.flag),
        position.names(deduction.reveal),
        position.names(deduction.number_cells),
    )


def moves_of(pair):
    """Return the mines and safe cells that strategies 1 to 7 find, and which of them apply."""
    deductions = [
        strategy(constraint) for constraint in (pair.p, pair.q) for strategy in ONE_NUMBER
    ]
    deductions += [strategy(pair) for strategy in TWO_NUMBERS]
    flag = {cell for deduction in deductions for cell in deduction.flag}
    reveal = {cell for deduction in deductions for cell in deduction.reveal}
    return flag, reveal, {deduction.by for deduction in deductions if deduction}


def test_a_2_beside_a_1_gives_a_mine_and_a_safe_cell():
    pair, exchanged = (
        read_pair(ONE_TWO_ONE, *names.split()) for names in ("r2c5 r2c4", "r2c4 r2c5")
    )
    numbers = ("r2c4", "r2c5")
    assert summary(ONE_TWO_ONE, strategy_4(pair)) == ("strategy 4", ("r1c3",), (), numbers)
    assert summary(ONE_TWO_ONE, strategy_6(pair)) == ("strategy 6", (), ("r1c6",), numbers)
    assert strategy_3(exchanged).flag == strategy_4(pair).flag
    assert strategy_7(exchanged).reveal == strategy_6(pair).reveal


def test_strategies_3_and_4_would_never_apply_with_the_printed_upper_bound():
    # docs/errata.md, 1: max(1, 2, 2) = 2, and 2 - 2 is not 1.
    pair = read_pair(ONE_TWO_ONE, "r2c5", "r2c4")
    printed = max(pair.p.missing, pair.q.missing, len(pair.shared))
    assert pair.q.missing - printed != len(pair.only_q)
    assert pair.q.missing - pair.max_shared == len(pair.only_q) == 1


def test_printed_lower_bound_without_zero_misses_moves():
    # docs/errata.md, 2: p needs none of a, b; q needs 1 of b, c, d; the bound comes out as -1.
    pair = Pair(Constraint(0, 0, frozenset({10, 11})), Constraint(1, 1, frozenset({11, 12, 13})))
    printed = max(pair.p.missing - len(pair.only_p), pair.q.missing - len(pair.only_q))
    assert printed == -1 != pair.p.missing
    assert strategy_6(pair).reveal == (10,)


def all_pairs(max_covered):
    """Yield every pair of numbers with at most that many covered cells each, up to renaming."""
    for only_p, shared, only_q in product(range(max_covered + 1), repeat=3):
        if only_p + shared > max_covered or only_q + shared > max_covered:
            continue
        a = range(10, 10 + only_p)
        b = range(20, 20 + shared)
        c = range(30, 30 + only_q)
        for p_missing, q_missing in product(range(only_p + shared + 1), range(only_q + shared + 1)):
            yield Pair(
                Constraint(0, p_missing, frozenset({*a, *b})),
                Constraint(1, q_missing, frozenset({*b, *c})),
            )


def certain_by_enumeration(pair):
    """Return the certain mines and safe cells by enumeration, or None if there is no solution.

    By symmetry a part of the covered cells is all mines, all safe, or undecided.
    """
    parts = (pair.only_p, pair.shared, pair.only_q)
    ways = [
        (pair.p.missing - i, i, pair.q.missing - i)
        for i in range(len(pair.shared) + 1)
        if 0 <= pair.p.missing - i <= len(pair.only_p)
        and 0 <= pair.q.missing - i <= len(pair.only_q)
    ]
    if not ways:
        return None
    flag, reveal = set(), set()
    for i, part in enumerate(parts):
        if all(way[i] == len(part) for way in ways):
            flag |= part
        if all(way[i] == 0 for way in ways):
            reveal |= part
    return flag, reveal


def test_over_all_pairs_the_strategies_find_exactly_what_is_certain():
    applied = set()
    count = 0
    for pair in all_pairs(8):
        certain = certain_by_enumeration(pair)
        assert pair.possible == (certain is not None)
        if certain is None:
            continue
        flag, reveal, by = moves_of(pair)
        assert (flag, reveal) == certain, (pair.p, pair.q)
        applied |= by
        count += 1
    assert applied == set(STRATEGIES)
    assert count == 7809  # as docs/how-it-works/the-seven-strategies.md says
