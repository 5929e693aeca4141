"""The reasons of guesses against all solutions and all strategies of small positions."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from sapper import PLAYERS, Position, advise, analyse, hint
from sapper.engine.budget import Budget
from sapper.games.win_chance import add_win_chances, move_facts, win_chance
from sapper.players.guess import Guess, GuessFact
from sapper.players.hints import MAX_COMPARED_CELLS
from sapper.players.reasons import ComparedMove, describe_facts, win_facts
from sapper.sentences import plain_text
from sapper.serialize.cells import BY_INDEX
from sapper.serialize.positions import choice_json, compared_moves_json
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
            case "safest" | "is_safest":
                compared = {c.cell for c in guess.candidates} if fact.compared else set(risks)
                assert risks[cell] == min(risks[c] for c in compared)
            case "riskier":
                assert risks[cell] > risks[other] == min(risks.values())
                assert (fact.own, fact.other) == approximately((risks[cell], risks[other]))
            case "opens_most":
                others = set(fact.cells) if fact.compared else set(risks) - {cell}
                assert all(self.opening_chance(c) < self.opening_chance(cell) for c in others)
                assert fact.compared in (0, len(fact.cells) + 1)
                assert fact.own == approximately(self.opening_chance(cell))
            case "leads_on":
                assert self.progress(cell) > self.progress(other)
                assert (fact.own, fact.other) == approximately(
                    (self.progress(cell), self.progress(other))
                )
            case "wins_most":
                assert all(chances[c] < self.value for c in chances if c != cell)
                assert fact.own == approximately(self.value)
            case "behind":
                assert chances[cell] < chances[other] == self.value
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

    def check_text(self, text: str, cell: int) -> None:
        """Check what a sentence claims about all cells; it says where it is about fewer."""
        risks, chances = self.risks, self.chances
        if re.search(r"no covered cell is safer|the safest cell|(?<!the )safest(?! of)", text):
            assert risks[cell] == min(risks.values())
        if "wins most often (" in text:
            assert all(chances[c] < chances[cell] for c in chances if c != cell)
        if re.search(r"(both|all \d+) win equally often", text):
            assert set(chances.values()) == {self.value}
        if "opens most often (" in text:
            others = set(risks) - {cell}
            assert all(self.opening_chance(c) < self.opening_chance(cell) for c in others)


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


@pytest.mark.parametrize("kind", KINDS)
def test_no_reason_of_any_player_claims_more_than_all_solutions_show(kind):
    for position in positions_without_safe_cells(kind, 6, f"superlatives {kind}"):
        reference = AllSolutions(position)
        analysis = analyse(position)
        for player in PLAYERS.values():
            choice = advise(position, player)
            plain = choice.reason
            with_chances = add_win_chances(
                plain, position, samples=50, seed=0, trust_flags=False, budget=Budget()
            )
            for guess in (plain, with_chances):
                reference.check_text(guess.describe(position), guess.cell)
                shown = choice_json(replace(choice, reason=guess), position, BY_INDEX, analysis)
                reference.check_text(shown["reason"], guess.cell)
            for fact in with_chances.facts:
                if fact.kind != "simulated":
                    reference.check(with_chances, fact)


def test_comparison_of_some_cells_says_how_many_they_are():
    for kind in KINDS:
        for position in positions_without_safe_cells(kind, 4, f"some {kind}"):
            reference, analysis = AllSolutions(position), analyse(position)
            cells = sorted(reference.chances)[:2]
            moves = win_chance(position, moves=cells)
            shown = compared_moves_json(moves, (), analysis, Budget().start(), BY_INDEX)
            reference.check_text(shown["reason"], shown["best"])
            for move in moves if len(moves) > 1 else ():
                for fact in move_facts(move.cell, moves, analysis):
                    all_compared = len(reference.chances) == len(moves)
                    assert fact.compared in ((0,) if all_compared else (0, len(moves)))
                    reference.check_text(
                        plain_text(describe_facts([fact], ()), position.board.names), move.cell
                    )


def test_only_cells_next_to_numbers_are_compared_without_a_mine_count():
    position = Position.parse("# 1 # #\n# # # #")
    assert "no cell next to a number is safer" in advise(position).text(position)
    position = Position.parse("# 1 #\n# # #")
    assert "no covered cell is safer" in advise(position).text(position)


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
    better, worse = (win_facts(cell, rows, are_all=True) for cell in (3, 5))
    names = [f"r1c{k}" for k in range(1, 9)]
    text = plain_text(describe_facts(better, [3, 5]), names)
    assert text == "a little riskier than r1c6, but wins more often: 62% against 55%"
    assert [fact.kind for fact in worse] == ["behind"]
    tied = [rows[0], ComparedMove(5, 0.064, 0.61, 0.01, 0.01)]
    assert [fact.kind for fact in win_facts(5, tied, are_all=True)] == [
        "all_about_equal",
        "is_safest",
    ]


def test_hint_compares_the_candidates_that_it_names():
    position = Position.parse("mines: 2\n#2#\n###")
    shown = hint(position, 3)
    reference = AllSolutions(position)
    assert 1 < len(shown.candidates) <= MAX_COMPARED_CELLS
    for candidate in shown.candidates:
        safe = 1 - reference.risks[candidate.cell]
        assert candidate.progress == approximately(reference.progress(candidate.cell) / safe)
