"""Proofs in words are parsed again, and each sentence is checked against the position.

A check takes the facts of a proof (t) and the parts of its sentence: names of numbers (p, q) and of
other cells, counts and word forms. n is the cell of a number.
"""

import itertools
import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sapper import FLAG, Board, Contradiction
from sapper.proofs.prover import Proof, explain_all
from tests.oracle.naive import neighbours, subsets
from tests.sampling import cases
from tests.strategies import tiling_boards, true_positions

MAX_COVERED = 11
END = r"so (\S+) is (a mine|safe)\."


class Facts:
    """The facts that the text of a proof may mention: by number, its mines and covered cells."""

    def __init__(self, proof: Proof):
        position = self.position = proof.position
        self.cell, self.is_mine = proof.move.cell, proof.move.action == "flag"
        self.numbers, self.with_count = list(proof.number_cells), proof.uses_mine_count
        flagged = set(position.flags.tolist()) if proof.trust_flags else set()
        self.unknown_cells = set(position.without_flags().covered.tolist()) - flagged
        self.mines_left = None if position.mines is None else position.mines - len(flagged)
        near = neighbours(position.board)
        self.mines = {n: near[n] & flagged for n in self.numbers}
        self.covered = {n: near[n] & self.unknown_cells for n in self.numbers}
        self.need = {n: int(position.marks[n]) - len(self.mines[n]) for n in self.numbers}
        self.frontier = set().union(*self.covered.values())

    def cells(self, text: str) -> set[int]:
        return {self.position.board.cell(name) for name in re.split(", | and ", text)}

    def solutions(self) -> set[frozenset[int]]:
        """Return the solutions around the numbers, with the mine count if it is used."""
        solutions = set()
        rest = len(self.unknown_cells) - len(self.frontier)
        for mines in subsets(self.frontier):
            count_holds = not self.with_count or 0 <= self.mines_left - len(mines) <= rest
            if count_holds and all(
                len(mines & self.covered[n]) == self.need[n] for n in self.numbers
            ):
                solutions.add(mines)
        return solutions


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def has_only(t, p, need, covered, named):
    (n,) = t.numbers
    assert t.cells(p) == {n} and t.need[n] == len(t.covered[n]) == int(need)
    assert plural(int(need), "covered cell") == covered and t.cells(named) == t.covered[n]


def needs_none(t, p):
    assert t.cells(p) == set(t.numbers) and t.position.marks[t.numbers[0]] == 0


def touches_its_mines(t, p, mines, named):
    (n,) = t.numbers
    assert t.cells(p) == {n} and t.need[n] == 0 and t.cells(named) == t.mines[n]
    assert mines == ("mine" if len(t.mines[n]) == 1 else plural(len(t.mines[n]), "mine"))


def others_are_mines(t, p, need_p, shared, q, need_q, covered, others, are):
    (p,), (q,) = t.cells(p), t.cells(q)
    only = t.covered[p] - t.covered[q]
    assert {p, q} == set(t.numbers) and t.cells(shared) == t.covered[p] & t.covered[q]
    assert (str(t.need[p]), str(t.need[q] or "none")) == (need_p, need_q)
    assert t.need[p] - t.need[q] == len(only) and t.cells(others) == only
    assert (covered == "covered cell") == (are == "is a mine") == (len(only) == 1)
    assert t.cell in only and t.is_mine


def shares_all(t, q, need, all_its, shared, p):
    (p,), (q,) = t.cells(p), t.cells(q)
    assert {p, q} == set(t.numbers) and t.need[p] == t.need[q] == int(need)
    assert t.cells(shared) == t.covered[q] <= t.covered[p]
    assert (all_its == "its only covered cell") == (len(t.covered[q]) == 1)


def at_most(t, q, need, most, only, least, are, shared, p, limit):
    (p,), (q,) = t.cells(p), t.cells(q)
    assert {p, q} == set(t.numbers) and t.need[q] == int(need)
    assert t.cells(only) == t.covered[q] - t.covered[p] and len(t.cells(only)) == int(most)
    assert t.cells(shared) == t.covered[q] & t.covered[p]
    assert int(need) - int(most) == int(least) == int(limit) == t.need[p]
    assert are == ("is" if least == "1" else "are")


def count_alone(t, mines, are, covered):
    assert not t.numbers and t.mines_left == len(t.unknown_cells)
    assert (mines, covered) == (plural(t.mines_left, "mine"), plural(t.mines_left, "covered cell"))
    assert are == ("is" if t.mines_left == 1 else "are")


def count_none(t):
    assert not t.numbers and t.mines_left == 0


def count_and_numbers(t, mines, are, numbers, needs, needed, apart, end):
    total, rest = sum(t.need.values()), len(t.unknown_cells - t.frontier)
    assert t.cells(numbers) == set(t.numbers) and needed == str(total or "none")
    assert mines == plural(t.mines_left, "mine") and are == ("is" if t.mines_left == 1 else "are")
    assert needs == ("needs" if len(t.numbers) == 1 else "need")
    assert not apart or sum(map(len, t.covered.values())) == len(t.frontier)
    if t.is_mine:
        others = "other covered cell" if rest == 1 else f"{rest} other covered cells"
        assert t.mines_left - total == rest
        assert end == f"{rest} {'is' if rest == 1 else 'are'} left for the only {others}"
    else:
        assert t.mines_left == total
        assert end == f"none is left for the other covered {'cell' if rest == 1 else 'cells'}"


SENTENCES = {
    rf"(\S+) needs (\d+) and has only (\d+ covered cells?), (.+), {END}": has_only,
    rf"(\S+) needs no mine, {END}": needs_none,
    rf"(\S+) already touches its (\d+ mines|mine), (.+), {END}": touches_its_mines,
    r"(\S+) needs (\d+) and shares (.+) with (\S+), which needs (\d+|none), "
    r"so its other (covered cells?), (.+), (is a mine|are mines)\.": others_are_mines,
    r"(\S+) needs (\d+) and shares (all its covered cells|its only covered cell), (.+), "
    rf"with (\S+), which needs no more, {END}": shares_all,
    rf"(\S+) needs (\d+), at most (\d+) of them on (.+), so at least (\d+) (is|are) on (.+), "
    rf"which it shares with (\S+); that one needs no more than (\d+), {END}": at_most,
    r"By the mine count (\d+ mines?) (is|are) left and only (\d+ covered cells?), "
    rf"{END}": count_alone,
    rf"By the mine count no mine is left, {END}": count_none,
    rf"By the mine count (\d+ mines?) (is|are) left; (.+) (needs?) (\d+|none)"
    rf"( on different covered cells)?, and (.+), {END}": count_and_numbers,
}
CASES = (
    r"Numbers? (.+?)(?: and the mine count \((\d+ mines?) left in (\d+ covered cells?)\))? leave "
    r"(\d+ ways?) to place mines there; (\S+) is (a mine|safe) (in it|in each)\.(?: (.+))?"
)


def check_text(proof: Proof) -> None:
    t = Facts(proof)
    conclusion = proof.position.board.name(t.cell), "a mine" if t.is_mine else "safe"
    for pattern, check in SENTENCES.items():
        if (match := re.fullmatch(pattern, proof.text)) is not None:
            parts = match.groups()
            if pattern.endswith(END):
                parts, end = parts[:-2], parts[-2:]
                assert end == conclusion
            check(t, *parts)
            return
    match = re.fullmatch(CASES, proof.text)
    assert match is not None
    numbers, mines, covered, ways, name, state, each, more = match.groups()
    solutions = t.solutions()
    assert t.cells(numbers) == set(t.numbers) and (name, state) == conclusion
    assert (mines is not None) == t.with_count
    if t.with_count:
        assert mines == plural(t.mines_left, "mine")
        assert covered == plural(len(t.unknown_cells), "covered cell")
    assert ways == plural(len(solutions), "way")
    assert each == ("in it" if len(solutions) == 1 else "in each")
    if more is not None and more.startswith("If "):
        check_contradiction(t, more)
    elif more is not None:
        check_cases(t, re.fullmatch(r"The mines are (.+)\.", more)[1], solutions)


def check_contradiction(t: Facts, text: str) -> None:
    """Check that each link follows from those before, and the last number is unsatisfiable."""
    links = re.fullmatch(r"If \S+ were (?:a mine|safe), (.+)\.", text)[1].split("; ")
    mines, known = set() if t.is_mine else {t.cell}, {t.cell}
    for link in links[:-1]:
        parts = re.fullmatch(r"(\S+) would make (.+) (a mine|mines|safe)", link)
        number, named, state = parts.groups()
        (n,) = t.cells(number)
        covered = t.covered[n] - known
        assert t.cells(named) == covered
        assert t.need[n] - len(t.covered[n] & mines) == (0 if state == "safe" else len(covered))
        assert state == "safe" or (state == "a mine") == (len(covered) == 1)
        known |= covered
        mines |= set() if state == "safe" else covered
    number, too_many, lacks = re.fullmatch(
        r"(?:then )?(\S+) would (?:have (\d+ mines?) too many|lack (\d+ mines?))", links[-1]
    ).groups()
    (n,) = t.cells(number)
    lack = t.need[n] - len(t.covered[n] & mines)
    number = -lack if too_many else lack - len(t.covered[n] - known)
    assert number > 0 and (too_many or lacks) == plural(number, "mine")


def check_cases(t: Facts, text: str, solutions: set[frozenset[int]]) -> None:
    """Check that the cases are the solutions, each once."""
    cases = []
    for case in text.split("; or "):
        parts = re.split(r", (?=\d+ of )", case)
        sure = set() if re.match(r"\d+ of ", parts[0]) else t.cells(parts.pop(0))
        some = [part.split(" of ") for part in parts]
        choices = [itertools.combinations(t.cells(named), int(n)) for n, named in some]
        cases += [frozenset(sure.union(*picked)) for picked in itertools.product(*choices)]
    assert len(cases) == len(solutions) and set(cases) == solutions


@st.composite
def plain_graphs(draw: st.DrawFn) -> Board:
    """Draw graphs whose cell names contain no punctuation."""
    names = [f"v{i}" for i in range(draw(st.integers(2, 11)))]
    pairs = st.sampled_from(list(itertools.combinations(names, 2)))
    return Board.from_edges(draw(st.lists(pairs, unique=True)), names)


POSITIONS = true_positions(st.one_of(tiling_boards(4), plain_graphs()))


@settings(max_examples=cases(120))
@given(POSITIONS, st.integers(0, 7), st.booleans())
def test_every_sentence_of_a_proof_is_true(position, flags, trust_flags):
    assume(len(position.covered) <= MAX_COVERED)
    flagged = [c for i, c in enumerate(position.covered.tolist()) if flags >> i & 1]
    position = position.with_marks(dict.fromkeys(flagged, FLAG))
    try:
        proofs = explain_all(position, trust_flags=trust_flags)
    except Contradiction:
        return
    for proof in proofs:
        check_text(proof)
