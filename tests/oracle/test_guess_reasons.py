"""The reasons of guesses against all solutions and all strategies of small positions."""

from collections import Counter
from fractions import Fraction

import pytest

from sapper import PLAYERS, Position, advise, hint
from sapper.players.guess import Guess, GuessFact
from sapper.players.hints import MAX_COMPARED_CELLS
from sapper.players.reasons import ComparedMove, describe_facts, win_facts
from sapper.sentences import plain_text
from tests.oracle.naive import (
    counted_solutions,
    neighbours,
    probabilities,
    value_probabilities,
)
from tests.oracle.naive_endgame import best_chances, split_by_number
from tests.random_positions import KINDS, positions_without_safe_cells

# Without end games: the exact facts, and not the win chances, decide on the reason.
NO_END_GAME = {"end_game": 0, "thin_end_game": 0.0, "apart": False}
PLAYERS_WITHOUT_WIN_CHANCES = [
    PLAYERS["thoughtful"].with_settings({**NO_END_GAME, "coin_tosses": False, "ratio": 0.1}),
    PLAYERS["learned"].with_settings({"end_game": 0, "apart": False, "ratio": 0.1}),
    PLAYERS["shrewd"].with_settings(NO_END_GAME),
]


class AllSolutions:
    """Exact facts about a position, from all its solutions and all strategies."""

    def __init__(self, position: Position):
        self.position = position
        self.solutions = frozenset(counted_solutions(position))
        self.risks = probabilities(position, list(self.solutions))
        self.value, self.chances = best_chances(position)

    def progress(self, cell: int) -> Fraction:
        """Return how often the game is won or another cell is safe after a safe reveal."""
        others = set(self.risks) - {cell}
        total = 0
        for left in split_by_number(self.position.board, self.solutions, cell).values():
            is_won = len(others) == self.position.mines
            is_safe = any(all(other not in mines for mines in left) for other in others)
            total += len(left) if is_won or is_safe else 0
        return Fraction(total, len(self.solutions))

    def opening_chance(self, cell: int) -> Fraction:
        return value_probabilities(self.position, cell).get(0, Fraction(0))

    def is_undecidable(self, one: set[int], other: set[int], mines: frozenset[int]) -> bool:
        """Return whether a solution with one set as mines looks the same with the other set."""
        swapped = frozenset((mines - one) | other)
        near = neighbours(self.position.board)
        shown = set(self.position.board.cells) - mines - one - other
        same = all(len(near[c] & mines) == len(near[c] & swapped) for c in shown)
        return same and swapped in self.solutions

    def check(self, guess: Guess, fact: GuessFact) -> None:
        cell, risks, chances = guess.cell, self.risks, self.chances
        other = fact.cells[0] if fact.cells else cell
        match fact.kind:
            case "safest":
                assert risks[cell] == min(risks.values())
            case "is_safest":
                assert all(risks[cell] < risks[c.cell] for c in guess.candidates[1:])
            case "riskier":
                assert risks[cell] > risks[other] == min(risks.values())
                assert (fact.own, fact.other) == approximately((risks[cell], risks[other]))
            case "opens_most":
                assert all(self.opening_chance(c) < self.opening_chance(cell) for c in fact.cells)
                assert fact.own == approximately(self.opening_chance(cell))
            case "leads_on":
                assert self.progress(cell) > self.progress(other)
                assert (fact.own, fact.other) == approximately(
                    (self.progress(cell), self.progress(other))
                )
            case "wins_most":
                assert all(chances[c] < self.value for c in chances if c != cell)
                assert fact.own == approximately(self.value)
            case "wins_more":
                assert chances[cell] == self.value > chances[other]
                assert (fact.own, fact.other) == approximately((self.value, chances[other]))
            case "as_good":
                assert {c for c in chances if chances[c] == self.value} == {cell, *fact.cells}
            case "equal" | "all_equal":
                best = {c for c in chances if chances[c] == self.value}
                assert best == {cell, *fact.cells}
                assert (best == set(chances)) == (fact.kind == "all_equal")
                assert fact.own == approximately(self.value)
            case "fifty_fifty":
                assert all((cell in mines) != (other in mines) for mines in self.solutions)
                with_cell = [mines for mines in self.solutions if cell in mines]
                assert all(self.is_undecidable({cell}, {other}, mines) for mines in with_cell)
            case "forced":
                for mines in self.solutions:
                    pairs = [(set(p.one), set(p.other)) for p in guess.fifty_fifties]
                    pairs += [(b, a) for a, b in pairs]
                    assert cell not in mines or any(
                        a <= mines and self.is_undecidable(a, b, mines) for a, b in pairs
                    )
            case "part":
                assert chances[cell] == self.value
            case "next_anyway":
                assert risks[cell] < risks[other]
            case _:
                # A player's own estimate is given only together with the risk that it justifies.
                assert fact.kind in ("networks", "look_ahead", "decides", "unfinished")
                assert guess.facts[0].kind == "riskier"


def approximately(value):
    return pytest.approx(tuple(map(float, value)) if isinstance(value, tuple) else float(value))


def check_guesses(players, kind, count, seed) -> Counter[str]:
    """Check the reasons of several players; return how often each kind of fact occurred."""
    kinds: Counter[str] = Counter()
    for position in positions_without_safe_cells(kind, count, seed):
        reference = AllSolutions(position)
        for player in players:
            guess = advise(position, player).reason
            assert isinstance(guess, Guess) and guess.facts, position
            for fact in guess.facts:
                reference.check(guess, fact)
                kinds[fact.kind] += 1
            for candidate in guess.candidates:
                assert candidate.risk == approximately(reference.risks[candidate.cell])
                assert candidate.value in (None, reference.chances[candidate.cell])
    return kinds


@pytest.mark.parametrize("kind", KINDS)
def test_reasons_of_solved_end_games_hold_for_all_strategies(kind):
    found = check_guesses(["thoughtful", "shrewd", "patient"], kind, 8, f"reasons {kind}")
    assert found.total() >= 24


@pytest.mark.parametrize("kind", KINDS)
def test_reasons_without_win_chances_hold_for_all_solutions(kind):
    found = check_guesses(PLAYERS_WITHOUT_WIN_CHANCES, kind, 8, f"facts {kind}")
    assert found.total() >= 24


def test_symmetric_cells_have_the_same_reason():
    position = Position.parse("# 1 #", mines=1)
    guess = advise(position, "shrewd").reason
    assert [fact.kind for fact in guess.facts] == ["fifty_fifty"]
    assert {candidate.value for candidate in guess.candidates} == {Fraction(1, 2)}


def test_hint_says_that_revealing_the_last_safe_cell_wins():
    position = Position.parse("# 1 #", mines=1)
    text = hint(position, 3).text
    assert text.count("if safe, the game is won") == 2
    assert all(candidate.progress == 1.0 for candidate in hint(position, 3).candidates)


def test_riskier_cell_is_preferred_for_its_win_chance_alone():
    rows = [ComparedMove(3, 0.108, 0.62, 0.0, 0.0), ComparedMove(5, 0.064, 0.55, 0.07, 0.01)]
    better, worse = win_facts(3, rows), win_facts(5, rows)
    names = [f"r1c{k}" for k in range(1, 9)]
    text = plain_text(describe_facts(better, [3, 5]), names)
    assert text == "a little riskier than r1c6, but wins more often: 62% against 55%"
    assert [fact.kind for fact in worse] == ["behind"]
    tied = [rows[0], ComparedMove(5, 0.064, 0.61, 0.01, 0.01)]
    assert [fact.kind for fact in win_facts(5, tied)] == ["all_about_equal", "is_safest"]


def test_hint_compares_the_candidates_that_it_names():
    position = Position.parse("mines: 2\n#2#\n###")
    shown = hint(position, 3)
    reference = AllSolutions(position)
    assert 1 < len(shown.candidates) <= MAX_COMPARED_CELLS
    for candidate in shown.candidates:
        safe = 1 - reference.risks[candidate.cell]
        assert candidate.progress == approximately(reference.progress(candidate.cell) / safe)
